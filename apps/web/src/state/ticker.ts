/** Draws something with one of the next pictures. */
type DrawLater = (draw: () => void) => void;

const atOnce: DrawLater = (draw) => draw();

const EVERY_MS = 500;

/** A tick that comes this long after the one before does so because the machine slept, or the page was hidden or held up. */
const STOOD_MS = 5 * EVERY_MS;

/** One clock for every age on the page, so that all of them tick together; it stands while the page is hidden. */
export class Ticker {
  readonly #listeners = new Set<() => void>();
  readonly #woken = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #later = atOnce;
  #now = Date.now();
  /** When it was last looked whether the clock stood; later than the time that everybody was told. */
  #lookedAt = this.#now;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    if (this.#timer === undefined) {
      this.#tick();
      this.#timer = setInterval(() => this.#later(this.#tick), EVERY_MS);
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

  /** Calls back when the clock stood, before anybody is told the time of after that. */
  readonly onWake = (listener: () => void) => {
    this.#woken.add(listener);
    return () => {
      this.#woken.delete(listener);
    };
  };

  /** Whether it stood is looked at now: what waited may be over before the next tick. */
  readonly look = () => {
    const now = Date.now();
    const stood = this.#timer !== undefined && now - this.#lookedAt > STOOD_MS;
    this.#lookedAt = now;
    if (stood) for (const listener of this.#woken) listener();
  };

  /** Hands each tick to `later` until the returned function is called: drawing all ages at once is expensive. */
  drawWith(later: DrawLater): () => void {
    this.#later = later;
    return () => {
      if (this.#later === later) this.#later = atOnce;
    };
  }

  readonly #tick = () => {
    if (document.hidden) return;
    this.look();
    this.#now = this.#lookedAt;
    for (const listener of this.#listeners) listener();
  };
}

/** The page's clock as a store, for what depends on it and on something else. */
export const ticker = new Ticker();
