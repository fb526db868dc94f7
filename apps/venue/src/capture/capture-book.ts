import { compare, parseUnits } from '@l4desk/decimal';
import type { Address, BookLevels, DecimalString, L4Order, Side } from '@l4desk/protocol';
import type { BookSize } from '../feed/source.ts';
import type { NodeDiff, NodeStatus } from './node-data.ts';

/** Prices are compared by value, in units of `10^-8`. */
const PX_SCALE = 8;

interface Resting {
  readonly px: number;
  /** Replaced by a copy when its size changes, so a book that was already returned does not change. */
  order: L4Order;
}

/** A recorded book: one queue per price, changed only by the recorded diffs. It matches nothing itself (BOOK-2). */
export class CaptureBook {
  readonly #coin: string;
  readonly #restingByOid = new Map<number, Resting>();
  readonly #queues: Readonly<Record<Side, Map<number, Resting[]>>> = { B: new Map(), A: new Map() };

  constructor(coin: string) {
    this.#coin = coin;
  }

  /** Adds an order of the snapshot at the back of its queue. Returns the problem, or null. */
  load(order: L4Order): string | null {
    return this.#insert(order, null);
  }

  /**
   * Applies a diff. `status` is the status with which the order entered the book in the same block; it only supplies the
   * fields that the diff lacks. Returns the problem, or null.
   */
  apply(diff: NodeDiff, status: NodeStatus | undefined, time: number): string | null {
    const raw = diff.raw_book_diff;
    if (raw !== 'remove' && 'new' in raw) {
      const side = diff.side ?? status?.order.side;
      if (side === undefined) return `the new order ${diff.oid} has no side`;
      return this.#insert(newOrder(diff, side, raw.new.sz, status, time), raw.new.insertBefore ?? null);
    }
    const resting = this.#restingByOid.get(diff.oid);
    if (resting === undefined) return `the order ${diff.oid} is not in the book of ${this.#coin}`;
    if (diff.side !== undefined && diff.side !== resting.order.side)
      return `the order ${diff.oid} rests on the other side`;
    if (parseUnits(diff.px, PX_SCALE) !== resting.px)
      return `the order ${diff.oid} rests at ${resting.order.limitPx}, not at ${diff.px}`;
    if (raw === 'remove') {
      this.#remove(diff.oid, resting);
      return null;
    }
    const { origSz, newSz } = raw.update;
    const { sz } = resting.order;
    if (!isSame(origSz, sz)) return `the order ${diff.oid} has size ${sz}, not ${origSz}`;
    resting.order = { ...resting.order, sz: newSz };
    return null;
  }

  sideOf(oid: number): Side | undefined {
    return this.#restingByOid.get(oid)?.order.side;
  }

  /** The resting orders of one wallet. */
  ordersOf(user: Address): readonly L4Order[] {
    const orders: L4Order[] = [];
    for (const { order } of this.#restingByOid.values()) if (order.user === user) orders.push(order);
    return orders;
  }

  /** The queues of a side, best price first. */
  queues(side: Side): readonly (readonly L4Order[])[] {
    const queues = [...this.#queues[side]].sort(([a], [b]) => (side === 'B' ? b - a : a - b));
    return queues.map(([, queue]) => queue.map(({ order }) => order));
  }

  levels(): BookLevels {
    return [this.queues('B').flat(), this.queues('A').flat()];
  }

  size(): BookSize {
    let bids = 0;
    for (const queue of this.#queues.B.values()) bids += queue.length;
    return {
      bids,
      asks: this.#restingByOid.size - bids,
      levels: this.#queues.B.size + this.#queues.A.size,
    };
  }

  #insert(order: L4Order, insertBefore: number | null): string | null {
    if (this.#restingByOid.has(order.oid)) return `the order ${order.oid} is already in the book`;
    const px = parseUnits(order.limitPx, PX_SCALE);
    if (px === undefined) return `the order ${order.oid} has an invalid price: ${order.limitPx}`;
    const queues = this.#queues[order.side];
    const queue = queues.get(px) ?? [];
    const place = insertBefore === null ? queue.length : queue.findIndex((each) => each.order.oid === insertBefore);
    if (place < 0) return `the order ${order.oid} must rest before ${insertBefore}, which is not at its price`;
    const resting: Resting = { px, order };
    queues.set(px, queue);
    queue.splice(place, 0, resting);
    this.#restingByOid.set(order.oid, resting);
    return null;
  }

  #remove(oid: number, resting: Resting): void {
    const queues = this.#queues[resting.order.side];
    const queue = queues.get(resting.px) ?? [];
    queue.splice(queue.indexOf(resting), 1);
    if (queue.length === 0) queues.delete(resting.px);
    this.#restingByOid.delete(oid);
  }
}

function newOrder(
  diff: NodeDiff,
  side: Side,
  sz: DecimalString,
  status: NodeStatus | undefined,
  time: number,
): L4Order {
  const known = status?.order;
  const isFired = known?.isTrigger === true;
  return {
    user: diff.user,
    coin: diff.coin,
    side,
    limitPx: diff.px,
    sz,
    oid: diff.oid,
    // A fired order counts as placed when it fired, as in the order-level server.
    timestamp: known === undefined || isFired ? time : known.timestamp,
    triggerCondition: isFired ? 'Triggered' : (known?.triggerCondition ?? 'N/A'),
    isTrigger: false,
    triggerPx: '0.0',
    isPositionTpsl: known?.isPositionTpsl ?? false,
    reduceOnly: known?.reduceOnly ?? false,
    orderType: known?.orderType ?? 'Limit',
    tif: isFired ? 'Gtc' : (known?.tif ?? null),
    cloid: known?.cloid ?? null,
  };
}

function isSame(a: DecimalString, b: DecimalString): boolean {
  return a === b || compare(a, b) === 0;
}
