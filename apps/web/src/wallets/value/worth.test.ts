import type { Address } from '@l4desk/protocol';
import type { SpotMetaAndAssetCtxs } from '@l4desk/protocol/upstream';
import { describe, expect, it } from 'vitest';
import { amountsOf } from '../balances/balance-store.ts';
import type { WalletEntry } from '../balances/sums.ts';
import { plainWallet } from '../wallet.ts';
import {
  leverageOf,
  type PerpAccount,
  perpAccountOf,
  rolledUp,
  spotPrices,
  type WorthFacts,
  worthOf,
  worthSum,
} from './worth.ts';

const A: Address = `0x${'aa'.repeat(20)}`;

const token = (index: number, name: string) => ({
  index,
  name,
  szDecimals: 2,
  weiDecimals: 8,
  tokenId: '0x0',
  isCanonical: false,
});
const pair = (index: number, tokens: number[]) => ({ name: `@${index}`, index, tokens, isCanonical: false });
const market = (coin: string, midPx: '2.5' | '0.000012345' | null) => ({
  coin,
  midPx,
  prevDayPx: '1' as const,
  dayNtlVlm: '1' as const,
  markPx: '9' as const,
});

const MARKETS: SpotMetaAndAssetCtxs = [
  {
    tokens: [token(0, 'USDC'), token(1, 'HYPE'), token(2, 'PURR'), token(3, 'USDT'), token(4, 'ODD')],
    universe: [pair(7, [1, 0]), pair(8, [2, 0]), pair(9, [4, 3])],
  },
  // In another order than the universe: joined by name.
  [market('@9', '2.5'), market('@8', null), market('@7', '0.000012345')],
];

function entryOf(balances: readonly object[], more: object = {}): WalletEntry {
  const state = { user: A, balances, ...more } as Parameters<typeof amountsOf>[0];
  return {
    wallet: plainWallet(A),
    state: { kind: 'ok', text: 'as of the last refresh' },
    reading: { at: 1, state, amounts: amountsOf(state) },
    isCounted: true,
    changes: new Map(),
  };
}

const account = (equity: PerpAccount['equity'], more: Partial<PerpAccount> = {}): PerpAccount => ({
  equity,
  notional: '300',
  margin: '30',
  positions: [],
  ...more,
});

const facts = (accounts: Record<string, PerpAccount | undefined>, more: Partial<WorthFacts> = {}): WorthFacts => ({
  prices: spotPrices(MARKETS),
  accounts: new Map(Object.entries(accounts).map(([dex, own]) => [dex, new Map(own === undefined ? [] : [[A, own]])])),
  abstractions: new Map(),
  collaterals: new Map([['xyz', 0]]),
  ...more,
});

const HYPE = { coin: 'HYPE', token: 1, total: '1000000.5', hold: '0', entryNtl: '0' };
const USDC = { coin: 'USDC', token: 0, total: '10.01', hold: '0', entryNtl: '0' };

