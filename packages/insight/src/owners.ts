import type { L4Book, OrderCursor, Units } from '@l4desk/book';
import { formatUnits, parseBigUnits, significantDecimalsOf } from '@l4desk/decimal';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { checkAmount, plus, powerOfTen, quotient } from './amounts.ts';
import { OwnerTally } from './wallets.ts';

/** What one wallet rests on one side within the distance. */
export interface OwnerShare {
  /** In lower case; null stands for all orders whose owner is not named (INS-6). */
  readonly user: Address | null;
  readonly orders: number;
  readonly sz: DecimalString;
  /** Part of the side's size within the distance: 6 decimals, rounded half up. */
  readonly share: DecimalString;
}

/** Who rests how much near the mid. */
export interface Owners {
  /** Exact half of best bid and best ask; null when the book has not both. */
  readonly mid: DecimalString | null;
  /** The distance as it was asked for. */
  readonly withinBps: DecimalString;
  /** Largest size first, ties by address. */
  readonly bids: readonly OwnerShare[];
  readonly asks: readonly OwnerShare[];
}

const SHARE_DECIMALS = 6;
const BASIS_POINTS = 10_000n;

/**
 * Per side the wallets by resting size within a distance of the mid, in basis points. An order counts when
 * |limitPx − mid| ÷ mid × 10,000 is at most the distance, computed exactly (INS-4). Without a mid nobody is within any
 * distance (INS-3). Throws RangeError unless the distance is a plain decimal from zero.
 */
export function owners(book: L4Book, withinBps: DecimalString): Owners {
  checkAmount('withinBps', withinBps);
  const bid = bestPx(book.cursor('B'));
  const ask = bestPx(book.cursor('A'));
  if (bid === undefined || ask === undefined) return { mid: null, withinBps, bids: [], asks: [] };
  const twiceMid = bid + ask;
  const range = rangeAround(twiceMid, withinBps);
  return {
    mid: formatUnits(twiceMid * 5n, book.cursor('B').pxScale + 1),
    withinBps,
    bids: sharesOf(book, 'B', range),
    asks: sharesOf(book, 'A', range),
  };
}

/** The best price that holds any size, as for a crossed book (BOOK-12). */
function bestPx(cursor: OrderCursor): bigint | undefined {
  while (cursor.nextLevel()) {
    if (cursor.levelSz > 0) return BigInt(cursor.px);
  }
  return undefined;
}

/** Prices in units of the book, both inclusive. */
interface PriceRange {
  readonly low: bigint;
  readonly high: bigint;
}

/** The whole prices within the distance: twice a price is at most `reach` from twice the mid. */
function rangeAround(twiceMid: bigint, withinBps: DecimalString): PriceRange {
  const scale = significantDecimalsOf(withinBps);
  const distance = parseBigUnits(withinBps, scale) as bigint;
  const reach = (distance * twiceMid) / (BASIS_POINTS * powerOfTen(scale));
  // Half of an odd bound is rounded into the range.
  return { low: (twiceMid - reach + 1n) / 2n, high: (twiceMid + reach) / 2n };
}

function sharesOf(book: L4Book, side: Side, { low, high }: PriceRange): readonly OwnerShare[] {
  const cursor = book.cursor(side);
  const tally = new OwnerTally();
  let total: Units = 0;
  while (cursor.nextLevel()) {
    const { px } = cursor;
    if (side === 'B' ? px < low : px > high) break;
    // A best price past the mid, which only a crossed book has.
    if (px < low || px > high) continue;
    while (cursor.nextOrder()) tally.add(cursor.user, cursor.sz);
    total = plus(total, cursor.levelSz);
  }
  return tally.ranked().map(({ user, orders, sz }) => ({
    user,
    orders,
    sz: formatUnits(sz, cursor.szScale),
    share: quotient(BigInt(sz), total > 0 ? BigInt(total) : 1n, SHARE_DECIMALS),
  }));
}
