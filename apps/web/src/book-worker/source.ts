import type { GapReason } from '@l4desk/client';
import { z } from '@l4desk/protocol';
import { FEED_LOST } from './feed-times.ts';

/**
 * The service's report on the source of a coin's blocks. The stream of a quiet coin cannot tell: pongs continue while the service
 * has lost the exchange, and a skipped sequence number shows only with the next block.
 */
export type SourceState =
  | { readonly kind: 'live'; readonly at: number }
  /** The shown book may be old. `since` is when it was last known to match the exchange's, ms since the Unix epoch. */
  | { readonly kind: 'stale'; readonly reason: string; readonly since: number };

/** After this long without a block of the coin the page asks, and repeats at the same interval. */
export const LOOK_AFTER_MS = 3_000;

/** The service may be ahead of the page for this long: its response can overtake a block. */
export const AHEAD_FOR_MS = 1_500;

export type SourceVerdict =
  | { readonly kind: 'live' }
  | { readonly kind: 'stale'; readonly reason: string }
  /** The service's book is not the one the page has. */
  | { readonly kind: 'ahead'; readonly reason: GapReason; readonly detail: string };

const readiness = z.object({
  upstreamL4: z.object({ status: z.enum(['ok', 'failed']), problem: z.string().optional() }),
  books: z.record(z.string(), z.object({ state: z.string(), epoch: z.string(), seq: z.number() })),
});

/** Evaluates a `/readyz` response of any shape for the book of `coin` at this position in the stream. */
export function judgeSource(
  response: unknown,
  coin: string,
  position: { readonly epoch: string; readonly seq: number },
): SourceVerdict {
  const { data } = readiness.safeParse(response);
  if (data === undefined) return { kind: 'stale', reason: 'the service does not report the state of its feed' };
  const { upstreamL4, books } = data;
  if (upstreamL4.status === 'failed') {
    const problem = upstreamL4.problem === undefined ? '' : `: ${upstreamL4.problem}`;
    return { kind: 'stale', reason: `${FEED_LOST}${problem}` };
  }
  const book = Object.hasOwn(books, coin) ? books[coin] : undefined;
  if (book?.state !== 'live') {
    return { kind: 'stale', reason: `the service’s ${coin} book is ${book?.state ?? 'not joined'}` };
  }
  const { epoch, seq } = position;
  if (book.epoch !== epoch) {
    return {
      kind: 'ahead',
      reason: 'upstream-epoch',
      detail: `the service is in epoch ${book.epoch}, the page in ${epoch}`,
    };
  }
  if (book.seq > seq) {
    return { kind: 'ahead', reason: 'upstream-gap', detail: `the service is at seq ${book.seq}, the page at ${seq}` };
  }
  return { kind: 'live' };
}
