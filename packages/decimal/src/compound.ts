import type { DecimalString } from '@l4desk/protocol';
import { decimalsOf, formatUnits, parseBigUnits } from './units.ts';

/** Extra digits that the first attempt computes beyond those requested. */
const GUARD = 20;

/**
 * Growth from reinvesting a rate of one period for `periods` periods: (1 + rate)^periods − 1, as a fraction, rounded half up
 * (ties away from zero) to `decimals` digits, all of them printed and all correct. Undefined if the rate loses everything (−1
 * or less) or is not a plain decimal. `periods` is a non-negative integer.
 */
export function compound(rate: DecimalString, periods: number, decimals: number): DecimalString | undefined {
  const rateDecimals = decimalsOf(rate);
  const units = parseBigUnits(rate, rateDecimals);
  if (units === undefined) return undefined;
  const base = 10n ** BigInt(rateDecimals) + units;
  if (base <= 0n) return undefined;
  // Loop "precision": doubles the guard digits each time; ends at the latest when every digit of the power is computed.
  for (let guard = GUARD; ; guard *= 2) {
    const scale = Math.min(decimals + guard, Math.max(decimals, rateDecimals * periods));
    const one = 10n ** BigInt(scale);
    const start =
      scale >= rateDecimals ? base * 10n ** BigInt(scale - rateDecimals) : base / 10n ** BigInt(rateDecimals - scale);
    const power = raised(start, periods, one);
    // Truncation changes each step by less than a unit; a power of n accumulates at most n times that, times its size.
    const error = scale >= rateDecimals * periods ? 0n : 4n * BigInt(periods + 1) * (power / one + 1n);
    const low = rounded(power - one, scale - decimals);
    if (low === rounded(power + error - one, scale - decimals)) return formatUnits(low, decimals, decimals);
  }
}

/**
 * `base` to the power of `exponent`, both in units of `one`. Every product is truncated, so that the result is never too large.
 */
function raised(base: bigint, exponent: number, one: bigint): bigint {
  let result = one;
  for (const bit of exponent.toString(2)) {
    result = (result * result) / one;
    if (bit === '1') result = (result * base) / one;
  }
  return result;
}

/** Units with `digits` fewer decimals, rounded half away from zero. */
function rounded(units: bigint, digits: number): bigint {
  const step = 10n ** BigInt(digits);
  const half = step / 2n;
  return units < 0n ? -((-units + half) / step) : (units + half) / step;
}

/** The square root of a non-negative value, truncated after `decimals` digits, all of them printed. Undefined below zero. */
export function squareRoot(value: DecimalString, decimals: number): DecimalString | undefined {
  const scale = Math.max(decimalsOf(value), 2 * decimals);
  const even = scale + (scale % 2);
  const units = parseBigUnits(value, even);
  if (units === undefined || units < 0n) return undefined;
  return formatUnits(wholeRoot(units) / 10n ** BigInt(even / 2 - decimals), decimals, decimals);
}

/** The largest integer whose square is not above `value`. */
function wholeRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1);
  // Loop "Newton": starts above the root and decreases until it no longer does.
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}
