import type { L4Book, Units } from '@l4desk/book';
import { formatUnits, parseBigUnits, significantDecimalsOf } from '@l4desk/decimal';
import { type Address, type DecimalString, SIDES, type Side } from '@l4desk/protocol';
import { checkAmount, leanOf, plus, powerOfTen, quotient, signedQuotient, significantQuotient } from './amounts.ts';
import { isBehind, isInFront, type Mid, midOf, type PriceRange, rangeAround } from './mid.ts';
import { type NearTally, type OwnerNear, OwnersMemory } from './near-tally.ts';
import { LENS_DISTANCES } from './owner-lens.ts';
import { byRank, type OwnerTotal } from './wallets.ts';

/** How the sizes within a distance lean to one side. */
export interface Imbalance {
  readonly withinBps: DecimalString;
  /** (bids − asks) ÷ (bids + asks), from −1 to 1, 6 decimals, rounded half away from zero; null if both are zero. */
  readonly lean: DecimalString | null;
  readonly bidSz: DecimalString;
  readonly askSz: DecimalString;
}

/** Figures of the best prices of a book that has both sides: cheap enough to compute for every block. */
export interface TouchFigures {
  readonly mid: DecimalString;
  /** The mid weighted by the size at the other side's best price: 10 significant digits, rounded half up. */
  readonly microprice: DecimalString;
  /** Best ask minus best bid, exact; negative in a crossed book. */
  readonly spread: DecimalString;
  /** The spread in basis points of the mid: 6 decimals, rounded half away from zero. Null if the mid is zero. */
  readonly spreadBps: DecimalString | null;
  /** The spread in price ticks: exact if whole, otherwise with 6 decimals. Null if no tick was given. */
  readonly spreadTicks: DecimalString | null;
}

/** Figures of a book that has both sides. */
export interface Figures extends TouchFigures {
  /** One for each of `LENS_DISTANCES`. */
  readonly imbalances: readonly Imbalance[];
  /** The named wallet with the largest size on both sides within `TOP_OWNER_BPS`, ties by address; null if there is none. */
  readonly topOwner: { readonly user: Address; readonly share: DecimalString } | null;
}

/** The distance from the mid within which the largest wallet is looked for, in basis points. */
export const TOP_OWNER_BPS = '10' satisfies DecimalString;

const PRICE_DIGITS = 10;

/**
 * The figures of a book; undefined unless it has both sides. `tick` is the step of its prices. Throws RangeError unless
 * the tick is a decimal above zero.
 */
export function figures(book: L4Book, tick?: DecimalString, memory = new OwnersMemory()): Figures | undefined {
  const touch = touchFigures(book, tick);
  const mid = midOf(book);
  if (touch === undefined || mid === undefined) return undefined;
  return {
    ...touch,
    imbalances: imbalancesOf(book, mid),
    topOwner: topOwnerOf(book, rangeAround(mid, TOP_OWNER_BPS), memory),
  };
}

/** The figures that need only the best prices. Throws as `figures` does. */
export function touchFigures(book: L4Book, tick?: DecimalString): TouchFigures | undefined {
  if (tick !== undefined) checkTick(tick);
  const mid = midOf(book);
  if (mid === undefined) return undefined;
  const { bid, ask } = mid;
  const units = book.cursor('B');
  const [bidSz, askSz] = [sizeAt(book, 'B', bid), sizeAt(book, 'A', ask)];
  const scale = powerOfTen(units.pxScale);
  return {
    mid: mid.text,
    microprice: significantQuotient(bid * askSz + ask * bidSz, (bidSz + askSz) * scale, PRICE_DIGITS),
    spread: formatUnits(ask - bid, units.pxScale),
    spreadBps: bid + ask === 0n ? null : signedQuotient((ask - bid) * 20_000n, bid + ask, 6),
    spreadTicks: tick === undefined ? null : ticksOf(ask - bid, units.pxScale, tick),
  };
}

