/**
 * Which places of a queue are on the screen, and where the view goes when orders ahead of it leave: the orders in view
 * keep their place on the screen, unless the view stands at the front, which it then keeps showing.
 */
export interface QueueWindow {
  readonly from: number;
  readonly length: number;
}

/** Rows asked for beyond each edge of the view, so that scrolling finds them there. */
const OVERSCAN = 12;

/** The places to ask for at this scroll position. */
export function windowAt(scrollTop: number, height: number, rowHeight: number): QueueWindow {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight);
  const visible = Math.ceil(Math.max(0, height) / rowHeight) + 1;
  const from = Math.max(0, first - OVERSCAN);
  return { from, length: first - from + visible + OVERSCAN };
}

/** The orders in view, to hold the view by: none at the front of the queue. */
export function anchorsOf<T extends { readonly index: number }>(
  orders: readonly T[],
  scrollTop: number,
  height: number,
  rowHeight: number,
): readonly T[] {
  if (scrollTop < rowHeight) return [];
  const first = Math.ceil(scrollTop / rowHeight);
  const last = Math.floor((scrollTop + height) / rowHeight);
  return orders.filter(({ index }) => index >= first && index <= last);
}

/** Whether what was asked for, moved along by `followed` places, still has what this scroll position needs. */
export function isCovered(
  asked: QueueWindow & { readonly anchors: readonly unknown[] },
  followed: number,
  scrollTop: number,
  height: number,
  rowHeight: number,
): boolean {
  const wanted = windowAt(scrollTop, height, rowHeight);
  const from = asked.from + followed;
  // At the front the view keeps showing the front, anywhere else its orders: one ask cannot stand for both.
  const wasAtFront = asked.anchors.length === 0;
  if (wasAtFront !== scrollTop < rowHeight) return false;
  const missing = Math.max(from - wanted.from, wanted.from + wanted.length - from - asked.length);
  return missing <= OVERSCAN / 2;
}
