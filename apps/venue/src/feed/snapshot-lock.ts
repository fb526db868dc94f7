import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** The one lock under which the order-level server copies the whole exchange for each snapshot. */
export class SnapshotLock {
  readonly #ms: number;
  #queue: Promise<unknown> = Promise.resolve();
  /** Resolves when the present holder is done; null while nobody holds the lock. */
  #held: Promise<unknown> | null = null;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Runs `copy` under the lock and keeps it for its time: first come, first served. */
  async hold<T>(copy: () => T): Promise<T> {
    const before = this.#queue;
    const mine = before.then(async () => {
      const copied = copy();
      this.#held = pause(this.#ms, undefined, { ref: false });
      await this.#held;
      this.#held = null;
      return copied;
    });
    // Who waits for the lock to be free has a turn before the next holder.
    this.#queue = mine.then(() => nextTurn());
    return mine;
  }

  /** Resolves when nobody holds the lock. */
  async free(): Promise<void> {
    while (this.#held !== null) await this.#held;
  }
}