describe('the worth of a wallet', () => {
  it('is the exact sum of spot balances at mid and of the perp equity of every loaded dex', () => {
    const worth = worthOf(entryOf([USDC, HYPE]), facts({ '': account('100.5'), xyz: account('0.000001') }));
    expect(worth).toMatchObject({ spot: '22.3550061725', equity: '100.500001', total: '122.8550071725', missing: [] });
    expect(leverageOf(worth)).toBe('5.97');
  });

  it('names what has no price, and leaves it out instead of counting zero', () => {
    const rows = [
      USDC,
      { coin: 'PURR', token: 2, total: '5' },
      { coin: 'ODD', token: 4, total: '5' },
      { coin: '+1230', total: '3' },
      { coin: 'USDT', token: 3, total: '0.0' },
    ];
    expect(worthOf(entryOf(rows), facts({ '': account('1') }))).toMatchObject({
      total: '11.01',
      missing: ['PURR: no mid', 'ODD: no USDC pair', '+1230: no USDC pair'],
    });
  });

  const position = {
    coin: 'flx:TSLA',
    szi: '-2',
    entryPx: '450',
    value: '900',
    pnl: '-4',
    liquidationPx: '500',
    margin: '90',
    fundingPaid: '0.2',
    leverage: '10x isolated',
  } as const;

  it('has the accounts of a dex in USDC, at the mid of its collateral token; prices of positions stay as quoted', () => {
    const accounts = { '': account('100'), flx: account('1000000', { positions: [position] }) };
    const worth = worthOf(entryOf([USDC]), facts(accounts, { collaterals: new Map([['flx', 1]]) }));
    expect(worth).toMatchObject({
      total: '122.355',
      equity: '112.345',
      notional: '300.0037035',
      margin: '30.00037035',
      pnl: '-0.00004938',
      missing: [],
    });
    const amounts = { value: '0.0111105', pnl: '-0.00004938', margin: '0.00111105', fundingPaid: '0.000002469' };
    expect(worth.positions).toEqual([{ ...position, ...amounts }]);
  });

  it.each([
    ['has no mid', 2, 'no USDC price of their collateral'],
    ['has no pair with USDC', 4, 'no USDC price of their collateral'],
    ['is not known, because the markets of the dex are not', undefined, 'markets not loaded'],
  ])('leaves out amounts of a dex whose collateral %s, and still lists its positions', (_, token, reason) => {
    const accounts = { '': account('100'), flx: account('5', { positions: [position] }) };
    const collaterals = new Map(token === undefined ? [] : [['flx', token]]);
    const worth = worthOf(entryOf([USDC]), facts(accounts, { collaterals }));
    expect(worth).toMatchObject({
      total: '110.01',
      equity: '100',
      notional: '300',
      missing: [`perps of flx: ${reason}`],
      isPerpsPartial: true,
    });
    expect(worth.positions).toMatchObject([{ coin: 'flx:TSLA', szi: '-2', value: undefined, pnl: undefined }]);
  });

  it('is whole if the account of a dex whose collateral has no mid is empty, unless it has a position', () => {
    const empty = account('0.0', { notional: '0.0', margin: '0.0' });
    const of = (flx: PerpAccount) => worthOf(entryOf([USDC]), facts({ flx }, { collaterals: new Map([['flx', 2]]) }));
    expect(of(empty)).toMatchObject({ total: '10.01', equity: '0', missing: [], isPerpsPartial: false });
    expect(of({ ...empty, positions: [position] })).toMatchObject({
      missing: ['perps of flx: no USDC price of their collateral'],
      isPerpsPartial: true,
    });
  });

  it('names the prices as not loaded, not the collateral of a dex as one without a price', () => {
    const perps = facts({ flx: account('5') }, { prices: undefined, collaterals: new Map([['flx', 1]]) });
    expect(worthOf(entryOf([USDC]), perps).missing).toEqual([
      'spot balances: prices not loaded',
      'perps of flx: prices not loaded',
    ]);
  });

  it('names a failed or missing response: it is never read as zero', () => {
    const failed = worthOf(entryOf([USDC]), facts({ '': undefined, xyz: account('2') }));
    expect(failed).toMatchObject({ total: '12.01', equity: '2', missing: ['perps: failed'] });
    expect(failed).toMatchObject({ isSpotPartial: false, isPerpsPartial: true });
    const nothing = worthOf(entryOf([USDC]), facts({}, { prices: undefined, accounts: new Map([['', undefined]]) }));
    expect(nothing).toMatchObject({
      equity: undefined,
      missing: ['spot balances: prices not loaded', 'perps: not loaded'],
    });
    const unread: WalletEntry = { ...entryOf([]), isCounted: false, state: { kind: 'never', text: 'not loaded yet' } };
    expect(worthOf(unread, facts({ '': account('1') })).missing).toEqual(['spot balances: not loaded yet']);
  });

  it('does not add perp equity that is in the spot balances, nor any while that is unknown', () => {
    const unified = entryOf([USDC], { tokenToAvailableAfterMaintenance: [[0, '5']] });
    const perps = { '': account('100') };
    expect(worthOf(unified, facts(perps))).toMatchObject({
      total: '10.01',
      mode: 'unknown',
      missing: ['perp equity: account mode not loaded'],
      isPerpsPartial: false,
      isEquityPartial: true,
    });
    const of = (mode: string) => worthOf(unified, facts(perps, { abstractions: new Map([[A, mode]]) }));
    expect(of('unifiedAccount')).toMatchObject({ total: '10.01', equity: '100', missing: [] });
    expect(of('portfolioMargin')).toMatchObject({ total: '10.01', mode: 'portfolioMargin' });
    expect(of('default')).toMatchObject({ total: '110.01', mode: 'separate' });
    expect(worthSum([of('unifiedAccount'), of('default')])).toMatchObject({ total: '120.02', perps: '100' });
  });

  it('sums say what is missing, and of how many wallets', () => {
    const odd = worthOf(entryOf([USDC, { coin: 'ODD', token: 4, total: '5' }]), facts({ '': account('1') }));
    const whole = worthOf(entryOf([USDC]), facts({ '': account('2') }));
    expect(worthSum([odd, whole, odd])).toMatchObject({
      total: '34.03',
      spot: '30.03',
      perps: '4',
      missing: ['ODD: no USDC pair (2 wallets)'],
      isSpotPartial: true,
      isPerpsPartial: false,
    });
  });
});

