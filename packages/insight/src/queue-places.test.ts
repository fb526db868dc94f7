import type { Address } from '@l4desk/protocol';
import { wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { queuePlaces, queuePlacesOf } from './queue-places.ts';
import { bookOf } from './test-support/books.ts';

const own = wallet(0xabc);

describe('queue places', () => {
  it('lists every order of the wallet: bids first, then best price first, then queue order', () => {
    const book = bookOf({
      bids: [
        ['100.0', '1.0'],
        ['100.0', '2.50', own],
        ['100.0', '0.75'],
        ['100.0', '1.0', own],
        ['99.5', '4', own],
      ],
      asks: [
        ['101', '3', wallet(9)],
        ['102.0', '0.10', own],
      ],
    });
    expect(queuePlaces(book, own)).toEqual([
      {
        oid: 2,
        side: 'B',
        limitPx: '100.0',
        sz: '2.50',
        ordersAhead: 1,
        szAhead: '1',
        levelOrders: 4,
        levelSz: '5.25',
      },
      {
        oid: 4,
        side: 'B',
        limitPx: '100.0',
        sz: '1.0',
        ordersAhead: 3,
        szAhead: '4.25',
        levelOrders: 4,
        levelSz: '5.25',
      },
      { oid: 5, side: 'B', limitPx: '99.5', sz: '4', ordersAhead: 0, szAhead: '0', levelOrders: 1, levelSz: '4' },
      {
        oid: 102,
        side: 'A',
        limitPx: '102.0',
        sz: '0.10',
        ordersAhead: 0,
        szAhead: '0',
        levelOrders: 1,
        levelSz: '0.1',
      },
    ]);
  });

  it('for several wallets are keyed by lower-case address, including those without orders', () => {
    const spelled = own.toUpperCase().replace('X', 'x') as Address;
    const book = bookOf({
      bids: [
        ['100', '1'],
        ['100', '2', own],
        ['100', '3', wallet(2)],
      ],
    });
    const places = queuePlacesOf(book, [wallet(2), spelled, wallet(3)]);
    expect([...places].map(([user, orders]) => [user, orders.map(({ szAhead }) => szAhead)])).toEqual([
      [wallet(2), ['3']],
      [own, ['1']],
      [wallet(3), []],
    ]);
    expect(places.get(own)).toEqual(queuePlaces(book, own));
  });
});
