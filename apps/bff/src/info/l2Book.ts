import type { L4Feed } from '@l4desk/feed';
import { l2BookSubscription } from '@l4desk/protocol';
import { timeoutSignal } from '@l4desk/runtime/node';
import { plainResponse } from '../http/respond.ts';
import type { InfoKind } from './kind.ts';

/** How long our own book may take before the exchange is queried instead, in ms. */
const OWN_WITHIN_MS = 500;

type Fetched = { readonly own: string } | { readonly exchange: unknown };

/** The aggregated book of a coin: from our own book while that is live, otherwise from the exchange. */
export function l2Book(exchange: InfoKind, feed: L4Feed): InfoKind<unknown, Fetched> {
  return {
    type: exchange.type,
    decode: (body, call) => exchange.decode(body, call),
    async fetch(query, call) {
      const own = await ownL2Book(feed, query);
      return own === null ? { exchange: await exchange.fetch(query, call) } : { own };
    },
    check: (fetched, query) =>
      'own' in fetched ? plainResponse(Buffer.from(fetched.own)) : exchange.check(fetched.exchange, query),
  };
}

/** Resolves with the `data` of the channel's message; null if the book is not live or the exchange must check the query. */
async function ownL2Book(feed: L4Feed, query: unknown): Promise<string | null> {
  const { data: view } = l2BookSubscription.safeParse(query);
  if (view === undefined || feed.bookStatus(view.coin).state !== 'live') return null;
  return feed.readL2Book(view, timeoutSignal(OWN_WITHIN_MS)).catch(() => null);
}
