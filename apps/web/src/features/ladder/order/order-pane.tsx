import { PaneHint } from '../pane-hint.tsx';

/** The life of one order. */
export function OrderPane() {
  return (
    <PaneHint>Select an order of a level to read its life: its place at birth, every resize, and why it left.</PaneHint>
  );
}
