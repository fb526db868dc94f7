import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysWith } from '../../api/account-usage/test-support/days.ts';
import { BARS_MAX, barsOf, plotDays, plotMonths, spanOf, TOTALS_MAX, type UsageFacts } from './usage-plot.ts';

describe('bars', () => {
  it('run from Monday to Sunday for weeks, cut by the window', () => {
    // 2026-11-21 is a Saturday.
    const bars = barsOf(daysWith('2026-11-21', [1, 2, 3, 4, 5, 6, 7, 8]), 'week');
    expect(bars.map(({ from, to, credits }) => [from, to, credits])).toEqual([
      ['2026-11-14', '2026-11-15', 3],
      ['2026-11-16', '2026-11-21', 33],
    ]);
  });

  it('are few enough for any window up to ten years, and add up to its days', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_653 }), (length) => {
        const days = daysWith(
          '2026-11-21',
          Array.from({ length }, (_, at) => at % 17),
          3,
        );
        const bars = barsOf(days, spanOf(length));
        expect(bars.length).toBeLessThanOrEqual(BARS_MAX);
        const sum = (of: 'premium' | 'free' | 'credits') => [
          bars.reduce((total, bar) => total + bar[of], 0),
          days.reduce((total, day) => total + day[of], 0),
        ];
        for (const of of ['premium', 'free', 'credits'] as const) expect(sum(of)[0]).toBe(sum(of)[1]);
        expect([bars[0]?.from, bars.at(-1)?.to]).toEqual([days[0]?.date, '2026-11-21']);
      }),
      { numRuns: 40 },
    );
  });
});

it('a chart of running totals has a slot for every day, and few enough bars for any window, today’s included', () => {
  fc.assert(
    fc.property(fc.integer({ min: 32, max: 3_653 }), (length) => {
      const days = daysWith('2026-11-21', Array<number>(length).fill(7));
      const aggregate = {
        credits_consumed: 7 * length,
        premium_credits: 7 * length,
        free_credits: 0,
        max_credits: 500,
        flex_credits: { limit: 100, used: 0 },
        plan: 'plan',
      };
      const facts = {
        aggregate,
        days,
        today: '2026-11-21',
        period: { from: '', to: '' },
        by_api_key: [],
        months: [],
      } as unknown as UsageFacts;
      const { rows } = plotMonths(barsOf(days, 'day'), facts, undefined);
      expect(rows).toHaveLength(length);
      const drawn = rows.filter(({ premium }) => premium !== undefined);
      expect(drawn.length).toBeLessThanOrEqual(TOTALS_MAX);
      expect(drawn.at(-1)).toMatchObject({ slot: length - 1, premium: 7 * 21, ceiling: 500, limit: 600 });
    }),
    { numRuns: 20 },
  );
});

it('names the highest value of a line above the chart, also if the window cuts the last bar', () => {
  const aggregate = { max_credits: 30_000, flex_credits: { limit: 0, used: 0 } };
  // A whole week, then a Monday.
  const bars = barsOf(daysWith('2026-11-16', Array<number>(8).fill(1)), 'week');
  const { outside } = plotDays(bars, { aggregate } as unknown as UsageFacts);
  expect(outside.ceiling).toBeCloseTo(7_000, 6);
});
