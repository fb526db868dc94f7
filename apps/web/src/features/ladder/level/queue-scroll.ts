/**
 * Which places of a queue are visible, and where the view moves when orders ahead of it leave: the visible orders keep their
 * position on the screen, unless the view is at the front, where it stays.
 */
export interface QueueWindow {
  readonly from: number;
  readonly length: number;
}

/** Rows requested beyond each edge of the view, so that they are there when scrolled to. */
const OVERSCAN = 12;

/** The places to request at this scroll position. */
export function windowAt(scrollTop: number, height: number, rowHeight: number): QueueWindow {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight);
  const visible = Math.ceil(Math.max(0, height) / rowHeight) + 1;
  const from = Math.max(0, first - OVERSCAN);
  return { from, length: first - from + visible + OVERSCAN };
}

/** The visible orders that anchor the view; none at the front of the queue. */
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

/** Whether the requested window, shifted by `followed` places, still covers this scroll position. */
export function isCovered(
  asked: QueueWindow & { readonly anchors: readonly unknown[] },
  followed: number,
  scrollTop: number,
  height: number,
  rowHeight: number,
): boolean {
  const wanted = windowAt(scrollTop, height, rowHeight);
  const from = asked.from + followed;
  // At the front the view stays at the front, anywhere else it follows its orders: one request cannot serve both.
  const wasAtFront = asked.anchors.length === 0;
  if (wasAtFront !== scrollTop < rowHeight) return false;
  const missing = Math.max(from - wanted.from, wanted.from + wanted.length - from - asked.length);
  return missing <= OVERSCAN / 2;
}
