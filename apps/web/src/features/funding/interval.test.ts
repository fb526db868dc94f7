import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, intervalText, measure as measureIn, measurePieces, missingOf } from './interval.ts';

const START = Date.UTC(2026, 4, 5);
const hours = (...list: number[]) => list.map((hour) => START + hour * HOUR_MS);
const measure = (times: readonly number[], period: { readonly from: number; readonly to: number }, isFirst = false) =>
  measureIn(times, { period, pieces: measurePieces(times), isFirst });
const intervalsOf = (times: readonly number[]) => measurePieces(times).map(({ interval }) => interval / HOUR_MS);
const wide = { from: START, to: START + 1_000 * HOUR_MS };

/** Entries every `minutes`, late by up to three seconds, with some left out. */
const lossy = fc
  .record({
    minutes: fc.constantFrom(30, 60, 240, 480),
    jitters: fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 30, maxLength: 200 }),
    // Not at an end, where every second one lost in a row is another interval.
    lost: fc.uniqueArray(fc.integer({ min: 3, max: 26 }), { maxLength: 4 }),
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
        expect(found.pieces.map((piece) => piece.interval)).toEqual([interval]);
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
    expect(measurePieces(times)).toEqual([]);
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
    const found = measure(hours(3, 4, 5), { from: START, to: START + 7.1 * HOUR_MS + 10 });
    expect(found.before?.intervals).toBe(3);
    expect(found.after?.intervals).toBe(2);
    const justAfter = measure(hours(3, 4, 5), { from: START, to: START + 6 * HOUR_MS + 300_000 });
    expect(justAfter.after, 'late by less than a tenth of the interval').toBe(undefined);
  });

  it('counts an entry that repeats an interval as a duplicate, not as an interval', () => {
    const [first = 0, second = 0, third = 0] = hours(0, 1, 2);
    const found = measure([first, second, second + 900, third], wide);
    expect(found.pieces.map(({ interval }) => interval)).toEqual([HOUR_MS]);
    expect(found.duplicates).toEqual([2]);
    expect(found.received).toBe(3);
    expect(found.gaps).toEqual([]);
  });

  it('[FUND-22] counts the hours before the first entry of a coin as not listed, not as missing', () => {
    const found = measure(hours(3, 4, 5), { from: START, to: START + 5 * HOUR_MS }, true);
    expect(found.unlisted?.intervals).toBe(3);
    expect(missingOf(found)).toBe(0);
  });

  it('reports an entry between the others as off the interval, never as a duplicate', () => {
    const found = measure(hours(0, 8, 16, 24, 27, 32, 40), wide);
    expect(found.offBeat).toBe(2);
    expect(found.duplicates).toEqual([]);
  });
});

describe('[FUND-20] an interval that changes is measured piece by piece', () => {
  const every = (interval: number, count: number, from: number) =>
    Array.from({ length: count }, (_, at) => from + at * interval);

  it.each([
    ['8 h, then 1 h', hours(...every(8, 20, 0), ...every(1, 50, 153)), [8, 1]],
    ['1 h, then 8 h', hours(...every(1, 50, 0), ...every(8, 20, 57)), [1, 8]],
    ['1 h, 4 h, 1 h', hours(...every(1, 30, 0), ...every(4, 12, 33), ...every(1, 30, 78)), [1, 4, 1]],
    ['a few entries at the change', hours(0, 8, 16, 24, 25, 26), [8, 1]],
    ['30 min, then 1 h', hours(...every(0.5, 20, 0), ...every(1, 20, 10.5)), [0.5, 1]],
  ])('%s', (_, times, intervals) => {
    expect(intervalsOf(times)).toEqual(intervals);
    const found = measure(times, { from: START, to: times.at(-1) ?? 0 });
    expect(found.gaps).toEqual([]);
    expect(missingOf(found) + found.offBeat + found.duplicates.length).toBe(0);
  });

  it('with gaps in each piece and at the change, all of them counted', () => {
    const times = hours(...every(8, 20, 0).toSpliced(4, 2), ...every(1, 50, 168).toSpliced(9, 3));
    const found = measure(times, { from: START, to: times.at(-1) ?? 0 });
    expect(found.pieces.map(({ interval }) => interval / HOUR_MS)).toEqual([8, 1]);
    expect(found.gaps.map(({ intervals }) => intervals)).toEqual([2, 1, 3]);
  });

  it('and single and repeated losses are gaps, not changes', () => {
    const losses = hours(0, 1, 2, 10, 11, 12, 14, 16, 18, 19, 20, 28, 36, 37, 38);
    expect(intervalsOf(losses)).toEqual([1]);
    expect(missingOf(measure(losses, { from: START, to: losses.at(-1) ?? 0 }))).toBe(24);
  });
});
