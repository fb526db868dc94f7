import { expect, it, onTestFinished } from 'vitest';
import { forgetPlaces, notePlaces } from '../../book-worker/places-store.ts';
import type { PlacedOrder } from '../../book-worker/worker/places/coin-places.ts';
import { must } from '../../test-support/must.ts';
import { render } from '../../test-support/render.ts';
import { orderColumns } from './columns.tsx';
import { OrderTable } from './order-table.ts';
import { entry, rowsOf } from './test-support/orders.ts';

const outcome = must(
  orderColumns({
    coinText: String,
    time: { zone: 'utc', day: String, clock: String, second: String, moment: String, zoneAt: String },
    table: new OrderTable([]),
    hasStatus: false,
    isNarrow: false,
  }).find(({ id }) => id === 'outcome'),
  'column',
);

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
