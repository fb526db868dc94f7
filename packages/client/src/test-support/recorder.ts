/** Takes down what happens, and lets a test wait for what it needs to see. */
export class Recorder<T> {
  readonly seen: T[] = [];
  #waiting: readonly (() => void)[] = [];

  readonly add = (item: T): void => {
    this.seen.push(item);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  };

  /** The first item, from place `from` on, for which `matches` holds: seen already or still to come. */
  async when<S extends T>(matches: (item: T) => item is S, from?: number): Promise<S>;
  async when(matches: (item: T) => boolean, from?: number): Promise<T>;
  async when(matches: (item: T) => boolean, from = 0): Promise<T> {
    for (;;) {
      const found = this.seen.slice(from).find(matches);
      if (found !== undefined) return found;
      await this.#next();
    }
  }

  /** Waits until something that is recorded makes `read` return something. */
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
