import { type DecimalString, isDecimalString } from '@l4desk/protocol';

/** Prices and sizes are decimals from zero. */
export function isAmount(text: string): text is DecimalString {
  return isDecimalString(text) && !text.startsWith('-');
}

/** Printed decimals that stand for a text which its value does not give back. */
export const ODD_TEXT = 255;

/**
 * The digits after the point as printed, with which `formatUnits` gives an amount back exactly as it came in, or ODD_TEXT
 * when none does: a leading zero (`007`), or more digits than a byte counts.
 */
export function printedDecimals(text: string): number {
  const dot = text.indexOf('.');
  const whole = dot < 0 ? text.length : dot;
  if (whole > 1 && text.charCodeAt(0) === 48) return ODD_TEXT;
  if (dot < 0) return 0;
  const decimals = text.length - dot - 1;
  return decimals < ODD_TEXT ? decimals : ODD_TEXT;
}
