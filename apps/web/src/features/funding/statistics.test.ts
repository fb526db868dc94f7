import { compare, divide, formatUnits, multiply, subtract, sum } from '@l4desk/decimal';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carryOf } from './carry-panel.tsx';
import { rateInPercent } from './chart-rows.ts';
import { historyOf, textOf } from './entries.ts';
import { hoursOf } from './hours-panel.tsx';
import { HOUR_MS } from './interval.ts';
import { rateIn } from './rates.ts';
import { UNITS } from './search.ts';
import { statisticsOf } from './statistics-panel.tsx';
import { decimalOf, hourly, periodOfHours } from './test-support/rates.ts';

const rates = fc.array(
  fc.integer({ min: -4_000_000, max: 4_000_000 }).map((units) => {
    const digits = String(Math.abs(units)).padStart(9, '0');
    return `${units < 0 ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`;
  }),
  { minLength: 1, maxLength: 80 },
);

const historyOfRates = (list: readonly string[]) =>
  historyOf('BTC', hourly(list), periodOfHours(100), periodOfHours(100));

describe('statistics', () => {
  it('have the sum, mean, median and extremes of exact arithmetic', () => {
    fc.assert(
      fc.property(rates, (list) => {
        const found = statisticsOf(historyOfRates(list));
        const texts = list.map(decimalOf);
        const sorted = texts.toSorted(compare);
        const count = decimalOf(String(list.length));
        const [low, high] = [sorted[(list.length - 1) >> 1], sorted[list.length >> 1]].map((text) => text ?? count);
        expect(compare(found?.sum ?? count, sum(texts))).toBe(0);
        expect(found?.mean).toBe(divide(sum(texts), count, 24));
        expect(compare(multiply(found?.median ?? count, decimalOf('2')), sum([low ?? count, high ?? count]))).toBe(0);
        expect(compare(found?.lowest.fundingRate ?? count, sorted[0] ?? count)).toBe(0);
        expect(compare(found?.highest.fundingRate ?? count, sorted.at(-1) ?? count)).toBe(0);
        expect(found?.positive).toBe(list.filter((text) => /^0.*[1-9]/.test(text)).length);
      }),
    );
  });

  it('have a deviation whose square is the variance, to its last digit', () => {
    fc.assert(
      fc.property(rates, (list) => {
        const texts = list.map(decimalOf);
        const count = decimalOf(String(list.length));
        const mean = divide(sum(texts), count, 60) ?? count;
        const squares = texts.map((text) => multiply(subtract(text, mean), subtract(text, mean)));
        const variance = divide(sum(squares), count, 50) ?? count;
        const deviation = statisticsOf(historyOfRates(list))?.deviation ?? count;
        const below = subtract(deviation, decimalOf('0.000000000001'));
        const above = sum([deviation, decimalOf('0.000000000001')]);
        expect(compare(multiply(above, above), variance)).toBeGreaterThanOrEqual(0);
        expect(below.startsWith('-') ? -1 : compare(multiply(below, below), variance)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('are undefined without entries in view', () => {
    expect(statisticsOf(historyOf('BTC', [], periodOfHours(3), periodOfHours(3)))).toBeUndefined();
  });

  it('count a duplicate entry once, also in sums and cumulative rates', () => {
    const [first, second] = hourly(['0.1', '0.2', '0.3']);
    const entries = hourly(['0.1', '0.2', '0.3']).flatMap((entry, at) =>
      at === 1 ? [entry, { ...entry, time: entry.time + 5 }] : [entry],
    );
    const history = historyOf('BTC', entries, periodOfHours(3), periodOfHours(3));
    expect([first?.coin, second?.coin]).toEqual(['BTC', 'BTC']);
    expect(history.entries.map(({ isDuplicate }) => isDuplicate)).toEqual([false, false, true, false]);
    expect(statisticsOf(history)?.sum).toBe('0.6');
    expect(history.entries.map(({ cumulative }) => textOf(history, cumulative))).toEqual(['0.1', '0.3', '0.3', '0.6']);
  });
});

describe('carry', () => {
  it.each([
    ['long', '0.0003', '-3.0000'],
    ['short', '0.0003', '3.0000'],
    ['long', '-0.0003', '3.0000'],
    ['short', '-0.0003', '-3.0000'],
    ['long', '0', '0'],
  ] as const)('of a %s over rates that sum to %s', (side, total, expected) => {
    expect(compare(carryOf(decimalOf(total), decimalOf('10000'), side), decimalOf(expected))).toBe(0);
  });

  it('gives a short exactly what a long pays', () => {
    fc.assert(
      fc.property(rates, fc.nat({ max: 1_000_000_000 }), (list, notional) => {
        const carry = (side: 'long' | 'short') => carryOf(sum(list.map(decimalOf)), decimalOf(String(notional)), side);
        expect(compare(sum([carry('long'), carry('short')]), decimalOf('0'))).toBe(0);
      }),
    );
  });
});

describe('rates in units', () => {
  it.each([
    ['interval', HOUR_MS, '0.0000125'],
    ['8h', HOUR_MS, '0.0001'],
    ['8h', 8 * HOUR_MS, '0.0000125'],
    ['simple', HOUR_MS, '0.1095'],
    ['simple', 8 * HOUR_MS, '0.0136875'],
    ['compound', HOUR_MS, '0.115719307371'],
    ['compound', 8 * HOUR_MS, '0.013781515956'],
  ] as const)('as %s of an interval of %i ms: %s', (unit, interval, expected) => {
    expect(rateIn(unit, decimalOf('0.0000125'), interval)).toBe(expected);
  });

  it.each([
    ['8h', 3, '0.0001', '0.000266666666666667'],
    ['8h', 5, '0.0001', '0.000160000000000000'],
    ['simple', 7, '0.0001', '0.125142857142857143'],
    ['compound', 7, '0.0001', '0.133254685520'],
  ] as const)('as %s of an interval of %i h, which must be rounded: %s is %s', (unit, hours, rate, expected) => {
    expect(rateIn(unit, decimalOf(rate), hours * HOUR_MS)).toBe(expected);
  });

  it('equal the line on the chart, whatever the interval', () => {
    const minutes = fc.integer({ min: 60, max: 26 * 60 });
    const rate = fc.integer({ min: -20, max: 20 }).map((units) => formatUnits(units, 5));
    fc.assert(
      fc.property(fc.constantFrom(...UNITS), minutes, rate, (unit, length, fundingRate) => {
        const interval = length * 60_000;
        const drawn = rateInPercent(Number(fundingRate), unit, interval);
        expect(drawn).toBeCloseTo(Number(rateIn(unit, fundingRate, interval)) * 100, 4);
      }),
    );
  });

  it('are known only per interval without a measured interval', () => {
    expect(rateIn('interval', decimalOf('0.01'), undefined)).toBe('0.01');
    expect(rateIn('8h', decimalOf('0.01'), undefined)).toBeUndefined();
  });
});

describe('hours of the day', () => {
  it('assign every entry to one hour, that of the nearest minute', () => {
    const list = Array.from({ length: 48 }, (_, at) => `0.${String(at).padStart(4, '0')}`);
    const history = historyOf('BTC', hourly(list), periodOfHours(48), periodOfHours(48));
    const found = hoursOf(history, 'utc');
    expect(found.map(({ count }) => count)).toEqual(Array.from({ length: 24 }, () => 2));
    expect(found[3]?.mean).toBe(divide(decimalOf('0.0030'), decimalOf('2'), 12));
  });
});
