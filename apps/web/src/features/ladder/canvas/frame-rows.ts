import { rowsOutOfSight, sideOfIndex } from '../../../book-worker/axis.ts';
import type { LadderFrame, LadderRow } from '../../../book-worker/ladder-frame.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { priceOfIndex } from '../../../book-worker/prices.ts';
import type { RowsToTouch } from './scene-types.ts';

/** The frame's row at a price index; the ask if a locked book has two. Undefined for a price without orders. */
export function rowOfIndex(frame: LadderFrame, index: number): LadderRow | undefined {
  return frame.rows.find((row) => row.index === index);
}

export function levelOfIndex(frame: LadderFrame, index: number): LevelRef {
  const { grid } = frame;
  const side = rowOfIndex(frame, index)?.side ?? sideOfIndex(frame.touch, index);
  return { side, px: priceOfIndex(grid, index), tick: grid.tick };
}

/** How many rows each best price is outside the visible range. */
export function rowsToTouch(frame: LadderFrame | undefined): RowsToTouch {
  const rowsTo = (index: number | undefined) =>
    frame === undefined || index === undefined ? 0 : rowsOutOfSight(frame.axis, frame.slots, index);
  return { bid: rowsTo(frame?.touch.bid), ask: rowsTo(frame?.touch.ask) };
}

/** The target of a keyboard move among the rows with orders, from the highest price down. */
export type CursorStep = { readonly row: number } | { readonly row: number; readonly scroll: number };

/**
 * Returns the target row `by` rows further down from `from`: the nearest row when the cursor enters the rows, and past the edge
 * the last row, with how far to scroll. `rows` is not empty.
 */
export function cursorStep(rows: readonly number[], from: number, isThere: boolean, by: number): CursorStep {
  const at = rows.findIndex((index) => index <= from);
  const isExact = rows[at] === from;
  const start = at < 0 ? rows.length : at;
  const target = !isThere || (by > 0 && !isExact) ? start : start + by;
  const row = rows[Math.min(rows.length - 1, Math.max(0, target))] as number;
  if (target >= 0 && target < rows.length) return { row };
  return { row, scroll: target < 0 ? Math.max(1, -by) : -Math.max(1, by) };
}
