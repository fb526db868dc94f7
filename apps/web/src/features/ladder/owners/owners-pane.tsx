import { PaneHint } from '../pane-hint.tsx';

/** Who rests near the market. */
export function OwnersPane() {
  return <PaneHint>The wallets that rest near the mid, by their share of each side, are listed here.</PaneHint>;
}
