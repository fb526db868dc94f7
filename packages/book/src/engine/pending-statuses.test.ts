import { type BookChange, type OrderStatus, UnreadStatuses } from '@l4desk/protocol';
import { fuzzRuns, order, orderStatus, wallet } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { L4Book } from '../l4-book.ts';
import { insert, remove, smallLevels } from '../test-support/changes.ts';

const TIME = 1_778_002_753_000;

function unread(statuses: readonly OrderStatus[]): UnreadStatuses {
  return new UnreadStatuses(JSON.stringify(statuses), 'order_statuses');
}

function broken(): UnreadStatuses {
  return new UnreadStatuses('[{"user":"nobody"}]', 'order_statuses');
}

const BROKEN = {
  kind: 'unreadable-statuses',
  problem: 'order_statuses[0].user: must be a wallet address',
} as const;

function built(): L4Book {
  return L4Book.build('BTC', smallLevels()).book;
}

function stop(oid: number): OrderStatus {
  return orderStatus(order({ oid, orderType: 'Stop Limit', cloid: '0x00000000000000000000000000000001' }));
}

describe('pending statuses', () => {
  it('[BOOK-2] let orders rest at once, and are applied before an order is returned', () => {
    const book = built();
    expect(book.apply([insert(8, '1.0')], unread([stop(8)]), TIME)).toEqual([]);
    expect([book.isSettled, book.sideOf(8), book.best('B')?.count]).toEqual([false, 'B', 4]);
    expect(book.order(8)?.orderType).toBe('Stop Limit');
    expect(book.isSettled).toBe(true);
  });

  it.each<[string, (book: L4Book) => unknown]>([
    ['levels', (book) => book.levels()[0].map(({ orderType }) => orderType)],
    ['a queue', (book) => book.queue('B', '100.0').map((queued) => queued.order.orderType)],
    ['the text', (book) => Buffer.concat([...book.levelsJson()]).toString()],
  ])('[BOOK-2] are applied before returning %s', (_, ask) => {
    const [waiting, known] = [built(), built()];
    waiting.apply([insert(8, '1.0')], unread([stop(8)]), TIME);
    known.apply([insert(8, '1.0')], [stop(8)], TIME);
    expect(ask(waiting)).toEqual(ask(known));
  });

  it('are a finding when settled if they cannot be read, once', () => {
    const book = built();
    expect(book.apply([insert(8, '1.0')], broken(), TIME)).toEqual([]);
    expect(book.settle()).toEqual([BROKEN]);
    expect(book.settle()).toEqual([]);
    expect(book.order(8)).toMatchObject({ timestamp: TIME, orderType: 'Limit' });
  });

  it('are a finding of the next block if they were read because a caller asked', () => {
    const book = built();
    book.apply([insert(8, '1.0')], broken(), TIME);
    book.order(8);
    expect(book.apply([], [], TIME)).toEqual([BROKEN]);
    expect(book.settle()).toEqual([]);
  });

  it('use the later ones for an order that left before its statuses were read, and came back', () => {
    const book = built();
    book.apply([insert(8, '1.0')], unread([stop(8)]), TIME);
    book.apply([remove(8)], unread([]), TIME);
    book.apply([insert(8, '1.0')], unread([]), TIME + 67);
    expect(book.order(8)).toMatchObject({ orderType: 'Limit', timestamp: TIME + 67, cloid: null });
  });

  it('[BOOK-2, BOOK-6] yield the same book whether read late or at once', () => {
    const place = fc.record({
      oid: fc.integer({ min: 1, max: 12 }),
      user: fc.constantFrom(wallet(1), wallet(2)),
      side: fc.constantFrom('B' as const, 'A' as const),
    });
    const change: fc.Arbitrary<BookChange> = fc.oneof(
      {
        weight: 3,
        arbitrary: place.map((at) => insert(at.oid, '1.0', { ...at, px: at.side === 'B' ? '9.0' : '200.0' })),
      },
      { weight: 2, arbitrary: place.map((at) => remove(at.oid, { ...at, px: at.side === 'B' ? '9.0' : '200.0' })) },
      // Beyond exact doubles: the book switches to its other engine.
      { weight: 1, arbitrary: fc.constant(insert(13, '9007199254740993', { px: '9.0' })) },
    );
    const status = fc
      .record({
        at: place,
        isTrigger: fc.boolean(),
        orderType: fc.constantFrom('Limit', 'Stop Limit'),
        cloid: fc.constantFrom(null, 'odd', '0x0000000000000000000000000000000f'),
        more: fc.constantFrom({}, { children: [] }),
      })
      .map(({ at, more, ...fields }) => orderStatus(order({ ...at, ...fields, ...more })));
    const block = fc.record({
      changes: fc.array(change, { maxLength: 5 }),
      statuses: fc.array(status, { maxLength: 5 }),
      late: fc.boolean(),
      settles: fc.boolean(),
      asked: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 1 }),
    });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 40 }), (blocks) => {
        const [late, known] = [built(), built()];
        for (const [index, { changes, statuses, ...how }] of blocks.entries()) {
          const expected = known.apply(changes, statuses, TIME + index);
          expect(late.apply(changes, how.late ? unread(statuses) : statuses, TIME + index)).toEqual(expected);
          expect(how.settles ? late.settle() : []).toEqual([]);
          const orderOf = (book: L4Book) => (how.asked === null ? undefined : book.order(how.asked));
          expect(orderOf(late)).toEqual(orderOf(known));
        }
        expect(late.levels()).toEqual(known.levels());
        expect(Buffer.concat([...late.levelsJson()])).toEqual(Buffer.concat([...known.levelsJson()]));
      }),
      fuzzRuns(100),
    );
  });
});
