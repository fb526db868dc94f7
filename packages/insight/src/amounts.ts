import type { Units } from '@l4desk/book';
import { formatUnits, parseBigUnits, parseUnits } from '@l4desk/decimal';
import { type DecimalString, isDecimalString } from '@l4desk/protocol';

/** Throws RangeError unless a text is a plain decimal from zero (INS-12). `name` says whose it is. */
export function checkAmount(name: string, text: string): asserts text is DecimalString {
  if (isDecimalString(text) && !text.startsWith('-')) return;
  throw new RangeError(`${name} must be a decimal from zero: ${text}`);
}

/** The exact sum of two sizes of one side. */
export function plus(a: Units, b: Units): Units {
  return typeof a === 'bigint' || typeof b === 'bigint' ? BigInt(a) + BigInt(b) : a + b;
}

/** The exact product of a price and a size: a number as long as that is safe. */
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

/** A plain decimal that is no finer than the scale, in whole units of it. */
export function readUnits(text: DecimalString, scale: number): Units {
  return parseUnits(text, scale) ?? (parseBigUnits(text, scale) as bigint);
}

/** A number where that is exact: comparing it with others is many times as fast. */
export function narrowed(units: bigint): Units {
  const number = Number(units);
  return Number.isSafeInteger(number) ? number : units;
}

export function negative(units: Units): Units {
  return typeof units === 'bigint' ? -units : 0 - units;
}

const LEAN_DECIMALS = 6;

/** 10 to a power from zero. */
export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** A quotient from zero, rounded half up to `decimals` digits, which are all printed. The denominator is above zero. */
export function quotient(numerator: bigint, denominator: bigint, decimals: number): DecimalString {
  return formatUnits(roundedUnits(numerator, denominator, decimals), decimals, decimals);
}

/** The same for a numerator of either sign: half away from zero, and never `-0`. */
export function signedQuotient(numerator: bigint, denominator: bigint, decimals: number): DecimalString {
  const units = roundedUnits(numerator < 0n ? -numerator : numerator, denominator, decimals);
  return formatUnits(numerator < 0n ? -units : units, decimals, decimals);
}

/** The same as `quotient`, of numbers without a bigint as long as that is safe. */
export function unitQuotient(numerator: Units, denominator: Units, decimals: number): DecimalString {
  const units =
    typeof numerator === 'bigint' || typeof denominator === 'bigint'
      ? undefined
      : safeUnits(numerator, denominator, decimals);
  if (units === undefined) return quotient(BigInt(numerator), BigInt(denominator), decimals);
  return formatUnits(units, decimals, decimals);
}

/** The quotient of numbers from zero in units of `10^-decimals`, half up; undefined where a step of it may not be exact. */
function safeUnits(numerator: number, denominator: number, decimals: number): number | undefined {
  const above = 2 * numerator * 10 ** decimals + denominator;
  const below = 2 * denominator;
  if (!Number.isSafeInteger(above) || !Number.isSafeInteger(below)) return undefined;
  // The remainder of safe whole numbers is exact, and so is the division of what has none.
  return (above - (above % below)) / below;
}

/**
 * How the sum of two amounts leans: (a − b) ÷ (a + b), from −1 to 1, 6 decimals, half away from zero. Null of nothing.
 */
export function leanOf(a: Units, b: Units): DecimalString | null {
  if (typeof a === 'number' && typeof b === 'number' && a + b > 0) {
    const units = safeUnits(Math.abs(a - b), a + b, LEAN_DECIMALS);
    if (units !== undefined) return formatUnits(a < b && units > 0 ? -units : units, LEAN_DECIMALS, LEAN_DECIMALS);
  }
  const sum = BigInt(a) + BigInt(b);
  return sum === 0n ? null : signedQuotient(BigInt(a) - BigInt(b), sum, LEAN_DECIMALS);
}

/**
 * A quotient from zero, rounded half up to `digits` significant digits, which are all printed: `1.000000000` has ten.
 * Zero is `0`. The denominator is above zero.
 */
export function significantQuotient(numerator: bigint, denominator: bigint, digits: number): DecimalString {
  if (numerator === 0n) return '0';
  const decimals = digits - 1 - exponentOf(numerator, denominator);
  const units = roundedUnits(numerator, denominator, decimals);
  // Rounding 9.99… up makes it 10: one digit more in front of the point, one less behind it.
  if (units === powerOfTen(digits)) return printed(units / 10n, decimals - 1);
  return printed(units, decimals);
}

/** Units of `10^-decimals` with all their decimals; negative decimals stand for zeros in front of the point. */
function printed(units: bigint, decimals: number): DecimalString {
  return decimals < 0 ? formatUnits(units * powerOfTen(-decimals), 0) : formatUnits(units, decimals, decimals);
}

/** The quotient in units of `10^-decimals`, half up. */
function roundedUnits(numerator: bigint, denominator: bigint, decimals: number): bigint {
  const above = decimals < 0 ? numerator : numerator * powerOfTen(decimals);
  const below = decimals < 0 ? denominator * powerOfTen(-decimals) : denominator;
  return (2n * above + below) / (2n * below);
}

/** The power of ten of the first digit of a quotient above zero: 4 of 81307.5, -3 of 0.0042. */
function exponentOf(numerator: bigint, denominator: bigint): number {
  if (numerator >= denominator) return String(numerator / denominator).length - 1;
  const zeros = String(denominator).length - String(numerator).length;
  return numerator * powerOfTen(zeros) >= denominator ? -zeros : -zeros - 1;
}

/** A plain decimal from zero in its shortest form: `81307.0` is `81307`. */
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
