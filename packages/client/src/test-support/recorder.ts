/** Records events, and lets a test wait for those it needs. */
export class Recorder<T> {
  readonly seen: T[] = [];
  #waiting: readonly (() => void)[] = [];

  readonly add = (item: T): void => {
    this.seen.push(item);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  };

  /** Resolves with the first item, from index `from` on, for which `matches` holds: already seen or still to come. */
  async when<S extends T>(matches: (item: T) => item is S, from?: number): Promise<S>;
  async when(matches: (item: T) => boolean, from?: number): Promise<T>;
  async when(matches: (item: T) => boolean, from = 0): Promise<T> {
    for (;;) {
      const found = this.seen.slice(from).find(matches);
      if (found !== undefined) return found;
      await this.#next();
    }
  }

  /** Waits until a recorded event makes `read` return a value. */
  async until<R>(read: () => R | undefined | false): Promise<R> {
    for (;;) {
      const value = read();
      if (value !== undefined && value !== false) return value;
      await this.#next();
    }
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = [...this.#waiting, resolve];
    });
  }
}
