import { backoffMs } from '@l4desk/runtime';
import { ServiceError, TransportError } from './errors.ts';
import type { Platform, Signal } from './platform.ts';

/** How often, and with what longest wait, a call that failed temporarily is retried. */
export interface RetryOptions {
  /** The most retries, from 0. */
  readonly times: number;
  /** Longest single wait in ms, 30,000 by default. If the service asks for a longer one, the call fails at once. */
  readonly longestWaitMs?: number;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** The statuses that ask to retry later. Nothing was done and nothing charged, so retrying is safe (D12, D14). */
const LATER: ReadonlySet<number | undefined> = new Set([429, 503]);

/**
 * Makes a call. Retries it as long as `retry` allows and the failure asks to come back later (HTTP 429 and 503): after
 * `Retry-After`, or after doubling waits without that header.
 *
 * Loop "retry": ends with a response, any other failure, `times` failures, a wait past the longest, or the signal.
 */
export async function withRetry<T>(
  platform: Platform,
  { retry, signal }: { readonly retry?: RetryOptions; readonly signal?: Signal },
  call: () => Promise<T>,
): Promise<T> {
  const { times = 0, longestWaitMs = LONGEST_WAIT_MS } = retry ?? {};
  for (let failures = 0; ; failures += 1) {
    try {
      return await call();
    } catch (error) {
      if (failures >= times || !asksToComeBack(error)) throw error;
      const backoff = { firstMs: Math.min(FIRST_WAIT_MS, longestWaitMs), longestMs: longestWaitMs };
      const waitMs = error.retryAfterMs ?? backoffMs(failures + 1, backoff, platform.random);
      if (waitMs > longestWaitMs) throw error;
      await pause(platform, waitMs, signal);
      if (signal?.aborted === true) throw signal.reason;
    }
  }
}

function asksToComeBack(error: unknown): error is ServiceError | TransportError {
  return (error instanceof ServiceError || error instanceof TransportError) && LATER.has(error.status);
}

/** Waits, at most until the signal aborts. */
function pause({ clock }: Platform, waitMs: number, signal: Signal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(waitMs, end);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted === true) end();
  });
}
