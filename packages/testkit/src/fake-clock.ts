/** A clock that only moves when told to, with the timers that wait on it. */
export class FakeClock {
  #now: number;
  #timers: readonly { readonly at: number; readonly callback: () => void }[] = [];

  constructor(startMs = Date.UTC(2026, 4, 5, 17, 39, 12)) {
    this.#now = startMs;
  }

  readonly now = (): number => this.#now;
  readonly wallNow = this.now;

  /** Calls `callback` once after `delayMs` ms. The returned function cancels it. */
  readonly after = (delayMs: number, callback: () => void): (() => void) => {
    const timer = { at: this.#now + delayMs, callback };
    this.#timers = [...this.#timers, timer];
    return () => {
      this.#timers = this.#timers.filter((item) => item !== timer);
    };
  };

  /** Anything that has arrived counts as read at once. */
  afterInput = (run: () => void): void => run();

  /** How long each timer still waits, soonest first. */
  get waiting(): readonly number[] {
    return this.#timers.map((timer) => timer.at - this.#now).toSorted((a, b) => a - b);
  }

  /** Advances the time and runs due timers in order, including those that they set. */
  advance(ms: number): void {
    const target = this.#now + ms;
    for (let next = this.#soonest(target); next !== undefined; next = this.#soonest(target)) {
      const timer = next;
      this.#timers = this.#timers.filter((item) => item !== timer);
      this.#now = timer.at;
      timer.callback();
    }
    this.#now = target;
  }

  /** Sets the time back, as a time server does. Timers wait as long as before. */
  setBack(ms: number): void {
    this.#now -= ms;
    this.#timers = this.#timers.map(({ at, callback }) => ({ at: at - ms, callback }));
  }

  #soonest(target: number) {
    let soonest: { readonly at: number; readonly callback: () => void } | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= target && (soonest === undefined || timer.at < soonest.at)) soonest = timer;
    }
    return soonest;
  }
}
