import { wallet } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ranked, sumOfSquares } from './ranking.ts';
import { byRank } from './wallets.ts';

const sizes = fc.array(fc.oneof(fc.nat(40), fc.maxSafeNat(), fc.bigInt(0n, 10n ** 30n)), { maxLength: 300 });

describe('the largest owners', () => {
  it('[INS-5] are the first of all in their order, however few are wanted', () => {
    fc.assert(
      fc.property(sizes, fc.nat(120), (all, limit) => {
        const owners = all.map((sz, index) => ({ user: wallet(index), orders: 1, sz }));
        expect(ranked(owners, limit)).toEqual(owners.toSorted(byRank).slice(0, limit));
      }),
    );
  });

  it('[INS-16] the squares of their sizes are summed exactly', () => {
    fc.assert(
      fc.property(sizes, (all) => {
        const owners = all.map((sz) => ({ sz }));
        expect(sumOfSquares(owners)).toBe(all.reduce<bigint>((sum, sz) => sum + BigInt(sz) * BigInt(sz), 0n));
      }),
    );
    const many = Array.from({ length: 3_000 }, () => ({ sz: 2 ** 47 - 1 }));
    expect(sumOfSquares(many)).toBe(3_000n * (2n ** 47n - 1n) ** 2n);
  });
});
