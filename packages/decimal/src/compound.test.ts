import type { DecimalString } from '@l4desk/protocol';
import { Decimal } from 'decimal.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compound, squareRoot } from './compound.ts';

const d = (text: string) => text as DecimalString;
/** Wide enough that 8,760 periods of any rate below are correct to far more digits than requested. */
const Wide = Decimal.clone({ precision: 260, toExpNeg: -9e15, toExpPos: 9e15 });

const rates = fc
  .bigInt({ min: -400_000_000n, max: 400_000_000n })
  .map((units) => d(new Wide(units.toString()).div(10_000_000_000).toFixed(10)));

describe('compound', () => {
  it.each([
    ['0.0000125', 8760, 10, '0.1157193074'],
    ['0', 8760, 4, '0.0000'],
    ['0.5', 2, 4, '1.2500'],
    ['0.5', 2, 1, '1.3'],
    ['-0.5', 2, 1, '-0.8'],
    ['0.0000125', 0, 2, '0.00'],
    ['1', 3, 0, '7'],
    ['0.0000000000000000000000000000000000005', 3, 2, '0.00'],
    ['0.4999999999999999999999999999999999999', 1, 0, '0'],
  ])('%s over %i periods, %i digits: %s', (rate, periods, decimals, expected) => {
    expect(compound(d(rate), periods, decimals)).toBe(expected);
  });

  it.each(['-1', '-1.5', '1e-3'])(
    'returns undefined for a rate of %s, which loses everything or is no plain decimal',
    (rate) => {
      expect(compound(d(rate), 3, 4)).toBeUndefined();
    },
  );

  it('computes every digit correctly, as far as a wide decimal can tell', () => {
    fc.assert(
      fc.property(
        rates,
        fc.integer({ min: 0, max: 8_760 }),
        fc.integer({ min: 0, max: 20 }),
        (rate, periods, decimals) => {
          const expected = new Wide(rate).plus(1).pow(periods).minus(1);
          const text = compound(rate, periods, decimals);
          expect(new Wide(text ?? 'NaN').minus(expected).abs().times(new Wide(10).pow(decimals)).lte(0.5)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('squareRoot', () => {
  it('returns the largest text with that many digits whose square is not above the value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }), (units, decimals) => {
        const value = new Wide(units.toString()).div(new Wide(10).pow(15));
        const root = new Wide(squareRoot(d(value.toFixed(15)), decimals) ?? 'NaN');
        expect(root.times(root).lte(value)).toBe(true);
        const next = root.plus(new Wide(10).pow(-decimals));
        expect(next.times(next).gt(value)).toBe(true);
      }),
    );
  });

  it.each([
    ['2', 4, '1.4142'],
    ['0', 2, '0.00'],
    ['0.25', 1, '0.5'],
  ])('of %s with %i digits: %s', (value, decimals, expected) => {
    expect(squareRoot(d(value), decimals)).toBe(expected);
  });

  it.each(['-1', '1e3'])('of %s is undefined', (value) => expect(squareRoot(d(value), 2)).toBeUndefined());
});
