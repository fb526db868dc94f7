import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chartRows } from './chart-rows.ts';
import { historyOf } from './entries.ts';
import { DAY_MS, HOUR_MS } from './interval.ts';
import { hourly, periodOfHours, START } from './test-support/rates.ts';

const hoursOf = (rows: readonly { readonly time: number }[]) => rows.map(({ time }) => (time - START) / HOUR_MS);

describe('the rows of a chart', () => {
  it('have each rate from where its interval begins up to its time, and nothing in a hole', () => {
    const entries = hourly(['0.01', '0.02', '0.03', '0.04', '0.05', '0.06']).toSpliced(3, 2);
    const period = { from: START - HOUR_MS, to: START + 6 * HOUR_MS };
    const rows = chartRows([historyOf('BTC', entries, period, period)], 'interval', period);
    expect(hoursOf(rows)).toEqual([-1, 0, 1, 2, 2 + 1 / 60, 4, 5]);
    expect(rows.map(({ A }) => A)).toEqual([1, 1, 2, 3, null, 6, 6]);
  });

  it('hold the rate of a coin with a longer interval at the times of the others', () => {
    const period = periodOfHours(8);
    const slow = hourly(['0.01', '0.02', '0.03', '0.04']).map((entry, at) => ({
      ...entry,
      time: START + at * 4 * HOUR_MS,
    }));
    const of = (coin: string, entries: ReturnType<typeof hourly>) => historyOf(coin, entries, period, period);
    const rows = chartRows([of('BTC', hourly(Array(9).fill('0.5'))), of('ETH', slow)], 'interval', period);
    expect(rows.filter(({ time }) => time >= START).map(({ B }) => B)).toEqual([1, 2, 2, 2, 2, 3, 3, 3, 3]);
  });

  it('are at most two for each of 400 buckets, with the extremes of every line', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 900, maxLength: 2_000 }), (values) => {
        const entries = hourly(values.map((value) => String(value / 100)));
        const period = { from: START, to: START + values.length * HOUR_MS + DAY_MS };
        const rows = chartRows([historyOf('BTC', entries, period, period)], 'interval', period);
        expect(rows.length).toBeLessThanOrEqual(800);
        const drawn = rows.flatMap(({ A }) => A ?? []);
        expect(Math.min(...drawn)).toBeCloseTo(Math.min(...values), 9);
        expect(Math.max(...drawn)).toBeCloseTo(Math.max(...values), 9);
        expect(rows.every(({ time }, at) => at === 0 || time > (rows[at - 1]?.time ?? 0))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});
