/** First and longest wait of a loop that tries again, in ms. */
export interface Backoff {
  readonly first: number;
  readonly longest: number;
}

/**
 * How long to wait before try number `failures + 1`: doubled by every failure up to the longest, with up to half of it
 * taken away by chance, so that clients that lost the same server do not come back as one.
 */
export function backoffMs(failures: number, { first, longest }: Backoff, random: () => number): number {
  // 2^30 times anything is past every bound; larger powers would only overflow.
  const full = Math.min(longest, first * 2 ** Math.min(failures, 30));
  return full * (1 - random() / 2);
}
