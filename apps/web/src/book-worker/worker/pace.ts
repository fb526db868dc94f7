interface PaceDeps {
  readonly now: () => number;
  readonly later: (task: () => void, ms: number) => void;
}

/**
 * Reports changes at most once every `everyMs`, the first one at once.
 *
 * Loop "publish": at most one report is pending; the next one is scheduled only after a change.
 */
export class Pace {
  readonly #deps: PaceDeps;
  readonly #everyMs: number;
  readonly #publish: () => void;
  /** The report that is due. The task of an earlier one, which `now` has made since, does nothing. */
  #due: object | undefined;
  #publishedAt = 0;

  constructor(deps: PaceDeps, everyMs: number, publish: () => void) {
    this.#deps = deps;
    this.#everyMs = everyMs;
    this.#publish = publish;
  }

  /** Something changed that may change with every block. */
  want(): void {
    if (this.#due !== undefined) return;
    const due = {};
    this.#due = due;
    const dueInMs = this.#publishedAt + this.#everyMs - this.#deps.now();
    this.#deps.later(
      () => {
        if (this.#due === due) this.now();
      },
      // Never longer, even if the clock was set back.
      Math.min(this.#everyMs, Math.max(0, dueInMs)),
    );
  }

  /** Somebody waits for the change, or has to know of it. */
  now(): void {
    this.#due = undefined;
    this.#publishedAt = this.#deps.now();
    this.#publish();
  }
}
