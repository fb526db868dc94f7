import type { DecimalString } from '@l4desk/protocol';
import { Decimal } from 'decimal.js';
import { decimalsOf, formatUnits, parseUnits, significantDecimalsOf } from './units.ts';

/** Wide enough that sums and products of anything the exchange prints are exact; the library's 20 digits would round. */
const Exact = Decimal.clone({ precision: 120, toExpNeg: -9e15, toExpPos: 9e15 });

const PLAIN = /^-?\d+(?:\.\d+)?$/;

/** Thrown if a text that should be a plain decimal is not one. */
export class NotADecimalError extends Error {
  readonly code = 'not_a_decimal';
  readonly retryable = false;

  constructor(text: string) {
    super(`not a decimal: ${JSON.stringify(text)}`);
    this.name = 'NotADecimalError';
  }
}

function exact(text: DecimalString): Decimal {
  // decimal.js would accept `0x10`, `1e5` and `Infinity`.
  if (!PLAIN.test(text)) throw new NotADecimalError(text);
  return new Exact(text);
}

function print(value: Decimal): DecimalString {
  return value.toFixed() as DecimalString;
}

/** Returns a negative number, 0 or a positive number if `a` is below, equal to or above `b` in value; `1.0` equals `1`. */
export function compare(a: DecimalString, b: DecimalString): number {
  const scale = finerScale(a, b);
  const difference = safeUnits(a, scale) - safeUnits(b, scale);
  return Number.isNaN(difference) ? exact(a).cmp(exact(b)) : Math.sign(difference);
}

export function add(a: DecimalString, b: DecimalString): DecimalString {
  const scale = finerScale(a, b);
  return safeText(safeUnits(a, scale) + safeUnits(b, scale), scale) ?? print(exact(a).plus(exact(b)));
}

export function subtract(a: DecimalString, b: DecimalString): DecimalString {
  const scale = finerScale(a, b);
  return safeText(safeUnits(a, scale) - safeUnits(b, scale), scale) ?? print(exact(a).minus(exact(b)));
}

export function multiply(a: DecimalString, b: DecimalString): DecimalString {
  const [left, right] = [significantDecimalsOf(a), significantDecimalsOf(b)];
  return safeText(safeUnits(a, left) * safeUnits(b, right), left + right) ?? print(exact(a).times(exact(b)));
}

/** A text in whole units, NaN if these are not safe: numbers take a twentieth of the time of the library's. */
function safeUnits(text: DecimalString, scale: number): number {
  return parseUnits(text, scale) ?? Number.NaN;
}

/** Undefined if the whole units are not safe. */
function safeText(units: number, scale: number): DecimalString | undefined {
  return Number.isSafeInteger(units) ? formatUnits(units, scale) : undefined;
}

function finerScale(a: DecimalString, b: DecimalString): number {
  return Math.max(significantDecimalsOf(a), significantDecimalsOf(b));
}

/** Exact sum; `0` if there are no values. */
export function sum(values: Iterable<DecimalString>): DecimalString {
  let total: DecimalString = '0';
  for (const value of values) total = add(total, value);
  return total;
}

/** Quotient rounded half up to `decimals` digits, all of them printed. Undefined if `b` is zero. */
export function divide(a: DecimalString, b: DecimalString, decimals: number): DecimalString | undefined {
  const divisor = exact(b);
  if (divisor.isZero()) return undefined;
  return exact(a).div(divisor).toFixed(decimals, Decimal.ROUND_HALF_UP) as DecimalString;
}

/** The value rounded half up to `decimals` digits, all of them printed: for display only. */
export function roundTo(text: DecimalString, decimals: number): DecimalString {
  return exact(text).toFixed(decimals, Decimal.ROUND_HALF_UP) as DecimalString;
}

/**
 * The distance from `a` to `b` in basis points of their mean, rounded half up to `decimals` digits. Undefined if the mean is
 * zero.
 */
export function basisPoints(a: DecimalString, b: DecimalString, decimals: number): DecimalString | undefined {
  const twice = exact(a).plus(exact(b));
  if (twice.isZero()) return undefined;
  const distance = exact(b).minus(exact(a)).times(20_000);
  return distance.div(twice).toFixed(decimals, Decimal.ROUND_HALF_UP) as DecimalString;
}

/** The exact mean of two prices. */
export function middle(a: DecimalString, b: DecimalString): DecimalString {
  return print(exact(a).plus(exact(b)).div(2));
}

/** The multiple of `tick` at or below `px`, printed with the tick's decimals. The tick must be above zero. */
export function floorToTick(px: DecimalString, tick: DecimalString): DecimalString {
  return toTick(px, tick, Decimal.ROUND_FLOOR);
}

/** The multiple of `tick` at or above `px`, printed with the tick's decimals. The tick must be above zero. */
export function ceilToTick(px: DecimalString, tick: DecimalString): DecimalString {
  return toTick(px, tick, Decimal.ROUND_CEIL);
}

function toTick(px: DecimalString, tick: DecimalString, rounding: Decimal.Rounding): DecimalString {
  const step = exact(tick);
  const value = exact(px);
  const below = value.minus(value.mod(step));
  const floor = value.isNegative() && !below.equals(value) ? below.minus(step) : below;
  const result = rounding === Decimal.ROUND_CEIL && !floor.equals(value) ? floor.plus(step) : floor;
  return result.toFixed(decimalsOf(tick)) as DecimalString;
}

/**
 * Ticks to group a price by: 1, 2 and 5 times powers of ten, from `smallest` up, `count` of them.
 * `tickSteps('0.1', 4)` is 0.1, 0.2, 0.5, 1.
 */
export function tickSteps(smallest: DecimalString, count: number): readonly DecimalString[] {
  const start = exact(smallest);
  const steps: DecimalString[] = [];
  let power = new Exact(10).pow(Math.floor(start.e));
  while (steps.length < count) {
    for (const factor of [1, 2, 5]) {
      const step = power.times(factor);
      if (step.gte(start) && steps.length < count) steps.push(print(step));
    }
    power = power.times(10);
  }
  return steps;
}
