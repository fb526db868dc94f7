/** Limits how many operations are in flight at once, in order of arrival. */
export class Slots {
  #free: number;
  #waiting: readonly (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Calls `start` as soon as a slot is free, possibly at once. The returned function releases the slot, or leaves the queue if
   * `start` was not called yet. Calling it again does nothing.
   */
  take(start: () => void): () => void {
    let state: 'waiting' | 'started' | 'done' = 'waiting';
    const begin = () => {
      state = 'started';
      this.#free -= 1;
      start();
    };
    if (this.#free > 0) begin();
    else this.#waiting = [...this.#waiting, begin];
    return () => {
      if (state === 'waiting') this.#waiting = this.#waiting.filter((item) => item !== begin);
      if (state === 'started') {
        this.#free += 1;
        const [next, ...rest] = this.#waiting;
        this.#waiting = rest;
        next?.();
      }
      state = 'done';
    };
  }
}
