import type { L4Feed, SnapshotBytes } from '@l4desk/feed';
import { ApiError, BOOK_READY_TIMEOUT_MS, l4BookSnapshotRequest } from '@l4desk/protocol';
import type { Universe } from '../exchange/universe.ts';
import { decode } from '../http/body.ts';
import type { InfoKind } from './kind.ts';

export interface L4BookSnapshotDeps {
  readonly feed: L4Feed;
  readonly universe: Universe;
  readonly readyTimeoutMs: number;
}

interface Query {
  readonly coin: string;
  /** When the whole call must be done, which covers loading the coin list and waiting for the book (D14). */
  readonly deadline: number;
}

/** How long the snapshot of a live book may take at least, in ms. */
const LIVE_MS = BOOK_READY_TIMEOUT_MS;

const RETRY_AFTER = { 'Retry-After': '1' };

/** The full order-level book of one perp coin (§4.6), at or after the last block published before the call (D29). */
export function l4BookSnapshot({ feed, universe, readyTimeoutMs }: L4BookSnapshotDeps): InfoKind<Query, SnapshotBytes> {
  return {
    type: 'l4BookSnapshot',

    async decode(body, { clientGone }) {
      const { coin } = decode(l4BookSnapshotRequest, body);
      // A short time for books that are not ready must not refuse those that are.
      const isLive = feed.bookStatus(coin).state === 'live';
      const deadline = performance.now() + (isLive ? Math.max(readyTimeoutMs, LIVE_MS) : readyTimeoutMs);
      const known = universe.classify(coin);
      const found =
        known === 'not-loaded'
          ? await until(deadline, clientGone, (signal) => universe.classifyWhenLoaded(coin, signal))
          : known;
      switch (found) {
        case 'served':
          return { coin, deadline };
        case 'unsupported':
          throw new ApiError('unsupported_coin', { path: 'coin' });
        case 'unknown':
          throw new ApiError('unknown_coin', { path: 'coin' });
        case 'not-loaded':
          throw new ApiError('book_not_ready', { headers: RETRY_AFTER });
      }
    },

    fetch({ coin, deadline }, { clientGone, encoding }) {
      return until(deadline, clientGone, async (signal) => {
        try {
          return await feed.snapshot(coin, encoding, signal);
        } catch (error) {
          if (!signal.aborted) throw error;
          throw new ApiError('book_not_ready', `The book of ${coin} is not ready yet.`, { headers: RETRY_AFTER });
        }
      });
    },

    // Every order was already checked when the book was built.
    check: (snapshot) => snapshot,
  };
}

/**
 * Runs with a signal that aborts with `client`, or at the deadline. Not `AbortSignal.any`, which Node 20 may collect
 * before it aborts; the timer is cleared at the end, because a running one retains the call.
 */
async function until<T>(deadline: number, client: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const onClientGone = () => controller.abort(client.reason);
  const onLate = () => controller.abort(new DOMException('Not done at the deadline.', 'TimeoutError'));
  const timer = setTimeout(onLate, Math.max(0, deadline - performance.now())).unref();
  client.addEventListener('abort', onClientGone);
  if (client.aborted) onClientGone();
  try {
    return await run(controller.signal);
  } finally {
    clearTimeout(timer);
    client.removeEventListener('abort', onClientGone);
  }
}
