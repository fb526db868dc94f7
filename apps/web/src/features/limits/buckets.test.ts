import { add, compare, subtract } from '@l4desk/decimal';
import { decimalString, type MaxMarketOrderNtl, maxMarketOrderNtls } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { bucketsOf, limitAt, overBy } from './buckets.ts';

const RESPONSE = maxMarketOrderNtls.parse([
  [40, '15000000.0'],
  [25, '15000000.0'],
  [20, '5000000.0'],
  [10, '2000000.0'],
]);
const BUCKETS = bucketsOf(RESPONSE);

const responses = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 10 ** 12 })), {
    selector: ([leverage]) => leverage,
    minLength: 1,
    maxLength: 12,
  })
  .map((rows) =>
    maxMarketOrderNtls.parse(rows.sort(([a], [b]) => b - a).map(([leverage, ntl]) => [leverage, `${ntl}.50`])),
  );

describe('bucketsOf', () => {
  it('[NTL-2, NTL-3] starts each bucket above the one below it, and keeps its text and position', () => {
    expect(BUCKETS).toEqual([
      { maxLeverage: 40, above: 25, maxNotional: '15000000.0' },
      { maxLeverage: 25, above: 20, maxNotional: '15000000.0' },
      { maxLeverage: 20, above: 10, maxNotional: '5000000.0' },
      { maxLeverage: 10, above: 0, maxNotional: '2000000.0' },
    ]);
    expect(bucketsOf([])).toEqual([]);
  });
});

describe('limitAt', () => {
  it.each([
    [40, 40, undefined],
    [25, 25, undefined],
    [20, 20, undefined],
    [22, 25, 20],
    [11, 20, 10],
    [1, 10, undefined],
    // There is nothing to warn about between two buckets with the same limit.
    [30, 40, undefined],
  ])('%s× is in the bucket up to %s×', (leverage, expected, below) => {
    const limit = limitAt(BUCKETS, leverage);
    expect(limit).toMatchObject({ kind: 'bucket', bucket: { maxLeverage: expected } });
    expect(limit.kind === 'bucket' ? limit.below?.maxLeverage : 'none').toBe(below);
  });

  it('makes up no limit above the highest bucket, or without buckets', () => {
    expect(limitAt(BUCKETS, 41)).toMatchObject({ kind: 'beyond', highest: { maxLeverage: 40 } });
    expect(limitAt([], 5)).toEqual({ kind: 'none' });
  });

  it('finds the one bucket that contains a leverage, in any order of the response', () => {
    fc.assert(
      fc.property(responses, fc.integer({ min: 1, max: 250 }), fc.boolean(), (response, leverage, turned) => {
        const buckets = bucketsOf(turned ? response.toReversed() : response);
        const holding = buckets.filter(({ above, maxLeverage }) => above < leverage && leverage <= maxLeverage);
        const limit = limitAt(buckets, leverage);
        const isBeyond = Math.max(...response.map(([most]) => most)) < leverage;
        expect(holding.length).toBe(isBeyond ? 0 : 1);
        expect(limit.kind).toBe(isBeyond ? 'beyond' : 'bucket');
        expect(limit.kind === 'bucket' ? [limit.bucket] : []).toEqual(holding);
      }),
    );
  });
});

describe('overBy', () => {
  it('accepts the limit itself, and reports any excess exactly', () => {
    const bucket = must(BUCKETS[2]);
    expect(overBy(bucket, decimalString.parse('5000000'))).toBeUndefined();
    expect(overBy(bucket, decimalString.parse('5000000.00'))).toBeUndefined();
    expect(overBy(bucket, decimalString.parse('5000000.000000000000000001'))).toBe('0.000000000000000001');
  });

  it('returns an excess that adds up to the order together with the limit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.constantFrom(...RESPONSE), (cents, row) => {
        const [bucket] = bucketsOf([row satisfies MaxMarketOrderNtl]);
        const order = decimalString.parse(`${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`);
        const over = overBy(must(bucket), order);
        expect(over === undefined).toBe(compare(order, row[1]) <= 0);
        expect(compare(add(over ?? subtract(order, row[1]), row[1]), order)).toBe(0);
      }),
    );
  });
});
