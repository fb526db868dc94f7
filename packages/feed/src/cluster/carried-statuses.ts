/** How long a snapshot waits for blocks with all statuses at most: without them its client sees a gap and fetches it again. */
const CARRIED_WITHIN_MS = 2_000;

/** Coins of which the stream's blocks carry all statuses, as this gateway asked for (CL-18). */
export class CarriedStatuses {
  readonly #carried = new Set<string>();
  readonly #waiting = new Map<string, Set<() => void>>();

  /** The blocks of a coin carry them, from now on or for some time. */
  add(coin: string): void {
    this.#carried.add(coin);
    for (const settle of this.#waiting.get(coin) ?? []) settle();
  }

  /** They are not asked for any more. */
  delete(coin: string): void {
    this.#carried.delete(coin);
  }

  /** A new leader has not been told yet. */
  clear(): void {
    this.#carried.clear();
  }

  /** Resolves when the coin's blocks carry them, when it has taken too long, or when the signal aborts. */
  wait(coin: string, signal: AbortSignal): Promise<void> {
    if (this.#carried.has(coin) || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(coin) ?? new Set();
      this.#waiting.set(coin, waiting);
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', settle);
        waiting.delete(settle);
        if (waiting.size === 0) this.#waiting.delete(coin);
        resolve();
      };
      const timer = setTimeout(settle, CARRIED_WITHIN_MS);
      signal.addEventListener('abort', settle, { once: true });
      waiting.add(settle);
    });
  }
}
