import { describe, expect, it } from 'vitest';
import type { KnownPlaces } from '../../book-worker/places-store.ts';
import type { PlacedOrder } from '../../book-worker/worker/places/coin-places.ts';
import type { GoneOrder } from '../../book-worker/worker/places/gone-orders.ts';
import { hasLeft, orderPlace } from './place-cell.tsx';

const resting: PlacedOrder = {
  oid: 7,
  ordersAhead: 11,
  szAhead: '4.28',
  levelOrders: 58,
  levelSz: '20',
  inserted: null,
};
const left: GoneOrder = { oid: 8, height: 1_234, time: 1, kind: 'canceled', inferred: false, other: null };

const known = (more: Partial<KnownPlaces> = {}): KnownPlaces => ({
  state: 'live',
  detail: '',
  height: 1_240,
  orders: new Map([[7, resting]]),
  gone: new Map([[8, left]]),
  isCut: false,
  ...more,
});

describe('the place of an open order', () => {
  it('shows its place, the orders at its price, and the size ahead', () => {
    expect(orderPlace(known(), 7)).toMatchObject({ kind: 'resting', text: '12 of 58 · 4.28 ahead', note: '' });
    const first = { ...resting, ordersAhead: 0, szAhead: '0' } as const;
    expect(orderPlace(known({ orders: new Map([[7, first]]) }), 7)).toMatchObject({ text: '1 of 58 · next' });
  });

  it('shows which orders were inserted in front of it', () => {
    const inserted = { orders: 2, sz: '0.5' } as const;
    expect(orderPlace(known({ orders: new Map([[7, { ...resting, inserted }]]) }), 7)).toMatchObject({
      note: '+2 in front',
      hint: expect.stringContaining('2 orders (0.5)'),
    });
  });

  it('shows how it left, and where it moved', () => {
    expect(orderPlace(known(), 8)).toMatchObject({ kind: 'gone', text: 'canceled', hint: 'Left at block 1,234.' });
    const moved: GoneOrder = { ...left, kind: 'requotedOut', other: { oid: 9, px: '81310.0' } };
    expect(orderPlace(known({ gone: new Map([[8, moved]]) }), 8)).toMatchObject({ text: 'moved to 81,310.0' });
    const executed: GoneOrder = { ...left, kind: 'executed', inferred: true };
    expect(orderPlace(known({ gone: new Map([[8, executed]]) }), 8)).toMatchObject({ text: 'executed*' });
  });

  it('is not current while the book is not live, and unknown if no book is followed', () => {
    expect(orderPlace(known({ state: 'stale', detail: 'no block' }), 7)).toEqual({
      kind: 'waiting',
      text: '12 of 58 · 4.28 ahead',
      hint: 'The book is stale: no block',
      note: 'stale',
    });
    expect(orderPlace(known({ state: 'stale' }), 8)).toMatchObject({ kind: 'waiting', text: '…' });
    expect(orderPlace(undefined, 7)).toMatchObject({ kind: 'unread', text: 'not followed' });
  });

  it('reports an order that is not in the book, unless some orders are not listed', () => {
    expect(orderPlace(known(), 1)).toMatchObject({ kind: 'absent', text: 'not in the book' });
    expect(orderPlace(known({ isCut: true }), 1)).toMatchObject({ kind: 'absent', text: '?' });
  });

  it('shows that it has left, unless the book is not live or some orders are not listed', () => {
    const left = (more: Partial<KnownPlaces>) => [7, 8, 1].map((oid) => hasLeft(known(more), oid));
    expect(left({})).toEqual([false, true, true]);
    expect(left({ isCut: true })).toEqual([false, true, false]);
    expect(left({ state: 'stale' })).toEqual([false, false, false]);
    expect(hasLeft(undefined, 8)).toBe(false);
  });
});
