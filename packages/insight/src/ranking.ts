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

/** A named owner that is found among many by his size. */
export interface Ranked extends OwnerTotal {
  /** Kept aside as one of the largest: for `Leaders` alone. */
  leads: boolean;
}

/** So many more than are asked for are kept aside, so that it takes a while until too few are left. */
const SPARE = 2;

/** More than this of what was kept aside first, and a few, are too many to go through. */
const GROWTH = 2;
const GROWTH_MIN = 500;

/**
 * The largest of many owners whose sizes change one by one. All from a floor up are kept aside, so that the thousands below
 * it are looked at only when too few are left above, or too many.
 */
export class Leaders<Owner extends Ranked> {
  private readonly all: () => readonly Owner[];
  private kept: Owner[] = [];
  private floor: Units | undefined;
  private begun = 0;

  /** `all` returns every named owner with orders. */
  constructor(all: () => readonly Owner[]) {
    this.all = all;
  }

  /** Nothing is known of any owner: all flags are down. */
  forget(): void {
    this.kept = [];
    this.floor = undefined;
  }

  /** The size of an owner is another one now. */
  note(owner: Owner): void {
    if (owner.leads || this.floor === undefined || owner.sz < this.floor) return;
    owner.leads = true;
    this.kept.push(owner);
  }

  /** The first so many by rank (INS-5), in order. */
  first(limit: number): readonly Owner[] {
    const known = this.above();
    if (known !== undefined && known.length >= limit) return ranked(known, limit);
    const all = this.all();
    if (all.length <= SPARE * limit) return ranked(all, limit);
    const best = ranked(all, SPARE * limit);
    this.keep(best.at(-1)?.sz ?? 0, all);
    return best.slice(0, limit);
  }

  /** All that have at least so much, and maybe some that have less, in no order. */
  atLeast(sz: Units): readonly Owner[] {
    const known = this.above();
    if (known !== undefined && this.floor !== undefined && this.floor <= sz) return known;
    // A little lower, so that a little less is known already the next time.
    this.keep(typeof sz === 'bigint' ? (sz * 3n) / 4n : Math.floor(sz * 0.75), this.all());
    return this.kept;
  }

  /** All from the floor up; undefined where nobody knows them, or they have become many. */
  private above(): readonly Owner[] | undefined {
    const { floor } = this;
    if (floor === undefined || this.kept.length > GROWTH_MIN + GROWTH * this.begun) return undefined;
    this.kept = this.kept.filter((owner) => {
      owner.leads = owner.orders > 0 && owner.sz >= floor;
      return owner.leads;
    });
    return this.kept;
  }

  private keep(floor: Units, all: readonly Owner[]): void {
    for (const owner of this.kept) owner.leads = false;
    this.floor = floor;
    this.kept = all.filter((owner) => {
      owner.leads = owner.sz >= floor;
      return owner.leads;
    });
    this.begun = this.kept.length;
  }
}

/** Sizes below this are squared in two halves, whose products and a few sums of them are exact. */
const HALVED_MAX = 2 ** 47;
const HALF = 2 ** 24;
const EXACT = 2 ** 52;

/** The exact sum of the squares of sizes that change: a bigint is made for many of them at once. */
export class SumOfSquares {
  private sum = 0n;
  private low = 0;
  private middle = 0;
  private high = 0;

  get value(): bigint {
    this.carry();
    return this.sum;
  }

  /** One of the sizes is another one now; zero is as good as none. */
  replace(before: Units, after: Units): void {
    this.count(before, -1);
    this.count(after, 1);
  }

  private count(sz: Units, sign: 1 | -1): void {
    if (typeof sz === 'bigint' || sz >= HALVED_MAX) {
      this.sum += BigInt(sign) * BigInt(sz) * BigInt(sz);
      return;
    }
    const upper = Math.floor(sz / HALF);
    const lower = sz - upper * HALF;
    this.low += sign * lower * lower;
    this.middle += sign * upper * lower;
    this.high += sign * upper * upper;
    const isFull = Math.abs(this.low) >= EXACT || Math.abs(this.middle) >= EXACT || Math.abs(this.high) >= EXACT;
    if (isFull) this.carry();
  }

  private carry(): void {
    this.sum += BigInt(this.low) + BigInt(this.middle) * BigInt(2 * HALF) + BigInt(this.high) * BigInt(HALF * HALF);
    this.low = 0;
    this.middle = 0;
    this.high = 0;
  }
}
