import type { Units } from '@l4desk/book';
import { byRank, type OwnerTotal } from './wallets.ts';

/** The first so many by rank (INS-5), in order: of thousands a hundred are wanted, so that most are only compared once. */
export function ranked<Owner extends OwnerTotal>(owners: readonly Owner[], limit: number): readonly Owner[] {
  if (limit <= 0) return [];
  if (owners.length <= 2 * limit) return owners.toSorted(byRank).slice(0, limit);
  let best: Owner[] = [];
  let last: Owner | undefined;
  for (const owner of owners) {
    if (last !== undefined && byRank(owner, last) > 0) continue;
    best.push(owner);
    if (best.length < 2 * limit) continue;
    best = best.sort(byRank).slice(0, limit);
    last = best.at(-1);
  }
  return best.sort(byRank).slice(0, limit);
}

/** Sizes below this are squared in two halves, whose products and a few sums of them are exact. */
const HALVED_MAX = 2 ** 47;
const HALF = 2 ** 24;
const EXACT = 2 ** 52;

/** The exact sum of the squares of the sizes: a bigint is made for many of them at once. */
export function sumOfSquares(owners: readonly { readonly sz: Units }[]): bigint {
  let sum = 0n;
  let low = 0;
  let middle = 0;
  let high = 0;
  const carry = () => {
    sum += BigInt(low) + BigInt(middle) * BigInt(2 * HALF) + BigInt(high) * BigInt(HALF * HALF);
    low = 0;
    middle = 0;
    high = 0;
  };
  for (const { sz } of owners) {
    if (typeof sz === 'bigint' || sz >= HALVED_MAX) {
      sum += BigInt(sz) * BigInt(sz);
      continue;
    }
    const upper = Math.floor(sz / HALF);
    const lower = sz - upper * HALF;
    low += lower * lower;
    middle += upper * lower;
    high += upper * upper;
    if (low >= EXACT || middle >= EXACT || high >= EXACT) carry();
  }
  carry();
  return sum;
}
