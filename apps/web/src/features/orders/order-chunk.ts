import type { Address } from '@l4desk/protocol';
import { groupBy } from '../../ui/group-by.ts';
import { FACET_IDS, FACETS, type FacetId } from './facets.ts';
import { isFinal, type OutcomeKind, phaseOf } from './outcome.ts';
import {
  childrenOf,
  type OrderCall,
  type OrderEntry,
  type OrderResponse,
  type ReportedOrder,
  textOf,
} from './reported-order.ts';

/** One row of the page: an entry of a response, or a leg of one. */
export interface OrderRow {
  /** Unique and stable across reloads: `0x5eaa…/historicalOrders/4120362/0`. */
  readonly key: string;
  readonly address: Address;
  readonly call: OrderCall;
  readonly dex: string;
  readonly entry: OrderEntry;
  /** The last entry of the same order in the same response; undefined if this entry is the last. */
  readonly later: OrderEntry | undefined;
  readonly order: ReportedOrder;
  /** Its value of each filter, as in the address. */
  readonly facets: Readonly<Record<FacetId, string>>;
  /** In lower case. */
  readonly cloid: string | undefined;
  /** The order that this one is a leg of; a leg has no status of its own. */
  readonly parent: OrderRow | undefined;
}

/** Columns that are sorted as decimals. */
export type DecimalColumn = 'limitPx' | 'sz' | 'origSz';

/** The longest numbers of a column, in characters. */
export interface Digits {
  readonly whole: number;
  readonly decimals: number;
}

/** One response with its rows, which are made once. */
export class OrderChunk {
  readonly response: OrderResponse;
  /** In the order of the response. */
  readonly rows: readonly OrderRow[];
  /** The values of each filter that its rows have. */
  readonly values: ReadonlyMap<FacetId, ReadonlySet<string>>;
  /** Whether any order has legs. */
  readonly hasLegs: boolean;
  readonly #byOid: ReadonlyMap<number, readonly OrderRow[]>;

  constructor(response: OrderResponse) {
    const { address, call, dex, entries } = response;
    this.response = response;
    const byOid = groupBy(entries, ({ order }) => order.oid);
    const lasts = new Map([...byOid].map(([oid, same]) => [oid, lastOf(same)]));
    const places = new Map<number, number>();
    this.rows = entries.map((entry) => {
      const { oid } = entry.order;
      const place = places.get(oid) ?? 0;
      places.set(oid, place + 1);
      const last = lasts.get(oid);
      const later = last === entry ? undefined : last;
      return {
        key: `${address}/${call}/${dex === '' ? '' : `${dex}:`}${oid}/${place}`,
        address,
        call,
        dex,
        entry,
        later,
        order: entry.order,
        facets: facetsOf(call, entry, later),
        cloid: textOf(entry.order, 'cloid')?.toLowerCase(),
        parent: undefined,
      };
    });
    this.values = new Map(FACET_IDS.map((facet) => [facet, new Set(this.rows.map(({ facets }) => facets[facet]))]));
    this.hasLegs = entries.some(({ order }) => childrenOf(order).length > 0);
    this.#byOid = groupBy(this.rows, ({ order }) => order.oid);
  }

  get length(): number {
    return this.rows.length;
  }

  /** The entries of one order, in the order of the response. */
  sameOid(oid: number): readonly OrderRow[] {
    return this.#byOid.get(oid) ?? NO_ROWS;
  }

  /** The entries of one order, earliest first and its last one at the end. (The response has the newest first.) */
  chronology(oid: number): readonly OrderRow[] {
    const time = ({ later, entry }: OrderRow) =>
      later === undefined ? Number.POSITIVE_INFINITY : (entry.statusTimestamp ?? 0);
    return this.sameOid(oid)
      .toReversed()
      .sort((a, b) => time(a) - time(b) || 0);
  }

  digits(column: DecimalColumn): Digits {
    let [whole, decimals] = [0, 0];
    for (const { order } of this.rows) {
      const [units = '', fraction = ''] = (order[column] ?? '').split('.');
      whole = Math.max(whole, units.length);
      decimals = Math.max(decimals, fraction.length);
    }
    return { whole, decimals };
  }
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
  const rows = children.map((order, at): OrderRow => {
    const entry = { order };
    return {
      key: `${row.key}/${order.oid}.${at}`,
      address,
      call,
      dex,
      entry,
      later: undefined,
      order,
      facets: facetsOf(call, entry, undefined),
      cloid: textOf(order, 'cloid')?.toLowerCase(),
      parent: row,
    };
  });
  legs.set(row, rows);
  return rows;
}
