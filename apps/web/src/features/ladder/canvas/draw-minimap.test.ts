import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tickGrid } from '../../../book-worker/prices.ts';
import { must } from '../../../test-support/must.ts';
import { indexAt, yOf } from './draw-minimap.tsx';

describe('[WEB-87] the map of the whole book', () => {
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
});
