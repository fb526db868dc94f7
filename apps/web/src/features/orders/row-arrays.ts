/** In place of the way that a row moves. */
export const GONE = -(2 ** 31);

/** A row passes every facet; is kept out by one facet alone, by its place in FACET_IDS and 1; or is out. */
export const PASSES = 0;
export const OUT = 255;

// What goes over every row is a function of its own over plain arrays, called for each chunk where it can be: it is
// compiled long before the last chunk of the first call.

export function appendRows(places: Uint32Array, start: number, rows: Uint32Array, length: number): void {
  for (let at = 0; at < places.length; at++) rows[length + at] = start + (places[at] ?? 0);
}

/** `moved` says by how much each row's number changes. */
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

/** The parts of `rows` that have one value in `column`, where they are more than one row long. */
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

/** The rows of an order that pass. */
export function passing(order: Uint32Array, marks: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(order.length);
  let found = 0;
  for (let at = 0; at < order.length; at++) {
    const number = order[at] ?? 0;
    // Written always, and kept by stepping on: no branch to guess wrong.
    numbers[found] = number;
    if (marks[number] === PASSES) found += 1;
  }
  return numbers.slice(0, found);
}

export function rankCodes(codes: Uint16Array, rank: Float64Array, keys: Float64Array, start: number): void {
  for (let at = 0; at < codes.length; at++) keys[start + at] = rank[codes[at] ?? 0] ?? 0;
}

/** Marks the rows of one chunk that a facet refuses; what two facets refuse is out. */
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

/** By mark: 1 where the row counts. Added without a branch to guess wrong. */
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

/** By code: 1 where the value is wanted. Undefined where all are. */
export function maskOf(wanted: readonly string[] | undefined, words: readonly string[]): Uint8Array | undefined {
  if (wanted === undefined || wanted.length === 0) return undefined;
  return Uint8Array.from(words, (word) => (wanted.includes(word) ? 1 : 0));
}
