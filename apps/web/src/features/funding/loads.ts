import type { FundingPage } from '@l4desk/client';
import type { FundingEntry } from '@l4desk/protocol';
import type { QueryClient } from '@tanstack/react-query';
import { fundingHistoryKey, fundingHistoryPeriod } from '../../api/fundingHistory.ts';
import { isRetryable } from '../../api/use-due-queries.ts';
import { type FundingPeriod, type History, historyOf, type Silence } from './entries.ts';

/** The loading state of one coin's history. Entries received before a stop or a failure are kept. */
export type CoinLoad = {
  readonly period: FundingPeriod;
  readonly entries: readonly FundingEntry[];
  /** Credits spent on it so far. */
  readonly credits: number;
  /** 0 to 1. */
  readonly progress: number;
  /** Where the next page starts, ms. */
  readonly next: number;
  readonly at: number;
  /** The previous load during a refresh: it stays on screen until all of the new one has arrived. */
  readonly older: CoinLoad | undefined;
} & (
  | { readonly kind: 'waiting' | 'loading' | 'whole' }
  /** `left`: the page was closed, or the coin removed; it continues by itself when it is wanted again. */
  | { readonly kind: 'stopped'; readonly by: 'person' | 'left' }
  | { readonly kind: 'failed'; readonly error: unknown }
);

export type Pages = (coin: string, period: FundingPeriod, signal: AbortSignal) => AsyncIterable<FundingPage>;

/** How many coins load at once. The others are queued, so that the first ones complete soon. */
const AT_ONCE = 2;

/** Whether a coin's loaded history contains a period, so that showing it is free. */
export function holds(load: CoinLoad | undefined, { from, to }: FundingPeriod): boolean {
  return load !== undefined && load.kind === 'whole' && load.period.from <= from && load.period.to >= to;
}

/** The part of a load that is on screen: during a refresh, the previous load. */
export function shownOf(load: CoinLoad | undefined): CoinLoad | undefined {
  return load?.older ?? load;
}

/** The period fetched so far: outside of it, entries are not missing, they were not fetched. */
function fetchedOf(load: CoinLoad | undefined): FundingPeriod {
  if (load === undefined) return { from: 0, to: 0 };
  const { period, at, next } = load;
  return { from: period.from, to: Math.min(period.to, at, next - 1) };
}

/** Why nothing is known about a period; undefined if at least a part of it was loaded. */
export function silenceOf(load: CoinLoad | undefined, period: FundingPeriod): Silence | undefined {
  const shown = shownOf(load);
  if (shown !== undefined && meet(shown.kind === 'whole' ? shown.period : fetchedOf(shown), period)) return undefined;
  if (load === undefined || !meet(load.period, period)) return 'unrequested';
  return load.kind === 'stopped' || load.kind === 'failed' ? load.kind : 'waiting';
}

/** What a load contains for a period. */
export function historyIn(coin: string, load: CoinLoad | undefined, period: FundingPeriod): History {
  const shown = shownOf(load);
  return historyOf(coin, shown?.entries ?? [], period, fetchedOf(shown), silenceOf(load, period));
}

function meet(a: FundingPeriod, b: FundingPeriod): boolean {
  return a.from <= b.to && b.from <= a.to;
}

export function isSame(a: FundingPeriod, b: FundingPeriod): boolean {
  return a.from === b.from && a.to === b.to;
}

/** Numbers the runs of all loaders, for their query keys: those of an earlier visit may still be ending. */
let runs = 0;

/**
 * Loads periods of funding into the query cache, by coin and page. A failed coin does not affect the others. Create one when the
 * page is opened.
 */
export class FundingLoader {
  readonly #cache: QueryClient;
  readonly #pages: Pages;
  readonly #now: () => number;
  readonly #running = new Map<string, AbortController>();
  /** In the order in which they are loaded. */
  #wanted: readonly string[] = [];
  /** Coins that failed since the page was opened. */
  readonly #failed = new Set<string>();

  constructor(cache: QueryClient, pages: Pages = fundingHistoryPeriod, now: () => number = Date.now) {
    this.#cache = cache;
    this.#pages = pages;
    this.#now = now;
  }

  /** Whether a load continues without the user: it ended because the page was closed, or failed before the page was opened. */
  continuesByItself(coin: string, load: CoinLoad | undefined): boolean {
    if (load?.kind === 'failed') return !this.#failed.has(coin) && isRetryable(load.error);
    return load?.kind === 'stopped' && load.by === 'left';
  }

