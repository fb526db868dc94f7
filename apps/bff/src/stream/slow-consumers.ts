/** A connection whose unsent bytes are counted. */
export interface Sender {
  /** Bytes written to it that the system has not accepted yet. */
  readonly unsentBytes: number;
  /** Terminates it as too slow. Unsent data is discarded. */
  cut(): void;
}

/**
 * Bounds the unsent bytes of all connections together (D30). Each connection has its own bound; this one applies if many are slow
 * at once, perhaps on purpose: then the one with the most is terminated.
 */
export class SlowConsumers {
  readonly #totalMax: number;
  /** Connections with unsent bytes after their last write, and how many. What was sent since is not subtracted yet. */
  readonly #counted = new Map<Sender, number>();
  #total = 0;

  constructor(totalMax: number) {
    this.#totalMax = totalMax;
  }

  /** Current unsent bytes of all connections. */
  get total(): number {
    for (const sender of this.#counted.keys()) this.#count(sender, sender.unsentBytes);
    return this.#total;
  }

  /** Must be called after each write to a connection, unless it had nothing unsent before and after. */
  note(sender: Sender): void {
    this.#count(sender, sender.unsentBytes);
    if (this.#total <= this.#totalMax) return;
    while (this.total > this.#totalMax) {
      const [[slowest] = []] = [...this.#counted].sort(([, a], [, b]) => b - a);
      if (slowest === undefined) return;
      this.forget(slowest);
      slowest.cut();
    }
  }

  /** Called when a connection has closed. */
  forget(sender: Sender): void {
    this.#count(sender, 0);
  }

  #count(sender: Sender, bytes: number): void {
    this.#total += bytes - (this.#counted.get(sender) ?? 0);
    if (bytes > 0) this.#counted.set(sender, bytes);
    else this.#counted.delete(sender);
  }
}
