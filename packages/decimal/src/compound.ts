import type { DecimalString } from '@l4desk/protocol';
import { decimalsOf, formatUnits, parseBigUnits } from './units.ts';

/** Digits beyond the asked ones that the first attempt carries. */
const GUARD = 20;

/**
 * What a rate of one period becomes when it is reinvested for `periods` of them: (1 + rate)^periods − 1, as a fraction,
 * rounded half up (ties away from zero) to `decimals` digits, which are all printed and all right. Undefined where the
 * rate loses everything (−1 or less) or is no plain decimal. `periods` is a whole number, 0 or more.
 */
export function compound(rate: DecimalString, periods: number, decimals: number): DecimalString | undefined {
  const rateDecimals = decimalsOf(rate);
  const units = parseBigUnits(rate, rateDecimals);
  if (units === undefined) return undefined;
  const base = 10n ** BigInt(rateDecimals) + units;
  if (base <= 0n) return undefined;
  // Loop "precision": twice the guard digits each time; ends where every digit of the power is carried, at the latest.
  for (let guard = GUARD; ; guard *= 2) {
    const scale = Math.min(decimals + guard, Math.max(decimals, rateDecimals * periods));
    const one = 10n ** BigInt(scale);
    const start =
      scale >= rateDecimals ? base * 10n ** BigInt(scale - rateDecimals) : base / 10n ** BigInt(rateDecimals - scale);
    const power = raised(start, periods, one);
    // Cutting off moves each step by less than a unit, and a power of n carries at most n times that, times its size.
    const error = scale >= rateDecimals * periods ? 0n : 4n * BigInt(periods + 1) * (power / one + 1n);
    const low = rounded(power - one, scale - decimals);
    if (low === rounded(power + error - one, scale - decimals)) return formatUnits(low, decimals, decimals);
  }
}

/** `base` to the `exponent`, both in units of `one`; every product is cut off, so that the result is never too large. */
function raised(base: bigint, exponent: number, one: bigint): bigint {
  let result = one;
  for (const bit of exponent.toString(2)) {
    result = (result * result) / one;
    if (bit === '1') result = (result * base) / one;
  }
  return result;
}

/** Units with `digits` fewer decimals, half away from zero. */
function rounded(units: bigint, digits: number): bigint {
  const step = 10n ** BigInt(digits);
  const half = step / 2n;
  return units < 0n ? -((-units + half) / step) : (units + half) / step;
}

/** The square root of a value that is not negative, cut off after `decimals` digits, which are all printed. Undefined below zero. */
export function squareRoot(value: DecimalString, decimals: number): DecimalString | undefined {
  const scale = Math.max(decimalsOf(value), 2 * decimals);
  const even = scale + (scale % 2);
  const units = parseBigUnits(value, even);
  if (units === undefined || units < 0n) return undefined;
  return formatUnits(wholeRoot(units) / 10n ** BigInt(even / 2 - decimals), decimals, decimals);
}

/** The largest whole number whose square is not above `value`. */
function wholeRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1);
  // Loop "Newton": starts above the root and falls until it no longer does.
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}
