import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisTicks } from './ticks.ts';

describe('axisTicks', () => {
  it.each([
    [15_000_000, 4, [0, 5_000_000, 10_000_000, 15_000_000]],
    [41, 5, [0, 10, 20, 30, 40]],
    [3, 6, [0, 1, 2, 3]],
    [0, 4, [0]],
    [Number.NaN, 4, [0]],
  ])('up to %s in at most %s steps', (most, count, ticks) => {
    expect(axisTicks(most, count)).toEqual(ticks);
  });

  it('start at zero, have equal distances, stay within the axis and do not exceed the count', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 52 }), fc.integer({ min: 1, max: 12 }), (most, count) => {
        const ticks = axisTicks(most, count);
        expect(ticks[0]).toBe(0);
        expect(ticks.length).toBeLessThanOrEqual(count + 1);
        expect(ticks.every((tick) => Number.isInteger(tick) && tick <= most)).toBe(true);
        const step = ticks[1] ?? 0;
        expect(ticks.every((tick, at) => tick === at * step)).toBe(true);
      }),
    );
  });
});
