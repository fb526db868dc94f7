/** A bounded number of things under way at once; who comes first, goes first. */
export class Slots {
  #free: number;
  #waiting: readonly (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Calls `start` as soon as a slot is free, which may be at once. The returned function gives the slot back, or takes
   * the place in the queue back when it never started; calling it again does nothing.
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
