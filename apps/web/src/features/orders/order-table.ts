import type { GridSort, RowSource } from '../../ui/grid/grid-column.ts';
import { decimalKeys } from './decimal-keys.ts';
import { FACET_IDS, type FacetId } from './facets.ts';
import { ABSENT, type DecimalColumn, type OrderChunk, type OrderRow, type Vocabularies } from './order-chunk.ts';
import { radixSort, range } from './radix-sort.ts';

/** What orders are filtered by; an absent facet lets all pass. */
export interface OrderFilter {
  readonly facets: Readonly<Partial<Record<FacetId, readonly string[]>>>;
  /** The beginning of an oid (digits) or of a cloid (`0x…`). */
  readonly search: string;
  /** Ms, inclusive. */
  readonly placedFrom: number | undefined;
  /** Ms, exclusive. */
  readonly placedBefore: number | undefined;
}

/** Orders as filtered and sorted. */
export interface OrderView extends RowSource<OrderRow> {
  /** Row numbers of the table, in order. */
  readonly numbers: Uint32Array;
  /** By facet and value: how many orders pass all other filters. */
  readonly counts: Readonly<Record<FacetId, ReadonlyMap<string, number>>>;
}

/** Columns that orders are sorted by, and how. */
const SORTED_BY = {
  coin: 'word',
  side: 'word',
  status: 'word',
  outcome: 'word',
  type: 'word',
  tif: 'word',
  ro: 'word',
  trigger: 'word',
  tpsl: 'word',
  limitPx: 'decimal',
  sz: 'decimal',
  origSz: 'decimal',
  oid: 'number',
  placed: 'number',
  updated: 'number',
  lived: 'number',
  share: 'number',
  wallet: 'wallet',
} as const;

type SortColumn = keyof typeof SORTED_BY;

const isSortColumn = (id: string): id is SortColumn => Object.hasOwn(SORTED_BY, id);

/**
 * All orders of the answers at hand as columns. Filter and sort of 600,000 rows answer within a frame or two: filters
 * compare small numbers, sorting is by radix, and nothing of a row is made before it is drawn.
 */
export class OrderTable {
  readonly chunks: readonly OrderChunk[];
  readonly length: number;
  readonly #vocabularies: Vocabularies;
  /** Row number at which each chunk starts. */
  readonly #starts: Uint32Array;
  readonly #codes: Readonly<Record<FacetId, Uint16Array>>;
  readonly #oids: Float64Array;
  readonly #placed: Float64Array;
  readonly #orders = new Map<string, Uint32Array>();
  #newestFirst: Uint32Array | undefined;

  constructor(chunks: readonly OrderChunk[], vocabularies: Vocabularies) {
    this.chunks = chunks;
    this.#vocabularies = vocabularies;
    this.#starts = new Uint32Array(chunks.length);
    let length = 0;
    for (const [at, chunk] of chunks.entries()) {
      this.#starts[at] = length;
      length += chunk.length;
    }
    this.length = length;
    this.#codes = Object.fromEntries(FACET_IDS.map((facet) => [facet, this.#codesOf(facet)])) as Record<
      FacetId,
      Uint16Array
    >;
    this.#oids = this.#joined((chunk) => chunk.oids);
    this.#placed = this.#joined((chunk) => chunk.placed);
  }

  /** The values that a facet's codes stand for. */
  words(facet: FacetId): readonly string[] {
    return this.#vocabularies[facet].words;
  }

