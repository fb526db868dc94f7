import { parseBigUnits } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';

/** Prices of different scales are compared as whole multiples of 10 to the minus this: finer than any exchange's. */
export const PX_SCALE = 18;

/** A price in units of `10^-PX_SCALE`. */
export function priceUnits(px: DecimalString): bigint {
  return parseBigUnits(px, PX_SCALE) ?? 0n;
}
