/** Px of a character of numbers at the size of cells, and of what stands around them. */
const CHARACTER = 7.25;
const AROUND = 20;

/** How wide a column must be for its longest text, heading included. */
export function widthFor(texts: Iterable<string>, title: string, least = 88): number {
  let longest = 0;
  for (const text of texts) longest = Math.max(longest, text.length);
  return widthOf(Math.max(longest, title.length), least);
}

function widthOf(characters: number, least: number): number {
  return Math.ceil(Math.max(least, characters * CHARACTER + AROUND));
}

/** What a column of amounts needs. */
interface AmountColumn {
  /** The most digits after the point. */
  readonly decimals: number;
  /** Px, heading included. */
  readonly width: number;
}

/** Measures a column of amounts without writing them: aligned, each is its whole part and as much as the longest behind it. */
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
  return { decimals, width: widthOf(Math.max(characters, title.length), 88) };
}
