import type { LadderFrame, LadderRow } from '../../../book-worker/ladder-frame.ts';
import { type Column, type Columns, PAD } from './columns.ts';
import { laneShape } from './lane.ts';
import { type BarScale, barShare } from './scale.ts';

/** Room at a lane's outer end for the number of folded orders, such as `+302`, px. */
export const TAIL_LABEL = 34;

/** Room behind that for the letter of a watched wallet, px. */
const LETTER = 10;

/** Maximum length of a lane's bar. */
export function laneRoom(lane: Column): number {
  return Math.max(0, lane.width - PAD - TAIL_LABEL - LETTER);
}

/** The most orders that a row's queue lane shows, however wide it is. */
const LANE_ORDERS_MAX = 256;

/** How many orders a lane can show on a canvas of this width: a segment and its gap take at least three pixels. */
export function laneOrdersFor(width: number): number {
  return Math.min(LANE_ORDERS_MAX, Math.ceil(width / 3));
}

/** The layout of the last drawn frame. */
export interface Layout {
  readonly columns: Columns;
  /** The size of a full bar. */
  readonly fullSize: number;
}

/** The queue place of the order drawn at `x`; within the folded tail, its first one. Undefined if no order is drawn there. */
export function lanePlaceAt(
  frame: LadderFrame,
  row: LadderRow,
  { columns, fullSize }: Layout,
  bars: BarScale,
  x: number,
): number | undefined {
  const { lane, laneMirrored } = row.side === 'A' ? columns.asks : columns.bids;
  if (lane === undefined) return undefined;
  const at = laneMirrored ? lane.x + lane.width - PAD - x : x - lane.x - PAD;
  const { segments, tail } = laneOf(frame, row, laneRoom(lane) * barShare(row.size, fullSize, bars));
  const last = tail ?? segments.at(-1);
  if (last === undefined || at < 0 || at > last.from + last.width) return undefined;
  const next = segments.findIndex(({ from, width }) => at <= from + width);
  return next < 0 ? segments.length : next;
}

/** The segments of a row's lane for a bar of this length. */
export function laneOf(frame: LadderFrame, row: LadderRow, length: number): ReturnType<typeof laneShape> {
  return laneShape(
    {
      sizes: frame.lanes,
      start: row.laneStart,
      sent: row.laneLength,
      count: row.count,
      total: row.size,
    },
    Math.max(2, length),
  );
}
