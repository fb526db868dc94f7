/** First and longest wait of a retry loop, in ms. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * The wait after this many consecutive failures (from 1), in ms: doubled up to the longest, less up to half at random,
 * so that clients of one server do not reconnect at once.
 */
export function backoffMs(failures: number, { firstMs, longestMs }: Backoff, random: () => number): number {
  // 2^30 times any first wait exceeds every bound. Larger powers would only overflow.
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(Math.max(0, failures - 1), 30));
  return full * (1 - random() / 2);
}
