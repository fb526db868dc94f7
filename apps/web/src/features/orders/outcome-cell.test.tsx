import { expect, it, onTestFinished } from 'vitest';
import { forgetPlaces, notePlaces } from '../../book-worker/places-store.ts';
import type { PlacedOrder } from '../../book-worker/worker/places/coin-places.ts';
import { must } from '../../test-support/must.ts';
import { render } from '../../test-support/render.ts';
import { csvOf } from '../../ui/export/csv.ts';
import { copiedText } from '../../ui/table/table-column.ts';
import { orderColumns } from './columns.tsx';
import { OrderTable } from './order-table.ts';
import { exportColumns } from './orders-controls.tsx';
import { entry, rowsOf } from './test-support/orders.ts';
import type { OrderFills, RowFills } from './use-fills.ts';

const columnOf = (wanted: string, fillsOf?: () => RowFills) =>
  must(
    orderColumns({
      coinText: String,
      time: { zone: 'utc', day: String, clock: String, second: String, moment: String, zoneAt: String },
      table: new OrderTable([]),
      hasStatus: false,
      isNarrow: false,
      ...(fillsOf && { fillsOf }),
    }).find(({ id }) => id === wanted),
    'column',
  );
const outcome = columnOf('outcome');

it('fills that are not known are not shown as none', async () => {
  const filled = async (kind: 'none' | 'unknown') => {
    const row = must(rowsOf([entry('open')], 'frontendOpenOrders')[0], 'row');
    return (await render(columnOf('filled', () => ({ kind, why: '' })).cell?.(row))).container.textContent;
  };
  expect([await filled('none'), await filled('unknown')]).toEqual(['–', '?']);
});

it('the outcome of an order that has left the book since is what it was when it was loaded', async () => {
  const textOf = async (call: 'frontendOpenOrders' | 'historicalOrders') => {
    const row = must(rowsOf([entry('open')], call)[0], 'row');
    return (await render(outcome.cell?.(row))).container.textContent;
  };
  const note = (orders: readonly PlacedOrder[]) =>
    notePlaces({ coin: 'BTC', state: 'live', detail: '', height: 9, orders, gone: [], total: orders.length });
  onTestFinished(forgetPlaces);
  expect(await textOf('frontendOpenOrders')).toBe('resting, nothing filled');
  const { oid } = entry('open').order;
  note([{ oid, ordersAhead: 0, szAhead: '0', levelOrders: 1, levelSz: '1', inserted: null }]);
  expect(await textOf('frontendOpenOrders')).toBe('resting, nothing filled');
  note([]);
  expect(await textOf('frontendOpenOrders')).toBe('was resting, nothing filled');
  expect(await textOf('historicalOrders'), 'the history has its own time').toBe('resting, nothing filled');
});

it.each([
  ['0.1', 'partly filled, by its fills (33.3 %)', 'was partly filled, by its fills (33.3 %)'],
  ['0.3', 'filled, by its fills', 'filled, by its fills'],
] as const)(
  'the outcome of an order of 0.3 with newer fills of %s is theirs, also copied and exported',
  async (sz, text, after) => {
    const fills: OrderFills = { count: 1, sz, value: '1', avgPx: '1', fees: [] };
    const fillsOf = () => ({ kind: 'filled', fills }) as const;
    const column = columnOf('outcome', fillsOf);
    const row = must(rowsOf([entry('open', { origSz: '0.3', sz: '0.3' })], 'frontendOpenOrders')[0], 'row');
    const shown = async () => (await render(column.cell?.(row))).container.textContent;
    expect(await shown()).toBe(text);
    expect(copiedText(column, row)).toBe(text);
    expect(
      csvOf(
        exportColumns(String, () => '', fillsOf),
        [row],
      ),
    ).toContain(text);
    onTestFinished(forgetPlaces);
    notePlaces({ coin: 'BTC', state: 'live', detail: '', height: 9, orders: [], gone: [], total: 0 });
    expect(await shown()).toBe(after);
  },
);
