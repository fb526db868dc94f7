/** First and longest wait of a loop that tries again, in ms. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Wait before the next try after so many failures in a row: doubled each time, with up to half taken away by chance. */
export function backoffMs(failures: number, { firstMs, longestMs }: Backoff, random: () => number): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(Math.max(0, failures - 1), 30));
  return full * (1 - random() / 2);
}
