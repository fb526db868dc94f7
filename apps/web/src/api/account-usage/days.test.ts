import { dayOf, daysBetween, firstOfMonth } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { lastOfMonth, monthsOf } from './days.ts';
import { daysWith } from './test-support/days.ts';

const day = fc.integer({ min: 0, max: 20_000 }).map((at) => dayOf(at * 86_400_000));
const amounts = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1, maxLength: 120 });

describe('days', () => {
  it("[USE-12] have the running total of their month, once the window contains the month's first day", () => {
    const days = daysWith('2026-03-02', [5, 7, 10, 20], 6);
    expect(days.map(({ date, credits, month }) => [date, credits, month?.credits])).toEqual([
      ['2026-02-27', 5, undefined],
      ['2026-02-28', 7, undefined],
      ['2026-03-01', 10, 10],
      ['2026-03-02', 20, 30],
    ]);
    expect(days[3]?.month).toEqual({ premium: 18, free: 12, credits: 30 });
  });
});

describe('months', () => {
  it('count against the plan if they are whole, or run from their first day to today', () => {
    const days = daysWith(
      '2026-03-02',
      Array.from({ length: 32 }, () => 1),
    );
    expect(
      monthsOf(days, '2026-03-02').map(({ month, from, to, extent, credits }) => [month, from, to, extent, credits]),
    ).toEqual([
      ['2026-01', '2026-01-30', '2026-01-31', 'part', 2],
      ['2026-02', '2026-02-01', '2026-02-28', 'whole', 28],
      ['2026-03', '2026-03-01', '2026-03-02', 'so far', 2],
    ]);
    expect(monthsOf(days, '2026-03-09').at(-1)?.extent).toBe('part');
  });

  it('are “so far” on their last day while that day is today', () => {
    const days = daysWith(
      '2026-02-28',
      Array.from({ length: 28 }, () => 1),
    );
    expect(monthsOf(days, '2026-02-28')[0]?.extent).toBe('so far');
    expect(monthsOf(days, '2026-03-01')[0]?.extent).toBe('whole');
  });

  it('[USE-15] add up to the days, and equal the running total of their last day', () => {
    fc.assert(
      fc.property(day, amounts, fc.nat({ max: 5_000 }), (to, credits, free) => {
        const days = daysWith(to, credits, free);
        const months = monthsOf(days, to);
        expect(months.reduce((sum, month) => sum + month.credits, 0)).toBe(
          credits.reduce((sum, used) => sum + used, 0),
        );
        for (const month of months) {
          expect(month.premium + month.free).toBe(month.credits);
          const last = must(days.find(({ date }) => date === month.to));
          expect(last.month?.credits).toBe(month.from === firstOfMonth(month.from) ? month.credits : undefined);
        }
      }),
    );
  });

  it('end on the day before the first of the next one (lastOfMonth)', () => {
    fc.assert(
      fc.property(day, (date) => {
        const last = lastOfMonth(date);
        const [, next] = daysBetween(last, dayOf(Date.parse(last) + 86_400_000));
        expect([firstOfMonth(last), next?.slice(8)]).toEqual([firstOfMonth(date), '01']);
      }),
    );
  });
});
