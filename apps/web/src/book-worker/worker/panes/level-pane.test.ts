import { L4Book } from '@l4desk/book';
import { History } from '@l4desk/insight';
import type { BookChange, CoinBatch, DecimalString } from '@l4desk/protocol';
import { order, wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { must } from '../../../test-support/must.ts';
import { type LevelAsk, type LevelView, UNLISTED } from '../../panes/level.ts';
import { LevelPane } from './level-pane.ts';

const [one, two] = [wallet(1), wallet(2)];

/** 200 asks at one price by two owners, with sizes growing from the back to the front of the queue. */
function bookOf() {
  const asks = Array.from({ length: 200 }, (_, index) =>
    order({
      oid: index + 1,
      side: 'A',
      limitPx: '100',
      sz: `${200 - index}`,
      user: index % 4 === 0 ? one : two,
      cloid: `0x${String(index).padStart(32, '0')}`,
    }),
  );
  return L4Book.build('BTC', [[], asks]).book;
}

const BY_SIZE: LevelView = {
  sort: 'sz',
  descending: false,
  owner: null,
  tif: null,
  minSz: null,
  byOwner: false,
  open: [],
};

let serial = 0;
const askOf = (view: LevelView | null, more: Partial<LevelAsk> = {}): LevelAsk => {
  serial += 1;
  const level = { side: 'A', px: '100', tick: '5' } as const;
  return { serial, level, view, from: 0, length: 10, anchors: [], chosen: null, ...more };
};

describe('the listed orders of a level', () => {
  it('carry their details and their true queue place, one window at a time', () => {
    const response = new LevelPane().respond(bookOf(), askOf(BY_SIZE, { from: 2, length: 3 }));
    expect(response).toMatchObject({ count: 200, length: 200, listed: { orders: 200, wallets: 2 } });
    expect(response.orders).toMatchObject([
      { index: 2, place: 197, oid: 198, sz: '3', cumSz: '6', notional: '300', user: two, cloid: expect.any(String) },
      { index: 3, place: 196, oid: 197, sz: '4', cumSz: '10', user: one },
      { index: 4, place: 195, oid: 196, sz: '5', cumSz: '15' },
    ]);
  });

  it('sum up size ahead and their own size when the queue itself is listed', () => {
    const { orders, listed, length } = new LevelPane().respond(bookOf(), askOf(null, { from: 1, length: 2 }));
    expect({ listed, length }).toEqual({ listed: null, length: 200 });
    expect(orders).toMatchObject([
      { index: 1, place: 1, szAhead: '200', cumSz: '399', notional: '19900' },
      { index: 2, place: 2, szAhead: '399', cumSz: '597' },
    ]);
  });

  it('follow the line of their owner, only for an expanded one', () => {
    const view = { ...BY_SIZE, descending: true, byOwner: true, open: [one] } as const;
    const { orders, owners, length, listed } = new LevelPane().respond(bookOf(), askOf(view, { length: 60 }));
    expect(listed).toMatchObject({ orders: 200, wallets: 2 });
    expect(length).toBe(2 + 50);
    expect(owners).toMatchObject([
      { index: 0, user: two, orders: 150, isOpen: false },
      { index: 1, user: one, orders: 50, isOpen: true, place: 0 },
    ]);
    expect(orders.map(({ index }) => index)).toEqual(Array.from({ length: 50 }, (_, at) => 2 + at));
  });

  it('keep their position on the screen when others leave, and report how far the view moved', () => {
    const book = bookOf();
    const pane = new LevelPane();
    const view = { ...BY_SIZE, descending: true };
    const ask = askOf(view, { from: 50, anchors: [{ oid: 53, place: 52 }] });
    expect(pane.respond(book, ask).orders[0]).toMatchObject({ index: 50, oid: 51 });
    book.apply([{ kind: 'remove', oid: 2, user: two, side: 'A', px: '100' }], [], 1);
    const next = pane.respond(book, ask);
    expect(next.shift).toBe(-1);
    expect(next.orders[0]).toMatchObject({ index: 49, oid: 51 });
  });

  it('include the line of a chosen order, or UNLISTED if it is filtered out', () => {
    const chosen = { oid: 200, place: 3 };
    const pane = new LevelPane();
    const choose = (view: LevelView | null) => must(pane.respond(bookOf(), askOf(view, { chosen })).chosen, 'chosen');
    expect(choose(BY_SIZE)).toMatchObject({ index: 0, place: 199 });
    expect(choose(null)).toMatchObject({ index: 199, place: 199 });
    expect(choose({ ...BY_SIZE, minSz: '2' })).toMatchObject({ index: UNLISTED, place: 199 });
  });
});

describe('the orders of a level while blocks arrive', () => {
  const placed = (oid: number, px: DecimalString): BookChange => {
    return { kind: 'insert', oid, user: one, side: 'A', px, sz: '7', insertBefore: null };
  };
  const batchOf = (seq: number, ...changes: readonly BookChange[]): CoinBatch => {
    return { coin: 'BTC', epoch: 'e', height: seq, time: seq, seq, prevSeq: seq - 1, changes, statuses: [] };
  };

  it('are current after every block, whether it changed the row, another row, or was not noted', () => {
    const book = bookOf();
    const history = new History('BTC');
    history.begin(book, { height: 0, time: 0, epoch: 'e', seq: 0 }, '');
    const pane = new LevelPane();
    const ask = askOf(null, { from: 195, length: 10 });
    const batches = [
      batchOf(1, placed(301, '105')),
      // With a tick of 5, the row of 100 contains the prices 96 to 100.
      batchOf(2, placed(302, '96')),
      batchOf(3, placed(303, '95'), placed(304, '97')),
      batchOf(4, { kind: 'remove', oid: 200, user: two, side: 'A', px: '100' }),
      batchOf(5, placed(305, '100')),
    ];
    const read = () => pane.respond(book, ask);
    const anew = () => ({ ...new LevelPane().respond(book, ask), revision: read().revision });
    expect(read()).toEqual(anew());
    for (const batch of batches) {
      book.apply(batch.changes, batch.statuses, batch.time);
      const block = must(history.add(batch));
      if (batch.seq < 5) pane.note(book, block.events());
      const before = read().revision;
      expect(read()).toEqual(anew());
      expect(read().revision).toBe(before);
    }
    const last = read();
    expect(read()).toBe(last);
    const far = batchOf(6, placed(306, '105'));
    book.apply(far.changes, far.statuses, far.time);
    pane.note(book, must(history.add(far)).events());
    expect(read()).toBe(last);
  });
});
