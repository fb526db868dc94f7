import type { LadderFrame, LadderRow } from '../../../book-worker/ladder-frame.ts';
import { type Column, type Columns, PAD } from './columns.ts';
import { type BarScale, barShare } from './scale.ts';

/** A part of a queue's bar, in CSS pixels from the lane's inner end. */
interface LaneSegment {
  readonly from: number;
  readonly width: number;
}

interface LaneShape {
  /** One per order, front of the queue first. */
  readonly segments: readonly LaneSegment[];
  /** The orders behind the segments, folded into one. */
  readonly tail: (LaneSegment & { readonly orders: number }) | undefined;
}

export const SEGMENT_GAP = 1;
/** A narrower segment could not be told from its neighbours. */
export const SEGMENT_MIN = 2;

/** A row's queue: the sizes of its first `sent` orders from index `start` on; the row has `count` orders of `total` size. */
interface LaneQueue {
  readonly sizes: Float64Array;
  readonly start: number;
  readonly sent: number;
  readonly count: number;
  readonly total: number;
}

/**
 * Lays a row's queue out over a bar of this length: one segment per order from the front, as wide as its share of the row but at
 * least `SEGMENT_MIN`. Orders that do not fit, or were not sent, are folded into a tail.
 */
export function laneShape(queue: LaneQueue, length: number): LaneShape {
  const { sizes, start, sent, count, total } = queue;
  const room = Math.max(1, Math.floor((length + SEGMENT_GAP) / (SEGMENT_MIN + SEGMENT_GAP)));
  const shown = count <= room && sent >= count ? count : Math.min(sent, Math.max(0, room - 1));
  const parts: number[] = [];
  let rest = total;
  for (let place = 0; place < shown; place += 1) {
    const size = sizes[start + place] ?? 0;
    parts.push(size);
    rest -= size;
  }
  const folded = count - shown;
  if (folded > 0) parts.push(Math.max(0, rest));
  const segments = placed(widths(parts, length - SEGMENT_GAP * (parts.length - 1)));
  const tail = folded > 0 ? segments.pop() : undefined;
  return { segments, tail: tail && { ...tail, orders: folded } };
}

/**
 * Divides `length` by size, no part below `SEGMENT_MIN`: the larger parts give up what the small ones take beyond their share.
 */
function widths(parts: readonly number[], length: number): number[] {
  let left = length;
  let sum = 0;
  for (const size of parts) sum += size;
  // Parts below the limit get the minimum width; each pass finds at least one more such part, or is the last.
  let limit = 0;
  for (;;) {
    const next = sum > 0 && left > 0 ? (SEGMENT_MIN * sum) / left : Number.POSITIVE_INFINITY;
    let found = false;
    for (const size of parts) {
      if (size < limit || size >= next) continue;
      found = true;
      left -= SEGMENT_MIN;
      sum -= size;
    }
    if (!found) return parts.map((size) => (size < limit ? SEGMENT_MIN : (size / sum) * left));
    limit = next;
  }
}

function placed(each: readonly number[]): LaneSegment[] {
  let from = 0;
  return each.map((width) => {
    const segment = { from, width };
    from += width + SEGMENT_GAP;
    return segment;
  });
}

/** Room at a lane's outer end for the number of folded orders, such as `+302`, px. */
export const TAIL_LABEL = 34;

/** Room behind that for the letter of a watched wallet, px. */
const LETTER = 10;

export function laneRoom(lane: Column): number {
  return Math.max(0, lane.width - PAD - TAIL_LABEL - LETTER);
}

const LANE_ORDERS_MAX = 256;

/** How many orders a lane can show on a canvas of this width: a segment and its gap take at least three pixels. */
export function laneOrdersFor(width: number): number {
  return Math.min(LANE_ORDERS_MAX, Math.ceil(width / 3));
}

/** The layout of the last drawn frame. */
export interface Layout {
  readonly columns: Columns;
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
