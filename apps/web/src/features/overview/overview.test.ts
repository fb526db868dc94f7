// @vitest-environment happy-dom
import type { Address, DecimalString, SpotBalanceSlot } from '@l4desk/protocol';
import type { FrontendOpenOrders, MetaAndAssetCtxs } from '@l4desk/protocol/upstream';
import { describe, expect, it } from 'vitest';
import { granted } from '../../api/use-grants.ts';
import { applyRound, EMPTY_BALANCES } from '../../wallets/balances/balance-store.ts';
import { entriesOf } from '../../wallets/balances/sums.ts';
import { plainWallet } from '../../wallets/wallet.ts';
import { tokenSums } from './balances-tile.tsx';
import { fundingExtremes, marketsOf } from './funding-extremes.ts';
import { orderSums } from './order-sums.ts';

describe('loads granted without a click', () => {
  const asks = [
    { id: 'balances', credits: 25 },
    { id: 'orders', credits: 20 },
    { id: 'markets', credits: 1 },
  ];

  it('are the cheapest first, while all of them together cost no more than the limit', () => {
    expect(granted({}, asks, 25)).toEqual({ markets: 1, orders: 20 });
    expect(granted({}, asks, 100)).toEqual({ markets: 1, orders: 20, balances: 25 });
    expect(granted({}, asks, 0)).toEqual({});
    expect(granted({}, asks, 20)).toEqual({ markets: 1 });
  });

  it('stay spent after their response: a load that became cheaper frees nothing', () => {
    const first = granted({}, asks, 25);
    const responded = asks.map((ask) => (ask.id === 'balances' ? ask : { ...ask, credits: 0 }));
    expect(granted(first, responded, 25)).toBe(first);
  });

  it('are not decided before their price is known; free loads need no grant', () => {
    const none = {};
    expect(granted(none, [{ id: 'balances', credits: undefined }], 100)).toBe(none);
    expect(granted(none, [{ id: 'markets', credits: 0 }], 100)).toBe(none);
  });
});

const A: Address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
const B: Address = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';
const wallets = [plainWallet(A), plainWallet(B)];

function reading(user: Address, totals: Readonly<Record<string, DecimalString>>) {
  const tokens: Readonly<Record<string, number>> = { USDC: 0, HYPE: 150 };
  const balances = Object.entries(totals).map(([coin, total]) => ({
    coin,
    token: tokens[coin] ?? 0,
    total,
    hold: '0.0' as const,
    entryNtl: '0.0' as const,
  }));
  return { kind: 'state', user, state: { user, balances } satisfies SpotBalanceSlot } as const;
}

describe('sums by token', () => {
  const round = (a: Readonly<Record<string, DecimalString>>, b: Readonly<Record<string, DecimalString>>) =>
    [reading(A, a), reading(B, b)] as const;
  const first = applyRound(EMPTY_BALANCES, round({ USDC: '10.5' }, { USDC: '1', HYPE: '2.25' }), 1_000);

  it('are exact, and have no difference before a second reading', () => {
    const entries = entriesOf(wallets, first, 1_000);
    const { sums, since } = tokenSums(entries, first.journal);
    expect(sums.map(({ token, sums: { total }, delta }) => [token.name, total.value, delta])).toEqual([
      ['USDC', '11.5', undefined],
      ['HYPE', '2.25', undefined],
    ]);
    expect(since).toBeUndefined();
  });

  it('report what the last reading changed, in total and by wallet; an amount that appears has no difference', () => {
    const second = applyRound(first, round({ USDC: '10', HYPE: '7' }, { USDC: '3', HYPE: '2.25' }), 5_000);
    const entries = entriesOf(wallets, second, 5_000);
    const { sums, moves, since } = tokenSums(entries, second.journal);
    expect(sums.map(({ token, delta }) => [token.name, delta])).toEqual([
      ['USDC', '1.5'],
      ['HYPE', undefined],
    ]);
    expect(since).toBe(1_000);
    expect(moves.map(({ wallet, name, delta }) => [wallet.address, name, delta])).toEqual([
      [B, 'USDC', '2'],
      [A, 'USDC', '-0.5'],
    ]);
    const third = applyRound(second, [reading(A, { USDC: '10', HYPE: '7' })], 9_000);
    const later = tokenSums(entriesOf(wallets, third, 9_000), third.journal);
    expect(later.moves, 'the changes of an earlier reading').toEqual([]);
  });

  it('cover only the chosen wallets', () => {
    const second = applyRound(first, round({ USDC: '0.5' }, { USDC: '2' }), 5_000);
    const [usdc] = tokenSums(entriesOf([plainWallet(B)], second, 5_000), second.journal).sums;
    expect([usdc?.sums.total.value, usdc?.delta]).toEqual(['2', '1']);
  });
});

