import { setTimeout as sleep } from 'node:timers/promises';
import { inTime } from '@l4desk/ledger';
import { LRUCache } from 'lru-cache';

/** Maximum cached keys; above it the least recently used are dropped. */
const REMEMBERED_MAX = 10_000;

/** How long a caller waits for the database before it gets the stale value, if there is a usable one. */
const STALE_AFTER_MS = 500;

/** The value found for a key, and when the lookup was made. Without a value the key was removed. */
interface Found<V> {
  readonly value: V | undefined;
  readonly at: number;
}

export interface LookupsOptions<V> {
  readonly load: (key: string) => Promise<V | undefined>;
  readonly maxAgeMs: number;
  /** How long a cached value stays valid while the database is unreachable; 0 means never longer than `maxAgeMs`. */
  readonly staleMsMax: number;
  /** Monotonic time in ms: changing the machine's clock must not extend a value's validity. */
  readonly elapsed: () => number;
}

/** Cached lookups by secret. A missing key is not cached, so that a key that is created later works at once. */
export class Lookups<V> {
  readonly #elapsed: () => number;
  readonly #cache: LRUCache<string, Found<V>>;

  constructor({ load, maxAgeMs, staleMsMax, elapsed }: LookupsOptions<V>) {
    this.#elapsed = elapsed;
    this.#cache = new LRUCache({
      max: REMEMBERED_MAX,
      ttl: maxAgeMs,
      // A resolution of 0 reads the clock at each use instead of caching its time with a timer.
      ttlResolution: 0,
      perf: { now: elapsed },
      // A key that is removed during its lookup still resolves for those who wait.
      ignoreFetchAbort: true,
      fetchMethod: (key, stale) => {
        const at = elapsed();
        const found = inTime(load(key)).then((value) => (value === undefined ? undefined : { value, at }));
        return stale === undefined || at - stale.at >= staleMsMax ? found : orStale(found, stale);
      },
    });
  }

  async get(key: string): Promise<V | undefined> {
    const found = await this.#cache.fetch(key);
    if (found === undefined) this.#cache.delete(key);
    return found?.value;
  }

  /** From now on the key does not exist, whatever a lookup in flight finds. */
  remove(key: string): void {
    this.#cache.set(key, { value: undefined, at: this.#elapsed() });
  }
}

/** Falls back to the stale value if the database fails, or takes too long. */
function orStale<T>(found: Promise<T>, stale: T): Promise<T> {
  const end = new AbortController();
  const late = sleep(STALE_AFTER_MS, stale, { signal: end.signal });
  return Promise.race([found, late])
    .catch(() => stale)
    .finally(() => end.abort());
}
