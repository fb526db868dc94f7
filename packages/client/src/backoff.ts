/** First and longest wait of a loop that tries again, in ms. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * How long to wait after this many failures in a row, from 1: doubled by every failure up to the longest, with up to half of
 * it taken away by chance, so that those who lost the same server do not come back as one.
 */
export function backoffMs(failures: number, { firstMs, longestMs }: Backoff, random: () => number): number {
  // 2^30 times anything is past every bound; larger powers would only overflow.
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(Math.max(0, failures - 1), 30));
  return full * (1 - random() / 2);
}
