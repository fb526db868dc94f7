/** A queue as segments, in device-independent pixels from the lane's inner end. */
export interface LaneSegment {
  readonly from: number;
  readonly width: number;
}

export interface LaneShape {
  /** One per order, front of the queue first. */
  readonly segments: readonly LaneSegment[];
  /** The orders behind them, folded: where they begin, how long they are, how many they are. */
  readonly tail: { readonly from: number; readonly width: number; readonly orders: number } | undefined;
}

export const SEGMENT_GAP = 1;
/** A narrower segment could not be told from its neighbours. */
export const SEGMENT_MIN = 2;

/**
 * Lays a row's queue out over a bar `length` long: a segment per order, as wide as its share of the row, from the
 * front, at least `SEGMENT_MIN`. What does not fit, or was not sent, is the tail.
 */
export function laneShape(
  sizes: Float64Array,
  start: number,
  sent: number,
  count: number,
  total: number,
  length: number,
): LaneShape {
  const segments: LaneSegment[] = [];
  let from = 0;
  for (let place = 0; place < sent; place += 1) {
    const share = total > 0 ? ((sizes[start + place] ?? 0) / total) * length : 0;
    const width = Math.max(SEGMENT_MIN, share - SEGMENT_GAP);
    const isLast = place === count - 1;
    const end = from + width;
    // Room must be left for at least a sliver of tail, unless this is the last order.
    if (end > length + (isLast ? SEGMENT_MIN : -(SEGMENT_MIN + SEGMENT_GAP)) && place > 0) break;
    segments.push({ from, width });
    from = end + SEGMENT_GAP;
  }
  const orders = count - segments.length;
  const tail = orders > 0 ? { from, width: Math.max(SEGMENT_MIN, length - from), orders } : undefined;
  return { segments, tail };
}
