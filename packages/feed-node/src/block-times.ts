/** Number of heights whose times are kept. */
const TIMES_KEPT = 16_384;

/** The times of the last blocks read, in ms since the Unix epoch. */
export class BlockTimes {
  readonly #times = new Map<number, number>();

  remember(height: number, time: number): void {
    this.#times.set(height, time);
    if (this.#times.size <= TIMES_KEPT) return;
    const [oldest] = this.#times.keys();
    if (oldest !== undefined) this.#times.delete(oldest);
  }

  /** Returns the time of a block; if it was not read, that of the next block that was. */
  of(height: number): number {
    const known = this.#times.get(height);
    if (known !== undefined) return known;
    let last = 0;
    for (const [each, time] of this.#times) {
      if (each > height) return time;
      last = time;
    }
    return last;
  }
}
