import type { Units } from '@l4desk/book';
import { byRank, type OwnerTotal } from './wallets.ts';

/**
 * The first `limit` by rank, in order. Usually a hundred of thousands are wanted, so that most are compared only once.
 */
function ranked<Owner extends OwnerTotal>(owners: readonly Owner[], limit: number): readonly Owner[] {
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

/** A named owner that is found among many by size. */
export interface Ranked extends OwnerTotal {
  /** The size under which it is kept among the leaders; undefined if it is not kept. Set by `Leaders` only. */
  ledBy: Units | undefined;
}

/** Keep this many times the number requested, so that it takes a while until too few are left. */
const SPARE = 2;

/** Beyond this multiple of the initial length, and a minimum, the list is too long to move entries about. */
const GROWTH = 2;
const GROWTH_MIN = 500;

/**
 * The largest of many owners whose sizes change one by one. All owners from a floor up are kept in order, and each change moves
 * one of them. The thousands below the floor are read only when too few or too many are left above it.
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

  /** Discards what is known of every owner. */
  forget(): void {
    for (const owner of this.kept) owner.ledBy = undefined;
    this.kept = [];
    this.floor = undefined;
  }

  /** Takes a change of an owner's size. Must be called for every change. */
  note(owner: Owner): void {
    const { floor, kept } = this;
    if (floor === undefined) return;
    const leads = owner.orders > 0 && owner.sz >= floor;
    if (owner.ledBy === undefined ? !leads : leads && owner.ledBy === owner.sz) return;
    if (owner.ledBy !== undefined) kept.splice(this.placeOf(owner), 1);
    owner.ledBy = leads ? owner.sz : undefined;
    if (leads) kept.splice(this.placeOf(owner), 0, owner);
    if (kept.length > GROWTH_MIN + GROWTH * this.begun) this.forget();
  }

  /** The first `limit` by rank, in order. */
  first(limit: number): readonly Owner[] {
    const { floor, kept } = this;
    if (floor === undefined || (floor > 0 && kept.length < limit)) {
      const all = this.all();
      const best = ranked(all, SPARE * limit);
      this.keep(best.length < all.length ? (best.at(-1)?.sz ?? 0) : 0, all);
    }
    return this.kept.slice(0, limit);
  }

  /**
   * All owners with at least this size, in order, possibly followed by some with less. Read the result at once: it changes in
   * place.
   */
  atLeast(sz: Units): readonly Owner[] {
    // Set the floor a little lower, so that a slightly smaller size is already covered next time.
    if (this.floor === undefined || this.floor > sz) {
      this.keep(typeof sz === 'bigint' ? (sz * 3n) / 4n : Math.floor(sz * 0.75), this.all());
    }
    return this.kept;
  }

  private keep(floor: Units, all: readonly Owner[]): void {
    this.forget();
    this.floor = floor;
    this.kept = all.filter(({ sz }) => sz >= floor).sort(byRank);
    for (const owner of this.kept) owner.ledBy = owner.sz;
    this.begun = this.kept.length;
  }

  /** How many of the kept owners come before an owner, by the sizes under which they are kept. */
  private placeOf({ ledBy = 0, user }: Owner): number {
    const { kept } = this;
    let low = 0;
    let high = kept.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { ledBy: sz = 0, user: name } = kept[middle] as Owner;
      // One of two equal sizes may be a number and the other a bigint.
      if (sz > ledBy || (sz >= ledBy && (name ?? '') < (user ?? ''))) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Sizes below this are squared in two halves, whose products, and a few sums of them, are exact. */
const HALVED_MAX = 2 ** 47;
const HALF = 2 ** 24;
const EXACT = 2 ** 52;

/** The exact sum of the squares of changing sizes. Converts to bigint once for many changes. */
export class SumOfSquares {
  private sum = 0n;
  private low = 0;
  private middle = 0;
  private high = 0;

  get value(): bigint {
    this.carry();
    return this.sum;
  }

  /** Replaces one of the sizes; zero counts as none. */
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
