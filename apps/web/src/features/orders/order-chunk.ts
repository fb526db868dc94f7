import { divide, parseUnits, subtract } from '@l4desk/decimal';
import type { Address, DecimalString } from '@l4desk/protocol';
import { groupBy } from '../../ui/group-by.ts';
import { type DecimalUnits, decimalUnits } from './decimal-keys.ts';
import { FACET_IDS, FACETS, type FacetId } from './facets.ts';
import { goneOf, isFinal, type OutcomeKind, phaseOf } from './outcome.ts';
import { ABSENT, range } from './radix-sort.ts';
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
  /** The order that this one is a leg of; a leg has no status of its own. */
  readonly parent: OrderRow | undefined;
}

/** Columns that are sorted as decimals. */
export type DecimalColumn = 'limitPx' | 'sz' | 'origSz';

/** Shares are sorted in billionths. */
const SHARE_DIGITS = 9;

/** The share of an order with nothing remaining. */
export const WHOLE_SHARE = 1_000_000_000;

/** The values that occur in a facet, numbered in order of appearance. */
class Vocabulary {
  readonly #codes = new Map<string, number>();
  readonly words: string[] = [];

  code(word: string): number {
    const known = this.#codes.get(word);
    if (known !== undefined) return known;
    const code = this.words.push(word) - 1;
    this.#codes.set(word, code);
    return code;
  }
}

export type Vocabularies = Readonly<Record<FacetId, Vocabulary>>;

export function makeVocabularies(): Vocabularies {
  return Object.fromEntries(FACET_IDS.map((facet) => [facet, new Vocabulary()])) as Record<FacetId, Vocabulary>;
}

/**
 * One response, parsed once: a column for every field that is filtered or sorted by. Rows are created when they come into view.
 */
export class OrderChunk {
  readonly response: OrderResponse;
  readonly length: number;
  readonly codes: Readonly<Record<FacetId, Uint16Array>>;
  /** Facets for which the entries have more than one value. */
  readonly mixed: ReadonlySet<FacetId>;
  readonly oids: Float64Array;
  readonly placed: Float64Array;
  /** When the status took effect; ABSENT if none is reported. */
  readonly updated: Float64Array;
  /** Ms from placing the order to its status. */
  readonly lived: Float64Array;
  /** Billionths of `origSz` that are no longer open; ABSENT if the sizes do not say. */
  readonly share: Float64Array;
  readonly decimals: Readonly<Record<DecimalColumn, DecimalUnits>>;
  /** In lower case. */
  readonly cloids: readonly (string | undefined)[];
  /** Indexes of the entries, newest placement first, with the entries of one order side by side. */
  readonly newestFirst: Uint32Array;
  /** Whether any order has legs. */
  readonly hasLegs: boolean;
  readonly #rows: (OrderRow | undefined)[] = [];
  #byOid: ReadonlyMap<number, readonly number[]> | undefined;

  constructor(response: OrderResponse, vocabularies: Vocabularies) {
    const { entries, call } = response;
    this.response = response;
    this.length = entries.length;
    this.oids = Float64Array.from(entries, ({ order }) => order.oid);
    this.updated = Float64Array.from(entries, ({ statusTimestamp }) => statusTimestamp ?? ABSENT);
    const codesOf = (facet: FacetId) => {
      const vocabulary = vocabularies[facet];
      const earlier = facet === 'outcome' ? vocabulary.code('earlier entry' satisfies OutcomeKind) : 0;
      return Uint16Array.from(entries, (entry, at) =>
        facet === 'outcome' && this.later(at) !== undefined
          ? earlier
          : vocabulary.code(FACETS[facet].valueOf(call, entry)),
      );
    };
    this.codes = Object.fromEntries(FACET_IDS.map((facet) => [facet, codesOf(facet)])) as Record<FacetId, Uint16Array>;
    this.mixed = new Set(FACET_IDS.filter((facet) => isMixed(this.codes[facet])));
    this.placed = Float64Array.from(entries, ({ order }) => order.timestamp ?? ABSENT);
    this.lived = Float64Array.from(entries, ({ order, statusTimestamp }) =>
      statusTimestamp === undefined || order.timestamp === undefined
        ? ABSENT
        : Math.max(0, statusTimestamp - order.timestamp),
    );
    this.share = Float64Array.from(entries, ({ order }) => shareKey(order.sz, order.origSz));
    this.decimals = {
      limitPx: decimalUnits(entries.map(({ order }) => order.limitPx)),
      sz: decimalUnits(entries.map(({ order }) => order.sz)),
      origSz: decimalUnits(entries.map(({ order }) => order.origSz)),
    };
    this.hasLegs = entries.some(({ order }) => childrenOf(order).length > 0);
    this.cloids = entries.map(({ order }) => textOf(order, 'cloid')?.toLowerCase());
    const { placed, oids, updated } = this;
    this.newestFirst = range(this.length).sort(
      (a, b) =>
        (placed[b] ?? 0) - (placed[a] ?? 0) || (oids[b] ?? 0) - (oids[a] ?? 0) || (updated[b] ?? 0) - (updated[a] ?? 0),
    );
  }

