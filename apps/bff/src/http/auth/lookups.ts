import { LRUCache } from 'lru-cache';

/** Maximum keys per statement: bounds its duration, and so the wait of the next lookup. */
const BATCH_MAX = 64;

/** Maximum cached keys; above it the least recently used are dropped. */
const REMEMBERED_MAX = 10_000;

/** How long a caller waits for a database before it gets what was found earlier, where it may. */
const PATIENCE_MS = 500;

/** What was found of a key, and when it was asked for. */
interface Found<V> {
  readonly value: V;
  readonly askedAt: number;
}

/** A key that waits for its look-up. */
interface Waiter<V> {
  readonly key: string;
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export interface LookupsOptions<V> {
  /** Looks keys up; resolves with what each of them is, in their order. */
  readonly load: (keys: readonly string[]) => Promise<readonly (V | undefined)[]>;
  /** How long what was found is believed, in ms. */
  readonly maxAgeMs: number;
  /** How long it is believed where the database does not respond; 0: never past `maxAgeMs`. */
  readonly staleMsMax: number;
  /** Milliseconds that only rise: setting the machine's clock must not lengthen an age. */
  readonly elapsed: () => number;
}

/**
 * Look-ups in a database by secret, for callers that may all be strangers. What is found is believed for a moment, so that
 * a busy key is not looked up on every call; the age bounds how long a revoked one still passes (AUTH-10). What is not found
 * is not kept: a key that is made later works at once.
 *
 * One statement is under way at a time, so any number of unknown keys costs the database one short statement after another.
 * Keys that were found before go first: they never wait for more than the statement under way (AUTH-25).
 */
export class Lookups<V> {
  readonly #options: LookupsOptions<V>;
  readonly #found = new LRUCache<string, Found<V>>({ max: REMEMBERED_MAX });
  readonly #pending = new Map<string, Promise<V | undefined>>();
  readonly #foundBefore: Waiter<V>[] = [];
  readonly #others: Waiter<V>[] = [];
  #isLoading = false;
  /** The last look-up failed, or one is taking too long. */
  #isAway = false;

  constructor(options: LookupsOptions<V>) {
    this.#options = options;
  }

  /** What a key is; callers that ask together share one look-up. */
  get(key: string): Promise<V | undefined> {
    const { maxAgeMs, staleMsMax, elapsed } = this.#options;
    const now = elapsed();
    const found = this.#found.get(key);
    if (found !== undefined && now - found.askedAt < maxAgeMs) return Promise.resolve(found.value);
    const asked = this.#ask(key, now, found);
    if (found === undefined || now - found.askedAt >= staleMsMax) return asked;
    return this.#orStale(asked, found);
  }

  /** What was found before, where the database cannot be asked again: at once while it is away, else after a moment (PG-9). */
  #orStale(asked: Promise<V | undefined>, { value }: Found<V>): Promise<V | undefined> {
    if (this.#isAway) {
      asked.catch(() => {});
      return Promise.resolve(value);
    }
    return new Promise((resolve) => {
      const settle = (value: V | undefined) => {
        clearTimeout(timer);
        resolve(value);
      };
      const timer = setTimeout(() => {
        this.#isAway = true;
        settle(value);
      }, PATIENCE_MS);
      asked.then(settle, () => settle(value));
    });
  }

  #ask(key: string, now: number, found: Found<V> | undefined): Promise<V | undefined> {
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending;
    const queue = found === undefined ? this.#others : this.#foundBefore;
    const value = new Promise<V | undefined>((resolve, reject) => {
      queue.push({ key, resolve, reject });
    });
    this.#pending.set(key, value);
    const settle = (loaded: V | undefined) => {
      // Deleted meanwhile: a look-up that was under way must not bring it back.
      if (this.#pending.get(key) !== value) return;
      this.#pending.delete(key);
      if (loaded === undefined) this.#found.delete(key);
      else this.#found.set(key, { value: loaded, askedAt: now });
    };
    value.then(settle, () => {
      // What is found still counts until it is too old, where it may (PG-9).
      if (this.#options.staleMsMax > 0 && this.#pending.get(key) === value) this.#pending.delete(key);
      else settle(undefined);
    });
    void this.#loadAll();
    return value;
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#found.size;
  }

  delete(key: string): void {
    this.#found.delete(key);
    this.#pending.delete(key);
  }

  async #loadAll(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    for (let batch = this.#nextBatch(); batch.length > 0; batch = this.#nextBatch()) {
      try {
        const values = await this.#options.load(batch.map(({ key }) => key));
        this.#isAway = false;
        for (const [place, { resolve }] of batch.entries()) resolve(values[place]);
      } catch (error) {
        this.#isAway = true;
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isLoading = false;
  }

  #nextBatch(): readonly Waiter<V>[] {
    const first = this.#foundBefore.splice(0, BATCH_MAX);
    return [...first, ...this.#others.splice(0, BATCH_MAX - first.length)];
  }
}
