import { ApiError } from '@l4desk/protocol';

const MINUTE_MS = 60_000;

/** Maximum number of names counted at a time. Above it the oldest is dropped. */
const NAMES_MAX = 100_000;

interface Minute {
  readonly endsAt: number;
  count: number;
}

/** Counts attempts by name, in windows of one minute that start with the first attempt. */
export class AttemptLimiter {
  readonly #max: number;
  readonly #elapsed: () => number;
  /** Ordered by end time, because all windows have the same length. */
  readonly #minutes = new Map<string, Minute>();

  /** `elapsed` returns monotonic time in ms. */
  constructor(maxPerMinute: number, elapsed: () => number) {
    this.#max = maxPerMinute;
    this.#elapsed = elapsed;
  }

  /** Counts one attempt. If it exceeds the limit, returns the ms to wait until the window ends. */
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

  #forget(now: number): void {
    for (const [name, { endsAt }] of this.#minutes) {
      if (endsAt > now && this.#minutes.size < NAMES_MAX) return;
      this.#minutes.delete(name);
    }
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
