import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DrawnSeries, drawEnds, drawLetters, drawPaneSeries, pathOf } from './draw-series.ts';
import { valueAxis } from './draw-ticks.ts';
import { historyOf } from './entries.ts';
import { hourly, periodOfHours } from './test-support/rates.ts';

const series = (values: readonly number[], breaks: readonly number[] = []): DrawnSeries => ({
  times: values.map((_, at) => (at + 1) * 10),
  values: Float64Array.from(values),
  breaks: new Set(breaks),
  intervals: values.map(() => 10),
});

const same = (value: number) => value;

describe('a line', () => {
  it('holds each value for its interval, up to its time', () => {
    expect(pathOf(series([1, 2]), same, same)).toBe('M0 1H10V2H20');
  });

  it('breaks where entries are missing', () => {
    expect(pathOf(series([1, 2, 3], [2]), same, same)).toBe('M0 1H10V2H20M20 3H30');
  });

  it('keeps the extremes of values that share a pixel', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 40 }), (values) => {
        const path = pathOf(series(values), (time) => time / 1000, same);
        const drawn = [...path.matchAll(/[ V](-?\d+)/g)].map(([, value]) => Number(value));
        expect(Math.min(...drawn)).toBe(Math.min(...values));
        expect(Math.max(...drawn)).toBe(Math.max(...values));
      }),
    );
  });

  it('has a length bounded by its pixels, however many entries they show', () => {
    const commandsOf = (entries: number) => {
      const values = Array.from({ length: entries }, (_, at) => (at * 7_919) % 101);
      const path = pathOf(series(values), (time) => (time / (entries * 10)) * 300, same);
      return path.match(/[MVH]/g)?.length ?? 0;
    };
    // A column has its level, its width, both extremes and its end.
    for (const entries of [300, 8_760, 70_000]) expect(commandsOf(entries)).toBeLessThanOrEqual(5 * 301 + 2);
  });
});

it('breaks the line of premiums where none is reported', () => {
  const entries = hourly(['0.1', '0.2', '0.3', '0.4']).map((entry, at) =>
    at === 2 ? { ...entry, premium: 'NaN' } : entry,
  );
  const history = historyOf('BTC', entries, periodOfHours(4), periodOfHours(4));
  const drawn = drawPaneSeries(history, 'premium');
  expect(drawn.times).toEqual([0, 1, 3].map((at) => entries[at]?.time));
  expect([...drawn.values]).toEqual([0.01, 0.01, 0.01]);
  expect([...drawn.breaks]).toEqual([2]);
  expect(drawPaneSeries(history, 'cumulative').times).toHaveLength(4);
});

it('groups lines with the same end', () => {
  const late = { ...series([5, 1]), times: [10.5, 20.5] };
  expect(drawEnds([series([3, 1]), series([1, 2]), late, series([]), series([1])])).toEqual([[0, 2], [1], [4]]);
});

it('keeps letters at the ends of lines from overlapping', () => {
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

it('contains its values and zero in an axis, with ticks at its ends', () => {
  // Percent, with the ten decimals that rates have.
  const percent = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((units) => units / 1e8);
  fc.assert(
    fc.property(percent, percent, (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      const { domain, ticks } = valueAxis([low, high]);
      const slack = (domain[1] - domain[0]) * 1e-9;
      expect(domain[0]).toBeLessThanOrEqual(Math.min(0, low) + slack);
      expect(domain[1]).toBeGreaterThanOrEqual(Math.max(0, high) - slack);
      expect([ticks[0], ticks.at(-1)]).toEqual([...domain]);
      expect(ticks.length).toBeLessThanOrEqual(10);
    }),
  );
});
