import { describe, expect, it } from 'vitest';
import type { WatchedOrder } from '../../../book-worker/panes/queues.ts';
import { heldOrders, type ListedOrder, sortedOrders } from './listed-orders.ts';

const order = (oid: number, sz: WatchedOrder['sz'] = '1'): WatchedOrder => ({
  oid,
  user: '0x0000000000000000000000000000000000000001',
  side: 'B',
  limitPx: '100',
  sz,
  ordersAhead: 0,
  szAhead: '0',
  levelOrders: 1,
  levelSz: sz,
  life: null,
});
const listed = (...oids: number[]) => sortedOrders({ orders: oids.map((oid) => order(oid)) });
const held = (before: readonly ListedOrder[], orders: readonly WatchedOrder[], limit = 100) =>
  heldOrders(before, { orders }, limit);
const texts = (orders: readonly ListedOrder[]) =>
  orders.map(({ oid, sz, absence }) => [oid, sz, ...(absence === undefined ? [] : [absence])].join(' '));

describe('orders in held rows', () => {
  it('keep their rows, with the values of the response', () => {
    expect(texts(held(listed(1, 2, 3), [order(3, '7'), order(1), order(2)]))).toEqual(['1 1', '2 1', '3 7']);
  });

  it('are followed by new ones, in the order of the response', () => {
    expect(texts(held(listed(5, 2), [order(9), order(2), order(1), order(5)]))).toEqual(['5 1', '2 1', '9 1', '1 1']);
  });

  it('keep the row and the last values after they have left, and are current again if they return', () => {
    const first = held(listed(1, 2), [order(2, '4')]);
    expect(texts(first)).toEqual(['1 1 gone', '2 4']);
    const second = held(first, [order(3)]);
    expect(texts(second)).toEqual(['1 1 gone', '2 4 gone', '3 1']);
    expect(texts(held(second, [order(3), order(1, '6')]))).toEqual(['1 6', '2 4 gone', '3 1']);
  });

  it('are gone if they were nearer than the furthest listed order of a full side, and otherwise only unlisted', () => {
    const at = (oid: number, side: WatchedOrder['side'], limitPx: WatchedOrder['limitPx']) => ({
      ...order(oid),
      side,
      limitPx,
    });
    const before = sortedOrders({
      orders: [at(1, 'B', '100.0'), at(2, 'B', '99'), at(3, 'B', '98'), at(4, 'A', '101'), at(5, 'A', '9')],
    });
    const orders = [at(6, 'B', '101'), at(7, 'B', '99.0'), at(8, 'A', '100')];
    const absences = (limit: number) => held(before, orders, limit).map(({ absence }) => absence ?? 'listed');
    const listed = ['listed', 'listed', 'listed'];
    // The asks are fewer than fit, so all of them are listed.
    expect(absences(2)).toEqual(['gone', 'unlisted', 'unlisted', 'gone', 'gone', ...listed]);
    expect(absences(3), 'all are listed').toEqual(['gone', 'gone', 'gone', 'gone', 'gone', ...listed]);
  });

  it('stay gone wherever the furthest listed order is next', () => {
    const gone = held(listed(1, 2), [order(2)]);
    expect(texts(held(gone, [order(2), { ...order(3), limitPx: '101' }], 2))).toEqual(['1 1 gone', '2 1', '3 1']);
  });

  it('are at most 1,000: with more, the orders are sorted anew', () => {
    const many = (from: number, count: number) => Array.from({ length: count }, (_, at) => order(from + at));
    const before = sortedOrders({ orders: many(1, 900) });
    expect(held(before, many(901, 100), 1_000)).toHaveLength(1_000);
    expect(texts(held(before, many(901, 101), 1_000))).toEqual(texts(sortedOrders({ orders: many(901, 101) })));
  });
});