function checkTick(tick: DecimalString): void {
  checkAmount('tick', tick);
  if (!/[1-9]/.test(tick)) throw new RangeError(`tick must be a decimal above zero: ${tick}`);
}

/** Size of the level at a best price. */
function sizeAt(book: L4Book, side: Side, px: bigint): bigint {
  const cursor = book.cursor(side);
  while (cursor.nextLevel()) {
    if (BigInt(cursor.px) === px) return BigInt(cursor.levelSz);
  }
  return 0n;
}

function ticksOf(spread: bigint, pxScale: number, tick: DecimalString): DecimalString {
  const tickScale = significantDecimalsOf(tick);
  const above = spread * powerOfTen(tickScale);
  const below = (parseBigUnits(tick, tickScale) as bigint) * powerOfTen(pxScale);
  return above % below === 0n ? formatUnits(above / below, 0) : signedQuotient(above, below, 6);
}

/** Computes the sums of all distances in one walk over the levels of each side. */
function imbalancesOf(book: L4Book, mid: Mid): readonly Imbalance[] {
  const ranges = LENS_DISTANCES.map((withinBps) => rangeAround(mid, withinBps));
  const [bids, asks] = SIDES.map((side) => sizesWithin(book, side, ranges)) as [Units[], Units[]];
  const { szScale } = book.cursor('B');
  return LENS_DISTANCES.map((withinBps, index) => {
    const [bidSz, askSz] = [bids[index] as Units, asks[index] as Units];
    return {
      withinBps,
      lean: leanOf(bidSz, askSz),
      bidSz: formatUnits(bidSz, szScale),
      askSz: formatUnits(askSz, szScale),
    };
  });
}

/** Sizes of a side within ranges, each of which contains the one before. */
function sizesWithin(book: L4Book, side: Side, ranges: readonly PriceRange[]): Units[] {
  const sizes: Units[] = ranges.map(() => 0);
  const cursor = book.cursor(side);
  let nearest = 0;
  // Each level is counted once, in the narrowest range that contains it; the sums below add the narrower ranges.
  while (cursor.nextLevel()) {
    const { px, levelSz } = cursor;
    while (nearest < ranges.length && isBehind(px, side, ranges[nearest] as PriceRange)) nearest += 1;
    if (nearest === ranges.length) break;
    let holds = nearest;
    while (holds < ranges.length && isInFront(px, side, ranges[holds] as PriceRange)) holds += 1;
    if (holds < ranges.length) sizes[holds] = plus(sizes[holds] as Units, levelSz);
  }
  for (let at = 1; at < sizes.length; at += 1) sizes[at] = plus(sizes[at] as Units, sizes[at - 1] as Units);
  return sizes;
}

function topOwnerOf(book: L4Book, range: PriceRange, memory: OwnersMemory): Figures['topOwner'] {
  const [bids, asks] = [memory.bids.read(book, range), memory.asks.read(book, range)];
  const total = BigInt(plus(bids.sz, asks.sz));
  let top: OwnerTotal | undefined;
  const rank = (owners: readonly OwnerNear[], other: NearTally) => {
    for (const owner of owners) {
      // An owner that ties with the current largest has at least half of that size on one side, so only such owners are checked.
      if (top !== undefined && plus(owner.sz, owner.sz) < top.sz) return;
      const sz = plus(owner.sz, other.sizeOf(owner));
      if (top !== undefined && sz < top.sz) continue;
      const both = { user: owner.user, orders: owner.orders, sz };
      if (top === undefined || byRank(both, top) < 0) top = both;
    }
  };
  rank(bids.leaders.first(1), asks);
  rank(asks.leaders.first(1), bids);
  if (top === undefined || top.user === null || total === 0n) return null;
  const least = typeof top.sz === 'bigint' ? top.sz / 2n : Math.floor(top.sz / 2);
  rank(bids.leaders.atLeast(least), asks);
  rank(asks.leaders.atLeast(least), bids);
  return { user: top.user, share: quotient(BigInt(top.sz), total, 6) };
}
