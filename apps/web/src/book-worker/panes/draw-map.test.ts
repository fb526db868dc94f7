import { L4Book } from '@l4desk/book';
import { order } from '@l4desk/testkit';
import { expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { shareOfBps } from '../map-scale.ts';
import type { Shown } from '../worker/shown.ts';
import { map } from './draw-map.ts';

const BARS = 20;

it('the map of the whole book has every order in the bar of its distance from the mid, up to the farthest one', () => {
  const bids = (['100', '99.5', '99', '80', '40', '2'] as const).map((limitPx, at) =>
    order({ oid: at + 1, side: 'B', limitPx, sz: `${at + 1}` }),
  );
  const asks = (['102', '103', '140'] as const).map((limitPx, at) =>
    order({ oid: at + 9, side: 'A', limitPx, sz: `${at + 4}` }),
  );
  const { book } = L4Book.build('BTC', [bids, asks]);
  const data = must(map.open()({ book } as Shown, { bars: BARS }), 'map');
  const bpsOf = (px: string) => (Math.abs(Number(px) - 101) / 101) * 10_000;
  expect(data).toMatchObject({ mid: 101, farBps: bpsOf('2') });
  const expected = (orders: typeof bids) => {
    const sizes = Array.from({ length: BARS }, () => 0);
    for (const { limitPx, sz } of orders) {
      const bar = Math.min(BARS - 1, Math.floor(shareOfBps(bpsOf(limitPx), data.farBps) * BARS));
      sizes[bar] = (sizes[bar] ?? 0) + Number(sz);
    }
    return sizes;
  };
  expect([data.bids, data.asks]).toEqual([expected(bids), expected(asks)]);
});

it.each([
  { asks: ['102', '500'], farPx: '500', left: [] },
  // Ten times the price and more is not meant to execute.
  { asks: ['102', '400', '2000'], farPx: '1010', left: ['2000'] },
] as const)('the map ends at the farthest ask, at most ten times the price away: $asks', ({ asks, farPx, left }) => {
  const bids = [order({ oid: 1, side: 'B', limitPx: '100', sz: '1' })];
  const { book } = L4Book.build('BTC', [
    bids,
    asks.map((limitPx, at) => order({ oid: at + 2, side: 'A', limitPx, sz: '3' })),
  ]);
  const data = must(map.open()({ book } as Shown, { bars: BARS }), 'map');
  expect(data.farBps).toBeCloseTo(((Number(farPx) - 101) / 101) * 10_000, 6);
  expect(data.asks.reduce((sum, size) => sum + size, 0)).toBe(3 * (asks.length - left.length));
});
