import { ApiError } from '@l4desk/protocol';

const MINUTE_MS = 60_000;

/** Names that are counted at a time; past it the oldest is forgotten. */
const NAMES_MAX = 100_000;

interface Minute {
  readonly endsAt: number;
  count: number;
}

/** Counts attempts by name, a minute at a time from the first one. */
export class AttemptLimiter {
  readonly #max: number;
  readonly #elapsed: () => number;
  /** In the order in which they end, for all are of one length. */
  readonly #minutes = new Map<string, Minute>();

  /** `elapsed` gives ms that only rise. */
  constructor(maxPerMinute: number, elapsed: () => number) {
    this.#max = maxPerMinute;
    this.#elapsed = elapsed;
  }

  /** Counts one attempt. When it is one too many: how long to wait until the next minute begins, in ms. */
  count(name: string): number | undefined {
    const now = this.#elapsed();
    this.#forget(now);
    let minute = this.#minutes.get(name);
    if (minute === undefined) {
      minute = { endsAt: now + MINUTE_MS, count: 0 };
      this.#minutes.set(name, minute);
    }
    minute.count += 1;
    return minute.count > this.#max ? minute.endsAt - now : undefined;
  }

  /** How many names are counted. */
  get size(): number {
    return this.#minutes.size;
  }

  #forget(now: number): void {
    for (const [name, { endsAt }] of this.#minutes) {
      if (endsAt > now && this.#minutes.size < NAMES_MAX) return;
      this.#minutes.delete(name);
    }
  }
}

/** A refusal with 429 that says how long to wait. `what` there was too much of, as the beginning of a sentence. */
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
