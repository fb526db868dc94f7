import type { KnownOrderStatus } from '@l4desk/protocol';
import type { Order } from './order.ts';

/** One step of an order's life: what it was told with, and when; `lots` is what was left then. */
export interface HistoryEntry {
  readonly status: KnownOrderStatus;
  readonly order: Order;
  readonly lots: number;
  /** ms since the Unix epoch. */
  readonly time: number;
}

/** The last statuses of one account's orders. A ring: what it holds is bounded however long the market runs. */
export class OrderHistory {
  readonly #max: number;
  readonly #entries: HistoryEntry[] = [];
  /** Where the oldest entry stands once the ring is full. */
  #oldest = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#entries.length;
  }

  add(entry: HistoryEntry): void {
    if (this.#entries.length < this.#max) {
      this.#entries.push(entry);
      return;
    }
    this.#entries[this.#oldest] = entry;
    this.#oldest = (this.#oldest + 1) % this.#max;
  }

  *newestFirst(): Generator<HistoryEntry> {
    const { length } = this.#entries;
    for (let i = 1; i <= length; i += 1) yield this.#entries[(this.#oldest + length - i) % length] as HistoryEntry;
  }
}
