import type { Clock } from '@l4desk/feed';

/** Token bucket for client messages. It holds the messages of one second and refills continuously (D33). */
export class Allowance {
  readonly #perSecond: number;
  readonly #clock: Clock;
  #left: number;
  #at: number;

  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond;
    this.#clock = clock;
    this.#left = perSecond;
    this.#at = clock.now();
  }

  /** Takes one message. Returns false if none is left. */
  take(): boolean {
    const now = this.#clock.now();
    this.#left = Math.min(this.#perSecond, this.#left + ((now - this.#at) / 1_000) * this.#perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
