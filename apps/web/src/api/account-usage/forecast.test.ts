import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Forecast, forecastOf, reachOf } from './forecast.ts';
import { daysWith } from './test-support/days.ts';

const TODAY = '2026-11-21';
/** Twenty complete days of November, and part of the 21st. */
const steady = (perDay: number, today: number) => daysWith(TODAY, [...Array.from({ length: 20 }, () => perDay), today]);

function forecast(days: ReturnType<typeof steady>): Extract<Forecast, { kind: 'forecast' }> {
  const made = forecastOf(days);
  if (made.kind !== 'forecast') throw new Error(`no forecast: ${made.kind}`);
  return made;
}

describe('forecast', () => {
  it('continues a steady use over the ten remaining days, today included, without a band', () => {
    const made = forecast(steady(1_000, 40));
    expect(made.basis).toEqual({ from: '2026-11-01', to: '2026-11-20', days: 20 });
    expect(made.perDay).toBe(1_000);
    expect(made.monthEnd).toEqual({ low: 30_000, likely: 30_000, high: 30_000 });
    expect(made.path.map(({ date }) => date)).toEqual(
      Array.from({ length: 10 }, (_, at) => `2026-11-${String(21 + at)}`),
    );
  });

  it('leaves today’s partial use out of the mean, and never forecasts less than what is already used', () => {
    expect(forecast(steady(1_000, 0)).perDay).toBe(1_000);
    expect(forecast(steady(1_000, 7_500)).path[0]).toEqual({ date: TODAY, low: 27_500, likely: 27_500, high: 27_500 });
  });

  it('has a band as wide as Student’s distribution gives', () => {
    // Alternating 900 and 1,100: 20 days, variance 200,000/19; t for 80 % and 19 degrees is 1.3277.
    const days = daysWith(TODAY, [...Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 900 : 1_100)), 0]);
    const margin = 1.3277 * Math.sqrt((200_000 / 19) * (10 + 100 / 20));
    const { monthEnd } = forecast(days);
    expect(monthEnd.likely).toBe(30_000);
    expect(monthEnd.high - 30_000).toBe(Math.round(margin));
    expect(30_000 - monthEnd.low).toBe(Math.round(margin));
  });

  it('needs seven complete days, counted from the first use', () => {
    expect(forecastOf(daysWith(TODAY, [...Array.from({ length: 14 }, () => 0), 9, 9, 9, 9, 9, 9, 5]))).toEqual({
      kind: 'too few days',
      days: 6,
    });
    expect(forecastOf(daysWith(TODAY, [...Array.from({ length: 13 }, () => 0), 9, 9, 9, 9, 9, 9, 9, 5]))).toMatchObject(
      {
        kind: 'forecast',
        basis: { from: '2026-11-14', to: '2026-11-20', days: 7 },
        perDay: 9,
      },
    );
    expect(forecastOf(steady(0, 0))).toEqual({ kind: 'too few days', days: 0 });
  });

  it('uses at most the latest 28 complete days', () => {
    const days = daysWith(TODAY, [
      ...Array.from({ length: 40 }, () => 9_999),
      ...Array.from({ length: 28 }, () => 10),
      0,
    ]);
    expect(forecast(days)).toMatchObject({ basis: { from: '2026-10-24', to: '2026-11-20', days: 28 }, perDay: 10 });
  });

  it('is the same for every window that contains the month and the days of its basis', () => {
    const credits = Array.from({ length: 90 }, (_, at) => 100 + ((at * 37) % 50));
    const made = forecastOf(daysWith(TODAY, credits));
    expect(made.kind).toBe('forecast');
    for (const length of [49, 60, 75]) expect(forecastOf(daysWith(TODAY, credits.slice(-length)))).toEqual(made);
  });

  it('does not exist without days', () => {
    expect(forecastOf([])).toEqual({ kind: 'too few days', days: 0 });
  });

  it('is never below what is used, keeps low ≤ likely ≤ high, and never falls from day to day', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 10 ** 9 }), { minLength: 21, maxLength: 80 }), (credits) => {
        const days = daysWith(TODAY, credits);
        const made = forecastOf(days);
        if (made.kind !== 'forecast') return;
        const used = days.at(-1)?.month?.credits ?? 0;
        for (const [at, { low, likely, high }] of made.path.entries()) {
          expect(low).toBeGreaterThanOrEqual(used);
          expect(likely).toBeGreaterThanOrEqual(low);
          expect(high).toBeGreaterThanOrEqual(likely);
          expect(likely).toBeGreaterThanOrEqual(made.path[at - 1]?.likely ?? 0);
          expect(high).toBeGreaterThanOrEqual(made.path[at - 1]?.high ?? 0);
        }
        expect(made.monthEnd).toEqual({
          low: made.path.at(-1)?.low,
          likely: made.path.at(-1)?.likely,
          high: made.path.at(-1)?.high,
        });
      }),
    );
  });

  it('changes only its lower limit with today’s partial use', () => {
    const complete = fc.array(fc.integer({ min: 1, max: 10 ** 6 }), { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(complete, fc.nat({ max: 1_000 }), (credits, today) => {
        const without = forecast(daysWith(TODAY, [...credits, 0]));
        const made = forecast(daysWith(TODAY, [...credits, today]));
        expect([made.perDay, made.basis]).toEqual([without.perDay, without.basis]);
        expect(made.monthEnd.high).toBeGreaterThanOrEqual(without.monthEnd.high);
      }),
    );
  });
});

describe('when a line is reached', () => {
  const days = steady(1_000, 40);
  const made = forecast(days);

  it.each([
    [20_040, { kind: 'reached', day: '2026-11-21' }],
    [20_000, { kind: 'reached', day: '2026-11-20' }],
    [500, { kind: 'reached', day: '2026-11-01' }],
    [20_041, { kind: 'expected', earliest: '2026-11-21', likely: '2026-11-21', latest: '2026-11-21' }],
    [25_500, { kind: 'expected', earliest: '2026-11-26', likely: '2026-11-26', latest: '2026-11-26' }],
    [30_000, { kind: 'expected', earliest: '2026-11-30', likely: '2026-11-30', latest: '2026-11-30' }],
    [30_001, { kind: 'not this month' }],
  ])('%s', (line, reach) => {
    expect(reachOf(line, days, made)).toEqual(reach);
  });

  it('has only an earliest day if just the high side of the band reaches the line', () => {
    const uneven = daysWith(TODAY, [...Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 900 : 1_100)), 0]);
    expect(reachOf(30_100, uneven, forecast(uneven))).toEqual({
      kind: 'expected',
      earliest: '2026-11-30',
      likely: undefined,
      latest: undefined,
    });
  });

  it('has earliest, likely and latest in order', () => {
    const complete = fc.array(fc.nat({ max: 10 ** 6 }), { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(complete, fc.integer({ min: 1, max: 4 * 10 ** 7 }), (credits, line) => {
        const some = daysWith(TODAY, [...credits, 0]);
        const known = forecastOf(some);
        if (known.kind !== 'forecast') return;
        const reach = reachOf(line, some, known);
        if (reach.kind !== 'expected') return;
        const order = [reach.earliest, reach.likely ?? '9', reach.latest ?? '9'];
        expect(order).toEqual([...order].sort());
      }),
    );
  });
});
