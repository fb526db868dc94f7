import { formatUnits } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';

/**
 * Decimals of price and size together: a price has at most 6 − szDecimals decimals for perps, 8 − szDecimals
 * for spot.
 */
export const PERP_DECIMALS = 6;
export const SPOT_DECIMALS = 8;

/** The lowest price, in ticks, that has more than five significant figures. */
const SIX_FIGURES = 100_000;

/** Direction in which a price between two allowed prices is rounded. */
export type SnapDirection = 'down' | 'up';

/**
 * The whole-number units in which a coin is matched. For perps, a price is a number of ticks of `10^-(6 − szDecimals)`
 * and a size a number of lots of `10^-szDecimals`, so their product is always a notional in millionths of a dollar. For
 * spot, 8 replaces 6 and the notional is in hundred-millionths. All three stay safe integers while a notional is below
 * 9,007,199,254 dollars (spot: 90 million), far above the engine's own limits.
 */
export class CoinScale {
  readonly szDecimals: number;
  readonly pxDecimals: number;
  /** Decimals of price and size together, and therefore of a notional. */
  readonly decimals: number;
  /** Ticks in one dollar. */
  readonly dollar: number;

  constructor(szDecimals: number, decimals: typeof PERP_DECIMALS | typeof SPOT_DECIMALS = PERP_DECIMALS) {
    if (!Number.isInteger(szDecimals) || szDecimals < 0 || szDecimals > decimals) {
      throw new RangeError(`szDecimals must be a whole number from 0 to ${decimals}, not ${szDecimals}`);
    }
    this.szDecimals = szDecimals;
    this.pxDecimals = decimals - szDecimals;
    this.decimals = decimals;
    this.dollar = 10 ** this.pxDecimals;
  }

  /**
   * The distance in ticks between allowed prices at `px`: five significant figures; whole dollars are always allowed.
   */
  step(px: number): number {
    let step = 1;
    let limit = SIX_FIGURES;
    while (px >= limit && step < this.dollar) {
      step *= 10;
      limit *= 10;
    }
    return step;
  }

  isPrice(px: number): boolean {
    return Number.isSafeInteger(px) && px > 0 && px % this.step(px) === 0;
  }

  /** The nearest allowed price at or below `px`, or at or above it; at least one tick. */
  snap(px: number, direction: SnapDirection): number {
    const step = this.step(Math.max(px, 1));
    const below = Math.max(px - (px % step), 0);
    // Rounding up may reach the next power of ten, which is a multiple of the wider step that applies there.
    const snapped = direction === 'down' || below === px ? below : below + step;
    return Math.max(snapped, 1);
  }

  /** Notional in units of `10^-decimals` dollars. */
  notional(px: number, lots: number): number {
    return px * lots;
  }

  /** A price in ticks as the exchange prints it: `81307.0`, `0.00042`. */
  price(px: number): DecimalString {
    return formatUnits(px, this.pxDecimals, 1);
  }

  /** A price in ticks as the exchange prints it inside a sentence: `Price below 81122`. */
  plainPrice(px: number): string {
    return formatUnits(px, this.pxDecimals);
  }

  /** A notional as the exchange prints it: `1234.5678`. */
  money(notional: number): DecimalString {
    return formatUnits(notional, this.decimals, 1);
  }

  /** A size in lots as the exchange prints it: `0.18385`, `12.0`. */
  size(lots: number): DecimalString {
    return formatUnits(lots, this.szDecimals, 1);
  }
}
