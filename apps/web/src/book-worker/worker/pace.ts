/** The page renders the book's texts at most this often: nobody reads a number that changes faster. */
const PUBLISH_MS = 200;

interface PaceDeps {
  readonly now: () => number;
  readonly later: (task: () => void, ms: number) => void;
  readonly publish: () => void;
}

/** Loop "publish": at most one message is pending; the next one is scheduled only after a change. */
export class Pace {
  readonly #deps: PaceDeps;
  #isWanted = false;
  #publishedAt = 0;

  constructor(deps: PaceDeps) {
    this.#deps = deps;
  }

  /** Something changed that changes with every block. */
  want(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    const dueInMs = this.#publishedAt + PUBLISH_MS - this.#deps.now();
    this.#deps.later(
      () => {
        if (this.#isWanted) this.now();
      },
      // Never longer, even if the clock was set back.
      Math.min(PUBLISH_MS, Math.max(0, dueInMs)),
    );
  }

  /** Somebody waits for the change, or has to know of it. */
  now(): void {
    this.#isWanted = false;
    this.#publishedAt = this.#deps.now();
    this.#deps.publish();
  }
}