  /** Loads what is missing of a period. Coins that the user stopped, or that failed, stay so until they are resumed. */
  need(coins: readonly string[], period: FundingPeriod): void {
    this.#want(coins);
    for (const coin of coins) {
      const load = this.#read(coin);
      if (holds(load, period)) continue;
      if (load === undefined || !isSame(load.period, period)) this.#begin(coin, period);
      else if (this.continuesByItself(coin, load)) this.#write(coin, { ...load, kind: 'waiting' });
    }
    this.#start();
  }

  /** Loads the whole period of these coins again; the old entries stay on screen until all new ones have arrived. */
  refresh(coins: readonly string[], period: FundingPeriod): void {
    this.#want(coins);
    for (const coin of coins) {
      const load = this.#read(coin);
      this.#begin(coin, period, load?.kind === 'whole' ? load : load?.older);
    }
    this.#start();
  }

  /** Continues after a stop or a failure, from where it ended. */
  resume(coin: string): void {
    const load = this.#read(coin);
    if (load?.kind !== 'stopped' && load?.kind !== 'failed') return;
    this.#write(coin, { ...load, kind: 'waiting' });
    if (!this.#wanted.includes(coin)) this.#wanted = [...this.#wanted, coin];
    this.#start();
  }

  stop(by: 'person' | 'left'): void {
    this.#want([], by);
  }

  /** Halts the other coins. */
  #want(coins: readonly string[], by: 'person' | 'left' = 'left'): void {
    const others = this.#wanted.filter((coin) => !coins.includes(coin));
    this.#wanted = coins;
    this.#halt(others, by);
  }

  #begin(coin: string, period: FundingPeriod, older?: CoinLoad): void {
    this.#end(coin);
    const start = { entries: [], credits: 0, progress: 0, next: period.from, at: 0 };
    this.#write(coin, { kind: 'waiting', period, ...start, older });
  }

  #halt(coins: readonly string[], by: 'person' | 'left'): void {
    for (const coin of coins) {
      const load = this.#read(coin);
      if (load?.kind !== 'waiting' && load?.kind !== 'loading') continue;
      this.#end(coin);
      this.#write(coin, { ...load, kind: 'stopped', by });
    }
  }

  #end(coin: string): void {
    this.#running.get(coin)?.abort();
    this.#running.delete(coin);
  }

  #start(): void {
    for (const coin of this.#wanted) {
      if (this.#running.size === AT_ONCE) return;
      if (this.#read(coin)?.kind === 'waiting') void this.#run(coin);
    }
  }

  async #run(coin: string): Promise<void> {
    const controller = new AbortController();
    this.#running.set(coin, controller);
    runs += 1;
    try {
      // As a separate query, so that the session guard, which watches queries, sees a refusal.
      await this.#cache.fetchQuery({
        queryKey: ['info', 'fundingRun', runs],
        queryFn: () => this.#fetch(coin, controller.signal),
        gcTime: 0,
      });
    } catch (error) {
      const load = this.#read(coin);
      if (!controller.signal.aborted && load !== undefined) {
        this.#failed.add(coin);
        this.#write(coin, { ...load, kind: 'failed', error });
      }
    }
    if (this.#running.get(coin) === controller) this.#running.delete(coin);
    this.#start();
  }

  /** Resolves to whether it finished. */
  async #fetch(coin: string, signal: AbortSignal): Promise<boolean> {
    const load = this.#read(coin);
    if (load === undefined) return false;
    const { period, next, credits } = load;
    let now: CoinLoad = { ...load, kind: 'loading' };
    this.#write(coin, now);
    for await (const page of this.#pages(coin, { from: next, to: period.to }, signal)) {
      if (signal.aborted) return false;
      const from = page.nextStartTime;
      now = {
        kind: from === undefined ? 'whole' : 'loading',
        period,
        entries: [...now.entries, ...page.entries],
        credits: credits + page.credits,
        progress: from === undefined ? 1 : (from - period.from) / Math.max(1, period.to - period.from),
        next: from ?? period.to + 1,
        at: this.#now(),
        older: from === undefined ? undefined : now.older,
      };
      this.#write(coin, now);
    }
    return true;
  }

  #read(coin: string): CoinLoad | undefined {
    return this.#cache.getQueryData<CoinLoad>(fundingHistoryKey(coin));
  }

  #write(coin: string, load: CoinLoad): void {
    this.#cache.setQueryData<CoinLoad>(fundingHistoryKey(coin), load);
  }
}
