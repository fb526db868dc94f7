interface Item<T> {
  readonly dueAt: number;
  readonly value: T;
}

/** Number of taken items after which their memory is released. */
const COMPACT_AT = 1024;

/** Queue of items by due time, earliest first. Optimized for due times that mostly increase, which makes `add` O(1). */
export class DueQueue<T> {
  readonly #items: Item<T>[] = [];
  #first = 0;

  /** Due time of the earliest item; undefined if the queue is empty. */
  get nextAt(): number | undefined {
    return this.#items[this.#first]?.dueAt;
  }

  /** Adds an item. Items with the same due time stay in insertion order. */
  add(dueAt: number, value: T): void {
    const items = this.#items;
    const last = items.at(-1);
    if (items.length === this.#first || last === undefined || last.dueAt <= dueAt) {
      items.push({ dueAt, value });
      return;
    }
    let [low, high] = [this.#first, items.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = items[middle];
      if (item !== undefined && item.dueAt <= dueAt) low = middle + 1;
      else high = middle;
    }
    items.splice(low, 0, { dueAt, value });
  }

  /** Removes and returns all items that are due, earliest first. */
  take(now: number): T[] {
    const taken: T[] = [];
    for (;;) {
      const item = this.#items[this.#first];
      if (item === undefined || item.dueAt > now) break;
      taken.push(item.value);
      this.#first += 1;
    }
    if (this.#first >= COMPACT_AT || this.#first === this.#items.length) {
      this.#items.splice(0, this.#first);
      this.#first = 0;
    }
    return taken;
  }
}
