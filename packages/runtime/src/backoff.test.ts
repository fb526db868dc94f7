import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

describe('waits between attempts', () => {
  it('double with every failure, up to the longest wait', () => {
    const waits = [1, 2, 3, 4, 5, 6, 51].map((failures) =>
      backoffMs(failures, { firstMs: 250, longestMs: 4_000 }, () => 0),
    );
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
  });

  it('are shortened at random, but by no more than half', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (failures, chance) => {
        const longestFor = backoffMs(failures, { firstMs: 250, longestMs: 15_000 }, () => 0);
        const wait = backoffMs(failures, { firstMs: 250, longestMs: 15_000 }, () => chance);
        expect(wait).toBeGreaterThanOrEqual(longestFor / 2);
        expect(wait).toBeLessThanOrEqual(longestFor);
      }),
    );
  });
});
