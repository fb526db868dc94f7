import type { DecimalString } from '@l4desk/protocol';
import type { LadderWindow } from '../ladder-window.ts';
import type { LadderRow } from '../types.ts';
import type { ExactLevel } from './level.ts';

/** A row of a ladder with its levels. */
export interface ExactRow {
  readonly row: LadderRow;
  readonly levels: readonly ExactLevel[];
}

/** Fills a window with rows; sizes are in units of `10^-szScale`. */
export function fillWindow(window: LadderWindow, rows: readonly ExactRow[], szScale: number): void {
  const { maxLane } = window;
  window.begin(
    szScale,
    rows.map(({ row }) => row),
  );
  // The nearest doubles, for drawing only; the row texts are exact.
  const drawn = (sz: DecimalString): number => Number(`${sz}e${szScale}`);
  for (const [index, { row, levels }] of rows.entries()) {
    window.sz[index] = drawn(row.sz);
    window.cumSz[index] = drawn(row.cumSz);
    window.count[index] = row.count;
    const lane = levels.flatMap((level) => level.orders).slice(0, maxLane);
    window.laneCount[index] = lane.length;
    for (const [place, { order }] of lane.entries()) {
      window.laneSz[index * maxLane + place] = drawn(order.sz);
      window.laneUser[index * maxLane + place] = order.user;
    }
    window.endRow(row.px);
  }
}
