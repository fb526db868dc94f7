import { middle } from '@l4desk/decimal';
import { columnDecimals, decimalText } from '../ui/format.ts';
import type { BestPrices } from './position.ts';

/**
 * The mid with one decimal more than the book's finest tick: it never has more, and its digits keep their places. Undefined if a
 * side is missing.
 */
export function midText({ bid, ask }: BestPrices, tick: string | undefined): string | undefined {
  if (bid === undefined || ask === undefined) return undefined;
  return decimalText(middle(bid, ask), columnDecimals(tick === undefined ? [] : [tick]) + 1);
}
