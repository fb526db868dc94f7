/** Seeded random numbers, the same on every machine. `L4DESK_SEED` overrides the seed, to reproduce a failure. */
export class Chance {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    const asked = Number(process.env.L4DESK_SEED ?? Number.NaN);
    this.seed = Number.isSafeInteger(asked) ? asked : seed;
    this.#state = this.seed >>> 0;
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive) (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number from `from` (inclusive) to `below` (exclusive). */
  int(from: number, below: number): number {
    return from + Math.floor(this.next() * (below - from));
  }

  /** Returns true with this probability. */
  happens(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }
}
