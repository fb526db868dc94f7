import { type LastAmount, noAmount } from './amounts.ts';
import { type KnownOrder, KnownOrders } from './known-orders.ts';

/**
 * What blocks are written against from a keyframe on: where the last block stood, the orders that rest, and the shape that each
 * owner's last order had. A keyframe resets it, so that reading can begin there.
 */
export class Segment {
  readonly orders = new KnownOrders();
  height = 0;
  time = 0;
  seq = 0;
  oid = 0;
  bidPx: LastAmount = noAmount();
  askPx: LastAmount = noAmount();
  readonly #shapeOfUser = new Map<number, number>();

  start(height: number, time: number, seq: number): void {
    this.orders.clear();
    this.#shapeOfUser.clear();
    this.height = height;
    this.time = time;
    this.seq = seq;
    this.oid = 0;
    this.bidPx = noAmount();
    this.askPx = noAmount();
  }

  /** The shape that an owner's next order is expected to have. */
  expectedShape(user: number): number {
    return this.#shapeOfUser.get(user) ?? 0;
  }

  /** A status said what an order is. */
  describe(order: KnownOrder, timestamp: number, cloid: string | null, shape: number): void {
    order.timestamp = timestamp;
    order.cloid = cloid;
    order.shape = shape;
    this.#shapeOfUser.set(order.user, shape);
  }
}

/** What a status with no order of its block is written against at first. */
export function nobody(): KnownOrder {
  return { serial: 0, oid: 0, user: -1, side: 'B', px: '', sz: '', timestamp: 0, cloid: null, shape: -1 };
}
