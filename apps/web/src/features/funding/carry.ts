import { multiply } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';

export type PositionSide = 'long' | 'short';

/**
 * What funding pays a position whose notional stays constant over the period: the sum of its rates times the notional, exact.
 * Longs pay a positive rate to shorts: a long receives the negated amount, a short the amount itself.
 */
export function carryOf(sum: DecimalString, notional: DecimalString, side: PositionSide): DecimalString {
  const amount = multiply(sum, notional);
  return side === 'long' && /[1-9]/.test(amount) ? multiply(amount, '-1') : amount;
}
