import type { L4Book, Units } from '@l4desk/book';
import { formatUnits } from '@l4desk/decimal';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { checkAmount, plus, quotient } from './amounts.ts';
import { isBehind, isInFront, midOf, type PriceRange, rangeAround } from './mid.ts';
import { OwnerTally } from './wallets.ts';

/** What one wallet rests on one side within the distance. */
export interface OwnerShare {
  /** In lower case; null stands for all orders whose owner is not named. */
  readonly user: Address | null;
  readonly orders: number;
  /** Total of its orders, in its shortest form. */
  readonly sz: DecimalString;
  /** Share of the side's size within the distance: 6 decimals, rounded half up. */
  readonly share: DecimalString;
}

/** How much each owner rests near the mid. */
export interface Owners {
  /** Exact mean of best bid and best ask, in its shortest form; null unless the book has both. */
  readonly mid: DecimalString | null;
  /** The distance as requested. */
  readonly withinBps: DecimalString;
  /** Largest size first, ties by address. */
  readonly bids: readonly OwnerShare[];
  readonly asks: readonly OwnerShare[];
}

const SHARE_DECIMALS = 6;

/**
 * Wallets of each side by resting size within a distance of the mid, in basis points. An order counts if |limitPx − mid| ÷ mid ×
 * 10,000 is at most the distance, computed exactly. Without a mid both lists are empty. Throws RangeError unless
 * the distance is a non-negative plain decimal.
 */
export function owners(book: L4Book, withinBps: DecimalString): Owners {
  checkAmount('withinBps', withinBps);
  const mid = midOf(book);
  if (mid === undefined) return { mid: null, withinBps, bids: [], asks: [] };
  const range = rangeAround(mid, withinBps);
  return { mid: mid.text, withinBps, bids: sharesOf(book, 'B', range), asks: sharesOf(book, 'A', range) };
}

function sharesOf(book: L4Book, side: Side, range: PriceRange): readonly OwnerShare[] {
  const cursor = book.cursor(side);
  const tally = new OwnerTally();
  let total: Units = 0;
  while (cursor.nextLevel()) {
    if (isBehind(cursor.px, side, range)) break;
    if (isInFront(cursor.px, side, range)) continue;
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