  row(number: number): OrderRow | undefined {
    const at = this.#chunkOf(number);
    return this.chunks[at]?.row(number - (this.#starts[at] ?? 0));
  }

  /** The chunk that a row is of, and its place there. */
  place(number: number): { readonly chunk: OrderChunk; readonly at: number } | undefined {
    const index = this.#chunkOf(number);
    const chunk = this.chunks[index];
    return chunk && { chunk, at: number - (this.#starts[index] ?? 0) };
  }

  /** The rows that pass, in the order of the sort; without one the newest first, entries of one order side by side. */
  view(filter: OrderFilter, sort: GridSort | undefined): OrderView {
    const { passes, length, counts } = this.#filter(filter);
    const order = sort === undefined || !isSortColumn(sort.column) ? this.#base() : this.#order(sort.column, sort);
    const numbers = new Uint32Array(length);
    for (let at = 0, found = 0; found < length; at++) {
      const number = order[at] ?? 0;
      if (passes[number] !== 1) continue;
      numbers[found] = number;
      found += 1;
    }
    return { numbers, length, counts, at: (index) => this.#rowAt(numbers, index) };
  }

  #rowAt(numbers: Uint32Array, index: number): OrderRow | undefined {
    const number = numbers[index];
    return number === undefined ? undefined : this.row(number);
  }

  #chunkOf(number: number): number {
    let low = 0;
    let high = this.chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] ?? 0) <= number) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #joined(columnOf: (chunk: OrderChunk) => Float64Array): Float64Array {
    const joined = new Float64Array(this.length);
    for (const [at, chunk] of this.chunks.entries()) joined.set(columnOf(chunk), this.#starts[at] ?? 0);
    return joined;
  }

  #codesOf(facet: FacetId): Uint16Array {
    const codes = new Uint16Array(this.length);
    for (const [at, chunk] of this.chunks.entries()) codes.set(chunk.codes[facet], this.#starts[at] ?? 0);
    return codes;
  }

  #base(): Uint32Array {
    this.#newestFirst ??= ['updated', 'oid', 'placed'].reduce(
      (rows, column) => radixSort(rows, this.#keysOf(column as SortColumn, true)),
      range(this.length),
    );
    return this.#newestFirst;
  }

  /** All rows in the order of a column, made at the first look by it: what a filter leaves of them is then just picked out. */
  #order(column: SortColumn, { descending }: Pick<GridSort, 'descending'>): Uint32Array {
    const name = `${descending ? '-' : ''}${column}`;
    const kept = this.#orders.get(name);
    if (kept !== undefined) return kept;
    const order = radixSort(this.#base(), this.#keysOf(column, descending));
    this.#orders.set(name, order);
    return order;
  }

