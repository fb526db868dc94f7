import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { metaAndAssetCtxsQuery } from '../../api/metaAndAssetCtxs.ts';
import { coinsQuery } from '../../api/session.ts';
import { SessionProvider } from '../../api/session-context.tsx';
import { type Action, useActionKeys, useActions } from '../../hooks/actions.ts';
import { usePreferences } from '../../state/preferences.ts';
import { useFavouriteCoins } from '../../state/recents.ts';
import { BOOK_PAGE } from '../../test-support/book-page.tsx';
import { FakeService } from '../../test-support/fake-service.ts';
import { act, button, click, only, press, render, type } from '../../test-support/render.ts';
import { BookPageProvider } from './book-page.ts';
import { CoinPicker, matchingCoins } from './coin-picker.tsx';
import { closePageMenus, openPageMenu } from './page-menu.ts';

function Actions({ actions }: { readonly actions: readonly Action[] }) {
  useActionKeys();
  useActions('This page', actions);
  return null;
}

const COINS = ['BTC', 'ETH', 'SOL', 'kPEPE', 'xyz:GOLD', 'xyz:ETHX'];

describe('searching', () => {
  it.each([
    ['', COINS],
    ['eth', ['ETH', 'xyz:ETHX']],
    ['gold', ['xyz:GOLD']],
    ['XYZ:', ['xyz:GOLD', 'xyz:ETHX']],
    ['pepe', ['kPEPE']],
    [' btc ', ['BTC']],
    ['ＢＴＣ', ['BTC']],
    ['ethereum', ['ETH']],
    ['etherum', ['ETH']],
    ['bitcion', ['BTC']],
    ['sole', ['SOL']],
    ['btc-perp', ['BTC']],
    ['BTCUSDT', ['BTC']],
    ['sol/usdc', ['SOL']],
    ['ETHUSDT.P', ['ETH', 'xyz:ETHX']],
    ['1000PEPE', ['kPEPE']],
    ['BINANCE:1000PEPEUSDT.P', ['kPEPE']],
    ['SOL-USDT-SWAP', ['SOL']],
    ['xyz:gold-perp', ['xyz:GOLD']],
    ['https://app.hyperliquid.xyz/trade/BTC', ['BTC']],
    ['https://app.hyperliquid.xyz/trade/BTC?ref=/trade/SOL', ['BTC']],
    ['https://app.hyperliquid.xyz/trade/xyz:GOLD', ['xyz:GOLD']],
    ['https://app.hyperliquid.xyz/trade/SOL/USDC', ['SOL']],
    ['nothing', []],
  ])('%j finds %j, the closest match first', (query, found) => {
    expect(matchingCoins(COINS, query)).toEqual(found);
  });
});

const marketOf = (known: object) => ({
  funding: '0.000' as const,
  openInterest: '0' as const,
  prevDayPx: '0' as const,
  dayNtlVlm: '0.0' as const,
  oraclePx: '0' as const,
  markPx: '0' as const,
  ...known,
});

describe('the picker', () => {
  afterEach(() => vi.restoreAllMocks());

  async function open(onPick = vi.fn<(coin: string) => void>()) {
    const client = new QueryClient();
    usePreferences.getState().set({ autoLoadCredits: 0 });
    onTestFinished(() => usePreferences.getState().set({ autoLoadCredits: undefined }));
    useFavouriteCoins.setState({ coins: [] });
    client.setQueryData(coinsQuery.queryKey, {
      coins: COINS.map((coin) => ({ coin, szDecimals: 5, maxLeverage: 40 })),
    });
    client.setQueryData(metaAndAssetCtxsQuery.queryKey, [
      { universe: ['ETH', 'SOL'].map((name) => ({ name, szDecimals: 5, maxLeverage: 40 })) },
      [
        marketOf({
          prevDayPx: '3000',
          markPx: '3010',
          midPx: '3010.5',
          dayNtlVlm: '1234567.89',
          funding: '-0.0000125',
        }),
        marketOf({ prevDayPx: '0', markPx: '150.0', midPx: null }),
      ],
    ]);
    openPageMenu('coin');
    onTestFinished(closePageMenus);
    await render(
      <SessionProvider value={new FakeService().session}>
        <QueryClientProvider client={client}>
          <BookPageProvider value={{ ...BOOK_PAGE, coin: 'ETH', onCoin: onPick }}>
            <CoinPicker />
          </BookPageProvider>
        </QueryClientProvider>
      </SessionProvider>,
    );
    const input = only(document.body, '[role=combobox]') as HTMLInputElement;
    const active = () => document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.dataset.coin;
    return { input, active, onPick };
  }

  it('shows each coin as the exchange reported it, the cost of following, and the cost of loading it again', async () => {
    await open();
    const facts = (coin: string) =>
      [...only(document.body, `[data-coin="${coin}"]`).querySelectorAll('[data-fact]')].map((fact) => fact.textContent);
    expect(facts('ETH')).toEqual(['3,010.5', '+0.33 %', '1,234,567', '−0.00125 %']);
    expect(facts('SOL'), 'without orders there is no mid').toEqual(['150.0', '—', '0', '0.0 %']);
    expect(facts('xyz:GOLD'), 'not loaded').toEqual([]);
    expect(document.body.textContent).toMatch(/following: .*2 cr.* then 1 cr\/min.*Reload prices .*2 credits/s);
  });

  it('Enter picks the closest match also when the shown coin matches', async () => {
    const { input, active } = await open();
    await type(input, 't');
    expect(active()).toBe('BTC');
    await type(input, 'th');
    expect(active()).toBe('ETH');
  });

  it('leaves Space to the page while it has the focus after a choice, and its Enter opens it', async () => {
    const run = vi.fn<() => void>();
    await open();
    await act(async () => closePageMenus());
    const actions = ['Space', 'Enter'].map((keys) => ({ id: keys, label: keys, keys, run }));
    await render(<Actions actions={actions} />);
    await press(button('Coin: ETH'), ' ');
    expect(run).toHaveBeenCalledOnce();
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    await act(async () => button('Coin: ETH').dispatchEvent(enter));
    expect(run).toHaveBeenCalledOnce();
    expect(enter.defaultPrevented, 'the browser makes a click of it').toBe(false);
    await click(button('Coin: ETH'));
    expect(document.querySelector('[role=combobox]')).not.toBeNull();
  });

  it('leaves the Enter that ends an input method’s composition to it', async () => {
    const { input, onPick } = await open();
    await type(input, 'sol');
    await press(input, 'Enter', { isComposing: true });
    expect(onPick).not.toHaveBeenCalled();
    await press(input, 'Enter');
    expect(onPick).toHaveBeenCalledWith('SOL');
  });

  it('picks on a click too, and says when nothing matches', async () => {
    const { input, onPick } = await open();
    await click(only(document.body, '[data-coin="SOL"]'));
    expect(onPick).toHaveBeenCalledWith('SOL');
    await type(input, 'zzz');
    expect(document.body.textContent).toContain('No coin matches “zzz”.');
  });
});
