import { divide, parseBigUnits, parseUnits, subtract } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { columnDecimals } from '../../ui/format.ts';
import type { TableSort } from '../../ui/table/table-column.ts';
import { FACET_IDS, type FacetId } from './facets.ts';
import type { DecimalColumn, OrderChunk, OrderRow } from './order-chunk.ts';
import { goneOf } from './outcome.ts';
import { type SortKeys, sortedIndexes } from './sort-keys.ts';

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

/** Newest placement first, then by oid, then by the time of the status: the entries of one order are side by side. */
const NEWEST_FIRST: readonly ((row: OrderRow) => number | undefined)[] = [
  ({ order }) => order.timestamp,
  ({ order }) => order.oid,
  ({ entry }) => entry.statusTimestamp ?? -1,
];

/** All loaded orders, in the order of their responses. */
export class OrderTable {
  readonly chunks: readonly OrderChunk[];
  readonly rows: readonly OrderRow[];
  readonly #sorted = new Map<string, readonly OrderRow[]>();

  constructor(chunks: readonly OrderChunk[]) {
    this.chunks = chunks;
    this.rows = chunks.flatMap((chunk) => chunk.rows);
  }

  get length(): number {
    return this.rows.length;
  }

  /** The values of a facet that the rows have. Of a facet with one value, nothing can be chosen. */
  valuesOf(facet: FacetId): ReadonlySet<string> {
    return new Set(this.chunks.flatMap(({ values }) => [...(values.get(facet) ?? [])]));
  }

  /** What the rows are sorted by; without a sort order, newest first. */
  keysOf(sort: TableSort | undefined): readonly SortKeys[] {
    const newest = NEWEST_FIRST.map((keyOf): SortKeys => ({ values: this.rows.map(keyOf), descending: true }));
    const values = sort && this.#valuesOf(sort.column);
    return values === undefined ? newest : [{ values, descending: sort?.descending === true }, ...newest];
  }

  /** All rows sorted. A filter selects from them, so another filter does not sort again. */
  sorted(sort: TableSort | undefined): readonly OrderRow[] {
    const name = sort === undefined ? '' : `${sort.descending ? '-' : ''}${sort.column}`;
    const known = this.#sorted.get(name) ?? this.inOrder(sortedIndexes(this.length, this.keysOf(sort)));
    this.#sorted.set(name, known);
    return known;
  }

  inOrder(indexes: Uint32Array): readonly OrderRow[] {
    return Array.from(indexes, (at) => this.rows[at]).filter((row) => row !== undefined);
  }

  #valuesOf(column: string): SortKeys['values'] | undefined {
    switch (column) {
      case 'limitPx':
      case 'sz':
      case 'origSz':
        return decimalKeys(this.rows.map(({ order }) => order[column satisfies DecimalColumn]));
      case 'oid':
        return this.rows.map(({ order }) => order.oid);
      case 'placed':
        return this.rows.map(({ order }) => order.timestamp);
      case 'updated':
        return this.rows.map(({ entry }) => entry.statusTimestamp);
      case 'lived':
        return this.rows.map(livedMs);
      case 'share':
        return decimalKeys(this.rows.map(({ order }) => goneShare(order.sz, order.origSz)));
      case 'wallet': {
        const at = new Map(this.chunks.map(({ response }, index) => [response.address, index]));
        return this.rows.map(({ address }) => at.get(address));
      }
      default: {
        const facet = FACET_IDS.find((id) => id === column);
        return facet && this.rows.map(({ facets }) => facets[facet]);
      }
    }
  }
}

/** Ms from placing an order to its status; undefined if one of them was not reported. */
export function livedMs({ order, entry }: OrderRow): number | undefined {
  if (entry.statusTimestamp === undefined || order.timestamp === undefined) return undefined;
  return Math.max(0, entry.statusTimestamp - order.timestamp);
}

/** Numbers that sort like the decimals, exactly: bigints if a double cannot hold them. */
export function decimalKeys(texts: readonly (DecimalString | undefined)[]): SortKeys['values'] {
  const decimals = columnDecimals(texts.filter((text) => text !== undefined));
  const units = texts.map((text) => text && parseUnits(text, decimals));
  const isExact = units.every((unit, at) => unit !== undefined || texts[at] === undefined);
  return isExact ? units : texts.map((text) => (text === undefined ? undefined : parseBigUnits(text, decimals)));
}

const SHARE_DIGITS = 9;

/** The part of an order that is no longer open; undefined if the sizes do not say. */
function goneShare(sz: DecimalString | undefined, origSz: DecimalString | undefined): DecimalString | undefined {
  if (sz === undefined || origSz === undefined) return undefined;
  const gone = goneOf(sz, origSz);
  if (gone === 'unknown') return undefined;
  if (gone !== 'part') return gone === 'all' ? '1' : '0';
  return divide(subtract(origSz, sz), origSz, SHARE_DIGITS) ?? undefined;
}

/** The orders in view: filtered and sorted. */
export class OrderView {
  readonly rows: readonly OrderRow[];
  readonly #sorted: readonly OrderRow[];
  readonly #filter: OrderFilter;

  /** From rows that are sorted. */
  constructor(sorted: readonly OrderRow[], filter: OrderFilter) {
    this.#sorted = sorted;
    this.#filter = filter;
    this.rows = sorted.filter(passing(filter));
  }

  get length(): number {
    return this.rows.length;
  }

  /** How many orders pass all other filters, by value of a facet. Computed on demand, when the facet's list opens. */
  countsOf(facet: FacetId): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    const passes = passing({ ...this.#filter, facets: { ...this.#filter.facets, [facet]: [] } });
    for (const row of this.#sorted) {
      const value = row.facets[facet];
      if (passes(row)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return counts;
  }
}

function passing({ facets, search, placedFrom, placedBefore }: OrderFilter): (row: OrderRow) => boolean {
  const chosen = FACET_IDS.flatMap((facet) => {
    const values = facets[facet];
    return values === undefined || values.length === 0 ? [] : [{ facet, values: new Set(values) }];
  });
  const wanted = search.trim().toLowerCase();
  const isOid = /^\d+$/.test(wanted);
  const isFound = ({ order, cloid }: OrderRow) =>
    isOid ? String(order.oid).startsWith(wanted) : cloid?.startsWith(wanted) === true;
  const isDated = placedFrom !== undefined || placedBefore !== undefined;
  const isPlaced = ({ order: { timestamp } }: OrderRow) =>
    timestamp !== undefined && timestamp >= (placedFrom ?? timestamp) && timestamp < (placedBefore ?? Infinity);
  return (row) =>
    chosen.every(({ facet, values }) => values.has(row.facets[facet])) &&
    (!isDated || isPlaced(row)) &&
    (wanted === '' || isFound(row));
}
