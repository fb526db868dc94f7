import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf, daysBetween, firstOfMonth, isDay, monthsBefore } from './calendar.ts';

const anyDay = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2199, 11, 31) }).map(dayOf);

describe('isDay', () => {
  it.each(['2026-11-20', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('accepts %s', (text) => {
    expect(isDay(text)).toBe(true);
  });

  it.each([
    '',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    '20261120',
    '2026-11-20T00:00:00Z',
    ' 2026-11-20',
    '2026-11-20\n',
    '+002026-11-20',
    '٢٠٢٦-11-20',
  ])('rejects %j', (text) => {
    expect(isDay(text)).toBe(false);
  });

  it('agrees with the platform about every day', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 31 }),
        (y, m, d) => {
          const text = `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`;
          const date = new Date(`${text}T00:00:00Z`);
          expect(isDay(text)).toBe(!Number.isNaN(date.getTime()) && date.toISOString().startsWith(text));
        },
      ),
    );
  });
});

describe('monthsBefore', () => {
  it.each([
    ['2026-05-31', 3, '2026-02-28'],
    ['2024-05-31', 3, '2024-02-29'],
    ['2026-02-28', 12, '2025-02-28'],
    ['2024-02-29', 12, '2023-02-28'],
    ['2026-03-31', 6, '2025-09-30'],
    ['2026-01-15', 1, '2025-12-15'],
    ['2026-12-31', 6, '2026-06-30'],
    ['2026-11-20', 3, '2026-08-20'],
    ['2026-11-20', 0, '2026-11-20'],
  ])('[USE-6] %s minus %d months is %s', (day, months, expected) => {
    expect(monthsBefore(day, months)).toBe(expected);
  });

  it('[USE-6] goes back that many months, to the same day or the last one of that month', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 600 }), (day, months) => {
        const earlier = monthsBefore(day, months);
        expect(isDay(earlier)).toBe(true);
        const monthNumber = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
        expect(monthNumber(day) - monthNumber(earlier)).toBe(months);
        if (earlier.slice(8) === day.slice(8)) return;
        const nextDay = `${earlier.slice(0, 8)}${String(Number(earlier.slice(8)) + 1).padStart(2, '0')}`;
        expect(earlier.slice(8) < day.slice(8) && !isDay(nextDay)).toBe(true);
      }),
    );
  });
});

describe('days', () => {
  it('dayOf returns the day in UTC', () => {
    expect(dayOf(Date.UTC(2026, 10, 20, 23, 59, 59, 999))).toBe('2026-11-20');
    expect(dayOf(Date.UTC(2026, 10, 21))).toBe('2026-11-21');
  });

  it('firstOfMonth returns the first day of the month', () => {
    expect(firstOfMonth('2026-11-20')).toBe('2026-11-01');
  });

  it('daysBetween returns every day once, including both ends', () => {
    expect(daysBetween('2024-02-27', '2024-03-01')).toEqual(['2024-02-27', '2024-02-28', '2024-02-29', '2024-03-01']);
    expect(daysBetween('2026-11-20', '2026-11-20')).toEqual(['2026-11-20']);
    expect(daysBetween('2026-01-01', '2026-12-31')).toHaveLength(365);
  });
});
