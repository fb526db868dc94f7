import { useState } from 'react';

/** Width of a digit of the number font at 12 px, rounded up, and the padding of both sides of a grid's cell, px. */
const DIGIT = 7.25;
const PADDING = 16;

export function numberWidth(characters: number, least = 0, padding = PADDING): number {
  return Math.max(least, Math.ceil(characters * DIGIT) + padding);
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