it('reads positions as reported, also where the exchange sends another shape', () => {
  const summary = { accountValue: '5.5', totalNtlPos: 'NaN', totalRawUsd: '1', totalMarginUsed: '2' };
  const read = perpAccountOf({
    user: A,
    marginSummary: summary,
    crossMarginSummary: summary,
    withdrawable: '0',
    time: 1,
    assetPositions: [
      {
        position: {
          coin: 'xyz:GOLD',
          szi: '-2.0',
          entryPx: '10',
          positionValue: '21',
          unrealizedPnl: '-1.5',
          liquidationPx: null,
          marginUsed: '1',
          leverage: { type: 'isolated', value: 20 },
        },
      },
      { position: { coin: 'BTC', szi: '0.0' } },
      { position: { coin: 'ETH', szi: '1', leverage: '5' } },
    ],
  });
  expect(read).toEqual({
    equity: '5.5',
    notional: undefined,
    margin: '2',
    positions: [
      {
        coin: 'xyz:GOLD',
        szi: '-2.0',
        entryPx: '10',
        value: '21',
        pnl: '-1.5',
        liquidationPx: undefined,
        margin: '1',
        leverage: '20x isolated',
      },
      { coin: 'ETH', szi: '1', leverage: '' },
    ],
  });
});

describe('worths of sub-accounts', () => {
  const B: Address = `0x${'bb'.repeat(20)}`;
  const own = worthOf(entryOf([USDC]), facts({ '': account('100.5') }));
  const ofB = (worth: typeof own) => ({ ...worth, entry: { ...worth.entry, wallet: plainWallet(B) } });
  const toA = () => A;

  it('are added to those of their master, exactly; what is missing from one is missing from the sum', () => {
    const failed = worthOf(entryOf([HYPE]), facts({ '': undefined }));
    const [rolled, ...others] = rolledUp([ofB(failed), own], toA);
    expect(others).toEqual([]);
    expect(rolled).toMatchObject({ total: '122.8550061725', spot: '22.3550061725', missing: ['perps: failed'] });
    expect(rolled?.equity, 'the equity of one is unknown').toBeUndefined();
    expect(rolled?.entry.wallet.address).toBe(A);
    expect(rolled?.accounts?.map(({ entry }) => entry.wallet.address)).toEqual([B, A]);
  });

  it('stand alone if no other account of the master is among them', () => {
    expect(rolledUp([ofB(own)], toA)).toEqual([ofB(own)]);
    expect(rolledUp([own, ofB(own)], (user) => user)).toHaveLength(2);
  });
});
