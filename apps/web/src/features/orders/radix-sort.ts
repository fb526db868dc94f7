const DIGIT_BITS = 11;
const BUCKETS = 1 << DIGIT_BITS;
const WORD = 2 ** 32;

/** Row numbers with the words of their keys beside them, so that every pass reads in order. */
interface Keyed {
  readonly rows: Uint32Array;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

/**
 * Sorts row numbers by their keys, the smallest first, and keeps rows of equal keys in their order. Keys are whole numbers
 * from 0 to 2^53 - 1, `keys[row]`. Answers a new array. Time grows with the rows alone: no comparison is made.
 */
export function radixSort(rows: Uint32Array, keys: Float64Array): Uint32Array {
  const { length } = rows;
  const low = new Uint32Array(length);
  let most = 0;
  for (let at = 0; at < length; at++) {
    const key = keys[rows[at] ?? 0] ?? 0;
    if (key > most) most = key;
    low[at] = key;
  }
  // Whole numbers past 2^32 wrap around in a word, which is just their low part.
  const high = new Uint32Array(most < WORD ? 0 : length);
  for (let at = 0; at < high.length; at++) high[at] = Math.floor((keys[rows[at] ?? 0] ?? 0) / WORD);
  let from: Keyed = { rows: rows.slice(), low, high };
  let to: Keyed = {
    rows: new Uint32Array(length),
    low: new Uint32Array(length),
    high: new Uint32Array(high.length),
  };
  const bits = most < WORD ? most : WORD - 1;
  for (let shift = 0; shift < 32 && bits >>> shift > 0; shift += DIGIT_BITS) {
    pass(from, to, from.low, shift);
    [from, to] = [to, from];
  }
  for (let shift = 0, top = Math.floor(most / WORD); top >>> shift > 0; shift += DIGIT_BITS) {
    pass(from, to, from.high, shift);
    [from, to] = [to, from];
  }
  return from.rows;
}

/** The numbers from 0 to `length - 1`. */
export function range(length: number): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let at = 0; at < length; at++) numbers[at] = at;
  return numbers;
}

/** Moves everything to where one digit of `words` puts it, equal digits in their order. */
function pass(from: Keyed, to: Keyed, words: Uint32Array, shift: number): void {
  const starts = new Uint32Array(BUCKETS);
  const { length } = words;
  for (let at = 0; at < length; at++) {
    const digit = ((words[at] ?? 0) >>> shift) & (BUCKETS - 1);
    starts[digit] = (starts[digit] ?? 0) + 1;
  }
  let next = 0;
  for (let digit = 0; digit < BUCKETS; digit++) {
    const count = starts[digit] ?? 0;
    starts[digit] = next;
    next += count;
  }
  const { rows, low, high } = from;
  const { rows: toRows, low: toLow, high: toHigh } = to;
  const hasHigh = high.length > 0;
  for (let at = 0; at < length; at++) {
    const digit = ((words[at] ?? 0) >>> shift) & (BUCKETS - 1);
    const into = starts[digit] ?? 0;
    starts[digit] = into + 1;
    toRows[into] = rows[at] ?? 0;
    toLow[into] = low[at] ?? 0;
    if (hasHigh) toHigh[into] = high[at] ?? 0;
  }
}
