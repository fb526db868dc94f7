// @vitest-environment happy-dom
import { compare } from '@l4desk/decimal';
import type { Address, DecimalString } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvOf } from '../../ui/export/csv.ts';
import type { TableSort } from '../../ui/table/table-column.ts';
import { FACET_IDS, FACETS, type FacetId } from './facets.ts';
import type { OrderRow } from './order-rows.ts';
import { countsOf, filteredRows, type OrderFilter, OrderTable, valueOf } from './order-table.ts';
import { exportColumns } from './orders-controls.tsx';
import { type OrderCall, type OrderEntry, reportedOrder } from './reported-order.ts';
import { decimalKeys, type SortKeys, sortedIndexes } from './sorted-indexes.ts';
import { statisticsOf } from './statistics-panel.tsx';
import { entry, generatedEntries, order, rowsOf, WALLET } from './test-support/orders.ts';

const NO_FILTER: OrderFilter = { facets: {}, search: '', placedFrom: undefined, placedBefore: undefined };
const OTHER: Address = '0x00000000000000000000000000000000000000aa';

interface Response {
  readonly entries: readonly OrderEntry[];
  readonly call?: OrderCall;
  readonly address?: Address;
}

function tableOf(...responses: readonly Response[]) {
  return new OrderTable(responses.flatMap(({ entries, call, address }) => rowsOf(entries, call, address)));
}

const viewOf = (table: OrderTable, filter: OrderFilter, sort?: TableSort) => filteredRows(table.sorted(sort), filter);

const counted = (table: OrderTable, filter = NO_FILTER) => statisticsOf(viewOf(table, filter));

it('[WEB-182] shows, filters, sorts and exports rows with null or unknown values', () => {
  const nothing = { limitPx: null, sz: null, origSz: 'NaN', timestamp: null, tif: null, children: null, cloid: null };
  const strange = reportedOrder({ coin: '#1230', side: 'X', oid: 7, ...nothing });
  const plain = order({ oid: 8 });
  const table = tableOf({
    entries: [{ order: strange }, { order: plain }, entry('settledByNobody', { oid: 9 })],
    call: 'frontendOpenOrders',
  });
  const oids = (sort?: TableSort, facets: OrderFilter['facets'] = {}) =>
    viewOf(table, { ...NO_FILTER, facets }, sort).map((row) => row.order.oid);
  expect(oids()).toEqual([9, 8, 7]);
  for (const column of ['limitPx', 'sz', 'origSz', 'placed', 'updated', 'lived', 'share', 'side', 'status']) {
    expect(new Set(oids({ column, descending: false }))).toEqual(new Set([7, 8, 9]));
    expect(new Set(oids({ column, descending: true }))).toEqual(new Set([7, 8, 9]));
  }
  expect(oids(undefined, { side: ['X'] })).toEqual([7]);
  expect(oids(undefined, { status: ['settledByNobody'] })).toEqual([9]);
  const [row] = viewOf(table, { ...NO_FILTER, facets: { side: ['X'] } });
  const columns = exportColumns(
    (coin) => coin,
    () => '',
  );
  expect(csvOf(columns, row === undefined ? [] : [row])).toContain('#1230');
});

it('an order whose size follows the position has no value', () => {
  const [row] = tableOf({ entries: [entry('open', { limitPx: '9', origSz: '0.0', sz: '0.0' })] }).rows;
  expect(row && [valueOf(row.order, 'origSz'), valueOf(row.order, 'sz')]).toEqual([undefined, undefined]);
});

it('sorts by the exact value of the whole order, or of what remains', () => {
  const of = (oid: number, limitPx: DecimalString, origSz: DecimalString, sz: DecimalString) =>
    entry('open', { oid, limitPx, origSz, sz });
  const table = tableOf({ entries: [of(1, '9', '2.0', '0.1'), of(2, '10', '1.0', '0.5'), of(3, '0.5', '36.1', '2')] });
  const oids = (column: string) => table.sorted({ column, descending: true }).map(({ order: { oid } }) => oid);
  expect(oids('value')).toEqual([3, 1, 2]);
  expect(oids('left')).toEqual([2, 3, 1]);
});

