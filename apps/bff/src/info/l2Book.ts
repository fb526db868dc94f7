import type { L4Feed, ViewLease } from '@l4desk/feed';
import { type BookViewQuery, l2BookSubscription } from '@l4desk/protocol';
import { plainResponse } from '../http/respond.ts';
import type { InfoKind } from './kind.ts';

/** How long a view is kept after a query, so that a caller that polls every second finds it ready. */
const LINGER_MS = 10_000;

/** How long to wait for the first message of a view before the exchange is queried instead. */
const FIRST_MS = 500;

interface Watched {
  readonly lease: ViewLease;
  /** Resolves with the first message of the view, or null if it does not arrive in time. */
  readonly first: Promise<string | null>;
  readonly onView: (data: string) => void;
  /** Ends the watch. */
  readonly timer: NodeJS.Timeout;
}

type Fetched = { readonly own: string } | { readonly exchange: unknown };

/** The aggregated book of a coin: from our own book while that is live, otherwise from the exchange. */
export function l2Book(exchange: InfoKind, feed: L4Feed): InfoKind<unknown, Fetched> {
  const own = new OwnBooks(feed);
  return {
    type: exchange.type,
    decode: (body, call) => exchange.decode(body, call),
    async fetch(query, call) {
      const data = await own.ask(query);
      return data === null ? { exchange: await exchange.fetch(query, call) } : { own: data };
    },
    check: (fetched, query) =>
      'own' in fetched ? plainResponse(Buffer.from(fetched.own)) : exchange.check(fetched.exchange, query),
  };
}

class OwnBooks {
  readonly #feed: L4Feed;
  readonly #watched = new Map<string, Watched>();

  constructor(feed: L4Feed) {
    this.#feed = feed;
    feed.onView(({ key, data }) => this.#watched.get(key)?.onView(data));
  }

  /** Resolves with the `data` of the channel's message; null if the book is not live or the exchange must check the query. */
  async ask(query: unknown): Promise<string | null> {
    const read = l2BookSubscription.safeParse(query);
    if (!read.success) return null;
    const view = read.data;
    if (this.#feed.bookStatus(view.coin).state !== 'live') return null;
    const { lease, first } = this.#watch(view);
    return lease.data ?? (await first);
  }

  #watch(view: BookViewQuery): Watched {
    const key = JSON.stringify(view);
    const known = this.#watched.get(key);
    if (known !== undefined) {
      known.timer.refresh();
      return known;
    }
    const lease = this.#feed.watchView(view);
    let onView: (data: string | null) => void = () => {};
    const first = new Promise<string | null>((resolve) => {
      onView = resolve;
    });
    setTimeout(() => onView(null), FIRST_MS).unref();
    const timer = setTimeout(() => {
      lease.release();
      this.#watched.delete(key);
    }, LINGER_MS).unref();
    const watched = { lease, first, onView, timer };
    this.#watched.set(key, watched);
    return watched;
  }
}
