import { type LastAmount, noAmount } from './amounts.ts';
import { type KnownOrder, KnownOrders } from './known-orders.ts';

/**
 * The state that blocks are written relative to: the position of the last block, the resting orders, and the shape of each
 * owner's last order. A keyframe resets it, so reading can begin there.
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

  /** Returns the shape that an owner's next order is expected to have. */
  expectedShape(user: number): number {
    return this.#shapeOfUser.get(user) ?? 0;
  }

  /** Stores the fields of an order that a status has given. */
  describe(order: KnownOrder, timestamp: number, cloid: string | null, shape: number): void {
    order.timestamp = timestamp;
    order.cloid = cloid;
    order.shape = shape;
    this.#shapeOfUser.set(order.user, shape);
  }
}

/** Returns the initial order for statuses that belong to no change of their block. */
export function nobody(): KnownOrder {
  return { serial: 0, oid: 0, user: -1, side: 'B', px: '', sz: '', timestamp: 0, cloid: null, shape: -1 };
}
