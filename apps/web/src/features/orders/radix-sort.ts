const DIGIT_BITS = 11;
const BUCKETS = 1 << DIGIT_BITS;
const WORD = 2 ** 32;

/** The key of a row without a value: it is sorted last in either direction. */
export const ABSENT = -1;

/** Row numbers together with the words of their keys, so that every pass reads memory in order. */
interface Keyed {
  readonly rows: Uint32Array;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

/** Two buffers reused by every sort: allocating several MB each time would keep the garbage collector busy. */
let room: readonly [Keyed, Keyed] = [keyed(0), keyed(0)];

/**
 * Sorts row numbers by their keys; stable. Keys are whole numbers from 0 to 2^53 - 1, or ABSENT, in `keys[row]`. Returns a new
 * array. The time depends only on the number of rows and the key range: nothing is compared.
 */
export function radixSort(rows: Uint32Array, keys: Float64Array, descending = false): Uint32Array {
  const { length } = rows;
  if (room[0].rows.length < length) room = [keyed(length), keyed(length)];
  let [from, to] = room;
  const most = readKeys(rows, keys, descending, from);
  const hasHigh = most >= WORD;
  const lowBits = hasHigh ? WORD - 1 : most;
  for (let shift = 0; shift < 32 && lowBits >>> shift > 0; shift += DIGIT_BITS) {
    pass(from, to, from.low, shift, length, hasHigh);
    [from, to] = [to, from];
  }
  for (let shift = 0, top = Math.floor(most / WORD); top >>> shift > 0; shift += DIGIT_BITS) {
    pass(from, to, from.high, shift, length, hasHigh);
    [from, to] = [to, from];
  }
  return from.rows.slice(0, length);
}

/** The numbers from 0 to `length - 1`. */
export function range(length: number): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let at = 0; at < length; at++) numbers[at] = at;
  return numbers;
}

function keyed(length: number): Keyed {
  return { rows: new Uint32Array(length), low: new Uint32Array(length), high: new Uint32Array(length) };
}

/**
 * Writes rows and keys, with keys as the distance from the first one, so that times within a few weeks have few digits. Returns
 * the largest distance.
 */
function readKeys(
  rows: Uint32Array,
  keys: Float64Array,
  descending: boolean,
  { rows: into, low, high }: Keyed,
): number {
  let least = Number.MAX_SAFE_INTEGER;
  let most = 0;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? 0;
    if (key > most) most = key;
    if (key < least && key !== ABSENT) least = key;
  }
  const span = Math.max(0, most - least);
  into.set(rows);
  let largest = 0;
  for (let at = 0; at < rows.length; at++) {
    const key = keys[rows[at] ?? 0] ?? 0;
    const counted = key === ABSENT ? span + 1 : descending ? most - key : key - least;
    if (counted > largest) largest = counted;
    // Whole numbers above 2^32 wrap around in a word, which keeps exactly their low part.
    low[at] = counted;
    if (span >= WORD - 1) high[at] = Math.floor(counted / WORD);
  }
  return largest;
}

/** Moves all rows by one digit of `words`; rows with equal digits keep their order. */
function pass(from: Keyed, to: Keyed, words: Uint32Array, shift: number, length: number, hasHigh: boolean): void {
  const starts = new Uint32Array(BUCKETS);
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
  for (let at = 0; at < length; at++) {
    const digit = ((words[at] ?? 0) >>> shift) & (BUCKETS - 1);
    const into = starts[digit] ?? 0;
    starts[digit] = into + 1;
    toRows[into] = rows[at] ?? 0;
    toLow[into] = low[at] ?? 0;
    if (hasHigh) toHigh[into] = high[at] ?? 0;
  }
}