describe('open orders by coin and side', () => {
  const order = (coin: string, side: 'B' | 'A', limitPx: DecimalString, sz: DecimalString, isTrigger = false) =>
    ({ coin, side, limitPx, sz, isTrigger }) as FrontendOpenOrders[number];

  it('are exact sums over all wallets, with triggers apart and the busiest coin first', () => {
    const sums = orderSums([
      [order('ETH', 'B', '2000.1', '0.3'), order('BTC', 'A', '81308.0', '0.00001')],
      [order('BTC', 'B', '81307.0', '0.1'), order('BTC', 'B', '81306.0', '0.2'), order('BTC', 'A', '90000', '5', true)],
    ]);
    expect(sums).toEqual([
      {
        coin: 'BTC',
        bids: { count: 2, sz: '0.3', notional: '24391.9' },
        asks: { count: 1, sz: '0.00001', notional: '0.81308' },
        triggers: 1,
        others: 0,
      },
      {
        coin: 'ETH',
        bids: { count: 1, sz: '0.3', notional: '600.03' },
        asks: { count: 0, sz: '0', notional: '0' },
        triggers: 0,
        others: 0,
      },
    ]);
  });

  it('[WEB-182] counts orders without a price, size or side that could be summed, and sums the others', () => {
    const strange = { ...order('BTC', 'B', '1', '1'), sz: null };
    const stranger = { ...order('BTC', 'B', '1', '1'), side: 'X' };
    expect(orderSums([[order('BTC', 'B', '2', '0.3'), strange, stranger]])).toMatchObject([
      { coin: 'BTC', bids: { count: 1, sz: '0.3', notional: '0.6' }, asks: { count: 0 }, others: 2 },
    ]);
  });
});

describe('funding extremes', () => {
  const rates = { BTC: '0.0000125', ETH: '-0.00002', SOL: '0.0003', DOGE: '0.00001', GONE: '0.9' };
  const universe = Object.keys(rates).map((name) => ({
    name,
    szDecimals: 2,
    maxLeverage: 10,
    isDelisted: name === 'GONE',
  }));
  const contexts = Object.values(rates).map((funding) => ({ funding, midPx: null }));
  const response = [{ universe }, contexts] as unknown as MetaAndAssetCtxs;
  const names = ({ markets }: { readonly markets: readonly { readonly coin: string }[] }) =>
    markets.map(({ coin }) => coin);

  it('are the highest and the lowest listed rates, with no coin in both', () => {
    const { highest, lowest } = fundingExtremes(marketsOf(response), 2);
    expect([names(highest), names(lowest)]).toEqual([
      ['SOL', 'BTC'],
      ['ETH', 'DOGE'],
    ]);
    const many = fundingExtremes(marketsOf(response), 9);
    expect([...names(many.highest), ...names(many.lowest)].toSorted()).toEqual(['BTC', 'DOGE', 'ETH', 'SOL']);
    const none = { markets: [], tie: undefined };
    expect(fundingExtremes([], 2)).toEqual({ highest: none, lowest: none });
  });

  const market = (coin: string, funding: DecimalString) => ({ coin, mid: undefined, funding });

  it('count the coins of a rate that does not fit, instead of listing an arbitrary few', () => {
    const usual = ['A', 'B', 'C', 'D'].map((coin) => market(coin, '0.0000125'));
    const { highest, lowest } = fundingExtremes([...usual, market('X', '0.0003'), market('Y', '-0.00002')], 3);
    expect(highest).toEqual({ markets: [market('X', '0.0003')], tie: { funding: '0.0000125', count: 4 } });
    expect(lowest).toEqual({ markets: [market('Y', '-0.00002')], tie: { funding: '0.0000125', count: 4 } });
    // The same rate written differently is still the same rate.
    const [one, two] = [market('A', '0.00001250'), market('B', '0.0000125')];
    expect(fundingExtremes([one, two], 3).highest).toEqual({ markets: [], tie: { funding: '0.00001250', count: 2 } });
  });
});
