const EVERY_MS = 500;

/** A tick this much later than the one before means that the machine slept, or that the page was hidden or blocked. */
const STOOD_MS = 5 * EVERY_MS;

/** One clock for every age on the page, so that all of them tick together. It stands still while the page is hidden. */
export class Ticker {
  readonly #listeners = new Set<() => void>();
  readonly #woken = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #now = Date.now();
  /** When the clock was last checked for standing still; may be later than the reported time. */
  #lookedAt = this.#now;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    if (this.#timer === undefined) {
      this.#tick();
      this.#timer = setInterval(this.#tick, EVERY_MS);
      document.addEventListener('visibilitychange', this.#tick);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
      document.removeEventListener('visibilitychange', this.#tick);
    };
  };

  readonly get = () => this.#now;

  /** Calls `listener` when the clock stood still, before subscribers get the new time. Returns the function that removes it. */
  readonly onWake = (listener: () => void) => {
    this.#woken.add(listener);
    return () => {
      this.#woken.delete(listener);
    };
  };

  /** Checks now whether the clock stood still: a pending wait may end before the next tick. */
  readonly look = () => {
    const now = Date.now();
    const stood = this.#timer !== undefined && now - this.#lookedAt > STOOD_MS;
    this.#lookedAt = now;
    if (stood) for (const listener of this.#woken) listener();
  };

  readonly #tick = () => {
    if (document.hidden) return;
    this.look();
    this.#now = this.#lookedAt;
    for (const listener of this.#listeners) listener();
  };
}

/** The page's clock as a store, for values that depend on it and on something else. */
export const ticker = new Ticker();
