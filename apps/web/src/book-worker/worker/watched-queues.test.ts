import { L4Book } from '@l4desk/book';
import type { QueueEvent } from '@l4desk/insight';
import type { Address, BookChange, DecimalString } from '@l4desk/protocol';
import { order, wallet } from '@l4desk/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ShownBook } from './book-at.ts';
import { WatchedQueues } from './watched-queues.ts';

const [mine, theirs] = [wallet(1), wallet(2)];

const resting = (oid: number, limitPx: DecimalString, user: Address) =>
  order({ oid, side: 'B', limitPx, sz: '2', user });

const removal = (oid: number, level: DecimalString): { readonly change: BookChange; readonly event: QueueEvent } => ({
  change: { kind: 'remove', oid, user: theirs, side: 'B', px: level },
  event: { act: 'remove', kind: 'canceled', oid, user: theirs, side: 'B', level, from: '2', to: '0', behind: null },
});

describe('the queues of watched wallets', () => {
  let book: L4Book;
  let queues: WatchedQueues;
  const at = (seq: number, more: Partial<ShownBook> = {}): ShownBook => ({
    book,
    position: { height: 100 + seq, seq, epoch: 'e', blockTime: seq },
    frozen: false,
    ...more,
  });
  const lifeOf = (oid: number, shown: ShownBook) => queues.list(shown, 2).orders.find((own) => own.oid === oid)?.life;
  const remove = (oid: number, level: DecimalString, seq: number) => {
    const { change, event } = removal(oid, level);
    book.apply([change], [], seq);
    return [event];
  };

  beforeEach(() => {
    const bids = [
      resting(1, '99.0', theirs),
      resting(2, '99.0', theirs),
      resting(3, '99.0', mine),
      resting(4, '98', mine),
      resting(5, '97', mine),
    ];
    const asks = [order({ oid: 9, side: 'A', limitPx: '101', sz: '1', user: mine })];
    book = L4Book.build('BTC', [bids, asks]).book;
    queues = new WatchedQueues();
    queues.watch([mine.toUpperCase().replace('X', 'x') as Address], at(1));
  });

  it('are listed by distance from the best price, and counted', () => {
    const { orders, total, unfollowed } = queues.list(at(1), 2);
    expect(orders.map(({ oid }) => oid)).toEqual([3, 9, 4]);
    expect({ total, unfollowed }).toEqual({ total: 4, unfollowed: 0 });
    expect(orders[0]).toMatchObject({ user: mine, ordersAhead: 2, szAhead: '4', levelOrders: 3, levelSz: '6' });
  });

  it('have any of their orders wherever it rests, until it has left', () => {
    expect(queues.list(at(1), 1).orders.map(({ oid }) => oid)).not.toContain(5);
    expect(queues.order(at(1), 5)).toMatchObject({ oid: 5, ordersAhead: 0, life: { joined: false } });
    expect(queues.order(at(1, { frozen: true }), 5)).toMatchObject({ oid: 5, life: null });
    expect(queues.order(at(1), 1)).toBeNull();
  });

  it('are updated with every block', () => {
    queues.onBlock(at(2), 1, remove(1, '99', 2));
    expect(lifeOf(3, at(2))).toMatchObject({ since: { height: 101 }, canceled: { orders: 1 }, ahead: { orders: 1 } });
  });

  it('restart after a block that was not seen, and after one whose changes were not read', () => {
    queues.onBlock(at(3), 2, remove(1, '99', 3));
    expect(lifeOf(3, at(3))).toMatchObject({
      since: { height: 103 },
      aheadAtFirst: { orders: 1 },
      canceled: { orders: 0 },
    });
    remove(2, '99', 4);
    queues.onBlock(at(4), 3, undefined);
    expect(lifeOf(3, at(4))).toMatchObject({ since: { height: 104 }, aheadAtFirst: { orders: 0 } });
  });

  it('have prices and sizes as received, in the live book as in any other', () => {
    const received = (shown: ShownBook, chosen: number) => {
      return [...queues.list(shown, 9).orders, queues.order(shown, chosen)].map(
        (order) => order && `${order.limitPx} ${order.sz}`,
      );
    };
    const bids = [resting(3, '99.0', mine), { ...resting(4, '98.50', mine), sz: '2.500' as const }];
    book = L4Book.build('BTC', [bids, []]).book;
    queues.onBlock(at(9), 1, undefined);
    expect(received(at(9), 4)).toEqual(['99.0 2', '98.50 2.500', '98.50 2.500']);
    expect(received(at(9, { frozen: true }), 4)).toEqual(received(at(9), 4));
  });

  it('have places but no life in a book that is not the live one', () => {
    const { orders } = queues.list(at(1, { frozen: true }), 2);
    expect(orders.map(({ oid, life }) => [oid, life])).toEqual([
      [3, null],
      [9, null],
      [4, null],
    ]);
  });

  it('are dropped with another coin, and belong to the wallets watched now', () => {
    queues.watch([theirs], at(1));
    expect(queues.list(at(1), 2).orders.map(({ oid }) => oid)).toEqual([1, 2]);
    queues.forget();
    book = L4Book.build('ETH', [[resting(7, '50', theirs)], []]).book;
    queues.onBlock(at(8), 7, []);
    expect(queues.list(at(8), 2)).toMatchObject({ total: 1, orders: [{ oid: 7 }] });
  });
});
