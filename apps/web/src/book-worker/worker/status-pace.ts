/** Time between two statuses: often enough to look alive, rarely enough to read. */
const STATUS_MS = 250;

interface StatusPaceDeps {
  readonly now: () => number;
  readonly later: (task: () => void, ms: number) => void;
  readonly send: () => void;
}

/** Loop "status": at most one status is pending; the next one is scheduled only after a change. */
export class StatusPace {
  readonly #deps: StatusPaceDeps;
  #isWanted = false;
  #sentAt = 0;

  constructor(deps: StatusPaceDeps) {
    this.#deps = deps;
  }

  /** Something that a status reports has changed. */
  want(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    const dueIn = this.#sentAt + STATUS_MS - this.#deps.now();
    this.#deps.later(
      () => {
        if (this.#isWanted) this.#deps.send();
      },
      // Never longer, even if the clock was set back.
      Math.min(STATUS_MS, Math.max(0, dueIn)),
    );
  }

  /** A status is about to be sent, requested or not: cancels the pending one. */
  begin(): void {
    this.#isWanted = false;
  }

  sent(): void {
    this.#sentAt = this.#deps.now();
  }
}
