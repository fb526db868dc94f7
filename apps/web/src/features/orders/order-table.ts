import { divide, subtract } from '@l4desk/decimal';
import type { Address, DecimalString } from '@l4desk/protocol';
import { groupBy } from '../../ui/group-by.ts';
import { FACET_IDS, type FacetId } from './facets.ts';
import { legRows, type OrderRow } from './order-rows.ts';
import { goneOf } from './outcome.ts';

/** The filter of orders; an absent facet filters nothing. */
export interface OrderFilter {
  readonly facets: { readonly [facet in FacetId]?: readonly string[] | undefined };
  /** The start of an oid (digits) or of a cloid (`0x…`). */
  readonly search: string;
  readonly placedFrom: number | undefined;
  readonly placedBefore: number | undefined;
}

/** Newest placement first, then by oid, then by the time of the status: the entries of one order are side by side. */
function newestFirst(a: OrderRow, b: OrderRow): number {
  const [placedA = -1, placedB = -1] = [a.order.timestamp, b.order.timestamp];
  const [statusA = -1, statusB = -1] = [a.entry.statusTimestamp, b.entry.statusTimestamp];
  return placedB - placedA || b.order.oid - a.order.oid || statusB - statusA;
}

/** All loaded orders, newest first. */
export class OrderTable {
  readonly rows: readonly OrderRow[];
  /** The wallets with rows, in the order of their responses. */
  readonly wallets: readonly Address[];
  #byOid: ReadonlyMap<number, readonly OrderRow[]> | undefined;

  constructor(rows: readonly OrderRow[]) {
    this.rows = rows.toSorted(newestFirst);
    this.wallets = [...new Set(rows.map(({ address }) => address))];
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
}

export function livedMs({ order, entry }: OrderRow): number | undefined {
  if (entry.statusTimestamp === undefined || order.timestamp === undefined) return undefined;
  return Math.max(0, entry.statusTimestamp - order.timestamp);
}

const SHARE_DIGITS = 9;

/** The part of an order that is no longer open; undefined if the sizes do not say. */
export function goneShare({ sz, origSz }: OrderRow['order']): DecimalString | undefined {
  if (sz === undefined || origSz === undefined) return undefined;
  const gone = goneOf(sz, origSz);
  if (gone === 'unknown') return undefined;
  if (gone !== 'part') return gone === 'all' ? '1' : '0';
  return divide(subtract(origSz, sz), origSz, SHARE_DIGITS) ?? undefined;
}

/** The orders in view. */
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
