import { numberWidth } from '../../ui/number-width.ts';

const LEAST = 88;
const PADDING = 20;

/** The size of a column of amounts. */
interface AmountColumn {
  readonly decimals: number;
  /** Width in px, heading included. */
  readonly width: number;
}

/** Measures a column of amounts without formatting them: an aligned amount is its integer part plus the longest decimals. */
export function measured(values: Iterable<string>, title: string, sign = ''): AmountColumn {
  let decimals = 0;
  let whole = 0;
  for (const text of values) {
    const dot = text.indexOf('.');
    const end = dot < 0 ? text.length : dot;
    const minus = text.startsWith('-') ? 1 : 0;
    whole = Math.max(whole, end + Math.floor((end - minus - 1) / 3));
    if (dot >= 0) decimals = Math.max(decimals, text.length - dot - 1);
  }
  const characters = sign.length + whole + (decimals === 0 ? 0 : decimals + 1);
  return { decimals, width: numberWidth(Math.max(characters, title.length), LEAST, PADDING) };
}
