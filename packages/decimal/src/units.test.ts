import type { DecimalString } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalsOf, formatUnits, parseBigUnits, parseUnits, significantDecimalsOf } from './units.ts';

/** Integers of up to 20 digits; half of them are far below the limit of a double. */
const digits = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.bigInt({ min: 0n, max: 10n ** 9n }));

/** Any plain decimal: up to 20 digits, up to 12 of them after the point, either sign. */
const decimalText = fc
  .tuple(fc.boolean(), digits, fc.integer({ min: 0, max: 12 }))
  .map(([negative, units, decimals]) => formatUnits(negative ? -units : units, decimals, decimals));

describe('units', () => {
  it.each([
    ['81307.5', 1, 813075],
    ['81307.0', 0, 81307],
    ['0.00042', 5, 42],
    ['90.09', 2, 9009],
    ['-3.50', 3, -3500],
    ['-0.0', 1, 0],
    ['9007199254740991', 0, 9007199254740991],
  ] as const)('%s at scale %i is %i', (text, scale, units) => {
    expect(parseUnits(text, scale)).toBe(units);
  });

  it.each([
    ['0.123', 2],
    ['9007199254740992', 0],
    ['900719925474.0992', 4],
    ['1e3', 0],
    ['', 0],
    ['.5', 1],
    ['1.', 1],
    ['-', 0],
    ['1.2.3', 5],
    ['1.x', 1],
    ['/1', 0],
    ['Infinity', 0],
    ['0x10', 0],
  ])('[DEC-5, BOOK-17] returns undefined for %j at scale %i', (text, scale) => {
    expect(parseUnits(text, scale)).toBeUndefined();
  });

  it('[BOOK-17] parseUnits agrees with bigint arithmetic whenever it returns a number', () => {
    fc.assert(
      fc.property(decimalText, fc.integer({ min: 0, max: 14 }), (text, scale) => {
        const big = parseBigUnits(text, scale);
        const units = parseUnits(text, scale);
        const safe =
          big !== undefined && big <= BigInt(Number.MAX_SAFE_INTEGER) && -big <= BigInt(Number.MAX_SAFE_INTEGER);
        expect(units === undefined ? undefined : BigInt(units)).toBe(safe ? big : undefined);
      }),
    );
  });

  it('[BOOK-18, DEC-3] restores a text exactly as it was printed', () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        const decimals = decimalsOf(text);
        const units = parseBigUnits(text, decimals) ?? 0n;
        const plain = text.replace(/^-(?=0+(?:\.0+)?$)/, '') as DecimalString;
        expect(formatUnits(units, decimals, decimals)).toBe(plain);
      }),
    );
  });

  it.each(['1e3', 'x1.0', '1.0x', '', '.5', '1.'])('[DEC-5] returns undefined for %j at any size', (text) => {
    expect(parseBigUnits(text, 1)).toBeUndefined();
  });

  it('[BOOK-17] drops digits past the scale if they are zero, and rejects them otherwise', () => {
    expect([parseBigUnits('-1.2300', 2), parseBigUnits('1.2301', 2)]).toEqual([-123n, undefined]);
  });

  it.each([
    [813_070, 2, 0, '8130.7'],
    [813_000n, 2, 0, '8130'],
    [813_070n, 2, 2, '8130.70'],
    [813_000, 2, 1, '8130.0'],
    [-50, 3, 0, '-0.05'],
    [500, 3, 2, '0.50'],
    [5, 0, 2, '5.00'],
    [1_200, 0, 0, '1200'],
  ] as const)('[DEC-3] %s at scale %i with at least %i decimals is printed %s', (units, scale, minDecimals, text) => {
    expect(formatUnits(units, scale, minDecimals)).toBe(text);
  });

  it('counts decimals as printed and without trailing zeros', () => {
    expect([decimalsOf('81307.0'), significantDecimalsOf('81307.0')]).toEqual([1, 0]);
    expect([decimalsOf('0.500'), significantDecimalsOf('0.500')]).toEqual([3, 1]);
    expect([decimalsOf('100'), significantDecimalsOf('100')]).toEqual([0, 0]);
  });
});
