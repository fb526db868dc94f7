import { decimalsOf } from '@l4desk/decimal';
import { grouped } from '../../ui/format.ts';

/** As wide as a digit in the face of numbers, and never drawn. */
const BLANK = '\u00A0';

/**
 * The amount as reported, thousands separated, with blanks behind it so that points align in a column of `decimals`: no
 * digit is added and none is taken away.
 */
export function aligned(text: string, decimals: number): string {
  const own = decimalsOf(text);
  const missing = decimals - own + (own === 0 && decimals > 0 ? 1 : 0);
  return grouped(text) + BLANK.repeat(Math.max(0, missing));
}

/** Px of a character of numbers at the size of cells, and of what stands around them. */
const CHARACTER = 7.25;
const AROUND = 20;

/** How wide a column must be for its longest text, heading included. */
export function widthFor(texts: Iterable<string>, title: string, least = 88): number {
  let longest = 0;
  for (const text of texts) longest = Math.max(longest, text.length);
  return Math.ceil(Math.max(least, Math.max(longest, title.length) * CHARACTER + AROUND));
}
