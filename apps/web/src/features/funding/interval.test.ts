import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, intervalText, measure, measureInterval, missingOf } from './interval.ts';

const START = Date.UTC(2026, 4, 5);
const hours = (...list: number[]) => list.map((hour) => START + hour * HOUR_MS);
const wide = { from: START, to: START + 1_000 * HOUR_MS };

/** Entries every `minutes`, late by up to three seconds, with some left out. */
const lossy = fc
  .record({
    minutes: fc.constantFrom(30, 60, 240, 480),
    jitters: fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 30, maxLength: 200 }),
    lost: fc.uniqueArray(fc.integer({ min: 1, max: 28 }), { maxLength: 4 }),
  })
  .map(({ minutes, jitters, lost }) => ({
    interval: minutes * 60_000,
    lost: lost.length,
    times: jitters.flatMap((jitter, at) => (lost.includes(at) ? [] : [START + at * minutes * 60_000 + jitter])),
  }));

describe('the interval', () => {
  it('[FUND-9] is found if no entry is on the hour and some are missing, and every missing one is counted', () => {
    fc.assert(
      fc.property(lossy, ({ interval, lost, times }) => {
        const period = { from: START, to: times.at(-1) ?? 0 };
        const found = measure(times, period);
        expect(found.interval).toBe(interval);
        expect(missingOf(found)).toBe(lost);
        expect(found.received).toBe(times.length);
        expect(found.duplicates).toEqual([]);
        expect(found.offBeat).toBe(0);
      }),
    );
  });

  it.each([
    ['no entry', []],
    ['one entry', [START]],
    ['entries of one moment', [START, START + 20]],
  ])('is not measured from %s', (_, times) => {
    expect(measureInterval(times)).toBeUndefined();
  });

  it.each([
    [HOUR_MS, '1 h'],
    [8 * HOUR_MS, '8 h'],
    [HOUR_MS / 2, '30 min'],
    [24 * HOUR_MS, '1 d'],
  ])('%i ms is written %s', (ms, text) => expect(intervalText(ms)).toBe(text));
});

describe('completeness', () => {
  it('lists gaps, breaks the line after each, and counts the intervals in them', () => {
    const found = measure(hours(0, 1, 2, 5, 6, 8), { from: START, to: START + 8 * HOUR_MS });
    expect(found.gaps.map(({ intervals }) => intervals)).toEqual([2, 1]);
    expect([...found.breaks]).toEqual([3, 5]);
    expect(missingOf(found)).toBe(3);
  });

  it('counts missing intervals at the ends of the period', () => {
    const found = measure(hours(3, 4, 5), { from: START, to: START + 7 * HOUR_MS + 10 });
    expect(found.before?.intervals).toBe(3);
    expect(found.after?.intervals).toBe(2);
  });

  it('counts an entry that repeats an interval as a duplicate, not as an interval', () => {
    const [first = 0, second = 0, third = 0] = hours(0, 1, 2);
    const found = measure([first, second, second + 900, third], wide);
    expect(found.interval).toBe(HOUR_MS);
    expect(found.duplicates).toEqual([2]);
    expect(found.received).toBe(3);
    expect(found.gaps).toEqual([]);
  });

  it('reports a changing interval as off the interval, never as duplicates', () => {
    const found = measure(hours(0, 8, 16, 24, 32, 33, 34), wide);
    expect(found.interval).toBe(8 * HOUR_MS);
    expect(found.offBeat).toBe(2);
    expect(found.duplicates).toEqual([]);
  });
});
