import type { DecimalString } from '@l4desk/protocol';

const ZERO = 48;
const DOT = 46;
const MINUS = 45;

/**
 * Digits after the point as printed, including trailing zeros: `decimalsOf('81307.0')` is 1. The text must be a plain decimal.
 */
export function decimalsOf(text: string): number {
  const dot = text.indexOf('.');
  return dot < 0 ? 0 : text.length - dot - 1;
}

/** Digits after the point without trailing zeros: `significantDecimalsOf('81307.0')` is 0. */
export function significantDecimalsOf(text: string): number {
  const dot = text.indexOf('.');
  if (dot < 0) return 0;
  let end = text.length;
  while (text.charCodeAt(end - 1) === ZERO) end -= 1;
  return end - dot - 1;
}

/**
 * A plain decimal as an integer of `10^-scale` units: `parseUnits('81307.5', 1)` is 813075. Undefined if the text is not a
 * plain decimal, has a non-zero digit past the scale, or the result is not a safe integer: then use `parseBigUnits`.
 */
export function parseUnits(text: string, scale: number): number | undefined {
  const length = text.length;
  let at = 0;
  let negative = false;
  if (text.charCodeAt(0) === MINUS) {
    negative = true;
    at = 1;
  }
  const first = at;
  let units = 0;
  let code = 0;
  while (at < length && (code = text.charCodeAt(at)) !== DOT) {
    const digit = code - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    units = units * 10 + digit;
    at += 1;
  }
  if (at === first) return undefined;
  let missing = scale;
  if (at < length) {
    at += 1;
    if (at === length) return undefined;
    while (at < length) {
      const digit = text.charCodeAt(at) - ZERO;
      if (digit < 0 || digit > 9) return undefined;
      if (missing > 0) {
        units = units * 10 + digit;
        missing -= 1;
      } else if (digit !== 0) return undefined;
      at += 1;
    }
  }
  for (; missing > 0; missing -= 1) units *= 10;
  // Every step above was exact if the result is a safe integer; otherwise the result can only have grown past it.
  if (units > Number.MAX_SAFE_INTEGER) return undefined;
  return negative && units !== 0 ? -units : units;
}

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * Like `parseUnits`, for numbers of any size. Undefined if the text is not a plain decimal or has a non-zero digit past the
 * scale.
 */
export function parseBigUnits(text: string, scale: number): bigint | undefined {
  const match = PLAIN.exec(text);
  if (match === null) return undefined;
  const fraction = match[3] ?? '';
  const kept = fraction.slice(0, scale).padEnd(scale, '0');
  if (/[1-9]/.test(fraction.slice(scale))) return undefined;
  const units = BigInt((match[2] ?? '') + kept);
  return match[1] === '-' ? -units : units;
}

/**
 * Units back to text: `formatUnits(813075, 1)` is `81307.5`. Trailing zeros are dropped down to `minDecimals` digits (default:
 * 0), so that `formatUnits(units, scale, decimalsOf(text))` restores a text exactly as it was printed.
 */
export function formatUnits(units: number | bigint, scale: number, minDecimals = 0): DecimalString {
  const negative = units < 0;
  const digits = String(negative ? -units : units).padStart(scale + 1, '0');
  const whole = scale === 0 ? digits : digits.slice(0, -scale);
  let fraction = scale === 0 ? '' : digits.slice(-scale);
  let end = fraction.length;
  while (end > minDecimals && fraction.charCodeAt(end - 1) === ZERO) end -= 1;
  fraction = fraction.slice(0, end).padEnd(minDecimals, '0');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return (negative ? `-${text}` : text) as DecimalString;
}
