import type { L4Book, QueuedOrder } from '@l4desk/book';
import type { QueueAnswer, QueueAsk, QueueOrder } from '../messages.ts';

/** How far from its last place an order is looked for before the whole queue is. */
const NEARBY = 256;

/** The orders of one row, a window of them, in queue order. */
export function queueOf(
  book: L4Book,
  ask: QueueAsk,
): Pick<QueueAnswer, 'count' | 'sz' | 'notional' | 'shift' | 'orders' | 'chosen'> {
  const { side, px, tick } = ask.level;
  const row = book.row(side, px, tick);
  if (row === undefined) return { count: 0, sz: '0', notional: '0', shift: 0, orders: [], chosen: null };
  const shift = shiftOf(book, ask);
  const last = Math.max(0, row.count - ask.length);
  const offset = Math.min(last, Math.max(0, ask.from + shift));
  const orders = book.queue(side, px, { tick, offset, limit: ask.length });
  const chosen = ask.chosen === null ? undefined : find(book, ask.level, ask.chosen);
  return {
    count: row.count,
    sz: row.sz,
    notional: row.notional,
    shift,
    orders: orders.map(toQueueOrder),
    chosen: chosen === undefined ? null : toQueueOrder(chosen),
  };
}

function toQueueOrder({ place, szAhead, order }: QueuedOrder): QueueOrder {
  return {
    place,
    szAhead,
    oid: order.oid,
    user: order.user ?? '',
    sz: order.sz,
    px: order.limitPx,
    timestamp: order.timestamp,
    tif: order.tif,
    orderType: order.orderType,
    reduceOnly: order.reduceOnly,
    cloid: order.cloid,
  };
}

/** How far the first anchor that still rests has moved; 0 when none does. */
function shiftOf(book: L4Book, { level, anchors }: QueueAsk): number {
  for (const anchor of anchors) {
    const now = find(book, level, anchor);
    if (now !== undefined) return now.place - anchor.place;
  }
  return 0;
}

/** An order in a row's queue, looked for around the place it had. */
function find(
  book: L4Book,
  { side, px, tick }: QueueAsk['level'],
  { oid, place }: { readonly oid: number; readonly place: number },
): QueuedOrder | undefined {
  if (book.sideOf(oid) !== side) return undefined;
  const isIt = ({ order }: QueuedOrder) => order.oid === oid;
  const offset = Math.max(0, place - NEARBY);
  return (
    book.queue(side, px, { tick, offset, limit: 2 * NEARBY }).find(isIt) ?? book.queue(side, px, { tick }).find(isIt)
  );
}
