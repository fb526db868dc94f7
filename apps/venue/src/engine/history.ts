/** The most recent entries, in a ring buffer: its size is bounded however long the market runs. */
export class History<Entry> {
  readonly #max: number;
  readonly #entries: Entry[] = [];
  /** Index of the oldest entry once the ring is full. */
  #oldest = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#entries.length;
  }

  add(entry: Entry): void {
    if (this.#entries.length < this.#max) {
      this.#entries.push(entry);
      return;
    }
    this.#entries[this.#oldest] = entry;
    this.#oldest = (this.#oldest + 1) % this.#max;
  }

  *newestFirst(): Generator<Entry> {
    const { length } = this.#entries;
    for (let i = 1; i <= length; i += 1) yield this.#entries[(this.#oldest + length - i) % length] as Entry;
  }
}
