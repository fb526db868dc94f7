import { divide, multiply, subtract } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { bareOid } from '../../ui/format.ts';
import { groupBy } from '../../ui/group-by.ts';
import type { TableSort } from '../../ui/table/table-column.ts';
import { FACET_IDS, type FacetId } from './facets.ts';
import { legRows, type OrderRow } from './order-rows.ts';
import { goneOf } from './outcome.ts';
import type { ReportedOrder } from './reported-order.ts';
import { decimalKeys, type SortKeys, sortedIndexes } from './sorted-indexes.ts';

/** The filter of orders; an absent facet filters nothing. */
export interface OrderFilter {
  readonly facets: { readonly [facet in FacetId]?: readonly string[] | undefined };
  /** The start of an oid (digits) or of a cloid (`0x…`). */
  readonly search: string;
  readonly placedFrom: number | undefined;
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
  readonly rows: readonly OrderRow[];
  #byOid: ReadonlyMap<number, readonly OrderRow[]> | undefined;

  constructor(rows: readonly OrderRow[]) {
    this.rows = rows;
  }

  /** Whether the rows have several values of a facet: of one value, nothing can be chosen. */
  isVaried(facet: FacetId): boolean {
    return this.rows.some(({ facets }) => facets[facet] !== this.rows[0]?.facets[facet]);
  }

  find(key: string): OrderRow | undefined {
    const isAbove = (row: OrderRow) => row.key === key || key.startsWith(`${row.key}/`);
    let found = this.rows.find(isAbove);
    while (found !== undefined && found.key !== key) found = legRows(found).find(isAbove);
    return found;
  }

  /**
   * Every entry of a row's order: the same oid of the same wallet, from any call. Nothing is merged. Earliest first, with the
   * order's last entry last; entries without a status time come after the others.
   */
  entries({ address, order }: OrderRow): readonly OrderRow[] {
    this.#byOid ??= groupBy(this.rows, (row) => row.order.oid);
    const rank = ({ entry, later }: OrderRow) =>
      entry.statusTimestamp === undefined ? 2 : later === undefined ? 1 : 0;
    const time = ({ entry }: OrderRow) => entry.statusTimestamp ?? 0;
    // Of equal times, a response has the newest first.
    const same = (this.#byOid.get(order.oid) ?? []).filter((row) => row.address === address).toReversed();
    return same.sort((a, b) => rank(a) - rank(b) || time(a) - time(b));
  }

  /** What the rows are sorted by; without a sort order, newest first. */
  keysOf(sort: TableSort | undefined): readonly SortKeys[] {
    const newest = NEWEST_FIRST.map((keyOf): SortKeys => ({ values: this.rows.map(keyOf), descending: true }));
    const values = sort && this.#valuesOf(sort.column);
    return values === undefined ? newest : [{ values, descending: sort?.descending === true }, ...newest];
  }

  /** All rows sorted. A filter selects from them, so another filter does not sort again. */
  sorted(sort: TableSort | undefined): readonly OrderRow[] {
    return this.inOrder(sortedIndexes(this.rows.length, this.keysOf(sort)));
  }

  inOrder(indexes: Uint32Array): readonly OrderRow[] {
    return Array.from(indexes, (at) => this.rows[at]).filter((row) => row !== undefined);
  }

  #valuesOf(column: string): SortKeys['values'] | undefined {
    switch (column) {
      case 'limitPx':
      case 'sz':
      case 'origSz':
        return decimalKeys(this.rows.map(({ order }) => order[column]));
      case 'value':
      case 'left':
        return decimalKeys(this.rows.map(({ order }) => valueOf(order, column === 'left' ? 'sz' : 'origSz')));
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
        const addresses = [...new Set(this.rows.map(({ address }) => address))];
        const places = new Map(addresses.map((address, at) => [address, at]));
        return this.rows.map(({ address }) => places.get(address));
      }
      default: {
        const facet = FACET_IDS.find((id) => id === column);
        return facet && this.rows.map(({ facets }) => facets[facet]);
      }
    }
  }
}

/** Limit price × size, exact; undefined if one of them is not reported, or if the size follows the position, with an `origSz` of zero. */
export function valueOf(order: ReportedOrder, size: 'sz' | 'origSz'): DecimalString | undefined {
  const { limitPx, [size]: sz } = order;
  const followsPosition = order.origSz !== undefined && !/[1-9]/.test(order.origSz);
  return limitPx === undefined || sz === undefined || followsPosition ? undefined : multiply(limitPx, sz);
}

export function livedMs({ order, entry }: OrderRow): number | undefined {
  if (entry.statusTimestamp === undefined || order.timestamp === undefined) return undefined;
  return Math.max(0, entry.statusTimestamp - order.timestamp);
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

/** The orders in view, from rows that are sorted. */
export function filteredRows(rows: readonly OrderRow[], filter: OrderFilter): readonly OrderRow[] {
  return rows.filter(passing(filter));
}

/** How many orders pass all other filters, by value of a facet. */
export function countsOf(rows: readonly OrderRow[], filter: OrderFilter, facet: FacetId): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const passes = passing({ ...filter, facets: { ...filter.facets, [facet]: [] } });
  for (const row of rows) {
    const value = row.facets[facet];
    if (passes(row)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

function passing({ facets, search, placedFrom, placedBefore }: OrderFilter): (row: OrderRow) => boolean {
  const chosen = FACET_IDS.flatMap((facet) => {
    const values = facets[facet];
    return values === undefined || values.length === 0 ? [] : [{ facet, values: new Set(values) }];
  });
  const text = search.trim().toLowerCase();
  const oid = /^\d[\d,]*$/.exec(bareOid(text))?.[0].replaceAll(',', '');
  const isOid = oid !== undefined;
  const wanted = oid ?? text;
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
