import type { DecimalString } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  basisPoints,
  ceilToTick,
  compare,
  divide,
  floorToTick,
  middle,
  multiply,
  NotADecimalError,
  roundTo,
  subtract,
  sum,
  tickSteps,
} from './arithmetic.ts';
import { decimalsOf, formatUnits, parseBigUnits } from './units.ts';

const SCALE = 10;
const big = (text: DecimalString, scale = SCALE) => parseBigUnits(text, scale) ?? 0n;
const decimalText = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map((units) => formatUnits(units, SCALE, 0));

describe('arithmetic', () => {
  it('[DEC-6] sum, difference, product and comparison agree with bigint arithmetic', () => {
    fc.assert(
      fc.property(decimalText, decimalText, (a, b) => {
        expect(big(add(a, b))).toBe(big(a) + big(b));
        expect(big(subtract(a, b))).toBe(big(a) - big(b));
        expect(big(multiply(a, b), 2 * SCALE)).toBe(big(a) * big(b));
        expect(Math.sign(compare(a, b))).toBe(big(a) < big(b) ? -1 : big(a) > big(b) ? 1 : 0);
      }),
    );
  });

  it('[DEC-6] is exact on both sides of what a number holds, and prints no zeros after the last digit', () => {
    expect(add('9007199254740991', '0.50')).toBe('9007199254740991.5');
    expect(add('9007199254740991', '2')).toBe('9007199254740993');
    expect(subtract('-9007199254740991', '2')).toBe('-9007199254740993');
    expect(multiply('94906267', '94906267')).toBe('9007199515875289');
    expect(multiply('0.10', '20.0')).toBe('2');
    expect(subtract('1.50', '1.5')).toBe('0');
    expect(compare('9007199254740993', '9007199254740992')).toBe(1);
    expect(compare('0.30', '0.3')).toBe(0);
    for (const odd of ['1e3', '.5', '1.', '', '0x10'] as DecimalString[]) {
      for (const compute of [add, subtract, multiply, compare])
        expect(() => compute('1', odd)).toThrow(NotADecimalError);
    }
  });

  it('[DEC-6] a sum depends on no order and does not round', () => {
    expect(sum(['0.1', '0.2', '-0.3'])).toBe('0');
    expect(sum([])).toBe('0');
    expect(sum(['123456789012345678901234567890', '0.0000000001'])).toBe('123456789012345678901234567890.0000000001');
  });

  it('a price is between its lower and its upper tick, and on-tick prices stay', () => {
    const tick = fc.constantFrom<DecimalString>('0.1', '0.05', '0.002', '1', '50', '0.00001');
    const price = fc.bigInt({ min: 0n, max: 10n ** 12n }).map((units) => formatUnits(units, 6, 0));
    fc.assert(
      fc.property(price, tick, (px, step) => {
        const [floor, ceil] = [floorToTick(px, step), ceilToTick(px, step)];
        expect(big(floor) % big(step)).toBe(0n);
        expect(big(floor)).toBe(big(px) - (big(px) % big(step)));
        expect(big(ceil) - big(floor)).toBe(big(px) % big(step) === 0n ? 0n : big(step));
        expect(decimalsOf(floor)).toBe(decimalsOf(step));
      }),
    );
  });

  it('ticks below zero round as floor and ceiling do', () => {
    expect([floorToTick('-0.13', '0.1'), ceilToTick('-0.13', '0.1')]).toEqual(['-0.2', '-0.1']);
  });

  it('rounding is for display: half up, all digits printed', () => {
    expect(roundTo('1.005', 2)).toBe('1.01');
    expect(roundTo('2', 3)).toBe('2.000');
    expect(divide('1', '3', 4)).toBe('0.3333');
    expect(divide('1', '0', 4)).toBeUndefined();
  });

  it.each<[DecimalString, number, DecimalString]>([
    ['0.125', 2, '0.13'],
    ['0.135', 2, '0.14'],
    ['-0.125', 2, '-0.13'],
    ['2.5', 0, '3'],
    ['-2.5', 0, '-3'],
    ['0.12499999999999999999999999', 2, '0.12'],
  ])('a tie rounds away from zero after any digit: %s to %i decimals', (text, decimals, rounded) => {
    expect(roundTo(text, decimals)).toBe(rounded);
    expect(divide(multiply(text, '8'), '8', decimals)).toBe(rounded);
  });

  it('computes a spread in basis points of the mean', () => {
    expect(basisPoints('81307.0', '81308.0', 2)).toBe('0.12');
    expect(basisPoints('0', '0', 2)).toBeUndefined();
    // 1.25 exactly: a tie rounds up.
    expect(basisPoints('19998.75', '20001.25', 1)).toBe('1.3');
    expect(middle('81307.0', '81308.0')).toBe('81307.5');
  });

  it('grouping steps are 1, 2 and 5 times powers of ten', () => {
    expect(tickSteps('0.1', 5)).toEqual(['0.1', '0.2', '0.5', '1', '2']);
    expect(tickSteps('0.000001', 3)).toEqual(['0.000001', '0.000002', '0.000005']);
    expect(tickSteps('5', 2)).toEqual(['5', '10']);
  });

  it.each(['0x10', 'Infinity', '1e5', ''])('[DEC-5] rejects %j', (text) => {
    const expected = {
      name: 'NotADecimalError',
      code: 'not_a_decimal',
      message: `not a decimal: ${JSON.stringify(text)}`,
    };
    expect(() => add(text as DecimalString, '1')).toThrow(expect.objectContaining(expected));
  });
});