it('sorts by what a filter offers, and by the order of the wallets', () => {
  const of = (oid: number, coin: string) => entry('open', { oid, coin });
  const table = tableOf({ entries: [of(1, 'ETH'), of(2, 'BTC')] }, { entries: [of(3, 'SOL')], address: OTHER });
  const oids = (column: string, descending: boolean) =>
    table.sorted({ column, descending }).map(({ order: { oid } }) => oid);
  expect(oids('coin', false)).toEqual([2, 1, 3]);
  expect(oids('coin', true)).toEqual([3, 1, 2]);
  expect(oids('wallet', true)[0]).toBe(3);
  expect(oids('wallet', false).at(-1)).toBe(3);
});

it('sorts by keys in either direction, by the next ones where they are equal, and missing ones last', () => {
  const key = fc.option(fc.nat(5), { nil: undefined });
  const row = fc.tuple(key, key);
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), fc.boolean(), fc.boolean(), (rows, first, second) => {
      const keysOf = (at: 0 | 1, descending: boolean): SortKeys => ({
        values: rows.map((each) => each[at]),
        descending,
      });
      const sorted = sortedIndexes(rows.length, [keysOf(0, first), keysOf(1, second)]);
      const rank = (value: number | undefined, descending: boolean) =>
        value === undefined ? 9 : descending ? -value : value;
      const expected = rows
        .map((each, at) => ({ at, a: rank(each[0], first), b: rank(each[1], second) }))
        .sort((x, y) => x.a - y.a || x.b - y.b || x.at - y.at);
      expect([...sorted]).toEqual(expected.map(({ at }) => at));
    }),
  );
});

it('[DEC-6] orders decimal keys like their values, at any length and sign', () => {
  const decimal = fc
    .tuple(
      fc.oneof(fc.bigInt({ min: -99n, max: 99n }), fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n })),
      fc.stringMatching(/^\d{1,9}$/),
    )
    .map(([whole, fraction]) => `${whole}.${fraction}` as DecimalString);
  fc.assert(
    fc.property(fc.array(decimal, { maxLength: 20 }), (texts) => {
      const keys = decimalKeys(texts);
      for (const [a, x] of texts.entries())
        for (const [b, y] of texts.entries()) {
          const [one = 0, other = 0] = [keys[a], keys[b]];
          expect(one < other ? -1 : one > other ? 1 : 0).toBe(Math.sign(compare(x, y)));
        }
    }),
  );
});

