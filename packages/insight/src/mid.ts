import type { L4Book, OrderCursor, Units } from '@l4desk/book';
import { formatUnits, parseBigUnits, significantDecimalsOf } from '@l4desk/decimal';
import type { DecimalString, Side } from '@l4desk/protocol';
import { narrowed, powerOfTen } from './amounts.ts';

const BASIS_POINTS = 10_000n;

/** The mid of a book that has both sides, in units of its cursors. */
export interface Mid {
  readonly bid: bigint;
  readonly ask: bigint;
  /** Exact mean of best bid and best ask. */
  readonly text: DecimalString;
}

/** Returns the mid; undefined unless the book has both sides. */
export function midOf(book: L4Book): Mid | undefined {
  const cursor = book.cursor('B');
  const bid = bestPx(cursor);
  const ask = bestPx(book.cursor('A'));
  if (bid === undefined || ask === undefined) return undefined;
  return { bid, ask, text: formatUnits((bid + ask) * 5n, cursor.pxScale + 1) };
}

/** The best price whose level holds any size, as in a crossed book (BOOK-12). */
function bestPx(cursor: OrderCursor): bigint | undefined {
  while (cursor.nextLevel()) {
    if (cursor.levelSz > 0) return BigInt(cursor.px);
  }
  return undefined;
}

/** A range of prices in units of the book, both ends inclusive. */
export interface PriceRange {
  readonly low: Units;
  readonly high: Units;
}

/** The whole prices within a distance of the mid: twice the price is at most `reach` away from twice the mid. */
export function rangeAround({ bid, ask }: Mid, withinBps: DecimalString): PriceRange {
  const twiceMid = bid + ask;
  const scale = significantDecimalsOf(withinBps);
  const distance = parseBigUnits(withinBps, scale) as bigint;
  const reach = (distance * twiceMid) / (BASIS_POINTS * powerOfTen(scale));
  // Half of an odd bound is rounded towards the inside of the range.
  return { low: narrowed((twiceMid - reach + 1n) / 2n), high: narrowed((twiceMid + reach) / 2n) };
}

/** Whether a level lies past the far end of the range, seen from the best price. All levels after it then do too. */
export function isBehind(px: Units, side: Side, { low, high }: PriceRange): boolean {
  return side === 'B' ? px < low : px > high;
}

/** Whether a price lies before the near end of the range, past the mid. Only a crossed book has such prices. */
export function isInFront(px: Units, side: Side, { low, high }: PriceRange): boolean {
  return side === 'B' ? px > high : px < low;
}
