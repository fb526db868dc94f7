import type { Units } from '@l4desk/book';
import { formatUnits, parseBigUnits, parseUnits } from '@l4desk/decimal';
import { type DecimalString, isDecimalString } from '@l4desk/protocol';

/** Throws RangeError unless `text` is a non-negative plain decimal. `name` names the argument in the message. */
export function checkAmount(name: string, text: string): asserts text is DecimalString {
  if (isDecimalString(text) && !text.startsWith('-')) return;
  throw new RangeError(`${name} must be a decimal from zero: ${text}`);
}

/** The exact sum of two sizes of one side. */
export function plus(a: Units, b: Units): Units {
  return typeof a === 'bigint' || typeof b === 'bigint' ? BigInt(a) + BigInt(b) : a + b;
}

/** The exact product of a price and a size: a number while that is safe, otherwise a bigint. */
export function times(a: Units, b: Units): Units {
  if (typeof a === 'bigint' || typeof b === 'bigint') return BigInt(a) * BigInt(b);
  const product = a * b;
  return Number.isSafeInteger(product) ? product : BigInt(a) * BigInt(b);
}

/** The exact sum of any two amounts. */
export function plusExact(a: Units, b: Units): Units {
  if (typeof a === 'bigint' || typeof b === 'bigint') return BigInt(a) + BigInt(b);
  const sum = a + b;
  return Number.isSafeInteger(sum) ? sum : BigInt(a) + BigInt(b);
}

/** Converts a plain decimal that is no finer than the scale to whole units of it. */
export function readUnits(text: DecimalString, scale: number): Units {
  return parseUnits(text, scale) ?? (parseBigUnits(text, scale) as bigint);
}

/** Returns a number if that is exact: comparing numbers is many times as fast. */
export function narrowed(units: bigint): Units {
  const number = Number(units);
  return Number.isSafeInteger(number) ? number : units;
}

export function negative(units: Units): Units {
  return typeof units === 'bigint' ? -units : 0 - units;
}

const LEAN_DECIMALS = 6;

/** 10 to a non-negative power. */
export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** A non-negative quotient, rounded half up to `decimals` digits, all of them printed. The denominator must be above zero. */
export function quotient(numerator: bigint, denominator: bigint, decimals: number): DecimalString {
  return formatUnits(roundedUnits(numerator, denominator, decimals), decimals, decimals);
}

/** The same for a numerator of either sign: rounds half away from zero and never returns `-0`. */
export function signedQuotient(numerator: bigint, denominator: bigint, decimals: number): DecimalString {
  const units = roundedUnits(numerator < 0n ? -numerator : numerator, denominator, decimals);
  return formatUnits(numerator < 0n ? -units : units, decimals, decimals);
}

/** The same as `quotient`, computed with numbers instead of bigints while that is safe. */
export function unitQuotient(numerator: Units, denominator: Units, decimals: number): DecimalString {
  const units =
    typeof numerator === 'bigint' || typeof denominator === 'bigint'
      ? undefined
      : safeUnits(numerator, denominator, decimals);
  if (units === undefined) return quotient(BigInt(numerator), BigInt(denominator), decimals);
  return formatUnits(units, decimals, decimals);
}

/** The non-negative quotient in units of `10^-decimals`, rounded half up; undefined if an intermediate value may be inexact. */
function safeUnits(numerator: number, denominator: number, decimals: number): number | undefined {
  const above = 2 * numerator * 10 ** decimals + denominator;
  const below = 2 * denominator;
  if (!Number.isSafeInteger(above) || !Number.isSafeInteger(below)) return undefined;
  // The remainder of safe integers is exact, and so is a division that leaves no remainder.
  return (above - (above % below)) / below;
}

/** How two amounts lean: (a − b) ÷ (a + b), from −1 to 1, 6 decimals, rounded half away from zero. Null if both are zero. */
export function leanOf(a: Units, b: Units): DecimalString | null {
  if (typeof a === 'number' && typeof b === 'number' && a + b > 0) {
    const units = safeUnits(Math.abs(a - b), a + b, LEAN_DECIMALS);
    if (units !== undefined) return formatUnits(a < b && units > 0 ? -units : units, LEAN_DECIMALS, LEAN_DECIMALS);
  }
  const sum = BigInt(a) + BigInt(b);
  return sum === 0n ? null : signedQuotient(BigInt(a) - BigInt(b), sum, LEAN_DECIMALS);
}

/**
 * A non-negative quotient, rounded half up to `digits` significant digits, all of them printed: `1.000000000` has ten. Zero is
 * `0`. The denominator must be above zero.
 */
export function significantQuotient(numerator: bigint, denominator: bigint, digits: number): DecimalString {
  if (numerator === 0n) return '0';
  const decimals = digits - 1 - exponentOf(numerator, denominator);
  const units = roundedUnits(numerator, denominator, decimals);
  // Rounding 9.99… up gives 10: one more digit before the point, one fewer after it.
  if (units === powerOfTen(digits)) return printed(units / 10n, decimals - 1);
  return printed(units, decimals);
}

/** Prints units of `10^-decimals` with all their decimals; negative decimals mean zeros before the point. */
function printed(units: bigint, decimals: number): DecimalString {
  return decimals < 0 ? formatUnits(units * powerOfTen(-decimals), 0) : formatUnits(units, decimals, decimals);
}

/** The quotient in units of `10^-decimals`, rounded half up. */
function roundedUnits(numerator: bigint, denominator: bigint, decimals: number): bigint {
  const above = decimals < 0 ? numerator : numerator * powerOfTen(decimals);
  const below = decimals < 0 ? denominator * powerOfTen(-decimals) : denominator;
  return (2n * above + below) / (2n * below);
}

/** The power of ten of the first digit of a quotient above zero: 4 for 81307.5, -3 for 0.0042. */
function exponentOf(numerator: bigint, denominator: bigint): number {
  if (numerator >= denominator) return String(numerator / denominator).length - 1;
  const zeros = String(denominator).length - String(numerator).length;
  return numerator * powerOfTen(zeros) >= denominator ? -zeros : -zeros - 1;
}

/** A non-negative plain decimal in its shortest form: `81307.0` is `81307`. */
export function shortest(text: DecimalString): DecimalString {
  let from = 0;
  while (text.charCodeAt(from) === ZERO && from + 1 < text.length && text.charCodeAt(from + 1) !== DOT) from += 1;
  let end = text.length;
  if (text.includes('.')) {
    while (text.charCodeAt(end - 1) === ZERO) end -= 1;
    if (text.charCodeAt(end - 1) === DOT) end -= 1;
  }
  return text.slice(from, end) as DecimalString;
}

/** Whether a plain decimal is zero. */
export function isZero(text: DecimalString): boolean {
  return !/[1-9]/.test(text);
}

const ZERO = 48;
const DOT = 46;
