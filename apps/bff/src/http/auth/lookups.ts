import { inTime } from '@l4desk/ledger';
import { LRUCache } from 'lru-cache';

/** Maximum keys per statement. Bounds its duration, and so the wait of the next lookup. */
const BATCH_MAX = 64;

/** Maximum cached keys; above it the least recently used are dropped. */
const REMEMBERED_MAX = 10_000;

/** How long a caller waits for the database before it gets the stale value, if there is a usable one. */
const PATIENCE_MS = 500;

/** The value found for a key, and when the lookup was made. */
interface Found<V> {
  readonly value: V;
  readonly askedAt: number;
}

/** A key waiting for its lookup. */
interface Waiter<V> {
  readonly key: string;
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export interface LookupsOptions<V> {
  /** Looks up keys. Resolves with their values in the same order; undefined for a key that does not exist. */
  readonly load: (keys: readonly string[]) => Promise<readonly (V | undefined)[]>;
  /** How long a cached value is fresh, in ms. */
  readonly maxAgeMs: number;
  /** How long a cached value stays valid while the database is unreachable; 0 means never longer than `maxAgeMs`. */
  readonly staleMsMax: number;
  /** Monotonic time in ms: changing the machine's clock must not extend a value's validity. */
  readonly elapsed: () => number;
}

/**
 * Cached database lookups by secret, for callers that may be unauthenticated. A found value is cached briefly, so that a
 * busy key is not looked up on every call; `maxAgeMs` bounds how long a revoked key is still accepted. A missing
 * key is not cached, so a key that is created later works at once.
 *
 * Only one statement runs at a time, so any number of unknown keys costs the database one short statement after another.
 * Keys that were found before go first: they never wait for more than the running statement (AUTH-25). A lookup that takes too
 * long is rejected; its statement goes on, and the next one begins after it.
 */
export class Lookups<V> {
  readonly #options: LookupsOptions<V>;
  readonly #found = new LRUCache<string, Found<V>>({ max: REMEMBERED_MAX });
  readonly #pending = new Map<string, Promise<V | undefined>>();
  readonly #foundBefore = new Set<Waiter<V>>();
  readonly #others = new Set<Waiter<V>>();
  #isLoading = false;
  /** The database counts as unreachable: the last lookup failed, or one is taking too long. */
  #isAway = false;

  constructor(options: LookupsOptions<V>) {
    this.#options = options;
  }

  /** Resolves with the value of a key. Concurrent callers share one lookup. */
  get(key: string): Promise<V | undefined> {
    const { maxAgeMs, staleMsMax, elapsed } = this.#options;
    const now = elapsed();
    const found = this.#found.get(key);
    if (found !== undefined && now - found.askedAt < maxAgeMs) return Promise.resolve(found.value);
    const asked = this.#ask(key, now, found);
    if (found === undefined || now - found.askedAt >= staleMsMax) return asked;
    return this.#orStale(asked, found);
  }

  /** Falls back to the stale value: at once while the database is unreachable, else after `PATIENCE_MS` or a failure. */
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
    let leaveQueue = () => {};
    const value = inTime(
      new Promise<V | undefined>((resolve, reject) => {
        const waiter = { key, resolve, reject };
        queue.add(waiter);
        leaveQueue = () => void queue.delete(waiter);
      }),
    );
    this.#pending.set(key, value);
    const settle = (loaded: V | undefined) => {
      // If the key was deleted meanwhile, this lookup must not restore it.
      if (this.#pending.get(key) !== value) return;
      this.#pending.delete(key);
      if (loaded === undefined) this.#found.delete(key);
      else this.#found.set(key, { value: loaded, askedAt: now });
    };
    value.then(settle, () => {
      leaveQueue();
      // Where stale values are allowed, the cached one is kept until it is too old.
      if (this.#options.staleMsMax > 0 && this.#pending.get(key) === value) this.#pending.delete(key);
      else settle(undefined);
    });
    void this.#loadAll();
    return value;
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
    const batch: Waiter<V>[] = [];
    for (const queue of [this.#foundBefore, this.#others]) {
      for (const waiter of queue) {
        if (batch.length === BATCH_MAX) return batch;
        queue.delete(waiter);
        batch.push(waiter);
      }
    }
    return batch;
  }
}
