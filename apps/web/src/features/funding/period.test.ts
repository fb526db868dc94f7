import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from './interval.ts';
import { creditsOf, periodOf, refusedDays, zoomOf } from './period.ts';

const NOW = Date.UTC(2026, 4, 5, 14, 20);

describe('the period', () => {
  it('ends with the hour for the last days, so that it is the same within the hour', () => {
    const period = periodOf({ days: '7' }, NOW);
    expect(period).toEqual({ from: Date.UTC(2026, 3, 28, 15), to: Date.UTC(2026, 4, 5, 15) - 1 });
    expect(periodOf({ days: '7' }, NOW + 30 * 60_000)).toEqual(period);
    expect(periodOf({ days: '7' }, NOW + 40 * 60_000)).not.toEqual(period);
  });

  it('includes both given days', () => {
    const period = periodOf({ from: '2026-05-01', to: '2026-05-02' }, NOW);
    expect(period).toEqual({ from: Date.UTC(2026, 4, 1), to: Date.UTC(2026, 4, 3) - 1 });
  });

  it.each([
    ['none', {}, []],
    ['days that have been', { from: '2026-05-01', to: '2026-05-05' }, []],
    ['an end before its start', { from: '2026-05-02', to: '2026-05-01' }, ['from=2026-05-02', 'to=2026-05-01']],
    ['a day to come', { to: '2026-05-06' }, ['to=2026-05-06']],
    ['a day before all time', { from: '0001-01-01' }, ['from=0001-01-01']],
  ])('for %s', (_, asked, refused) => {
    expect(refusedDays(asked, NOW)).toEqual(refused);
  });

  it.each([
    [1, 1],
    [20, 1],
    [30, 2],
    [90, 5],
    [365, 18],
  ])('of %i days costs about %i credits', (days, credits) => {
    expect(creditsOf({ from: 0, to: days * DAY_MS })).toBe(credits);
  });
});

describe('the part in view', () => {
  const period = { from: 10 * HOUR_MS, to: 20 * HOUR_MS };

  it.each([
    ['nothing', undefined],
    ['all of it', `${period.from}-${period.to}`],
    ['what lies outside', `0-${period.from}`],
    ['an end before its start', `${period.to}-${period.from}`],
  ])('is none for %s', (_, text) => expect(zoomOf(text, period)).toBeUndefined());

  it('is clipped to the period', () => {
    expect(zoomOf(`0-${15 * HOUR_MS}`, period)).toEqual({ from: period.from, to: 15 * HOUR_MS });
  });
});
