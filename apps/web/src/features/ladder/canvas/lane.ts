/** A part of a queue as a bar, in device-independent pixels from the lane's inner end. */
interface LaneSegment {
  readonly from: number;
  readonly width: number;
}

export interface LaneShape {
  /** One per order, front of the queue first. */
  readonly segments: readonly LaneSegment[];
  /** The orders behind them, folded into one. */
  readonly tail: (LaneSegment & { readonly orders: number }) | undefined;
}

export const SEGMENT_GAP = 1;
/** A narrower segment could not be told from its neighbours. */
export const SEGMENT_MIN = 2;

/** A row's queue: its first `sent` orders' sizes from `start` on, of `count` orders of `total` size together. */
export interface LaneQueue {
  readonly sizes: Float64Array;
  readonly start: number;
  readonly sent: number;
  readonly count: number;
  readonly total: number;
}

/**
 * Lays a row's queue out over a bar `length` long: from the front a segment per order, as wide as its share of the row
 * but never too narrow to see. Orders that have no room, or were not sent, are folded into a tail.
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

/** Shares of `length` by size, none below `SEGMENT_MIN`: what the small ones take beyond their share, the others give. */
function widths(parts: readonly number[], length: number): number[] {
  let left = length;
  let sum = 0;
  for (const size of parts) sum += size;
  // What is below the limit takes it from here on; each pass finds at least one more such part, or is the last.
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
