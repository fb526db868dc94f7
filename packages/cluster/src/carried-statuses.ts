/** How long a snapshot waits at most for blocks with all statuses. Without them its client sees a gap and fetches it again. */
const CARRIED_WITHIN_MS = 2_000;

/** Coins whose blocks in the stream carry all statuses, as requested by this gateway. */
export class CarriedStatuses {
  readonly #carried = new Set<string>();
  readonly #waiting = new Map<string, Set<() => void>>();

  /** The coin's blocks carry all statuses, from now on or already. */
  add(coin: string): void {
    this.#carried.add(coin);
    for (const settle of this.#waiting.get(coin) ?? []) settle();
  }

  /** All statuses of the coin are no longer requested, or the request has just changed. */
  delete(coin: string): void {
    this.#carried.delete(coin);
  }

  clear(): void {
    this.#carried.clear();
  }

  /** Resolves when the coin's blocks carry all statuses, after `CARRIED_WITHIN_MS`, or when the signal aborts. */
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
