/** Entries past which those that have aged out are dropped. */
const SWEEP_AT = 4096;

interface Entry<V> {
  readonly value: Promise<V | undefined>;
  readonly loadedAt: number;
}

/**
 * Keeps what a database said for a moment, so that a busy key is not looked up on every call; the age bounds how long a
 * revoked one still passes (AUTH-10). Only what exists is kept: a key that is made later works at once. Callers that ask
 * together share one look-up.
 */
export class ShortCache<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #maxAgeMs: number;
  readonly #now: () => number;

  constructor(maxAgeMs: number, now: () => number) {
    this.#maxAgeMs = maxAgeMs;
    this.#now = now;
  }

  get(key: string, load: (key: string) => Promise<V | undefined>): Promise<V | undefined> {
    const known = this.#entries.get(key);
    if (known !== undefined && this.#now() - known.loadedAt < this.#maxAgeMs) return known.value;
    if (this.#entries.size >= SWEEP_AT) this.#sweep();
    const forget = () => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    };
    const value = load(key).then(
      (found) => {
        if (found === undefined) forget();
        return found;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    const entry: Entry<V> = { value, loadedAt: this.#now() };
    this.#entries.set(key, entry);
    return value;
  }

  /** How many entries are held. */
  get size(): number {
    return this.#entries.size;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  #sweep(): void {
    const oldest = this.#now() - this.#maxAgeMs;
    for (const [key, entry] of this.#entries) if (entry.loadedAt <= oldest) this.#entries.delete(key);
  }
}
