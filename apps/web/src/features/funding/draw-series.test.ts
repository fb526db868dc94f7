import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DrawnSeries, drawLetters, pathOf } from './draw-series.ts';
import { valueAxis } from './draw-ticks.ts';

const series = (values: readonly number[], breaks: readonly number[] = []): DrawnSeries => ({
  times: values.map((_, at) => (at + 1) * 10),
  values: Float64Array.from(values),
  breaks: new Set(breaks),
  interval: 10,
});

const same = (value: number) => value;

describe('a line', () => {
  it('holds each value for its interval, up to its time', () => {
    expect(pathOf(series([1, 2]), same, same)).toBe('M0 1H10V2H20');
  });

  it('breaks where entries are missing and bridges nothing', () => {
    expect(pathOf(series([1, 2, 3], [2]), same, same)).toBe('M0 1H10V2H20M20 3H30');
  });

  it('keeps the extremes of what falls on one pixel', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 40 }), (values) => {
        const path = pathOf(series(values), (time) => time / 1000, same);
        const drawn = [...path.matchAll(/[ V](-?\d+)/g)].map(([, value]) => Number(value));
        expect(Math.min(...drawn)).toBe(Math.min(...values));
        expect(Math.max(...drawn)).toBe(Math.max(...values));
      }),
    );
  });
});

it('letters at the ends of lines never lie on each other', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 8 }), (heights) => {
      const placed = drawLetters(heights, 0, 300)
        .map((y) => y ?? Number.NaN)
        .toSorted((a, b) => a - b);
      expect(placed.every((y) => y >= 0 && y <= 300)).toBe(true);
      expect(placed.every((y, at) => at === 0 || y - (placed[at - 1] ?? 0) >= 11)).toBe(true);
    }),
  );
});

it('an axis holds its values and zero, with ticks at its ends', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      (low, span) => {
        const { domain, ticks } = valueAxis([low, low + span]);
        expect(domain[0]).toBeLessThanOrEqual(Math.min(0, low) + 1e-9 * Math.abs(low));
        expect(domain[1]).toBeGreaterThanOrEqual(Math.max(0, low + span) * (1 - 1e-9));
        expect(ticks.length).toBeLessThanOrEqual(10);
      },
    ),
  );
});