  row(at: number): OrderRow | undefined {
    const entry = this.response.entries[at];
    if (entry === undefined) return undefined;
    const made = this.#rows[at];
    if (made !== undefined) return made;
    const { address, call, dex } = this.response;
    const { oid } = entry.order;
    const place = this.sameOid(oid).indexOf(at);
    const key = `${address}/${call}/${dex === '' ? '' : `${dex}:`}${oid}/${place}`;
    const later = this.later(at);
    const row: OrderRow = { key, address, call, dex, entry, later, order: entry.order, parent: undefined };
    this.#rows[at] = row;
    return row;
  }

  /** The last entry of this entry's order; undefined if this is the last one. Every order has exactly one last entry. */
  later(at: number): OrderEntry | undefined {
    const places = this.sameOid(this.oids[at] ?? 0);
    if (places.length < 2) return undefined;
    const last = this.#lastOf(places);
    return last === at ? undefined : this.response.entries[last];
  }

  /** The entries of one order, earliest first. (The response has the newest first.) */
  chronology(oid: number): readonly number[] {
    const places = this.sameOid(oid).toReversed();
    if (places.length < 2) return places;
    const last = this.#lastOf(places);
    const time = (at: number) => (at === last ? Number.POSITIVE_INFINITY : (this.updated[at] ?? 0));
    return places.toSorted((a, b) => time(a) - time(b));
  }

  /** The entry with the latest status. Of several at the same time, a final one, else the first one in the response. */
  #lastOf(places: readonly number[]): number {
    const isEnd = (at: number) => {
      const status = this.response.entries[at]?.status;
      return status !== undefined && isFinal(phaseOf(status)) ? 1 : 0;
    };
    return places.reduce((best, at) => {
      const later = (this.updated[at] ?? 0) - (this.updated[best] ?? 0) || isEnd(at) - isEnd(best) || best - at;
      return later > 0 ? at : best;
    });
  }

  /** The entries of one order, in the order of the response. */
  sameOid(oid: number): readonly number[] {
    this.#byOid ??= groupBy(this.oids.keys(), (at) => this.oids[at] ?? 0);
    return this.#byOid.get(oid) ?? NO_PLACES;
  }
}

const NO_PLACES: readonly number[] = [];

function isMixed(codes: Uint16Array): boolean {
  const first = codes[0];
  return codes.some((code) => code !== first);
}

function shareKey(sz: DecimalString | undefined, origSz: DecimalString | undefined): number {
  const gone = goneOf(sz, origSz);
  if (sz === undefined || origSz === undefined || gone === 'unknown') return ABSENT;
  if (gone === 'nothing') return 0;
  if (gone === 'all') return WHOLE_SHARE;
  return parseUnits(divide(subtract(origSz, sz), origSz, SHARE_DIGITS) ?? '0', SHARE_DIGITS) ?? ABSENT;
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
    const key = `${row.key}/${order.oid}.${at}`;
    return { key, address, call, dex, entry: { order }, later: undefined, order, parent: row };
  });
  legs.set(row, rows);
  return rows;
}
