/** One clock for every age on the page, so that all of them tick together; it stands while the page is hidden. */
class Ticker {
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #now = Date.now();

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    if (this.#timer === undefined) {
      this.#tick();
      this.#timer = setInterval(this.#tick, 500);
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

  readonly #tick = () => {
    if (document.hidden) return;
    this.#now = Date.now();
    for (const listener of this.#listeners) listener();
  };
}

/** The page's clock as a store, for what depends on it and on something else. */
export const ticker = new Ticker();
