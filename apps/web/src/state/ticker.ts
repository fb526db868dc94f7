/** Draws something with one of the next pictures. */
type DrawLater = (draw: () => void) => void;

const atOnce: DrawLater = (draw) => draw();

/** One clock for every age on the page, so that all of them tick together; it stands while the page is hidden. */
export class Ticker {
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #later = atOnce;
  #now = Date.now();

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    if (this.#timer === undefined) {
      this.#tick();
      this.#timer = setInterval(() => this.#later(this.#tick), 500);
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

  /** Hands each tick to `later` until the returned function is called: drawing all ages at once is expensive. */
  drawWith(later: DrawLater): () => void {
    this.#later = later;
    return () => {
      if (this.#later === later) this.#later = atOnce;
    };
  }

  readonly #tick = () => {
    if (document.hidden) return;
    this.#now = Date.now();
    for (const listener of this.#listeners) listener();
  };
}

/** The page's clock as a store, for what depends on it and on something else. */
export const ticker = new Ticker();
