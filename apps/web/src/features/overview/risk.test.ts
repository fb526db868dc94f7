import type { DecimalString } from '@l4desk/protocol';
import type { FrontendOpenOrders, MetaAndAssetCtxs } from '@l4desk/protocol/upstream';
import { describe, expect, it } from 'vitest';
import type { PositionRow } from '../../wallets/value/worth.ts';
import { nearMid, positionFunding, positionsByCoin } from './risk.ts';

describe('open orders near the mid', () => {
  const order = (coin: string, side: string, limitPx: string, isTrigger = false) =>
    ({ coin, side, limitPx, sz: '1', isTrigger }) as FrontendOpenOrders[number];
  const mids = new Map<string, DecimalString | undefined>([
    ['BTC', '100000'],
    ['@107', '30'],
    ['DEAD', undefined],
  ]);

  it('are those within a thousandth of it, exactly, or beyond it; the nearest is the next to be executed', () => {
    const found = nearMid(
      [
        [order('BTC', 'B', '99900.0'), order('BTC', 'B', '99899.9'), order('BTC', 'A', '100100')],
        [order('BTC', 'A', '100100.1'), order('BTC', 'B', '100001'), order('@107', 'A', '30.0006')],
      ],
      mids,
    );
    expect(found).toEqual({
      near: 4,
      nearest: { coin: 'BTC', side: 'B', px: '100001', distance: '0.000010' },
      unknown: 0,
    });
  });

  it('leave out triggers, which do not rest, and count what has no mid, no price or no side instead of guessing', () => {
    const found = nearMid(
      [
        [order('BTC', 'B', '100000', true), order('DEAD', 'B', '1'), order('NEW', 'A', '1')],
        [order('BTC', 'B', 'null'), order('BTC', 'X', '100000')],
      ],
      mids,
    );
    expect(found).toEqual({ near: 0, nearest: undefined, unknown: 4 });
  });
});

describe('funding of open positions', () => {
  const markets = [
    { universe: [{ name: 'BTC' }, { name: 'ETH' }] },
    [
      { funding: '0.0000125', oraclePx: '80000' },
      { funding: '-0.00001', oraclePx: '3000' },
    ],
  ] as unknown as MetaAndAssetCtxs;

  it('is what they paid since they were opened, and what they pay now: longs pay a positive rate, shorts earn it', () => {
    const positions = [
      { coin: 'BTC', szi: '-0.5', fundingPaid: '12.5' },
      { coin: 'ETH', szi: '2', fundingPaid: '-0.000001' },
    ] as const;
    expect(positionFunding(positions, markets)).toEqual({
      positions: 2,
      paid: '12.499999',
      paidOf: 2,
      due: '-0.56',
      dueOf: 2,
    });
  });

  it('says of how many positions it is; without positions there is none', () => {
    const positions = [
      { coin: 'BTC', szi: '1', fundingPaid: undefined },
      { coin: 'xyz:GOLD', szi: '1', fundingPaid: '3' },
    ] as const;
    expect(positionFunding(positions, markets)).toMatchObject({ positions: 2, paid: '3', paidOf: 1, dueOf: 1 });
    expect(positionFunding(positions, undefined)).toMatchObject({ due: '0', dueOf: 0 });
    expect(positionFunding([], markets)).toBeUndefined();
  });
});

describe('open positions by coin', () => {
  const row = (coin: string, szi: string, value: string | undefined, pnl: string | undefined, distance?: string) =>
    ({ position: { coin, szi, value, pnl }, distance }) as unknown as PositionRow;

  it('are exact sums over wallets, shorts subtracted; the nearest to liquidation counts, the largest value is first', () => {
    const found = positionsByCoin([
      row('ETH', '2', '6000.10', '1.000000000000000001'),
      row('BTC', '0.5', '40000', '-10.5', '0.25'),
      row('BTC', '-0.75', '60000.5', '0.25', '0.0999'),
    ]);
    expect(found).toEqual([
      {
        coin: 'BTC',
        count: 2,
        szi: '-0.25',
        net: '-20000.5',
        gross: '100000.5',
        pnl: '-10.25',
        isValuePartial: false,
        isPnlPartial: false,
        distance: '0.0999',
        isDistancePartial: false,
      },
      {
        coin: 'ETH',
        count: 1,
        szi: '2',
        net: '6000.1',
        gross: '6000.1',
        pnl: '1.000000000000000001',
        isValuePartial: false,
        isPnlPartial: false,
        distance: undefined,
        isDistancePartial: false,
      },
    ]);
  });

  it('are partial only in what the exchange does not report of one; without its value a coin is first', () => {
    const unmarked = {
      position: { coin: 'D', szi: '1', value: '3', pnl: '1', liquidationPx: '5' },
    } as unknown as PositionRow;
    const rows = [row('C', '1', '1', '1'), row('B', '1', '2', undefined), row('A', '1', undefined, '1'), unmarked];
    const partial = positionsByCoin(rows).map(({ coin, isValuePartial, isPnlPartial, isDistancePartial }) => ({
      coin,
      partial: [isValuePartial && 'value', isPnlPartial && 'pnl', isDistancePartial && 'distance'].filter(Boolean),
    }));
    expect(partial).toEqual([
      { coin: 'A', partial: ['value'] },
      { coin: 'D', partial: ['distance'] },
      { coin: 'B', partial: ['pnl'] },
      { coin: 'C', partial: [] },
    ]);
  });
});
