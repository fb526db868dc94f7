import { add, compare, multiply } from '@l4desk/decimal';
import type { DecimalString, MaxMarketOrderNtl } from '@l4desk/protocol';
import type { Sweep } from '../../../book-worker/panes/sweep.ts';
import type { SweepChoice } from '../search.ts';

/** Whether the exchange accepts a market order of a notional: that depends on the coin's maximum leverage. */
export type Allowed =
  | { readonly kind: 'within'; readonly largest: DecimalString }
  | { readonly kind: 'over'; readonly largest: DecimalString }
  | { readonly kind: 'unknown' };

/**
 * The notional of a whole market order, not only of the part that the book fills: the rest of a size is counted at the worst
 * price taken, because the book has none for it.
 */
export function notionalOf(
  { measure, amount }: SweepChoice,
  sweep: Pick<Sweep, 'filledNtl' | 'unfilled' | 'worstPx'>,
): DecimalString {
  const { filledNtl, unfilled, worstPx } = sweep;
  if (measure === 'ntl') return amount;
  return measure === 'to' || worstPx === null ? filledNtl : add(filledNtl, multiply(unfilled, worstPx));
}

/** Uses the lowest bucket whose maximum leverage is at least the coin's (NTL-2). */
export function allowedOrder(
  limits: readonly MaxMarketOrderNtl[],
  maxLeverage: number,
  notional: DecimalString,
): Allowed {
  const rising = [...limits].sort(([a], [b]) => a - b);
  const bucket = rising.find(([leverage]) => leverage >= maxLeverage);
  if (bucket === undefined) return { kind: 'unknown' };
  const [, largest] = bucket;
  return { kind: compare(notional, largest) > 0 ? 'over' : 'within', largest };
}
