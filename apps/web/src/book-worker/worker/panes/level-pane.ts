import type { L4Book, QueuedOrder } from '@l4desk/book';
import type { LevelAnswer, LevelAsk, OrderPlace, QueueOrder } from '../../panes/level.ts';

/** How far from its last place an order is looked for before the whole queue is. */
const NEARBY = 256;

/** The most orders that a view is held by. */
const ANCHORS = 8;

/**
 * The queue of one row, a range of it that follows what the person reads: while an ask stands, every frame moves the
 * range with the orders in view, and says how far it has moved since the ask.
 */
export class LevelPane {
  #serial: number | undefined;
  #shift = 0;
  #anchors: readonly OrderPlace[] = [];

  answer(book: L4Book, ask: LevelAsk): LevelAnswer {
    if (ask.serial !== this.#serial) {
      this.#serial = ask.serial;
      this.#shift = 0;
      this.#anchors = ask.anchors;
    }
    const { serial, level } = ask;
    const { side, px, tick } = level;
    const row = book.row(side, px, tick);
    if (row === undefined) {
      return { serial, level, count: 0, sz: '0', notional: '0', shift: this.#shift, orders: [], chosen: null };
    }
    this.#shift += shiftOf(book, level, this.#anchors);
    const last = Math.max(0, row.count - ask.length);
    const offset = Math.min(last, Math.max(0, ask.from + this.#shift));
    const orders = book.queue(side, px, { tick, offset, limit: ask.length });
    this.#anchors = anchorsIn(orders, ask, this.#shift);
    const chosen = ask.chosen === null ? undefined : find(book, level, ask.chosen);
    return {
      serial,
      level,
      count: row.count,
      sz: row.sz,
      notional: row.notional,
      shift: this.#shift,
      orders: orders.map(toQueueOrder),
      chosen: chosen === undefined ? null : toQueueOrder(chosen),
    };
  }
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
function shiftOf(book: L4Book, level: LevelAsk['level'], anchors: readonly OrderPlace[]): number {
  for (const anchor of anchors) {
    const now = find(book, level, anchor);
    if (now !== undefined) return now.place - anchor.place;
  }
  return 0;
}

/** The orders that stand in view now; none where the ask had none, because the view keeps showing the front. */
function anchorsIn(orders: readonly QueuedOrder[], { anchors }: LevelAsk, shift: number): readonly OrderPlace[] {
  const [first] = anchors;
  if (first === undefined) return [];
  return orders
    .filter(({ place }) => place >= first.place + shift)
    .slice(0, ANCHORS)
    .map(({ place, order }) => ({ oid: order.oid, place }));
}

/** An order in a row's queue, looked for around the place it had. */
function find(
  book: L4Book,
  { side, px, tick }: LevelAsk['level'],
  { oid, place }: OrderPlace,
): QueuedOrder | undefined {
  if (book.sideOf(oid) !== side) return undefined;
  const isIt = ({ order }: QueuedOrder) => order.oid === oid;
  const offset = Math.max(0, place - NEARBY);
  return (
    book.queue(side, px, { tick, offset, limit: 2 * NEARBY }).find(isIt) ?? book.queue(side, px, { tick }).find(isIt)
  );
}
