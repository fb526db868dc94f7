import { describe, expect, it } from 'vitest';
import { chartRows, hasDayMeans } from './chart-rows.ts';
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

  it('beyond 30 days are the mean of each UTC day with its range, and nothing on a day without a rate', () => {
    const day = Math.ceil(START / DAY_MS) * DAY_MS;
    const shift = day - START;
    const late = hourly(Array.from({ length: 72 }, (_, at) => String((at + 1) / 100))).map((entry) => ({
      ...entry,
      time: entry.time + shift + HOUR_MS,
    }));
    // The rate of midnight applies to the hour before it, so each day has 24.
    const entries = late.filter((_, at) => at < 24 || at >= 48);
    const view = { from: day, to: day + 31 * DAY_MS - 1 };
    const rows = chartRows([historyOf('BTC', entries, view, view)], 'interval', view);
    expect(rows.slice(0, 6).map(({ A }) => A && Math.round(Number(A) * 10))).toEqual([125, 125, null, null, 605, 605]);
    expect(rows[0]?.['A range']).toEqual([1, 24]);
    expect(rows).toHaveLength(62);
    expect([30, 31].map((days) => hasDayMeans({ from: day, to: day + days * DAY_MS - 1 }))).toEqual([false, true]);
  });
});