describe('a table of orders', () => {
  const facet = fc.constantFrom(...FACET_IDS);

  it('filters, counts and sorts like a plain pass over every order', () => {
    fc.assert(
      fc.property(fc.nat(1_000), facet, facet, fc.nat(3), fc.boolean(), (seed, one, other, pick, descending) => {
        const entries = generatedEntries(120, seed);
        const table = tableOf({ entries: entries.slice(0, 70) }, { entries: entries.slice(70), address: OTHER });
        const valueOf = (id: FacetId, row: OrderRow) =>
          id === 'outcome' && row.later !== undefined ? 'earlier entry' : FACETS[id].valueOf(row.call, row.entry);
        const every = viewOf(table, NO_FILTER);
        expect(every).toHaveLength(120);
        const wanted = (id: FacetId) => [...new Set(every.map((row) => valueOf(id, row)))].slice(0, pick);
        const facets = { [one]: wanted(one), [other]: wanted(other) };
        const passes = (row: OrderRow, but?: FacetId) =>
          Object.entries(facets).every(
            ([id, values]) => id === but || values.length === 0 || values.includes(valueOf(id as FacetId, row)),
          );
        const filter = { ...NO_FILTER, facets };
        const rows = viewOf(table, filter, { column: 'limitPx', descending });
        expect(new Set(rows)).toEqual(new Set(every.filter((row) => passes(row))));
        for (const [at, row] of rows.entries()) {
          const next = rows[at + 1];
          if (next === undefined) continue;
          const order = compare(row.order.limitPx ?? '0', next.order.limitPx ?? '0');
          expect(descending ? order : -order).toBeGreaterThanOrEqual(0);
        }
        for (const id of FACET_IDS) {
          const counts = new Map<string, number>();
          for (const row of every) {
            if (passes(row, id)) counts.set(valueOf(id, row), (counts.get(valueOf(id, row)) ?? 0) + 1);
          }
          expect(countsOf(table.rows, filter, id)).toEqual(counts);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('sorts by placement time, then oid, status time and order of responses by default, newest first', () => {
    const part = fc.record({ rows: fc.nat(40), seed: fc.nat(3), moment: fc.nat(1) });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        // Many orders with few times, from few seeds: some are equal in every sort key.
        const responses = parts.map(({ rows, seed, moment }) => ({
          entries: generatedEntries(rows, seed).map(({ order: told, ...rest }) => ({
            ...rest,
            order: { ...told, timestamp: 1_778_000_000_000 - 40_000 * moment, oid: told.oid % 50 },
          })),
        }));
        const entries = responses.flatMap((each) => each.entries);
        const expected = [...entries].sort(
          (a, b) =>
            b.order.timestamp - a.order.timestamp ||
            b.order.oid - a.order.oid ||
            (b.statusTimestamp ?? 0) - (a.statusTimestamp ?? 0),
        );
        const rows = viewOf(tableOf(...responses), NO_FILTER);
        expect(rows.map(({ entry: told }) => told)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('finds orders by the start of an oid, or of a cloid in any letter case', () => {
    const entries = [
      entry('open', { oid: 4_120, cloid: '0xABCDef00000000000000000000000000' }),
      entry('open', { oid: 41, cloid: null }),
      entry('open', { oid: 9_412, cloid: '0x12000000000000000000000000000000' }),
    ];
    const table = tableOf({ entries });
    const found = (search: string) =>
      viewOf(table, { ...NO_FILTER, search }, { column: 'oid', descending: false }).map(({ order: { oid } }) => oid);
    expect(found('41')).toEqual([41, 4_120]);
    expect(found('0xabcdEF')).toEqual([4_120]);
    expect(found('412')).toEqual([4_120]);
    for (const text of ['#4120', ' oid 4,120', 'oid: 4120']) expect(found(text)).toEqual([4_120]);
    expect(found('banana')).toEqual([]);
    expect(found('')).toHaveLength(3);
  });

  it('includes the first moment of a range of days and excludes the last', () => {
    const table = tableOf({
      entries: [1_000, 1_999, 2_000].map((timestamp, oid) => entry('open', { timestamp, oid })),
    });
    const view = viewOf(table, { ...NO_FILTER, placedFrom: 1_000, placedBefore: 2_000 });
    expect(view.map(({ order: { timestamp } }) => timestamp)).toEqual([1_999, 1_000]);
  });
});

it('finds a row by its key, a leg below its order, and none for another key', () => {
  const inner = order({ oid: 3 });
  const leg = order({ oid: 2, children: [inner] });
  const table = tableOf({ entries: [entry('open', { oid: 10 }), entry('open', { oid: 1, children: [leg] })] });
  const [, parent] = table.rows;
  expect(parent && table.find(parent.key)).toBe(parent);
  expect(table.find(`${parent?.key}/2.0`)?.order).toEqual(leg);
  expect(table.find(`${parent?.key}/2.0/3.0`)?.parent?.order.oid).toBe(2);
  expect(table.find(`${parent?.key}/9.0`)).toBeUndefined();
  expect(table.find(`${parent?.key}0`)).toBeUndefined();
});

describe('[HIST-11] one order with several entries', () => {
  const told = [
    entry('canceled', { oid: 7, sz: '0.1' }, 500),
    entry('open', { oid: 7 }, 0),
    entry('filled', { oid: 8, sz: '0.0' }, 0),
    entry('open', { oid: 8 }, 0),
  ];

  it('keeps every entry, side by side, and knows which is the last', () => {
    const table = tableOf({ entries: told });
    const rows = viewOf(table, NO_FILTER);
    expect(rows.map(({ entry: { status } }) => status)).toEqual(['filled', 'open', 'canceled', 'open']);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(4);
    expect(rows.map(({ later }) => later?.status)).toEqual([undefined, 'filled', undefined, 'canceled']);
  });

  it('ends with a final status, if several have the same time', () => {
    const { rows } = tableOf({ entries: [entry('open', { oid: 5 }, 0), entry('filled', { oid: 5, sz: '0.0' }, 0)] });
    expect(rows.map(({ later }) => later?.status)).toEqual(['filled', undefined]);
  });

  it('joins entries of several calls without merging them', () => {
    const table = tableOf({ entries: told }, { entries: [{ order: order({ oid: 7 }) }], call: 'frontendOpenOrders' });
    const rows = viewOf(table, { ...NO_FILTER, search: '7' });
    const [first] = rows;
    if (first === undefined) throw new Error('there is no row');
    expect(table.entries(first).map(({ call, entry: { status } }) => status ?? call)).toEqual([
      'open',
      'canceled',
      'frontendOpenOrders',
    ]);
    expect(rows.map((row) => table.entries(row).length)).toEqual([3, 3, 3]);
    const [other] = viewOf(table, { ...NO_FILTER, search: '8' });
    expect(other && table.entries(other).indexOf(other), 'of the one call that tells of it').toBe(1);
  });

  it('lists the entries and their positions for every row of both calls, also if only one call reports the order', () => {
    const table = tableOf(
      { entries: [...told, ...generatedEntries(60, 3)] },
      { entries: [{ order: order({ oid: 7 }) }, { order: order({ oid: 9 }) }], call: 'frontendOpenOrders' },
      { entries: [{ order: order({ oid: 9 }) }], call: 'frontendOpenOrders', address: OTHER },
    );
    const rows = viewOf(table, NO_FILTER);
    expect(rows).toHaveLength(67);
    for (const row of rows) {
      const same = rows.filter(({ address, order: { oid } }) => address === row.address && oid === row.order.oid);
      expect(new Set(table.entries(row))).toEqual(new Set(same));
    }
  });

  it('counts once in the statistics, by its last entry', () => {
    const table = tableOf({ entries: told });
    const found = counted(table);
    expect(found).toMatchObject({ orders: 2, accepted: 2, filled: 1, rejected: 0, cancellations: [['canceled', 1]] });
    expect(found.timeToCanceled).toMatchObject({ median: 500 });
    expect(found.coins).toEqual([{ coin: 'BTC', orders: 2, filled: 1, filledSize: '0.51494', size: '0.61494' }]);
  });
});

it('[DEC-6] leaves the size that reduce-only orders lost out of the filled size, and counts those orders', () => {
  const entries = [
    entry('canceled', { oid: 1, origSz: '10.0', sz: '4.0', reduceOnly: true }),
    entry('canceled', { oid: 2, origSz: '10.0', sz: '4.0' }),
    entry('perpMarginRejected', { oid: 3 }),
  ];
  const table = tableOf({ entries, address: WALLET });
  const found = counted(table);
  expect(found).toMatchObject({ cut: 1, rejected: 1, rejections: [['perpMarginRejected', 1]] });
  expect(found.coins).toEqual([{ coin: 'BTC', orders: 2, filled: 0, filledSize: '6', size: '10' }]);
});

it('[DEC-6] counts statistics with exact sums beyond the range of a double', () => {
  const filled = (oid: number, origSz: DecimalString) => entry('filled', { oid, origSz, sz: '0.0' });
  const table = tableOf(
    { entries: [filled(1, '900719925474099.1'), filled(2, '900719925474099.1')] },
    { entries: [filled(3, '9007199254740993.25')], address: OTHER },
    { entries: generatedEntries(50, 1), call: 'frontendOpenOrders' },
  );
  const found = counted(table);
  expect(found.coins).toMatchObject([{ orders: 3, filledSize: '10808639105689191.45', size: '10808639105689191.45' }]);
});

it('counts only the rows that pass the filter, whatever precedes them in the table', () => {
  const table = tableOf(
    { entries: generatedEntries(3, 1), call: 'frontendOpenOrders' },
    { entries: [entry('filled', { oid: 1, coin: 'ETH', sz: '0.0' }), entry('canceled', { oid: 2, coin: 'BTC' })] },
    { entries: [entry('canceled', { oid: 3, coin: 'ETH' }), entry('filled', { oid: 4, sz: '0.0' })], address: OTHER },
  );
  const found = counted(table, { ...NO_FILTER, facets: { coin: ['ETH'] } });
  expect(found).toMatchObject({ orders: 2, filled: 1, cancellations: [['canceled', 1]] });
  expect(found.coins).toMatchObject([{ coin: 'ETH', orders: 2, filled: 1 }]);
});
