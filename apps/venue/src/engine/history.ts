/** The last entries that were added. A ring: what it holds is bounded however long the market runs. */
export class History<Entry> {
  readonly #max: number;
  readonly #entries: Entry[] = [];
  /** Where the oldest entry stands once the ring is full. */
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
