// @vitest-environment happy-dom
import type { FundingPage } from '@l4desk/client';
import { QueryClient } from '@tanstack/react-query';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fundingHistoryKey } from '../../api/fundingHistory.ts';
import { type CoinLoad, FundingLoader, historyIn, holds, type Pages, shownOf, silenceOf } from './loads.ts';
import { hourly, periodOfHours, START } from './test-support/rates.ts';

const WINDOW = periodOfHours(6);
const ENTRIES = hourly(['1', '2', '3', '4', '5', '6']);
const PAGE = 2;

/** Pages of two entries, each delivered when the test releases it. */
class Exchange {
  readonly asked: { readonly coin: string; readonly from: number }[] = [];
  readonly failing = new Set<string>();
  readonly #gates: (() => void)[] = [];
  open = true;

  readonly pages: Pages = async function* (
    this: Exchange,
    coin: string,
    { from }: { from: number },
    signal: AbortSignal,
  ) {
    const rest = ENTRIES.filter(({ time }) => time >= from);
    for (let at = 0; at === 0 || at < rest.length; at += PAGE) {
      this.asked.push({ coin, from: rest[at]?.time ?? from });
      if (!this.open) await new Promise<void>((resolve) => this.#gates.push(resolve));
      signal.throwIfAborted();
      if (this.failing.has(coin)) throw new Error('refused');
      yield this.#page(rest, at);
    }
  }.bind(this);

  release(): void {
    for (const gate of this.#gates.splice(0)) gate();
  }

  #page(rest: typeof ENTRIES, at: number): FundingPage {
    const next = rest[at + PAGE]?.time;
    const page = at / PAGE + 1;
    return { entries: rest.slice(at, at + PAGE), page, credits: page, progress: 0, nextStartTime: next };
  }
}

function start() {
  const exchange = new Exchange();
  const cache = new QueryClient();
  const loader = new FundingLoader(cache, exchange.pages, () => START);
  const load = (coin = 'BTC') => cache.getQueryData<CoinLoad>(fundingHistoryKey(coin));
  return { cache, exchange, loader, load };
}

/** With the whole period of BTC loaded. */
async function loaded() {
  const started = start();
  started.loader.need(['BTC'], WINDOW);
  await expect.poll(() => started.load()?.kind).toBe('whole');
  return started;
}

describe('loading a period', () => {
  it('[FUND-7] loads every entry once, and counts the credits it cost', async () => {
    const { load } = await loaded();
    expect(load()).toMatchObject({ entries: ENTRIES, credits: 3, progress: 1, at: START });
  });

  it('does not fetch a part of a loaded period again', async () => {
    const { exchange, loader, load } = await loaded();
    const part = { from: WINDOW.from + 1, to: WINDOW.to };
    loader.need(['BTC'], part);
    expect(exchange.asked).toHaveLength(3);
    expect(holds(load(), part)).toBe(true);
    expect(holds(load(), { from: WINDOW.from - 1, to: WINDOW.to })).toBe(false);
  });

  it('continues by itself after the page was left and opened again', async () => {
    const { exchange, loader, load } = start();
    exchange.open = false;
    loader.need(['BTC'], WINDOW);
    loader.stop('left');
    expect(load()).toMatchObject({ kind: 'stopped', by: 'left' });
    exchange.open = true;
    loader.need(['BTC'], WINDOW);
    await expect.poll(() => load()?.entries).toEqual(ENTRIES);
  });

  it('loads the other coins if one fails, and retries that one on request', async () => {
    const { exchange, loader, load } = start();
    exchange.failing.add('ETH');
    loader.need(['ETH', 'BTC', 'SOL'], WINDOW);
    await expect
      .poll(() => [load('BTC')?.kind, load('SOL')?.kind, load('ETH')?.kind])
      .toEqual(['whole', 'whole', 'failed']);
    exchange.failing.clear();
    loader.resume('ETH');
    await expect.poll(() => load('ETH')?.kind).toBe('whole');
  });

  it('loads what failed before the page was opened again, once, unless the failure is final', async () => {
    const { cache, exchange, loader, load } = start();
    const reopen = () => new FundingLoader(cache, exchange.pages, () => START);
    exchange.failing.add('BTC');
    loader.need(['BTC'], WINDOW);
    await expect.poll(() => load()?.kind).toBe('failed');
    loader.need(['BTC'], WINDOW);
    expect(load()?.kind).toBe('failed');
    const second = reopen();
    second.need(['BTC'], WINDOW);
    await expect.poll(() => exchange.asked.length).toBe(2);
    await expect.poll(() => load()?.kind).toBe('failed');
    second.need(['BTC'], WINDOW);
    expect(load()?.kind).toBe('failed');
    exchange.failing.clear();
    const final = { ...load(), error: { retryable: false } };
    cache.setQueryData(fundingHistoryKey('BTC'), final);
    reopen().need(['BTC'], WINDOW);
    expect(load()?.kind).toBe('failed');
    cache.setQueryData(fundingHistoryKey('BTC'), { ...final, error: { retryable: true } });
    reopen().need(['BTC'], WINDOW);
    await expect.poll(() => load()?.kind).toBe('whole');
  });

  it('shows the old entries during a refresh until all new ones arrived, and after a failure', async () => {
    const { exchange, loader, load } = await loaded();
    exchange.failing.add('BTC');
    loader.refresh(['BTC'], WINDOW);
    expect(shownOf(load())?.entries).toEqual(ENTRIES);
    await expect.poll(() => load()?.kind).toBe('failed');
    expect(shownOf(load())?.entries).toEqual(ENTRIES);
    exchange.failing.clear();
    loader.resume('BTC');
    await expect.poll(() => load()?.kind).toBe('whole');
    expect(load()).toMatchObject({ entries: ENTRIES, older: undefined });
  });

  it.each(['resume', 'refresh'] as const)(
    'a new visit of the page can %s what an earlier one left, and stop it',
    async (by) => {
      const { cache, exchange, loader, load } = start();
      loader.need(['BTC'], WINDOW);
      loader.stop('person');
      const next = new FundingLoader(cache, exchange.pages, () => START);
      const again = () => (by === 'resume' ? next.resume('BTC') : next.refresh(['BTC'], WINDOW));
      again();
      next.stop('person');
      expect(load()?.kind).toBe('stopped');
      again();
      await expect.poll(() => load()?.kind).toBe('whole');
    },
  );

  it('a new visit in the moment in which an earlier one is left loads a coin once, and whole', async () => {
    const { cache, exchange, loader, load } = start();
    loader.need(['BTC'], WINDOW);
    loader.stop('left');
    new FundingLoader(cache, exchange.pages, () => START).need(['BTC'], WINDOW);
    await expect.poll(() => load()?.kind).not.toMatch(/waiting|loading/);
    expect(load()).toMatchObject({ kind: 'whole', entries: ENTRIES });
    // The first page was already asked for by the earlier visit.
    expect(exchange.asked).toHaveLength(1 + ENTRIES.length / PAGE);
  });

  it('a visit that was left starts nothing that a new one has waiting', async () => {
    const { cache, exchange, loader, load } = start();
    const coins = ['BTC', 'ETH', 'SOL'];
    exchange.open = false;
    loader.need(coins, WINDOW);
    loader.stop('left');
    new FundingLoader(cache, exchange.pages, () => START).need(coins, WINDOW);
    // The calls of the earlier visit end, and the new one asks for its second pages.
    exchange.release();
    await expect.poll(() => exchange.asked.filter(({ coin }) => coin === 'BTC')).toHaveLength(3);
    expect(load('SOL')?.kind).toBe('waiting');
    exchange.open = true;
    exchange.release();
    await expect.poll(() => coins.map((coin) => load(coin)?.kind)).toEqual(['whole', 'whole', 'whole']);
  });

  it('stops loading a removed coin', async () => {
    const { exchange, loader, load } = start();
    exchange.open = false;
    loader.need(['BTC', 'ETH', 'SOL'], WINDOW);
    expect(load('SOL')?.kind).toBe('waiting');
    loader.need(['BTC'], WINDOW);
    exchange.open = true;
    exchange.release();
    await expect.poll(() => load()?.kind).toBe('whole');
    expect(exchange.asked.filter(({ coin }) => coin === 'SOL')).toEqual([]);
  });

  it('completes every wanted coin, whatever coins are removed and added', async () => {
    const coins = ['A', 'B', 'C', 'D', 'E'];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.subarray(coins), { minLength: 1, maxLength: 8 }), async (steps) => {
        const { exchange, loader, load } = start();
        exchange.open = false;
        for (const wanted of steps) {
          loader.need(wanted, WINDOW);
          exchange.release();
          await Promise.resolve();
        }
        exchange.open = true;
        exchange.release();
        await expect
          .poll(() => (steps.at(-1) ?? []).map((coin) => load(coin)?.kind).filter((kind) => kind !== 'whole'))
          .toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('continues a coin that is removed and added again from where it stopped', async () => {
    const { exchange, loader, load } = start();
    exchange.open = false;
    loader.need(['BTC'], WINDOW);
    exchange.release();
    await expect.poll(() => exchange.asked.length).toBe(2);
    loader.need([], WINDOW);
    exchange.open = true;
    loader.need(['BTC'], WINDOW);
    await expect.poll(() => load()?.kind).toBe('whole');
    expect(load()).toMatchObject({ entries: ENTRIES, credits: 3 });
  });

  it('knows nothing about a period before its coin responded, and gives the reason', async () => {
    const { exchange, loader, load } = start();
    const known = (period = WINDOW) => silenceOf(load(), period);
    expect(known()).toBe('unrequested');
    exchange.open = false;
    loader.need(['BTC'], WINDOW);
    expect(known()).toBe('waiting');
    loader.stop('person');
    expect(known()).toBe('stopped');
    exchange.open = true;
    exchange.failing.add('BTC');
    loader.resume('BTC');
    await expect.poll(known).toBe('failed');
    expect(historyIn('BTC', load(), WINDOW).silence).toBe('failed');
    const later = { from: WINDOW.to + 1, to: WINDOW.to + 2 };
    expect(known(later)).toBe('unrequested');
    exchange.failing.clear();
    loader.resume('BTC');
    await expect.poll(known).toBeUndefined();
    expect(known(later)).toBe('unrequested');
    // After a failed refresh, what was known stays known.
    exchange.failing.add('BTC');
    loader.refresh(['BTC'], WINDOW);
    await expect.poll(() => load()?.kind).toBe('failed');
    expect(known()).toBeUndefined();
  });
});
