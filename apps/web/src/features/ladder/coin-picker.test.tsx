import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { coinsQuery } from '../../api/session.ts';
import { Live } from '../../book-worker/live.ts';
import { FakeWorker } from '../../book-worker/test-support/fake-worker.ts';
import { LiveProvider } from '../../book-worker/use-book.ts';
import { click, only, press, render, type } from '../../test-support/render.ts';
import { CoinPicker, matchingCoins } from './coin-picker.tsx';

const COINS = ['BTC', 'ETH', 'SOL', 'kPEPE', 'xyz:GOLD', 'xyz:ETHX'];

describe('searching', () => {
  it.each([
    ['', COINS],
    ['eth', ['ETH', 'xyz:ETHX']],
    ['gold', ['xyz:GOLD']],
    ['XYZ:', ['xyz:GOLD', 'xyz:ETHX']],
    ['pepe', ['kPEPE']],
    [' btc ', ['BTC']],
    ['nothing', []],
  ])('%j finds %j, the closest match first', (query, found) => {
    expect(matchingCoins(COINS, query)).toEqual(found);
  });
});

describe('the picker', () => {
  afterEach(() => vi.restoreAllMocks());

  async function open(onPick = vi.fn<(coin: string) => void>()) {
    const client = new QueryClient();
    const worker = new FakeWorker();
    const live = new Live(() => worker, 'simulated', 0);
    live.open();
    live.follow('ETH');
    worker.follower.goLive('ETH');
    worker.runTimers();
    worker.deliver();
    client.setQueryData(coinsQuery.queryKey, {
      coins: COINS.map((coin) => ({ coin, szDecimals: 5, maxLeverage: 40 })),
    });
    await render(
      <QueryClientProvider client={client}>
        <LiveProvider value={live}>
          <CoinPicker coin="ETH" open onOpenChange={() => {}} onPick={onPick} />
        </LiveProvider>
      </QueryClientProvider>,
    );
    const input = only(document.body, '[role=combobox]') as HTMLInputElement;
    const active = () => document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.dataset.coin;
    return { input, active, onPick };
  }

  it('starts at the shown coin, moves by arrows and picks with Enter', async () => {
    const { input, active, onPick } = await open();
    expect(active()).toBe('ETH');
    await press(input, 'ArrowDown');
    await press(input, 'ArrowDown');
    expect(active()).toBe('kPEPE');
    await press(input, 'ArrowUp');
    await press(input, 'Enter');
    expect(onPick).toHaveBeenCalledExactlyOnceWith('SOL');
  });

  it('shows mid and spread of the followed book, the cost of following, and the cost of loading other prices', async () => {
    await open();
    expect(only(document.body, '[data-coin="ETH"]').textContent).toMatch(/^ETH[\d,.]+ · [\d.]+ bpsshown$/);
    expect(only(document.body, '[data-coin="SOL"]').textContent).toBe('SOL');
    expect(document.body.textContent).toMatch(/following: .*2 cr.* then 1 cr\/min.*Load prices .*1 credit/s);
  });

  it('keeps the focus after a choice, and leaves Space to the page', async () => {
    await open();
    expect(only(document.body, 'button[aria-label="Coin: ETH"]').closest('[data-space-free]')).not.toBeNull();
  });

  it('stops at the ends', async () => {
    const { input, active } = await open();
    await press(input, 'PageUp');
    expect(active()).toBe('BTC');
    await press(input, 'PageDown');
    expect(active()).toBe('xyz:ETHX');
  });

  it('narrows the list by the typed text, and picks the closest match with Enter', async () => {
    const { input, active, onPick } = await open();
    await type(input, 'gold');
    expect(active()).toBe('xyz:GOLD');
    await press(input, 'Enter');
    expect(onPick).toHaveBeenCalledWith('xyz:GOLD');
  });

  it('Enter picks the closest match also when the shown coin matches', async () => {
    const { input, active } = await open();
    await type(input, 't');
    expect(active()).toBe('BTC');
    await type(input, 'th');
    expect(active()).toBe('ETH');
  });

  it('opens scrolled to the shown coin, and what is typed scrolls to the closest match', async () => {
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
    const { input } = await open();
    expect(scroll.mock.contexts.map((option) => (option as HTMLElement).dataset.coin)).toEqual(['ETH']);
    await type(input, 'e');
    expect((scroll.mock.contexts.at(-1) as HTMLElement).dataset.coin).toBe('BTC');
  });

  it('picks on a click too, and says when nothing matches', async () => {
    const { input, onPick } = await open();
    await click(only(document.body, '[data-coin="SOL"]'));
    expect(onPick).toHaveBeenCalledWith('SOL');
    await type(input, 'zzz');
    expect(document.body.textContent).toContain('No coin matches “zzz”.');
  });
});
