import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from './interval.ts';
import { creditsOf, refusedDays, windowOf, zoomOf } from './window.ts';

const NOW = Date.UTC(2026, 4, 5, 14, 20);

describe('the window', () => {
  it('of the last days ends with the hour, so that within the hour it is the same', () => {
    const window = windowOf({ days: '7' }, NOW);
    expect(window).toEqual({ from: Date.UTC(2026, 3, 28, 15), to: Date.UTC(2026, 4, 5, 15) - 1 });
    expect(windowOf({ days: '7' }, NOW + 30 * 60_000)).toEqual(window);
    expect(windowOf({ days: '7' }, NOW + 40 * 60_000)).not.toEqual(window);
  });

  it('of given days holds both of them', () => {
    const window = windowOf({ from: '2026-05-01', to: '2026-05-02' }, NOW);
    expect(window).toEqual({ from: Date.UTC(2026, 4, 1), to: Date.UTC(2026, 4, 3) - 1 });
  });

  it.each([
    ['none', {}, []],
    ['days that have been', { from: '2026-05-01', to: '2026-05-05' }, []],
    ['an end before its start', { from: '2026-05-02', to: '2026-05-01' }, ['from=2026-05-02', 'to=2026-05-01']],
    ['a day to come', { to: '2026-05-06' }, ['to=2026-05-06']],
    ['a day before all time', { from: '0001-01-01' }, ['from=0001-01-01']],
  ])('[WEB-9] of %s', (_, asked, refused) => {
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

describe('the part in sight', () => {
  const window = { from: 10 * HOUR_MS, to: 20 * HOUR_MS };

  it.each([
    ['nothing', undefined],
    ['all of it', `${window.from}-${window.to}`],
    ['what lies outside', `0-${window.from}`],
    ['an end before its start', `${window.to}-${window.from}`],
  ])('of %s is no part', (_, text) => expect(zoomOf(text, window)).toBeUndefined());

  it('is cut at the window', () => {
    expect(zoomOf(`0-${15 * HOUR_MS}`, window)).toEqual({ from: window.from, to: 15 * HOUR_MS });
  });
});
