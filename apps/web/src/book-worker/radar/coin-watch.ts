import type { CoinBatch, CoinView, ConnectionState, Follower } from '@l4desk/client';
import { figures, queuePlacesOf } from '@l4desk/insight';
import type { Address } from '@l4desk/protocol';
import type { CreditShortage } from '../messages.ts';
import { positionOf } from '../worker/book-at.ts';
import { BookTicks } from '../worker/book-ticks.ts';
import { FeedTiming } from '../worker/feed-timing.ts';
import { SourceWatch, type WatchDeps } from '../worker/source-watch.ts';
import { EVENT_SECONDS, type RadarTile } from './messages.ts';

/** The distance from the mid within which sizes are compared, in basis points. */
const LEAN_BPS = '10';

export class CoinWatch {
  readonly timing = new FeedTiming();
  readonly source: SourceWatch;
  readonly coin: string;
  readonly #events = new EventCounts();
  readonly #ticks = new BookTicks();
  #figures: Pick<RadarTile, 'spreadBps' | 'lean' | 'watched'> = {
    spreadBps: null,
    lean: null,
    watched: { bids: 0, asks: 0 },
  };
  #isChanged = true;
  /** The ticks are those of an earlier book. */
  #isRebuilt = true;

  constructor(coin: string, deps: WatchDeps) {
    this.coin = coin;
    this.source = new SourceWatch(deps, () => {});
  }

  onBook(now: number): void {
    this.timing.onBook(now);
    this.#events.start(now);
    this.#isRebuilt = true;
    this.changed();
  }

  onBlock({ time, changes }: CoinBatch, now: number): void {
    this.source.forget();
    this.timing.onBlock(time, now);
    this.#events.add(now, changes.length);
    this.changed();
  }

  /** Invalidates the figures: there is another block, or other wallets are watched. */
  changed(): void {
    this.#isChanged = true;
  }

  tile(
    follower: Follower,
    wallets: readonly Address[],
    now: number,
    shortage: CreditShortage | undefined,
  ): RadarTile | undefined {
    const view = follower.coin(this.coin);
    if (view === undefined) return undefined;
    if (this.#isChanged) this.#count(view, wallets);
    return {
      ...statusFacts(view, follower.connection),
      shortage,
      times: this.timing.times,
      source: this.source.state,
      best: { bid: view.book?.best('B')?.px, ask: view.book?.best('A')?.px },
      tick: this.#ticks.all[0],
      ...this.#figures,
      events: this.#events.read(now),
      changesPerSecond: this.#events.rate(now),
    };
  }

  #count({ book }: CoinView, wallets: readonly Address[]): void {
    this.#isChanged = false;
    if (book !== undefined) {
      if (this.#isRebuilt) this.#ticks.learn(book);
      else this.#ticks.refine(book);
      this.#isRebuilt = false;
    }
    const counted = book && figures(book);
    const places = book === undefined || wallets.length === 0 ? [] : [...queuePlacesOf(book, wallets).values()].flat();
    const bids = places.filter(({ side }) => side === 'B').length;
    this.#figures = {
      spreadBps: counted?.spreadBps ?? null,
      lean: counted?.imbalances.find(({ withinBps }) => withinBps === LEAN_BPS)?.lean ?? null,
      watched: { bids, asks: places.length - bids },
    };
  }
}

function statusFacts(view: CoinView, connection: ConnectionState) {
  const { coin, state, lastBlockAt, lastMessageAt } = view;
  return { coin, connection, state, position: positionOf(view), lastBlockAt, lastMessageAt };
}

/** The rate is that of at most this many of the last seconds. */
const RATE_SECONDS = 10;

/** Changes in each of the last seconds. */
export class EventCounts {
  readonly #counts = new Map<number, number>();
  #newestSecond = 0;
  /** The second from which on every change was counted, except for the part before the start. */
  #startSecond = Number.POSITIVE_INFINITY;

  /** Changes are counted without a gap from now on. */
  start(now: number): void {
    this.#startSecond = this.#secondOf(now);
  }

  add(now: number, count: number): void {
    const second = this.#secondOf(now);
    this.#counts.set(second, (this.#counts.get(second) ?? 0) + count);
    for (const old of this.#counts.keys()) if (old <= second - EVENT_SECONDS) this.#counts.delete(old);
  }

  /** The counts of the complete seconds before this one, the newest last. */
  read(now: number): readonly number[] {
    const first = this.#secondOf(now) - (EVENT_SECONDS - 1);
    return Array.from({ length: EVENT_SECONDS - 1 }, (_, at) => this.#counts.get(first + at) ?? 0);
  }

  /** Changes per second over those of the last ten complete seconds that are known; null before the first one. */
  rate(now: number): number | null {
    const known = Math.min(RATE_SECONDS, this.#secondOf(now) - this.#startSecond - 1);
    const counts = this.read(now).slice(-known);
    return known < 1 ? null : counts.reduce((sum, count) => sum + count, 0) / known;
  }

  /** Stays at the newest second after the clock was set back. */
  #secondOf(now: number): number {
    this.#newestSecond = Math.max(this.#newestSecond, Math.floor(now / 1_000));
    return this.#newestSecond;
  }
}
