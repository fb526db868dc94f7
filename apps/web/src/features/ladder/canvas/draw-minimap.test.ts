import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MapData } from '../../../book-worker/panes/draw-map.ts';
import { tickGrid } from '../../../book-worker/prices.ts';
import { must } from '../../../test-support/must.ts';
import { barsOf, frameOf, indexAt, yOf } from './draw-minimap.tsx';

describe('the map of the whole book', () => {
  it('travels to the price drawn where it is pressed', () => {
    const grid = must(tickGrid('0.5'), 'grid');
    fc.assert(
      fc.property(
        fc.double({ min: 100, max: 200_000, noNaN: true }),
        fc.double({ min: 200, max: 9_000, noNaN: true }),
        fc.double({ min: -0.9, max: 0.9, noNaN: true }),
        (mid, farBps, away) => {
          const px = mid * (1 + (away * farBps) / 10_000);
          const index = indexAt({ mid, farBps }, grid, yOf({ mid, farBps }, px));
          expect(Math.abs(index - px * 2)).toBeLessThanOrEqual(0.6);
        },
      ),
    );
  });

  it('has higher prices above, the mid in the middle, and all prices inside', () => {
    const map = { mid: 100, farBps: 5_000 };
    expect(yOf(map, 101)).toBeLessThan(yOf(map, 100));
    expect(yOf(map, 100)).toBe(72);
    expect([yOf(map, 1_000_000), yOf(map, 0)]).toEqual([0, 144]);
  });

  it('draws asks upward and bids downward from the mid, longer for more size, none without', () => {
    const map = { asks: [1, 0, 100], bids: [10, 0, 0] } as unknown as MapData;
    const { asks, bids } = barsOf(map);
    const drawn = [asks, bids].map((path) => {
      const bars = [...path.matchAll(/M0 (\d+)h([\d.]+)v0.8H0z/g)];
      return { ys: bars.map(([, y]) => Number(y)), lengths: bars.map(([, , length]) => Number(length)) };
    });
    expect(drawn.map(({ ys }) => ys)).toEqual([[71, 69], [72]]);
    const [least = 0, most = 0, middle = 0] = drawn.flatMap(({ lengths }) => lengths);
    expect(least).toBeGreaterThan(0);
    expect(middle).toBeGreaterThan(least);
    expect(most).toBeGreaterThanOrEqual(middle);
    expect(most).toBe(42);
  });

  it('frames what the ladder shows, never too small to see', () => {
    const grid = must(tickGrid('1'), 'grid');
    const map = { mid: 100, farBps: 5_000 } as MapData;
    const { y, height } = frameOf(map, { tick: '1', top: 120, slots: 41 }, grid);
    expect(y).toBeCloseTo(yOf(map, 120), 6);
    expect(y + height).toBeCloseTo(yOf(map, 80), 6);
    expect(frameOf(map, { tick: '1', top: 100, slots: 1 }, grid).height).toBe(2);
  });
});
