/** Time between two statuses: often enough to look alive, seldom enough to read. */
const STATUS_MS = 250;

interface StatusPaceDeps {
  readonly now: () => number;
  readonly later: (task: () => void, ms: number) => void;
  readonly send: () => void;
}

/** Loop "status": at most one status waits at a time; nothing follows it until something changes. */
export class StatusPace {
  readonly #deps: StatusPaceDeps;
  #isWanted = false;
  #sentAt = 0;

  constructor(deps: StatusPaceDeps) {
    this.#deps = deps;
  }

  /** Something changed that a status would say. */
  want(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    const dueIn = this.#sentAt + STATUS_MS - this.#deps.now();
    this.#deps.later(
      () => {
        if (this.#isWanted) this.#deps.send();
      },
      // Never longer, though the clock may have been set back.
      Math.min(STATUS_MS, Math.max(0, dueIn)),
    );
  }

  /** One is about to be sent, wanted or not: nothing waits any more. */
  begin(): void {
    this.#isWanted = false;
  }

  sent(): void {
    this.#sentAt = this.#deps.now();
  }
}
