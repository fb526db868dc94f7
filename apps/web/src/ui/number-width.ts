import { useState } from 'react';

/** Width of a digit of the number font at 12 px, rounded up, and the padding of both sides of a grid's cell, px. */
const DIGIT = 7.25;
const PADDING = 16;

export function numberWidth(characters: number, least = 0, padding = PADDING): number {
  return Math.max(least, Math.ceil(characters * DIGIT) + padding);
}

/** The least width of a column of amounts, and the padding of both sides of its cells, px. */
const AMOUNT_LEAST = 88;
const AMOUNT_PADDING = 20;

/**
 * The decimals and the width of a column of amounts whose points are aligned. Formats none of them, because there may be many: an
 * aligned amount is its integer part plus the longest decimals.
 */
export function measuredAmounts(amounts: Iterable<string>, title = '', sign = '') {
  let decimals = 0;
  let whole = 0;
  for (const text of amounts) {
    const dot = text.indexOf('.');
    const end = dot < 0 ? text.length : dot;
    const minus = text.startsWith('-') ? 1 : 0;
    whole = Math.max(whole, end + Math.floor((end - minus - 1) / 3));
    if (dot >= 0) decimals = Math.max(decimals, text.length - dot - 1);
  }
  const characters = sign.length + whole + (decimals === 0 ? 0 : decimals + 1);
  return { decimals, width: numberWidth(Math.max(characters, title.length), AMOUNT_LEAST, AMOUNT_PADDING) };
}

/**
 * The largest of these numbers since `of` became what it is (for example the generation of a book): a column that only grows does
 * not move with its numbers.
 */
export function useLargest(of: string | number | undefined, value: number): number {
  const [known, setKnown] = useState({ of, value });
  const isOther = of !== known.of;
  if (isOther || value > known.value) setKnown({ of, value });
  return isOther ? value : Math.max(known.value, value);
}
