import type { Address } from '@l4desk/protocol';
import { groupBy } from '../../ui/group-by.ts';
import { FACET_IDS, FACETS, type FacetId } from './facets.ts';
import { isFinal, type OutcomeKind, phaseOf } from './outcome.ts';
import { childrenOf, type OrderCall, type OrderEntry, type ReportedOrder, textOf } from './reported-order.ts';

/** One row of the page: an entry of a response, or a leg of one. */
export interface OrderRow extends OrderSource {
  /** Unique and stable across reloads: `0x5eaa…/historicalOrders/4120362/0`. */
  readonly key: string;
  readonly entry: OrderEntry;
  /** The last entry of the same order in the same response; undefined if this entry is the last. */
  readonly later: OrderEntry | undefined;
  readonly order: ReportedOrder;
  /** Its value of each filter, as in the address. */
  readonly facets: Readonly<Record<FacetId, string>>;
  readonly cloid: string | undefined;
  /** The order that this one is a leg of; a leg has no status of its own. */
  readonly parent: OrderRow | undefined;
}

/** Where rows come from: the call for one wallet. */
export interface OrderSource {
  readonly address: Address;
  readonly call: OrderCall;
  /** The builder dex it was requested for; empty for the canonical one. The history covers all dexes. */
  readonly dex: string;
}

/** The rows of one response, in its order. */
export function orderRows({ address, call, dex }: OrderSource, entries: readonly OrderEntry[]): readonly OrderRow[] {
  const byOid = groupBy(entries, ({ order }) => order.oid);
  const lasts = new Map([...byOid].map(([oid, same]) => [oid, lastOf(same)]));
  const places = new Map<number, number>();
  return entries.map((entry) => {
    const { oid } = entry.order;
    const place = places.get(oid) ?? 0;
    places.set(oid, place + 1);
    const last = lasts.get(oid);
    const key = `${address}/${call}/${dex === '' ? '' : `${dex}:`}${oid}/${place}`;
    return rowOf({ address, call, dex }, { key, entry, later: last === entry ? undefined : last, parent: undefined });
  });
}

function rowOf(source: OrderSource, place: Pick<OrderRow, 'key' | 'entry' | 'later' | 'parent'>): OrderRow {
  const { entry, later } = place;
  const { order } = entry;
  const facets = facetsOf(source.call, entry, later);
  return { ...source, ...place, order, facets, cloid: textOf(order, 'cloid')?.toLowerCase() };
}

/** The entry with the latest status. Of several at the same time, a final one, else the first one in the response. */
function lastOf(same: readonly OrderEntry[]): OrderEntry | undefined {
  const isEnd = ({ status }: OrderEntry) => (status !== undefined && isFinal(phaseOf(status)) ? 1 : 0);
  const time = ({ statusTimestamp }: OrderEntry) => statusTimestamp ?? -1;
  return same.reduce((best, entry) => ((time(entry) - time(best) || isEnd(entry) - isEnd(best)) > 0 ? entry : best));
}

function facetsOf(call: OrderCall, entry: OrderEntry, later: OrderEntry | undefined): OrderRow['facets'] {
  const facets = Object.fromEntries(FACET_IDS.map((facet) => [facet, FACETS[facet].valueOf(call, entry)]));
  if (later !== undefined) facets['outcome'] = 'earlier entry' satisfies OutcomeKind;
  return facets as OrderRow['facets'];
}

const legs = new WeakMap<OrderRow, readonly OrderRow[]>();
const NO_ROWS: readonly OrderRow[] = [];

/** The legs of an order as rows below it; the same row always returns the same objects. */
export function legRows(row: OrderRow): readonly OrderRow[] {
  const children = childrenOf(row.order);
  if (children.length === 0) return NO_ROWS;
  const made = legs.get(row);
  if (made !== undefined) return made;
  const { address, call, dex } = row;
  const rows = children.map((order, at) => {
    const key = `${row.key}/${order.oid}.${at}`;
    return rowOf({ address, call, dex }, { key, entry: { order }, later: undefined, parent: row });
  });
  legs.set(row, rows);
  return rows;
}
