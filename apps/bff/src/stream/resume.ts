import { once } from 'node:events';
import type { BookStatus, CoinLease, CoinReader, L4Feed, PublishedBlock } from '@l4desk/feed';
import type { ResumeOutcome, ResumeRefusal } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import { timeoutSignal } from '@l4desk/runtime/node';
import { KeptEntries, type KeptEntriesDeps, type Replay, type ResumeQuery } from './kept-entries.ts';
import type { Subscription } from './subscription.ts';
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

interface ResumeDeps extends KeptEntriesDeps {
  readonly feed: L4Feed;
  readonly log: Log;
}

/** Finds the entries that clients missed: those of this process and, in a cluster, of another gateway. */
export class Resume {
  readonly #deps: ResumeDeps;
  readonly #kept: KeptEntries;
  /** Number of readers of all statuses of a coin, those included that left recently and may resume. */
  readonly #allReaders = new Map<string, number>();
  /** Ends the wait for readers that left. */
  readonly #lingering = new Set<() => void>();
  /** Coins of the next read, and whether all their statuses are needed. Reads run one at a time, so many clients share one. */
  #wanted = new Map<string, boolean>();
  #next: Promise<void> | null = null;
  #reading: Promise<void> = Promise.resolve();
  /** Coins whose books were lost during the read: what it finds of them belongs to a sequence that has ended. */
  readonly #lost = new Set<string>();

  constructor(deps: ResumeDeps) {
    this.#deps = deps;
    this.#kept = new KeptEntries(deps);
  }

  get bytes(): number {
    return this.#kept.bytes;
  }

  /** Keeps the entries of a block. All statuses are 80 times as large as the rest, so they are kept only while a client reads them. */
  add(block: PublishedBlock): void {
    this.#kept.add(block, (coin) => this.#allReaders.has(coin));
  }

  onBookStatus(status: BookStatus): void {
    if (hasBook(status)) return;
    this.#kept.forget(status.coin);
    this.#lost.add(status.coin);
  }

  /** Acquires a coin. A reader of all statuses stays for a while after it has left, because it may resume. */
  acquire(coin: string, reader: CoinReader): CoinLease {
    const { feed, clock, keepMs } = this.#deps;
    const lease = feed.acquire(coin, reader);
    if (reader.statuses === 'book') return lease;
    this.#allReaders.set(coin, (this.#allReaders.get(coin) ?? 0) + 1);
    const release = () => {
      const cancel = clock.after(keepMs, () => {
        this.#lingering.delete(cancel);
        const left = (this.#allReaders.get(coin) ?? 1) - 1;
        if (left > 0) this.#allReaders.set(coin, left);
        else this.#allReaders.delete(coin);
        lease.release();
      });
      this.#lingering.add(cancel);
    };
    return { release };
  }

  close(): void {
    for (const cancel of this.#lingering) cancel();
  }

  /** Fetches missed entries of other gateways; null if there is nothing to wait for. Never rejects; ends in seconds. */
  fetch(subscription: Subscription, followed: EffectiveCoins): Promise<Fetched> | null {
    const query = queryOf(subscription);
    if (query === null || this.#deps.feed.earlier === undefined) return null;
    const coins = subscription.coins.filter((coin) => query.after.has(coin) && !followed.has(coin));
    const searched = coins.filter((coin) => this.#kept.isWorthSearching(coin, query));
    // Another gateway may be slightly ahead of this one.
    const ahead = coins.filter((coin) => this.#kept.reach(coin, query) === 'future');
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
    const outcome: ResumeOutcome = { resumed: {}, refused: {} };
    const reachOf = (coin: string): number | ResumeRefusal => {
      if (followed.has(coin)) return 'followed';
      if (!hasBook(this.#deps.feed.bookStatus(coin))) return 'not-live';
      const reach = this.#kept.reach(coin, query);
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
    return { outcome, replay: query.after.size === 0 ? null : this.#kept.replay(query) };
  }

  async #fetch(searched: readonly string[], ahead: readonly string[], { statuses }: ResumeQuery): Promise<Fetched> {
    const coins = [...searched, ...ahead];
    const leases = coins.map((coin) => this.acquire(coin, { statuses, deflate: false }));
    const over = new AbortController();
    const cancel = this.#deps.clock.after(FETCH_WITHIN_MS, () => over.abort());
    // The books have to be live first: entries published before may belong to a book that is lost again.
    const live = await Promise.all(coins.map((coin) => this.#becomesLive(coin, over.signal)));
    const ready = new Set(coins.filter((_, index) => live[index]));
    const wanted = searched.filter((coin) => ready.has(coin));
    // A read that starts after the deadline would have no waiter, and its failure no handler.
    const isRead =
      ready.size === 0 ||
      (!over.signal.aborted && (await succeedsBefore(over.signal, this.#read(wanted, statuses === 'all'))));
    cancel();
    // A book may become live too late. Entries that were not looked up are reported as unread, not as expired.
    const unread = new Set(coins.filter((coin) => !isRead || !ready.has(coin)));
    return { unread, release: () => leases.forEach((lease) => lease.release()) };
  }

  /** Resolves with true once the coin's book is live; with false if it is unavailable or the signal aborts. */
  #becomesLive(coin: string, signal: AbortSignal): Promise<boolean> {
    const { feed } = this.#deps;
    return new Promise((resolve) => {
      const end = (isLive: boolean) => {
        unlisten();
        resolve(isLive);
      };
      const onStatus = (status: BookStatus) => {
        if (status.coin !== coin) return;
        if (hasBook(status)) end(true);
        else if (status.state === 'unavailable') end(false);
      };
      const unlisten = feed.onBookStatus(onStatus);
      signal.addEventListener('abort', () => end(false), { once: true });
      onStatus(feed.bookStatus(coin));
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
    const { feed, log, keepMs, bytesMax } = this.#deps;
    const coins = [...wanted.keys()];
    const all = coins.filter((coin) => wanted.get(coin) === true);
    this.#lost.clear();
    try {
      const found = await feed.earlier?.({ coins, all, keepMs, bytesMax }, timeoutSignal(FETCH_WITHIN_MS));
      if (found === undefined) return;
      this.#kept.addEarlier(found, new Map([...wanted].filter(([coin]) => !this.#lost.has(coin))));
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
function succeedsBefore(signal: AbortSignal, work: Promise<void>): Promise<boolean> {
  const done = work.then(() => true);
  return Promise.race([done, once(signal, 'abort').then(() => false)]).catch(() => false);
}
