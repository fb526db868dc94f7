import { ApiError } from '@l4desk/protocol';
import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;

/** Above this many callers the least recently used is forgotten. */
const CALLERS_MAX = 10_000;

/** Counts attempts by caller, the id of a credential or a network, in windows of one minute that start with the first attempt. */
export class AttemptLimiter {
  readonly #max: number;
  readonly #counts: LRUCache<string, { count: number }>;

  /** `elapsed` returns monotonic time in ms. */
  constructor(maxPerMinute: number, elapsed: () => number) {
    this.#max = maxPerMinute;
    // A resolution of 0 reads the clock at each use instead of caching its time with a timer.
    this.#counts = new LRUCache({ max: CALLERS_MAX, ttl: MINUTE_MS, ttlResolution: 0, perf: { now: elapsed } });
  }

  /** Counts one attempt. If it exceeds the limit, returns the ms to wait until the window ends. */
  count(caller: string): number | undefined {
    const minute = this.#counts.get(caller) ?? { count: 0 };
    if (minute.count === 0) this.#counts.set(caller, minute);
    minute.count += 1;
    return minute.count > this.#max ? this.#counts.getRemainingTTL(caller) : undefined;
  }
}

/** Creates a 429 refusal that says how long to wait. `what` names the excess and begins the sentence. */
export function tooMany(
  code: 'too_many_attempts' | 'too_many_requests',
  what: string,
  waitMs: number,
  path?: string,
): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const headers = { 'Retry-After': String(seconds) };
  return new ApiError(code, `${what}; try again in ${seconds} s.`, { headers, path });
}
