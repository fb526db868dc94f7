import { l4BookSnapshotRequest } from '@l4desk/protocol';
import { ServiceError } from '../http/errors.ts';
import { BookNotReady, type L4Feed, type SnapshotBytes } from '../upstream/l4/api.ts';
import type { Universe } from '../upstream/universe.ts';
import { decode, type InfoKind } from './kind.ts';

export interface L4BookSnapshotDeps {
  readonly feed: L4Feed;
  readonly universe: Universe;
  /** How long a call waits for its book (D14). */
  readonly readyTimeoutMs: number;
}

interface Query {
  readonly coin: string;
  /** One for the whole call: for the list of coins and for the book (D14). */
  readonly deadline: AbortSignal;
}

/** How soon a client whose book was not ready should ask again. */
const RETRY_AFTER_S = 1;

/** The whole order-level book of one perp coin (§4.6), at or after the last block published before the call (D29). */
export function l4BookSnapshot({ feed, universe, readyTimeoutMs }: L4BookSnapshotDeps): InfoKind<Query, SnapshotBytes> {
  return {
    type: 'l4BookSnapshot',

    async decode(body, { clientGone }) {
      const { coin } = decode(l4BookSnapshotRequest, body);
      const deadline = AbortSignal.any([clientGone, AbortSignal.timeout(readyTimeoutMs)]);
      switch (await universe.classifyWhenLoaded(coin, deadline)) {
        case 'unsupported':
          throw new ServiceError(
            'unsupported_coin',
            'Order-level books are kept for perps only, not for spot or outcome coins.',
            { path: 'coin' },
          );
        case 'unknown':
          throw new ServiceError('unknown_coin', 'The exchange trades no perp of that name; letter case counts.', {
            path: 'coin',
          });
        case 'not-loaded':
          throw notReady('The list of coins has not been read from the exchange yet; try again.');
        case 'served':
          return { coin, deadline };
      }
    },

    async fetch({ coin, deadline }, { encoding }) {
      try {
        return await feed.snapshot(coin, encoding, deadline);
      } catch (error) {
        if (error instanceof BookNotReady) throw notReady(`The book of ${coin} is not ready yet; try again.`);
        throw error;
      }
    },

    // The book checked every order when it was built.
    check: ({ bytes, encoding }) => ({ parts: [bytes], encoding }),
  };
}

function notReady(message: string): ServiceError {
  return new ServiceError('book_not_ready', message, { headers: { 'Retry-After': String(RETRY_AFTER_S) } });
}
