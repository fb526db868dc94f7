import { PaneHint } from '../pane-hint.tsx';

/** What happened to the book, block by block. */
export function TapePane() {
  return <PaneHint>What each block added, cancelled, shrank and executed is listed here.</PaneHint>;
}
