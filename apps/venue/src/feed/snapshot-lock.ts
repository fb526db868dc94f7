import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** The single lock under which the order-level server copies the whole exchange for each snapshot. */
export class SnapshotLock {
  readonly #ms: number;
  #queue: Promise<unknown> = Promise.resolve();
  /** Resolves when the current holder releases the lock; null while it is free. */
  #held: Promise<unknown> | null = null;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Runs `copy` under the lock and keeps the lock for `ms`. Callers are served in order. */
  async hold<T>(copy: () => T): Promise<T> {
    const before = this.#queue;
    const mine = before.then(async () => {
      const copied = copy();
      this.#held = pause(this.#ms, undefined, { ref: false });
      await this.#held;
      this.#held = null;
      return copied;
    });
    // Waiters in `free` get a turn before the next holder.
    this.#queue = mine.then(() => nextTurn());
    return mine;
  }

  /** Resolves when the lock is free. */
  async free(): Promise<void> {
    while (this.#held !== null) await this.#held;
  }
}
