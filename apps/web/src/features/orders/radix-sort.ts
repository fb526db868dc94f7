const DIGIT_BITS = 11;
const BUCKETS = 1 << DIGIT_BITS;
const WORD = 2 ** 32;

/**
 * Sorts row numbers by their keys, the smallest first, and keeps rows of equal keys in their order. Keys are whole numbers
 * from 0 to 2^53 - 1, `keys[row]`. Answers a new array. Time grows with the rows alone: no comparison is made.
 */
export function radixSort(rows: Uint32Array, keys: Float64Array): Uint32Array {
  const { length } = rows;
  const low = new Uint32Array(length);
  const high = new Uint32Array(length);
  let most = 0;
  for (let at = 0; at < length; at++) {
    const key = keys[rows[at] ?? 0] ?? 0;
    if (key > most) most = key;
    const part = key >>> 0;
    low[at] = part;
    high[at] = (key - part) / WORD;
  }
  const places = range(length);
  const sortedLow = passes(places, low, most < WORD ? most : WORD - 1);
  const sorted = most < WORD ? sortedLow : passes(sortedLow, high, Math.floor(most / WORD));
  const result = new Uint32Array(length);
  for (let at = 0; at < length; at++) result[at] = rows[sorted[at] ?? 0] ?? 0;
  return result;
}

/** The numbers from 0 to `length - 1`. */
export function range(length: number): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let at = 0; at < length; at++) numbers[at] = at;
  return numbers;
}

/** One stable pass for each digit that `most` has, the least first. Overwrites `places`. */
function passes(places: Uint32Array, words: Uint32Array, most: number): Uint32Array {
  let from = places;
  let to: Uint32Array = new Uint32Array(places.length);
  for (let shift = 0; shift < 32 && most >>> shift > 0; shift += DIGIT_BITS) {
    const starts = new Uint32Array(BUCKETS);
    for (let at = 0; at < words.length; at++) {
      const digit = ((words[at] ?? 0) >>> shift) & (BUCKETS - 1);
      starts[digit] = (starts[digit] ?? 0) + 1;
    }
    let next = 0;
    for (let digit = 0; digit < BUCKETS; digit++) {
      const count = starts[digit] ?? 0;
      starts[digit] = next;
      next += count;
    }
    for (let at = 0; at < from.length; at++) {
      const place = from[at] ?? 0;
      const digit = ((words[place] ?? 0) >>> shift) & (BUCKETS - 1);
      const into = starts[digit] ?? 0;
      starts[digit] = into + 1;
      to[into] = place;
    }
    [from, to] = [to, from];
  }
  return from;
}
