import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ORDER_STATUSES, ORDER_TYPES, TIFS } from '@l4desk/protocol';
import { recordedData } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { searchTextOf } from '../../state/page-search.ts';
import { filterOf } from './choices.ts';
import { FACET_IDS, type FacetId } from './facets.ts';
import type { OrderRow } from './order-rows.ts';
import { countsOf, filteredRows, OrderTable } from './order-table.ts';
import { OUTCOMES } from './outcome.ts';
import type { OrderEntry, ReportedOrder } from './reported-order.ts';
import { ordersSearch } from './search.ts';
import { entry, generatedEntries, order, rowsOf } from './test-support/orders.ts';

/** Words with characters that are special in an address: the exchange may add words to its sets. */
const ODD_WORDS = ['a, b', ',', '50%', '%2C', '%', '', 'a+b&c=d#e', 'ü 中'];
const COINS = ['BTC', 'kPEPE', '@107', 'PURR/USDC', 'xyz:GOLD', '#12', ...ODD_WORDS.filter((word) => word !== '')];
const SIZES = [
  { origSz: '2.0', sz: '2.0' },
  { origSz: '2.0', sz: '0.7' },
  { origSz: '2.0', sz: '0.0' },
  { origSz: '0.0', sz: '0.0' },
] as const;

/** Entries with every known word of each set and some odd ones, from both calls, with every relation of the sizes. */
function fullResponses(): (readonly OrderRow[])[] {
  const statuses = [...ORDER_STATUSES, ...ODD_WORDS];
  const types = [...ORDER_TYPES, ...ODD_WORDS];
  const tifs = [null, ...TIFS, ...ODD_WORDS];
  const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;
  const fieldsOf = (at: number): Partial<ReportedOrder> => ({
    ...pick(SIZES, at),
    oid: at,
    coin: pick(COINS, at),
    side: at % 3 === 0 ? 'B' : 'A',
    orderType: pick(types, at),
    tif: pick(tifs, at),
    reduceOnly: at % 5 === 0,
    isTrigger: at % 7 === 0,
    isPositionTpsl: at % 11 === 0,
  });
  const history = statuses.flatMap((status, group) => SIZES.map((_, at) => entry(status, fieldsOf(group * 4 + at))));
  const earlier = entry('open', { oid: 1 }, -5_000);
  const open = Array.from({ length: 60 }, (_, at): OrderEntry => ({ order: order(fieldsOf(1_000 + at)) }));
  const bare: OrderEntry = {
    order: { coin: 'BTC', side: 'B', limitPx: '1', sz: '1', origSz: '1', oid: 5_000, timestamp: 1 },
  };
  return [rowsOf([...history, earlier, ...generatedEntries(500, 4)]), rowsOf([...open, bare], 'frontendOpenOrders')];
}

/** Recorded responses of the exchange, if the recordings are available. */
function recordedResponses(): (readonly OrderRow[])[] {
  const folder = recordedData('info');
  if (folder === undefined) return [];
  const bodies = (kind: string) =>
    readdirSync(folder)
      .filter((name) => name.startsWith(`${kind}__`))
      .flatMap((name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { response: unknown[] }).response);
  return [
    rowsOf(bodies('historicalOrders') as OrderEntry[]),
    rowsOf(
      bodies('frontendOpenOrders').map((told) => ({ order: told as ReportedOrder })),
      'frontendOpenOrders',
    ),
  ];
}

type Chosen = Readonly<Partial<Record<FacetId, readonly string[]>>>;

/** The orders in view after these values were chosen and the address was pasted into another window. */
function afterTheAddress(table: OrderTable, chosen: Chosen) {
  const written = Object.entries(chosen).map(([name, values]) => [name, searchTextOf(values) ?? '']);
  const pasted = new URLSearchParams(new URLSearchParams(written).toString());
  const read = ordersSearch.schema.parse(Object.fromEntries(pasted));
  expect(ordersSearch.invalid(read)).toEqual([]);
  return filteredRows(table.rows, filterOf(ordersSearch.read(read)));
}

describe('the rows for a chosen facet value match its count', () => {
  const table = new OrderTable([...fullResponses(), ...recordedResponses()].flat());
  const all = (facet: FacetId) => countsOf(table.rows, filterOf({}), facet);

  it('has data with every outcome, every word, and a facet for each', () => {
    expect([...all('outcome').keys()].toSorted()).toEqual([...OUTCOMES].toSorted());
    expect([...all('status').keys()]).toEqual(expect.arrayContaining([...ORDER_STATUSES, 'unreported']));
    expect([...all('tif').keys()]).toEqual(expect.arrayContaining([...TIFS, 'null', 'unreported', '50%']));
    expect(FACET_IDS.filter((facet) => !table.isVaried(facet))).toEqual([]);
  });

  it.each(FACET_IDS)('%s: each value alone, and all of them together', (facet) => {
    const counts = all(facet);
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(table.rows.length);
    for (const [value, count] of counts)
      expect({ value, rows: afterTheAddress(table, { [facet]: [value] }).length }).toEqual({ value, rows: count });
    expect(afterTheAddress(table, { [facet]: [...counts.keys()] })).toHaveLength(table.rows.length);
  });
});

it('offers a facet only if the orders have more than one value of it', () => {
  const told = (fields: Partial<ReportedOrder>) => ({ order: order(fields) });
  const of = (...entries: readonly OrderEntry[][]) => {
    const table = new OrderTable(entries.flatMap((each) => rowsOf(each, 'frontendOpenOrders')));
    return FACET_IDS.filter((facet) => table.isVaried(facet));
  };
  expect(of()).toEqual([]);
  expect(of([], [told({ oid: 1 })], [told({ oid: 2 })])).toEqual([]);
  expect(of([told({ oid: 1 }), told({ oid: 2, side: 'A', tif: null })])).toEqual(['side', 'tif']);
  // Each call alone has one value, both together have two.
  expect(of([told({ oid: 1 })], [], [told({ oid: 2, coin: 'ETH' })])).toEqual(['coin']);
});
