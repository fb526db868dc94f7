import type { RowSource, TableSort } from '../../ui/table/table-column.ts';
import { decimalKeys } from './decimal-keys.ts';
import { FACET_IDS, type FacetId } from './facets.ts';
import { makeVocabularies, type OrderChunk, type OrderRow, type Vocabularies } from './order-chunk.ts';
import { radixSort } from './radix-sort.ts';
import {
  appendRows,
  countMarked,
  GONE,
  markRefused,
  maskOf,
  OUT,
  PASSES,
  passing,
  rankCodes,
  renumber,
  runsOf,
  weightsOf,
} from './row-arrays.ts';

/** The filter of orders; an absent facet filters nothing. */
export interface OrderFilter {
  readonly facets: Readonly<Partial<Record<FacetId, readonly string[]>>>;
  /** The start of an oid (digits) or of a cloid (`0x…`). */
  readonly search: string;
  /** Ms, inclusive. */
  readonly placedFrom: number | undefined;
  /** Ms, exclusive. */
  readonly placedBefore: number | undefined;
}

/** The filtered and sorted orders. */
export interface OrderView extends RowSource<OrderRow> {
  /** Row numbers in the table, in order. */
  readonly numbers: Uint32Array;
  /** How many orders pass all other filters, by value of a facet. Computed on demand, when the facet's list opens. */
  countsOf(facet: FacetId): ReadonlyMap<string, number>;
}

/** Columns of numbers that every chunk has. */
type NumberColumn = 'oids' | 'placed' | 'updated' | 'lived' | 'share';

/** The ids of the page's columns that orders can be sorted by. */
const SORT_COLUMNS = [
  ...FACET_IDS,
  'limitPx',
  'sz',
  'origSz',
  'oid',
  'placed',
  'updated',
  'lived',
  'share',
  'wallet',
] as const;

type SortColumn = (typeof SORT_COLUMNS)[number];

const isSortColumn = (id: string): id is SortColumn => SORT_COLUMNS.some((column) => column === id);

/** The rows of an earlier table, newest first. */
interface SortedBefore {
  readonly chunks: readonly OrderChunk[];
  readonly starts: Uint32Array;
  readonly length: number;
  readonly rows: Uint32Array;
}

/** New rows are inserted one by one if they are at most this part of all rows; otherwise everything is sorted. */
const FEW = 1 / 16;

/**
 * All loaded orders as columns. Filtering and sorting 600,000 rows takes a frame or two: filters compare small numbers, sorting
 * is a radix sort, and a row is not created before it is drawn.
 */
export class OrderTable {
  readonly chunks: readonly OrderChunk[];
  readonly length: number;
  readonly #vocabularies: Vocabularies;
  /** The first row number of each chunk. */
  readonly #starts: Uint32Array;
  readonly #joined = new Map<NumberColumn, Float64Array>();
  readonly #orders = new Map<string, Uint32Array>();
  #newestFirst: Uint32Array | undefined;
  #before: SortedBefore | undefined;

