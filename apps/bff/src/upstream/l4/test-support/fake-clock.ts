import type { Clock } from '../clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that stands still until it is told to go on; input counts as read at once. */
export class FakeClock implements Clock {
  #now = 1_000_000;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  afterInput(run: () => void): void {
    run();
  }

  /** Goes on by so many ms, running what falls due on the way, in order. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      let next: Timer | null = null;
      for (const timer of this.#timers) if (timer.at <= until && (next === null || timer.at < next.at)) next = timer;
      if (next === null) break;
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(next);
      next.run();
    }
    this.#now = until;
  }

  /** How many timers are set. */
  get pending(): number {
    return this.#timers.size;
  }
}
