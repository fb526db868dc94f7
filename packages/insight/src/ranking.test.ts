import type { Address } from '@l4desk/protocol';
import { wallet } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Leaders, ranked, SumOfSquares } from './ranking.ts';
import { byRank } from './wallets.ts';

const sizes = fc.array(fc.oneof(fc.nat(40), fc.maxSafeNat(), fc.bigInt(0n, 10n ** 30n)), { maxLength: 300 });

describe('the largest owners', () => {
  it('are the first of all owners in rank order, however few are requested', () => {
    fc.assert(
      fc.property(sizes, fc.nat(120), (all, limit) => {
        const owners = all.map((sz, index) => ({ user: wallet(index), orders: 1, sz }));
        expect(ranked(owners, limit)).toEqual(owners.toSorted(byRank).slice(0, limit));
      }),
    );
  });

  it('are found again as sizes change, owners arrive and leave, and more or fewer are requested', () => {
    const change = fc.record({
      at: fc.nat(60),
      sz: fc.oneof(fc.nat(9), fc.bigInt(0n, 9n), fc.bigInt(0n, 2n ** 60n)),
      leaves: fc.boolean(),
    });
    const step = fc.record({ changes: fc.array(change, { maxLength: 12 }), limit: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const owners = Array.from({ length: 61 }, (_, index) => owner(index));
        const all = () => owners.filter(({ orders }) => orders > 0);
        const leaders = new Leaders(all);
        for (const { changes, limit } of steps) {
          for (const { at, sz, leaves } of changes) {
            const changed = owners[at] ?? owner(at);
            changed.orders = leaves ? 0 : 1;
            changed.sz = leaves ? 0 : sz;
            leaders.note(changed);
          }
          const best = all().toSorted(byRank);
          expect(leaders.first(limit)).toEqual(best.slice(0, limit));
          const least = best[limit]?.sz ?? 1;
          const found = leaders.atLeast(least);
          expect(found.filter(({ sz }) => sz >= least)).toEqual(best.filter(({ sz }) => sz >= least));
          expect(new Set(found).size).toBe(found.length);
        }
      }),
    );
  });

  it('the squares of their sizes are summed exactly, whatever arrives and leaves', () => {
    const squares = (all: readonly (number | bigint)[]) => all.reduce<bigint>((sum, sz) => sum + BigInt(sz) ** 2n, 0n);
    fc.assert(
      fc.property(sizes, sizes, (before, after) => {
        const sum = new SumOfSquares();
        for (const sz of before) sum.replace(0, sz);
        expect(sum.value).toBe(squares(before));
        for (const [index, sz] of before.entries()) sum.replace(sz, after[index] ?? 0);
        expect(sum.value).toBe(squares(before.map((_, index) => after[index] ?? 0)));
      }),
    );
    const many = new SumOfSquares();
    for (let count = 0; count < 3_000; count += 1) many.replace(0, 2 ** 47 - 1);
    expect(many.value).toBe(3_000n * (2n ** 47n - 1n) ** 2n);
    for (let count = 0; count < 3_000; count += 1) many.replace(2 ** 47 - 1, 1);
    expect(many.value).toBe(3_000n);
  });
});

function owner(index: number): { user: Address; orders: number; sz: number | bigint; ledBy: undefined } {
  return { user: wallet(index), orders: 0, sz: 0, ledBy: undefined };
}
