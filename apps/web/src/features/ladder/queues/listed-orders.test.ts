import { describe, expect, it } from 'vitest';
import type { WatchedPlace } from '../../../book-worker/panes/queues.ts';
import { heldList } from '../held-list.ts';
import { goneFrom } from './queues-pane.tsx';

const order = (oid: number, sz: WatchedPlace['sz'] = '1'): WatchedPlace => ({
  oid,
  user: '0x0000000000000000000000000000000000000001',
  side: 'B',
  limitPx: '100',
  sz,
  ordersAhead: 0,
  szAhead: '0',
  levelOrders: 1,
  levelSz: sz,
});
const keyOf = ({ oid }: WatchedPlace) => String(oid);
const held = (before: ReturnType<typeof heldList<WatchedPlace>>, rows: readonly WatchedPlace[], limit = 100) =>
  heldList(before, { rows, keyOf, isGone: goneFrom(rows, limit), max: 1_000 });

describe('orders in held rows', () => {
  it('are gone if they were nearer than the furthest listed order of a full side, and otherwise only unlisted', () => {
    const at = (oid: number, side: WatchedPlace['side'], limitPx: WatchedPlace['limitPx']) => ({
      ...order(oid),
      side,
      limitPx,
    });
    const before = held(
      [],
      [at(1, 'B', '100.0'), at(2, 'B', '99'), at(3, 'B', '98'), at(4, 'A', '101'), at(5, 'A', '9')],
    );
    const orders = [at(6, 'B', '101'), at(7, 'B', '99.0'), at(8, 'A', '100')];
    const absences = (limit: number) => held(before, orders, limit).map(({ absence }) => absence ?? 'listed');
    const listed = ['listed', 'listed', 'listed'];
    // The asks are fewer than fit, so all of them are listed.
    expect(absences(2)).toEqual(['gone', 'unlisted', 'unlisted', 'gone', 'gone', ...listed]);
    expect(absences(3), 'all are listed').toEqual(['gone', 'gone', 'gone', 'gone', 'gone', ...listed]);
  });

  it('stay gone wherever the furthest listed order is next', () => {
    const gone = held(held([], [order(1), order(2)]), [order(2)]);
    const later = held(gone, [order(2), { ...order(3), limitPx: '101' }], 2);
    expect(later.map(({ row, absence }) => [row.oid, absence])).toEqual([
      [1, 'gone'],
      [2, undefined],
      [3, undefined],
    ]);
  });
});
