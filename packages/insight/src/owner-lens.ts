import type { L4Book, OrderCursor, Units } from '@l4desk/book';
import { formatUnits, parseBigUnits, significantDecimalsOf } from '@l4desk/decimal';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { checkAmount, leanOf, powerOfTen, signedQuotient, unitQuotient } from './amounts.ts';
import { type Mid, midOf, type PriceRange, rangeAround } from './mid.ts';
import { type OwnerAtPrice, wallsWithin } from './near.ts';
import { type NearTally, type OwnerNear, OwnersMemory } from './near-tally.ts';

/** The distances from the mid that pages offer, in basis points. */
export const LENS_DISTANCES = ['5', '10', '25', '50', '100'] as const satisfies readonly DecimalString[];

/** What `ownerLens` computes. */
export interface OwnerLensQuery {
  /** Distance from the mid in basis points. */
  readonly withinBps: DecimalString;
  /** Exchange time in ms; ages are measured against it. */
  readonly clock: number;
  /** Maximum number of wallets listed per side (default: all). Concentration, sums and walls always count every wallet. */
  readonly limit?: number;
  /** Share of the side's size within the distance that one wallet must rest at one price to be a wall (default `0.02`). */
  readonly wallShare?: DecimalString;
}

/** What one wallet rests on one side within the distance. Shares have 6 decimals, rounded half up. */
export interface LensOwner {
  /** In lower case; null stands for all orders whose owner is not named. */
  readonly user: Address | null;
  readonly orders: number;
  readonly sz: DecimalString;
  readonly notional: DecimalString;
  /** Share of the side's size within the distance. */
  readonly share: DecimalString;
  /** (bids − asks) ÷ (bids + asks) of its sizes within the distance, from −1 to 1; null if they are all zero. */
  readonly skew: DecimalString | null;
  /** Median age of its orders on this side, in ms; for an even number the mean of the middle two, rounded down. */
  readonly medianAgeMs: number;
}

/** A price at which one wallet rests a large share of a side. */
export interface Wall {
  readonly user: Address;
  readonly px: DecimalString;
  readonly orders: number;
  readonly sz: DecimalString;
  /** Share of the side's size within the distance, and of the size at this price. */
  readonly share: DecimalString;
  readonly levelShare: DecimalString;
  /** Distance from the mid in basis points, 2 decimals, rounded half away from zero; negative only in a crossed book. */
  readonly bps: DecimalString;
}

/** One side within the distance. */
export interface LensSide {
  readonly orders: number;
  readonly sz: DecimalString;
  readonly notional: DecimalString;
  /** Number of named wallets. */
  readonly wallets: number;
  /** Share of the largest named wallet, and of the five largest. */
  readonly top1: DecimalString;
  readonly top5: DecimalString;
  /** Sum of the squared shares of all named wallets: 1 if one wallet has everything. */
  readonly hhi: DecimalString;
  /** Largest size first, ties by address, the entry without a name last. */
  readonly owners: readonly LensOwner[];
  /** Nearest to the mid first; at one price the largest first. */
  readonly walls: readonly Wall[];
}

/** How much each owner rests near the mid, and how concentrated that is. */
export interface OwnerLens {
  /** Null unless the book has both sides; if null, both sides are empty. */
  readonly mid: DecimalString | null;
  readonly withinBps: DecimalString;
  /** (bids − asks) ÷ (bids + asks) of the sizes within the distance; null if both are zero. */
  readonly skew: DecimalString | null;
  readonly bids: LensSide;
  readonly asks: LensSide;
}

const SHARE_DECIMALS = 6;
const BPS_DECIMALS = 2;
/** How many of a side's largest wallets the combined share covers. */
const TOP = 5;
const DEFAULT_WALL_SHARE = '0.02';
const NOTHING: LensSide = {
  orders: 0,
  sz: '0',
  notional: '0',
  wallets: 0,
  top1: '0.000000',
  top5: '0.000000',
  hhi: '0.000000',
  owners: [],
  walls: [],
};

/**
 * The owners within a distance of the mid. Pass a memory if you call this repeatedly. Throws RangeError unless
 * the distance and the wall share are non-negative plain decimals.
 */
export function ownerLens(book: L4Book, query: OwnerLensQuery, memory = new OwnersMemory()): OwnerLens {
  const { withinBps, wallShare = DEFAULT_WALL_SHARE } = query;
  checkAmount('withinBps', withinBps);
  checkAmount('wallShare', wallShare);
  const mid = midOf(book);
  if (mid === undefined) return { mid: null, withinBps, skew: null, bids: NOTHING, asks: NOTHING };
  const range = rangeAround(mid, withinBps);
  const [bids, asks] = [memory.bids.read(book, range), memory.asks.read(book, range)];
  const units = book.cursor('B');
  return {
    mid: mid.text,
    withinBps,
    skew: leanOf(bids.sz, asks.sz),
    bids: sideOf(bids, asks, { book, range, side: 'B', query, mid, units }),
    asks: sideOf(asks, bids, { book, range, side: 'A', query, mid, units }),
  };
}