  /** With the previous table in `before`, rows of responses that both tables have are not sorted again. */
  constructor(chunks: readonly OrderChunk[], vocabularies: Vocabularies, before?: OrderTable) {
    this.chunks = chunks;
    this.#vocabularies = vocabularies;
    this.#starts = new Uint32Array(chunks.length);
    let length = 0;
    for (const [at, chunk] of chunks.entries()) {
      this.#starts[at] = length;
      length += chunk.length;
    }
    this.length = length;
    if (before !== undefined && before.#newestFirst !== undefined) {
      this.#before = {
        chunks: before.chunks,
        starts: before.#starts,
        length: before.length,
        rows: before.#newestFirst,
      };
    }
  }

  /** The values of a facet, by code. */
  words(facet: FacetId): readonly string[] {
    return this.#vocabularies[facet].words;
  }

  /** Whether the rows have more than one value of a facet; otherwise the facet filters nothing. */
  tellsApart(facet: FacetId): boolean {
    const firsts = new Set(this.chunks.flatMap(({ codes }) => codes[facet][0] ?? []));
    return firsts.size > 1 || this.chunks.some(({ mixed }) => mixed.has(facet));
  }

  row(number: number): OrderRow | undefined {
    const at = this.#chunkOf(number);
    return this.chunks[at]?.row(number - (this.#starts[at] ?? 0));
  }

  /** The chunk of a row, and the row's index in it. */
  place(number: number): { readonly chunk: OrderChunk; readonly at: number } | undefined {
    const index = this.#chunkOf(number);
    const chunk = this.chunks[index];
    return chunk && { chunk, at: number - (this.#starts[index] ?? 0) };
  }

  /** The rows that pass the filter, in the given order; by default newest first, with the entries of one order side by side. */
  view(filter: OrderFilter, sort: TableSort | undefined): OrderView {
    const order = sort === undefined || !isSortColumn(sort.column) ? this.#base() : this.#order(sort.column, sort);
    const marks = this.#marks(filter);
    const numbers = marks === undefined ? order : passing(order, marks);
    return {
      numbers,
      length: numbers.length,
      countsOf: (facet) => this.#counts(facet, marks),
      at: (index) => this.#rowAt(numbers, index),
    };
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

  /** A column of numbers over all chunks, joined on first use. */
  #numbers(column: NumberColumn): Float64Array {
    const known = this.#joined.get(column);
    if (known !== undefined) return known;
    const joined = new Float64Array(this.length);
    for (const [at, chunk] of this.chunks.entries()) joined.set(chunk[column], this.#starts[at] ?? 0);
    this.#joined.set(column, joined);
    return joined;
  }

  /** Newest first. Each chunk is sorted already, so only the chunks have to be merged. */
  #base(): Uint32Array {
    this.#newestFirst ??= this.#withNew() ?? this.#sorted();
    this.#before = undefined;
    return this.#newestFirst;
  }

  #sorted(): Uint32Array {
    const placed = this.#numbers('placed');
    const rows = radixSort(this.#rowsOf(this.chunks), placed, true);
    for (const run of runsOf(rows, placed)) {
      const isSorted = run.every((row, place) => place === 0 || this.#compare(run[place - 1] ?? 0, row) <= 0);
      if (!isSorted) run.sort((a, b) => this.#compare(a, b));
    }
    return rows;
  }

  /**
   * The order of the previous table, with the rows of new responses inserted. Undefined if there are too many new rows, or if
   * the kept responses are in another order, which otherwise equal rows follow.
   */
  #withNew(): Uint32Array | undefined {
    if (this.#before === undefined) return undefined;
    const known = new Map(this.#before.chunks.map((chunk, at) => [chunk, at]));
    const places = this.chunks.flatMap((chunk) => known.get(chunk) ?? []);
    if (places.some((place, at) => place < (places[at - 1] ?? 0))) return undefined;
    const fresh = this.chunks.filter((chunk) => !known.has(chunk));
    const count = fresh.reduce((total, { length }) => total + length, 0);
    if (count > this.length * FEW) return undefined;
    const kept = this.#renumbered(this.#before);
    const rows = this.#rowsOf(fresh).sort((a, b) => this.#compare(a, b));
    const merged = new Uint32Array(this.length);
    let from = 0;
    for (const [at, row] of rows.entries()) {
      const to = this.#placeIn(kept, row, from);
      merged.set(kept.subarray(from, to), from + at);
      merged[to + at] = row;
      from = to;
    }
    merged.set(kept.subarray(from), from + rows.length);
    return merged;
  }

  /** The rows of an earlier table that still exist, in their order, with their current numbers. */
  #renumbered({ chunks, starts, length, rows }: SortedBefore): Uint32Array {
    const now = new Map(this.chunks.map((chunk, at) => [chunk, this.#starts[at] ?? 0]));
    const moved = new Int32Array(length);
    for (const [at, chunk] of chunks.entries()) {
      const start = starts[at] ?? 0;
      const to = now.get(chunk);
      moved.fill(to === undefined ? GONE : to - start, start, start + chunk.length);
    }
    return renumber(rows, moved);
  }

  /** Row numbers of some chunks, each chunk's newest first. */
  #rowsOf(chunks: readonly OrderChunk[]): Uint32Array {
    const rows = new Uint32Array(chunks.reduce((total, { length }) => total + length, 0));
    const starts = new Map(this.chunks.map((chunk, at) => [chunk, this.#starts[at] ?? 0]));
    let length = 0;
    for (const chunk of chunks) {
      appendRows(chunk.newestFirst, starts.get(chunk) ?? 0, rows, length);
      length += chunk.length;
    }
    return rows;
  }

  /** The index at which a row belongs among sorted ones, at or after `from`. */
  #placeIn(sorted: Uint32Array, row: number, from: number): number {
    let low = from;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(sorted[middle] ?? 0, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Newest placement first, then by oid, then by the time of the status. */
  #compare(a: number, b: number): number {
    return (
      this.#number('placed', b) - this.#number('placed', a) ||
      this.#number('oids', b) - this.#number('oids', a) ||
      this.#number('updated', b) - this.#number('updated', a) ||
      a - b
    );
  }

  #number(column: NumberColumn, row: number): number {
    const { chunk, at } = this.place(row) ?? {};
    return chunk?.[column][at ?? 0] ?? 0;
  }

  /** All rows in the order of a column, computed on first use; a filter then only selects from them. */
  #order(column: SortColumn, { descending }: Pick<TableSort, 'descending'>): Uint32Array {
    const name = `${descending ? '-' : ''}${column}`;
    const kept = this.#orders.get(name);
    if (kept !== undefined) return kept;
    const order = radixSort(this.#base(), this.#keysOf(column), descending);
    this.#orders.set(name, order);
    return order;
  }

  /** Whole numbers that sort like the column. */
  #keysOf(column: SortColumn): Float64Array {
    switch (column) {
      case 'limitPx':
      case 'sz':
      case 'origSz':
        return decimalKeys(this.chunks.map(({ decimals }) => decimals[column]));
      case 'oid':
        return this.#numbers('oids');
      case 'placed':
      case 'updated':
      case 'lived':
      case 'share':
        return this.#numbers(column);
      case 'wallet':
        return this.#walletKeys();
      default:
        return this.#wordKeys(column);
    }
  }

  #walletKeys(): Float64Array {
    const keys = new Float64Array(this.length);
    for (const [at, start] of this.#starts.entries()) keys.fill(at, start, start + (this.chunks[at]?.length ?? 0));
    return keys;
  }

  #wordKeys(facet: FacetId): Float64Array {
    const { words } = this.#vocabularies[facet];
    const sorted = words.map((word, code) => ({ word, code })).sort((a, b) => (a.word < b.word ? -1 : 1));
    const rank = new Float64Array(words.length);
    for (const [at, { code }] of sorted.entries()) rank[code] = at;
    const keys = new Float64Array(this.length);
    for (const [at, { codes }] of this.chunks.entries()) rankCodes(codes[facet], rank, keys, this.#starts[at] ?? 0);
    return keys;
  }

  /** The filter mark of each row; undefined if nothing is filtered. */
  #marks({ facets, search, placedFrom, placedBefore }: OrderFilter): Uint8Array | undefined {
    const wanted = FACET_IDS.map((facet) => maskOf(facets[facet], this.#vocabularies[facet].words));
    const found = this.#searched(search);
    const isDated = placedFrom !== undefined || placedBefore !== undefined;
    if (found === undefined && !isDated && wanted.every((mask) => mask === undefined)) return undefined;
    const marks = found ?? new Uint8Array(this.length);
    if (isDated) {
      const placed = this.#numbers('placed');
      const from = placedFrom ?? Number.NEGATIVE_INFINITY;
      const before = placedBefore ?? Number.POSITIVE_INFINITY;
      for (let row = 0; row < marks.length; row++) {
        const at = placed[row] ?? 0;
        if (at < from || at >= before) marks[row] = OUT;
      }
    }
    for (const [place, facet] of FACET_IDS.entries()) {
      const mask = wanted[place];
      if (mask === undefined) continue;
      for (const [at, { codes }] of this.chunks.entries()) {
        markRefused(codes[facet], mask, place + 1, marks, this.#starts[at] ?? 0);
      }
    }
    return marks;
  }

  /** How many rows each value would show: the rows that pass, and those that only this facet excludes. */
  #counts(facet: FacetId, marks: Uint8Array | undefined): ReadonlyMap<string, number> {
    const { words } = this.#vocabularies[facet];
    const weights = weightsOf(FACET_IDS.indexOf(facet) + 1);
    const counted = new Uint32Array(words.length);
    for (const [at, { codes }] of this.chunks.entries()) {
      countMarked(codes[facet], weights, marks, this.#starts[at] ?? 0, counted);
    }
    const found = words.map((word, code): [string, number] => [word, counted[code] ?? 0]);
    return new Map(found.filter(([, count]) => count > 0));
  }

  /** Marks rows that the search does not match as OUT; undefined without a search. */
  #searched(search: string): Uint8Array | undefined {
    const wanted = search.trim().toLowerCase();
    if (wanted === '') return undefined;
    const marks = new Uint8Array(this.length).fill(OUT);
    if (/^\d{1,16}$/.test(wanted)) {
      const digits = Number.parseInt(wanted, 10);
      if (!Number.isSafeInteger(digits)) return marks;
      // Oids that start with these digits: 41, 410 to 419, 4,100 to 4,199, …
      const ranges = Array.from({ length: 17 - wanted.length }, (_, zeros) => 10 ** zeros);
      const oids = this.#numbers('oids');
      for (let row = 0; row < marks.length; row++) {
        const oid = oids[row] ?? 0;
        for (let at = 0; at < ranges.length; at++) {
          const least = digits * (ranges[at] ?? 0);
          if (oid < least) break;
          if (oid < least + (ranges[at] ?? 0)) marks[row] = PASSES;
        }
      }
      return marks;
    }
    for (const [at, { cloids }] of this.chunks.entries()) {
      const start = this.#starts[at] ?? 0;
      for (const [place, cloid] of cloids.entries()) if (cloid?.startsWith(wanted)) marks[start + place] = PASSES;
    }
    return marks;
  }
}

/** A sequence of tables, each built from the previous one and the new responses. */
export class OrderTables {
  readonly vocabularies: Vocabularies = makeVocabularies();
  #last: OrderTable | undefined;

  join(chunks: readonly OrderChunk[]): OrderTable {
    this.#last = new OrderTable(chunks, this.vocabularies, this.#last);
    return this.#last;
  }
}