  /** Keys that sort ascending as the column is wanted; what is absent comes last either way. */
  #keysOf(column: SortColumn, descending: boolean): Float64Array {
    const ascending = this.#ascending(column);
    const keys = new Float64Array(this.length);
    let least = Number.MAX_SAFE_INTEGER;
    let most = 0;
    for (let at = 0; at < keys.length; at++) {
      const key = ascending[at] ?? 0;
      if (key > most) most = key;
      if (key < least && key !== ABSENT) least = key;
    }
    // Counted from the end of the column: times of a few weeks have few digits to sort by.
    for (let at = 0; at < keys.length; at++) {
      const key = ascending[at] ?? 0;
      keys[at] = key === ABSENT ? most + 1 : descending ? most - key : key - least;
    }
    return keys;
  }

  #ascending(column: SortColumn): Float64Array {
    switch (SORTED_BY[column]) {
      case 'word':
        return this.#wordKeys(column as FacetId);
      case 'decimal':
        return decimalKeys(this.chunks.map(({ decimals }) => decimals[column as DecimalColumn]));
      case 'wallet':
        return this.#joined((chunk) => new Float64Array(chunk.length).fill(this.chunks.indexOf(chunk)));
      case 'number':
        return this.#numberKeys(column);
    }
  }

  #numberKeys(column: SortColumn): Float64Array {
    if (column === 'oid') return this.#oids;
    if (column === 'placed') return this.#placed;
    return this.#joined((chunk) =>
      column === 'share' ? chunk.share : column === 'lived' ? chunk.lived : chunk.updated,
    );
  }

  #wordKeys(facet: FacetId): Float64Array {
    const { words } = this.#vocabularies[facet];
    const sorted = words.map((word, code) => ({ word, code })).sort((a, b) => (a.word < b.word ? -1 : 1));
    const rank = new Float64Array(words.length);
    for (const [at, { code }] of sorted.entries()) rank[code] = at;
    const codes = this.#codes[facet];
    const keys = new Float64Array(this.length);
    for (let at = 0; at < keys.length; at++) keys[at] = rank[codes[at] ?? 0] ?? 0;
    return keys;
  }

  /** One look at every row: it passes, or counts for the one facet that alone keeps it out. */
  #filter({ facets, search, placedFrom, placedBefore }: OrderFilter): {
    readonly passes: Uint8Array;
    readonly length: number;
    readonly counts: OrderView['counts'];
  } {
    const codes = FACET_IDS.map((facet) => this.#codes[facet]);
    const wanted = FACET_IDS.map((facet) => maskOf(facets[facet], this.#vocabularies[facet].words));
    const active = FACET_IDS.flatMap((_, at) => (wanted[at] === undefined ? [] : [at]));
    const counted = FACET_IDS.map((facet) => new Uint32Array(this.#vocabularies[facet].words.length));
    const searched = this.#searched(search);
    const from = placedFrom ?? Number.NEGATIVE_INFINITY;
    const before = placedBefore ?? Number.POSITIVE_INFINITY;
    const passes = new Uint8Array(this.length);
    let length = 0;
    for (let row = 0; row < this.length; row++) {
      const placed = this.#placed[row] ?? 0;
      if (placed < from || placed >= before || (searched !== undefined && searched[row] !== 1)) continue;
      let keptOutBy = -1;
      for (const facet of active) {
        if (wanted[facet]?.[codes[facet]?.[row] ?? 0] === 1) continue;
        keptOutBy = keptOutBy < 0 ? facet : FACET_IDS.length;
        if (keptOutBy === FACET_IDS.length) break;
      }
      if (keptOutBy === FACET_IDS.length) continue;
      if (keptOutBy < 0) {
        passes[row] = 1;
        length += 1;
        for (let facet = 0; facet < counted.length; facet++) countRow(counted[facet], codes[facet], row);
      } else countRow(counted[keptOutBy], codes[keptOutBy], row);
    }
    const counts = FACET_IDS.map((facet, at): [FacetId, ReadonlyMap<string, number>] => {
      const { words } = this.#vocabularies[facet];
      const found = words.map((word, code): [string, number] => [word, counted[at]?.[code] ?? 0]);
      return [facet, new Map(found.filter(([, count]) => count > 0))];
    });
    return { passes, length, counts: Object.fromEntries(counts) as Record<FacetId, ReadonlyMap<string, number>> };
  }

  #searched(search: string): Uint8Array | undefined {
    const wanted = search.trim().toLowerCase();
    if (wanted === '') return undefined;
    const found = new Uint8Array(this.length);
    if (/^\d{1,16}$/.test(wanted)) {
      const digits = Number.parseInt(wanted, 10);
      if (!Number.isSafeInteger(digits)) return found;
      // With these digits in front: 41, 410 to 419, 4,100 to 4,199, …
      const ranges = Array.from({ length: 17 - wanted.length }, (_, zeros) => 10 ** zeros);
      for (let row = 0; row < this.length; row++) {
        const oid = this.#oids[row] ?? 0;
        for (let at = 0; at < ranges.length; at++) {
          const least = digits * (ranges[at] ?? 0);
          if (oid < least) break;
          if (oid < least + (ranges[at] ?? 0)) found[row] = 1;
        }
      }
      return found;
    }
    for (const [at, { cloids }] of this.chunks.entries()) {
      const start = this.#starts[at] ?? 0;
      for (const [place, cloid] of cloids.entries()) if (cloid?.startsWith(wanted)) found[start + place] = 1;
    }
    return found;
  }
}

function countRow(counts: Uint32Array | undefined, codes: Uint16Array | undefined, row: number): void {
  const code = codes?.[row] ?? 0;
  if (counts !== undefined) counts[code] = (counts[code] ?? 0) + 1;
}

/** By code: 1 where the value is wanted. Undefined where all are. */
function maskOf(wanted: readonly string[] | undefined, words: readonly string[]): Uint8Array | undefined {
  if (wanted === undefined || wanted.length === 0) return undefined;
  return Uint8Array.from(words, (word) => (wanted.includes(word) ? 1 : 0));
}
