import { type DecimalString, isDecimalString } from '@l4desk/protocol';

/** Prices and sizes are non-negative decimals. */
export function isAmount(text: string): text is DecimalString {
  return isDecimalString(text) && !text.startsWith('-');
}

/** Number of printed decimals that marks a text which cannot be restored from its value. */
export const ODD_TEXT = 255;

/**
 * The number of printed digits after the point, with which `formatUnits` restores an amount exactly as received. ODD_TEXT if no
 * number does: a leading zero (`007`), or more digits than a byte can count.
 */
export function printedDecimals(text: string): number {
  const dot = text.indexOf('.');
  const whole = dot < 0 ? text.length : dot;
  if (whole > 1 && text.charCodeAt(0) === 48) return ODD_TEXT;
  if (dot < 0) return 0;
  const decimals = text.length - dot - 1;
  return decimals < ODD_TEXT ? decimals : ODD_TEXT;
}
