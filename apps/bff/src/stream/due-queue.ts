interface Item<T> {
  readonly dueAt: number;
  readonly value: T;
}

/** Taken items at which the memory they held is given back. */
const COMPACT_AT = 1024;

/** Things that fall due, the earliest first. Made for times that mostly rise as they are added: such an add costs next to nothing. */
export class DueQueue<T> {
  readonly #items: Item<T>[] = [];
  #first = 0;

  /** When the earliest falls due; undefined when there is none. */
  get nextAt(): number | undefined {
    return this.#items[this.#first]?.dueAt;
  }

  /** Adds one; of those due at the same time the earlier added comes first. */
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

  /** Takes everything that is due at a time, the earliest first. */
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
