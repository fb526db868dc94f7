import { BookNotReady, type L4Feed, type SnapshotBytes } from '@l4desk/feed';
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
  /** One deadline for the whole call, which covers loading the coin list and waiting for the book (D14). */
  readonly deadline: Deadline;
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
      const deadline = new Deadline(isLive ? Math.max(readyTimeoutMs, LIVE_MS) : readyTimeoutMs, clientGone);
      const found = await universe.classifyWhenLoaded(coin, deadline.signal);
      if (found === 'served') return { coin, deadline };
      deadline.end();
      switch (found) {
        case 'unsupported':
          throw new ApiError('unsupported_coin', { path: 'coin' });
        case 'unknown':
          throw new ApiError('unknown_coin', { path: 'coin' });
        case 'not-loaded':
          throw new ApiError('book_not_ready', { headers: RETRY_AFTER });
      }
    },

    async fetch({ coin, deadline }, { encoding }) {
      try {
        return await feed.snapshot(coin, encoding, deadline.signal);
      } catch (error) {
        if (error instanceof BookNotReady) {
          throw new ApiError('book_not_ready', `The book of ${coin} is not ready yet.`, { headers: RETRY_AFTER });
        }
        throw error;
      }
    },

    // Every order was already checked when the book was built.
    check: (snapshot) => snapshot,

    end: ({ deadline }) => deadline.end(),
  };
}

/**
 * A signal that aborts with `client`, or after `ms`. One signal, because each costs a tenth of a small call; a timer
 * that `end` clears, because a running one retains the call; and not `AbortSignal.any`, which Node 20 may collect
 * before it aborts.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #client: AbortSignal;
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number, client: AbortSignal) {
    this.#client = client;
    this.#timer = setTimeout(() => {
      this.#controller.abort(new DOMException(`Not done within ${ms} ms.`, 'TimeoutError'));
    }, ms).unref();
    if (client.aborted) this.#onClientGone();
    else client.addEventListener('abort', this.#onClientGone, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Must be called when the wait is over. After that the signal no longer changes. */
  end(): void {
    clearTimeout(this.#timer);
    this.#client.removeEventListener('abort', this.#onClientGone);
  }

  readonly #onClientGone = (): void => {
    clearTimeout(this.#timer);
    this.#controller.abort(this.#client.reason);
  };
}
