import type { Order, OrderKeeper } from '../engine/order.ts';
import type { Random } from '../engine/random.ts';

/** Resting orders of many wallets, from which one can be drawn at random. An order that leaves the book leaves the pool. */
export class OrderPool implements OrderKeeper {
  readonly #orders: Order[] = [];

  get size(): number {
    return this.#orders.length;
  }

  keep(order: Order): void {
    order.keeper = this;
    order.keptAt = this.#orders.length;
    this.#orders.push(order);
  }

  release(order: Order): void {
    const last = this.#orders.pop();
    if (last !== undefined && last !== order) {
      this.#orders[order.keptAt] = last;
      last.keptAt = order.keptAt;
    }
    order.keeper = null;
  }

  draw(random: Random): Order | undefined {
    return this.#orders.length === 0 ? undefined : random.pick(this.#orders);
  }
}
