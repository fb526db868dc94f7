import type { BookStatus, CoinLease, L4Feed } from '@l4desk/feed';
import type { ResumeOutcome, ResumeRefusal } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';
import type { Subscription } from './client-message.ts';
import type { RecentEntries, Replay, ResumeQuery } from './recent-entries.ts';
import type { EffectiveCoins } from './subscription-set.ts';

/** Result of a fetch for a resuming subscription. Its coins stay acquired until `release` is called. */
export interface Fetched {
  /** Coins whose entries could not be read in time, or were not looked up because there was no book. */
  readonly unread: ReadonlySet<string>;
  release(): void;
}

/** The result if nothing had to be fetched. */
export const NOTHING_FETCHED: Fetched = { unread: new Set(), release: () => {} };

/** How long a subscription waits for entries of other gateways before it begins without them. */
const FETCH_WITHIN_MS = 5_000;

interface MissedEntriesDeps {
  readonly feed: L4Feed;
  readonly recent: RecentEntries;
  readonly clock: SystemClock;
  readonly log: Log;
}

/**
 * Finds the entries that clients missed (RES-1): those recently published by this process and, if the feed can read them
 * from its cluster, those published by another gateway (CL-16).
 */
export class MissedEntries {
  readonly #deps: MissedEntriesDeps;
  /** Coins of the next read, and whether all their statuses are needed. Reads run one at a time, so many clients share one. */
  #wanted = new Map<string, boolean>();
  #next: Promise<void> | null = null;
  #reading: Promise<void> = Promise.resolve();

  constructor(deps: MissedEntriesDeps) {
    this.#deps = deps;
  }

  /**
   * Fetches missed entries that this process does not have. Returns null if there is nothing to wait for, which is always
   * the case outside a cluster. Never rejects, and resolves within seconds. Entries published meanwhile are kept as usual.
   */
  fetch(subscription: Subscription, followed: EffectiveCoins): Promise<Fetched> | null {
    const query = queryOf(subscription);
    if (query === null || this.#deps.feed.earlier === undefined) return null;
    const { recent } = this.#deps;
    const coins = subscription.coins.filter((coin) => query.after.has(coin) && !followed.has(coin));
    const searched = coins.filter((coin) => recent.isWorthSearching(coin, query));
    // Another gateway may be slightly ahead of this one.
    const ahead = coins.filter((coin) => recent.reach(coin, query) === 'future');
    return searched.length + ahead.length === 0 ? null : this.#fetch(searched, ahead, query);
  }

  /** Decides a subscription's request to resume. The outcome is null if it does not resume. */
  decide(
    subscription: Subscription,
    followed: EffectiveCoins,
    { unread }: Fetched,
  ): { readonly outcome: ResumeOutcome | null; readonly replay: Replay | null } {
    const query = queryOf(subscription);
    if (query === null) return { outcome: null, replay: null };
    const { feed, recent } = this.#deps;
    const outcome: ResumeOutcome = { resumed: {}, refused: {} };
    const reachOf = (coin: string): number | ResumeRefusal => {
      if (followed.has(coin)) return 'followed';
      if (!hasBook(feed.bookStatus(coin))) return 'not-live';
      const reach = recent.reach(coin, query);
      return typeof reach !== 'number' && unread.has(coin) ? 'unread' : reach;
    };
    for (const coin of subscription.coins) {
      if (!query.after.has(coin)) continue;
      const reach = reachOf(coin);
      if (typeof reach === 'number') outcome.resumed[coin] = reach;
      else {
        outcome.refused[coin] = reach;
        query.after.delete(coin);
      }
    }
    return { outcome, replay: query.after.size === 0 ? null : recent.replay(query) };
  }

  async #fetch(searched: readonly string[], ahead: readonly string[], { statuses }: ResumeQuery): Promise<Fetched> {
    const { feed, recent, clock } = this.#deps;
    const coins = [...searched, ...ahead];
    const leases = coins.map((coin): CoinLease => feed.acquire(coin));
    if (statuses === 'all') for (const coin of coins) recent.keepAll(coin);
    const over = new AbortController();
    const cancel = clock.after(FETCH_WITHIN_MS, () => over.abort());
    const unread = new Set<string>();
    // The books have to be live first: entries published before may belong to a book that is lost again.
    const live = await Promise.all(coins.map((coin) => this.#becomesLive(coin, over.signal)));
    const ready = new Set(coins.filter((_, place) => live[place]));
    const wanted = searched.filter((coin) => ready.has(coin));
    // No time may be left once the books are live, and a read that nobody waits for could fail without a handler.
    const isRead =
      ready.size === 0 ||
      (!over.signal.aborted && (await settledBefore(this.#read(wanted, statuses === 'all'), over.signal)));
    // A book may become live too late. Entries that were not looked up are reported as unread, not as expired.
    for (const coin of coins) if (!isRead || !ready.has(coin)) unread.add(coin);
    cancel();
    return { unread, release: () => leases.forEach((lease) => lease.release()) };
  }

  /** Resolves with true once the coin's book is live; with false if it is unavailable or the signal aborts. */
  #becomesLive(coin: string, signal: AbortSignal): Promise<boolean> {
    const { feed } = this.#deps;
    return new Promise((resolve) => {
      const end = (hasBecome: boolean) => {
        unlisten();
        signal.removeEventListener('abort', onAbort);
        resolve(hasBecome);
      };
      const onAbort = () => end(false);
      const look = (status: BookStatus) => {
        if (status.coin !== coin) return;
        if (hasBook(status)) end(true);
        else if (status.state === 'unavailable') end(false);
      };
      const unlisten = feed.onBookStatus(look);
      signal.addEventListener('abort', onAbort, { once: true });
      look(feed.bookStatus(coin));
    });
  }

  #read(coins: readonly string[], hasAll: boolean): Promise<void> {
    for (const coin of coins) this.#wanted.set(coin, hasAll || this.#wanted.get(coin) === true);
    this.#next ??= this.#reading.then(() => {
      const wanted = this.#wanted;
      this.#wanted = new Map();
      this.#next = null;
      const reading = this.#readNow(wanted);
      this.#reading = reading.catch(() => {});
      return reading;
    });
    return this.#next;
  }

  async #readNow(wanted: ReadonlyMap<string, boolean>): Promise<void> {
    const { feed, recent, log } = this.#deps;
    const coins = [...wanted.keys()];
    const generations = coins.map((coin) => recent.generation(coin));
    const { keepMs, bytesMax } = recent.settings;
    const all = coins.filter((coin) => wanted.get(coin) === true);
    try {
      const found = await feed.earlier?.({ coins, all, keepMs, bytesMax }, AbortSignal.timeout(FETCH_WITHIN_MS));
      if (found === undefined) return;
      for (const [place, coin] of coins.entries())
        recent.takeEarlier(coin, found, wanted.get(coin) === true, generations[place] ?? 0);
    } catch (error) {
      log.warn({ err: error, coins }, 'missed entries not read');
      throw error;
    }
  }
}

function queryOf({ resume, statuses }: Subscription): ResumeQuery | null {
  if (resume === undefined) return null;
  return { epoch: resume.epoch, after: new Map(Object.entries(resume.seq)), statuses };
}

function hasBook({ state }: BookStatus): boolean {
  return state === 'live' || state === 'stale';
}

/** Resolves with whether the work succeeds before the signal aborts, which it has not done yet. */
function settledBefore(work: Promise<void>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true });
    work.then(
      () => resolve(true),
      () => resolve(false),
    );
  });
}