/** A share of a total as a whole size, rounded up. */
function wallSize(total: Units, share: DecimalString): bigint {
  const scale = significantDecimalsOf(share);
  const whole = powerOfTen(scale);
  return (BigInt(total) * (parseBigUnits(share, scale) as bigint) + whole - 1n) / whole;
}

interface SideContext {
  readonly book: L4Book;
  readonly range: PriceRange;
  readonly side: Side;
  readonly query: OwnerLensQuery;
  readonly mid: Mid;
  readonly units: Pick<OrderCursor, 'pxScale' | 'szScale'>;
}

function sideOf(near: NearTally, other: NearTally, context: SideContext): LensSide {
  const { query, units } = context;
  const unnamed = near.find(null);
  const { limit = near.wallets + 1 } = query;
  const first = near.leaders.first(Math.max(limit, TOP));
  const listed = [...first, ...(unnamed === undefined ? [] : [unnamed])].slice(0, limit);
  const total = BigInt(near.sz);
  const part = (sz: bigint) => shareOf(sz, total);
  const topSize = (count: number) => first.slice(0, count).reduce((sum, { sz }) => sum + BigInt(sz), 0n);
  return {
    orders: near.orders,
    sz: formatUnits(near.sz, units.szScale),
    notional: formatUnits(near.notional, units.pxScale + units.szScale),
    wallets: near.wallets,
    top1: part(topSize(1)),
    top5: part(topSize(TOP)),
    hhi: shareOf(near.squares.value, total * total),
    owners: listed.map((owner) => ownerOf(owner, near, other, context)),
    walls: wallsOf(near, first, context).map((wall) => wallOf(wall, total, context)),
  };
}

function ownerOf(owner: OwnerNear, near: NearTally, other: NearTally, { side, query, units }: SideContext): LensOwner {
  const { user, orders, sz } = owner;
  const opposite = other.sizeOf(owner);
  owner.texts ??= {
    sz: formatUnits(sz, units.szScale),
    notional: formatUnits(owner.notional, units.pxScale + units.szScale),
  };
  if (owner.lean?.opposite !== opposite) {
    owner.lean = { opposite, text: side === 'B' ? leanOf(sz, opposite) : leanOf(opposite, sz) };
  }
  return {
    user,
    orders,
    sz: owner.texts.sz,
    notional: owner.texts.notional,
    share: shareOf(sz, near.sz),
    skew: owner.lean.text,
    medianAgeMs: query.clock - middleOf(owner),
  };
}

/** The walls of a side: none if its largest wallet has too little at all prices together. */
function wallsOf(near: NearTally, ranked: readonly OwnerNear[], context: SideContext): readonly OwnerAtPrice[] {
  const { book, side, range, query } = context;
  const wallSz = wallSize(near.sz, query.wallShare ?? DEFAULT_WALL_SHARE);
  const [largest] = ranked;
  return largest === undefined || largest.sz < wallSz ? [] : wallsWithin(book, side, range, wallSz);
}

function wallOf({ user, px, pxText, orders, sz, levelSz }: OwnerAtPrice, total: bigint, context: SideContext): Wall {
  const { side, mid, units } = context;
  const twiceMid = mid.bid + mid.ask;
  const away = side === 'B' ? twiceMid - 2n * BigInt(px) : 2n * BigInt(px) - twiceMid;
  return {
    user: user as Address,
    px: pxText,
    orders,
    sz: formatUnits(sz, units.szScale),
    share: shareOf(BigInt(sz), total),
    levelShare: shareOf(BigInt(sz), BigInt(levelSz)),
    // If the mid is zero, only prices of zero are near it.
    bps: signedQuotient(away * 10_000n, twiceMid === 0n ? 1n : twiceMid, BPS_DECIMALS),
  };
}

/** A share of a whole; zero if the whole is zero. */
function shareOf(part: Units, whole: Units): DecimalString {
  return unitQuotient(part, BigInt(whole) === 0n ? 1 : whole, SHARE_DECIMALS);
}

/** When the median order of an owner was placed: recomputed only after one of its orders arrived or left. */
function middleOf(owner: OwnerNear): number {
  owner.middle ??= medianOf(owner.placed);
  return owner.middle;
}

/** The median of some times; for an even number the mean of the middle two, rounded up so that the age is rounded down. */
function medianOf(moments: readonly number[]): number {
  const sorted = Float64Array.from(moments).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  if (sorted.length % 2 === 1) return upper;
  const lower = sorted[middle - 1] as number;
  return lower + Math.ceil((upper - lower) / 2);
}
