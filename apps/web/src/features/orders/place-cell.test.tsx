import { expect, it, onTestFinished } from 'vitest';
import { forgetPlaces, notePlaces } from '../../book-worker/places-store.ts';
import type { PlacedOrder } from '../../book-worker/worker/places/coin-places.ts';
import type { GoneOrder } from '../../book-worker/worker/places/gone-orders.ts';
import { render } from '../../test-support/render.ts';
import { PlaceCell } from './place-cell.tsx';
import { entry } from './test-support/orders.ts';

it('a narrow column has the place alone, of a long queue only its number, and in a word that the order has left', async () => {
  onTestFinished(forgetPlaces);
  const { order } = entry('open');
  const textOf = async () => (await render(<PlaceCell order={order} isShort />)).container.textContent?.trim();
  const note = (ordersAhead: number, levelOrders: number, state: 'live' | 'stale' = 'live') => {
    const placed: PlacedOrder = {
      oid: order.oid,
      ordersAhead,
      szAhead: '4.28',
      levelOrders,
      levelSz: '9',
      inserted: null,
    };
    notePlaces({ coin: 'BTC', state, detail: '', height: 9, orders: [placed], gone: [], total: 1 });
  };
  expect(await textOf()).toBe('not read');
  note(11, 58);
  expect(await textOf()).toBe('12 of 58');
  note(111, 158);
  expect(await textOf()).toBe('#112');
  note(11, 58, 'stale');
  expect(await textOf()).toBe('~12 of 58');
  note(111, 158, 'stale');
  expect(await textOf()).toBe('~#112');

  const noteGone = (...gone: readonly GoneOrder[]) =>
    notePlaces({ coin: 'BTC', state: 'live', detail: '', height: 9, orders: [], gone, total: 0 });
  noteGone();
  expect(await textOf()).toBe('has left');
  const left = { oid: order.oid, height: 8, time: 0, inferred: true };
  noteGone({ ...left, kind: 'requotedOut', other: { oid: 9, px: '81309.0' } });
  expect(await textOf()).toBe('moved*');
  noteGone({ ...left, kind: 'canceled', other: null });
  expect(await textOf()).toBe('canceled*');
});
