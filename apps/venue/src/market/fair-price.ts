import type { Random } from '../engine/random.ts';

/** Fractions of a tick in which the price moves, so that even a quiet coin moves over time. */
const PARTS = 1_024;

/** The price stays within this many millionths of its start. */
const REACH = 30_000;

/** Number of blocks in which the pull towards the start would close the whole distance. */
const PULL_BLOCKS = 1_500_000;

/** The price that traders consider fair: a bounded random walk around the starting price, in ticks. */
export class FairPrice {
  readonly #start: number;
  readonly #reach: number;
  readonly #stride: number;
  readonly #random: Random;
  #value: number;

  constructor(startPx: number, volatility: number, random: Random) {
    this.#random = random;
    this.#start = startPx * PARTS;
    this.#value = this.#start;
    this.#reach = Math.floor((this.#start * REACH) / 1_000_000);
    // The sum of four uniform draws from ±stride has about this standard deviation.
    this.#stride = Math.max(1, Math.floor((this.#start * volatility) / 1_150_000));
  }

  /** In ticks, not rounded to an allowed price. */
  get px(): number {
    return Math.floor(this.#value / PARTS);
  }

  step(): void {
    let move = 0;
    for (let i = 0; i < 4; i += 1) move += this.#random.between(-this.#stride, this.#stride);
    this.#set(this.#value + move + Math.trunc((this.#start - this.#value) / PULL_BLOCKS));
  }

  /** Moves an eighth of the way to `px`, so that it follows the prices at which trades happen. */
  yieldTo(px: number): void {
    this.#set(this.#value + Math.trunc((px * PARTS - this.#value) / 8));
  }

  #set(value: number): void {
    this.#value = Math.min(Math.max(value, this.#start - this.#reach), this.#start + this.#reach);
  }
}
