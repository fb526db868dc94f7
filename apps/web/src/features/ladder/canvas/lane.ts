/** A part of a queue's bar, in CSS pixels from the lane's inner end. */
interface LaneSegment {
  readonly from: number;
  readonly width: number;
}

export interface LaneShape {
  /** One per order, front of the queue first. */
  readonly segments: readonly LaneSegment[];
  /** The orders behind the segments, folded into one. */
  readonly tail: (LaneSegment & { readonly orders: number }) | undefined;
}

export const SEGMENT_GAP = 1;
/** A narrower segment could not be told from its neighbours. */
export const SEGMENT_MIN = 2;

/** A row's queue: the sizes of its first `sent` orders from index `start` on; the row has `count` orders of `total` size. */
export interface LaneQueue {
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
