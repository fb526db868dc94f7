/** Marks a row that no longer exists, in place of its offset. */
export const GONE = -(2 ** 31);

/**
 * Filter marks: a row passes every facet; is excluded by a single facet (marked with the facet's index in FACET_IDS plus 1); or
 * is out.
 */
export const PASSES = 0;
export const OUT = 255;

// Loops over all rows are separate functions over plain arrays, called per chunk where possible: they are then compiled long
// before the last chunk of the first call.

export function appendRows(places: Uint32Array, start: number, rows: Uint32Array, length: number): void {
  for (let at = 0; at < places.length; at++) rows[length + at] = start + (places[at] ?? 0);
}

/** `moved` holds the offset of each row's number. */
export function renumber(rows: Uint32Array, moved: Int32Array): Uint32Array {
  const numbers = new Uint32Array(rows.length);
  let found = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    const by = moved[row] ?? GONE;
    if (by === GONE) continue;
    numbers[found] = row + by;
    found += 1;
  }
  return numbers.subarray(0, found);
}

/** The runs of `rows` with one value in `column`; only runs of more than one row. */
export function runsOf(rows: Uint32Array, column: Float64Array): Uint32Array[] {
  const runs: Uint32Array[] = [];
  let from = 0;
  let value = Number.NaN;
  for (let at = 0; at <= rows.length; at++) {
    const next = at === rows.length ? Number.NaN : (column[rows[at] ?? 0] ?? 0);
    if (next === value) continue;
    if (at - from > 1) runs.push(rows.subarray(from, at));
    from = at;
    value = next;
  }
  return runs;
}

/** The rows that pass, in the given order. */
export function passing(order: Uint32Array, marks: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(order.length);
  let found = 0;
  for (let at = 0; at < order.length; at++) {
    const number = order[at] ?? 0;
    // Always written, and kept by advancing the index: this avoids a mispredicted branch.
    numbers[found] = number;
    if (marks[number] === PASSES) found += 1;
  }
  return numbers.slice(0, found);
}

export function rankCodes(codes: Uint16Array, rank: Float64Array, keys: Float64Array, start: number): void {
  for (let at = 0; at < codes.length; at++) keys[start + at] = rank[codes[at] ?? 0] ?? 0;
}

/** Marks the rows of one chunk that a facet excludes; a row excluded by two facets is OUT. */
export function markRefused(
  codes: Uint16Array,
  mask: Uint8Array,
  mark: number,
  marks: Uint8Array,
  start: number,
): void {
  for (let at = 0; at < codes.length; at++) {
    if (mask[codes[at] ?? 0] === 1) continue;
    marks[start + at] = marks[start + at] === PASSES ? mark : OUT;
  }
}

/** By mark: 1 if the row counts. Adding it avoids a mispredicted branch. */
export function weightsOf(mark: number): Uint8Array {
  const weights = new Uint8Array(256);
  weights[PASSES] = 1;
  weights[mark] = 1;
  return weights;
}

export function countMarked(
  codes: Uint16Array,
  weights: Uint8Array,
  marks: Uint8Array | undefined,
  start: number,
  counted: Uint32Array,
): void {
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    counted[code] = (counted[code] ?? 0) + (marks === undefined ? 1 : (weights[marks[start + at] ?? OUT] ?? 0));
  }
}

/** By code: 1 if the value is wanted. Undefined if all are. */
export function maskOf(wanted: readonly string[] | undefined, words: readonly string[]): Uint8Array | undefined {
  if (wanted === undefined || wanted.length === 0) return undefined;
  return Uint8Array.from(words, (word) => (wanted.includes(word) ? 1 : 0));
}
