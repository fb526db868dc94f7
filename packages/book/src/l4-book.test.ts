import type { DecimalString } from '@l4desk/protocol';
import { order, orderStatus, wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { L4Book } from './l4-book.ts';
import { LadderWindow } from './ladder-window.ts';
import { ask, bid, insert, remove, resize, smallLevels } from './test-support/changes.ts';

const TIME = 1_778_002_753_000;
/** One more than the largest integer that doubles count exactly. */
const PAST_SAFE = '9007199254740992';

function built(levels = smallLevels()): L4Book {
  const { book, findings } = L4Book.build('BTC', levels);
  expect(findings).toEqual([]);
  return book;
}

describe('L4Book', () => {
  it('[L4-5] is built from a snapshot and follows the diffs of its blocks', () => {
    const book = built();
    expect(book.coin).toBe('BTC');
    expect(book.orderCount).toBe(7);
    expect(book.apply([insert(8, '1.0'), resize(1, '1.0', '0.5'), remove(4, { px: '99.5' })], [], TIME)).toEqual([]);
    expect(book.levels()).toEqual([
      [
        bid(1, '100.0', '0.5'),
        bid(2, '100.0', '2.0'),
        bid(3, '100.0', '3.0'),
        bid(8, '100.0', '1.0', { timestamp: TIME, tif: null }),
      ],
      smallLevels()[1],
    ]);
    expect(book.best('B')).toEqual({ px: '100.0', sz: '6.5', count: 4 });
    expect([book.sideOf(8), book.sideOf(4), book.sideOf(5)]).toEqual(['B', undefined, 'A']);
  });

  it('[BOOK-18] returns the owner and the details of each order while thousands of both come and go', () => {
    const book = built([[], []]);
    const statusOf = (oid: number) =>
      orderStatus(order({ oid, user: wallet(oid), triggerPx: `${oid}.0` as DecimalString }));
    const inserts = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => insert(from + index, '1.0', { user: wallet(from + index) }));
    const stays = (oid: number) => oid % 100 === 0;
    for (let oid = 1; oid < 12_000; oid += 1_500) {
      const next = inserts(oid, oid + 1_500);
      expect(
        book.apply(
          next,
          next.map((change) => statusOf(change.oid)),
          TIME,
        ),
      ).toEqual([]);
      const gone = next.filter((change) => !stays(change.oid)).map((change) => remove(change.oid));
      expect(book.apply(gone, [], TIME)).toEqual([]);
    }
    const left = book.levels()[0].map(({ oid, user, triggerPx }) => [oid, user, triggerPx]);
    expect(left).toEqual(
      Array.from({ length: 120 }, (_, index) => (index + 1) * 100).map((oid) => [oid, wallet(oid), `${oid}.0`]),
    );
  });

  it('[BOOK-5] finds an order that arrived, left and came back within one block', () => {
    const book = built();
    const changes = [
      remove(1),
      insert(1, '5.0'),
      remove(1),
      insert(8, '1.0'),
      insert(1, '6.0'),
      resize(8, '1.0', '2.0'),
    ];
    expect(book.apply(changes, [], TIME)).toEqual([]);
    expect([...book.keys('B')].slice(0, 4).map(({ oid, sz }) => [oid, sz])).toEqual([
      [2, '2.0'],
      [3, '3.0'],
      [8, '2.0'],
      [1, '6.0'],
    ]);
    expect(book.apply([remove(8), remove(8), insert(9, '1.0'), resize(8, '2.0', '1.0')], [], TIME)).toEqual([
      { kind: 'unknown-oid', change: 'remove', oid: 8 },
      { kind: 'unknown-oid', change: 'resize', oid: 8 },
    ]);
  });

  it('returns every finding of a snapshot, the crossed book last', () => {
    const { book, findings } = L4Book.build('BTC', [
      [bid(1, '100.0', '1.0'), bid(1, '99.0', '1.0'), bid(2, '101.0', '1.0')],
      [ask(3, '100.0', '1.0')],
    ]);
    expect(findings.map(({ kind }) => kind)).toEqual(['duplicate-oid', 'misplaced', 'crossed']);
    expect(book.orderCount).toBe(2);
  });

  it('returns the row of a price, with better rows counted', () => {
    const book = built();
    expect(book.row('A', '102')).toEqual({
      px: '102.0',
      sz: '7',
      cumSz: '7.75',
      notional: '714',
      count: 1,
      levels: 1,
    });
    expect(book.row('A', '101.5')).toBeUndefined();
    expect(book.row('A', '101.5', '2')).toMatchObject({ px: '102', count: 3, levels: 2 });
    expect(book.row('A', '104.5', '2')).toBeUndefined();
    expect(book.row('B', '99.9', '1')).toMatchObject({ px: '99', sz: '4', cumSz: '10' });
  });

  it('[DEC-5] rejects an invalid tick or price', () => {
    const book = built();
    for (const tick of ['0', '0.00', '-1', '1e5', '', 'NaN'] as DecimalString[]) {
      expect(() => book.rows('B', { tick, limit: 1 })).toThrow(RangeError);
      expect(() => book.queue('B', '100', { tick })).toThrow(RangeError);
      expect(() => book.fill(new LadderWindow(1, 1), 'B', { tick })).toThrow(RangeError);
    }
    expect(() => book.rows('B', { from: '-1', limit: 1 })).toThrow(RangeError);
    expect(() => book.queue('B', '0x10')).toThrow(RangeError);
    expect(() => book.fill(new LadderWindow(1, 1), 'B', { from: '' as DecimalString })).toThrow(RangeError);
  });

  it('[SNAP-6] throws if the book changes while it is being written out', () => {
    const book = built();
    const pieces = book.levelsJson();
    pieces.next();
    book.apply([remove(1)], [], TIME);
    expect(() => [...pieces]).toThrow('the book of BTC changed while it was written out');
  });

  describe('past the numbers that doubles hold', () => {
    const cases: readonly (readonly [title: string, px: DecimalString, sz: DecimalString])[] = [
      ['a size past 2^53', '99.0', PAST_SAFE],
      ['a size that takes the total of its side past 2^53', '99.0', '9007199254740990'],
      ['a price past 2^53', PAST_SAFE, '1.5'],
      ['a price with sixteen decimals', '99.0000000000000001', '1.5'],
      ['a size with sixteen decimals', '99.0', '0.0000000000000001'],
      ['a size whose decimals take the total past 2^53', '99.0', '0.000000000000001'],
      ['fifty digits', '99.0', '12345678901234567890123456789.01234567890123456789'],
    ];

    it.each(cases)('[BOOK-17, BOOK-18] continues exactly with %s', (_title, px, sz) => {
      const book = built([smallLevels()[0], []]);
      const changes = [resize(1, '1.0', '1.5'), insert(8, sz, { px, user: wallet(2) }), remove(2), insert(9, '1.0')];
      const status = orderStatus(order({ oid: 8, user: wallet(2), tif: 'Alo', children: [] }));
      expect(book.apply(changes, [status], TIME)).toEqual([]);
      expect(book.order(8)).toMatchObject({
        limitPx: px,
        sz,
        tif: 'Alo',
        timestamp: status.order.timestamp,
        children: [],
      });
      expect(book.order(1)?.sz).toBe('1.5');
      expect(book.queue('B', '100').map((item) => item.order.oid)).toEqual([1, 3, 9]);
      expect(book.row('B', px)?.sz).toBe(sz);
      expect(book.apply([remove(8, { px, user: wallet(2) })], [], TIME)).toEqual([]);
      expect(book.best('B')).toEqual({ px: '100.0', sz: '5.5', count: 3 });
    });

    it.each(cases)('[BOOK-17, BOOK-18] builds a snapshot exactly with %s', (_title, px, sz) => {
      const rest = [bid(1, '100.0', '1.0'), bid(2, '99.5', '2.5', { cloid: `0x${'ab'.repeat(16)}` })];
      const bids = px === PAST_SAFE ? [bid(3, px, sz), ...rest] : [...rest, bid(3, px, sz), bid(4, '1.0', '1.0')];
      const book = built([bids, []]);
      expect(book.levels()).toEqual([bids, []]);
      expect(JSON.parse(Buffer.concat([...book.levelsJson()]).toString())).toEqual([bids, []]);
    });

    it('[BOOK-17] grows a size past 2^53 by a resize', () => {
      const book = built();
      const sz = '90071992547409930.5';
      expect(book.apply([resize(1, '1.0', sz), insert(8, '0.5')], [], TIME)).toEqual([]);
      expect(book.best('B')).toEqual({ px: '100.0', sz: '90071992547409936', count: 4 });
      expect(book.total('B')).toBe('90071992547409940');
      expect(book.apply([resize(1, '90071992547409930.50', '1.0')], [], TIME)).toEqual([]);
      expect(book.best('B')?.sz).toBe('6.5');
    });

    it('[BOOK-17] keeps the total of a side exact when resizes bring it past 2^53', () => {
      const book = built([[bid(1, '100', '1'), bid(2, '100', '1')], []]);
      const changes = [resize(1, '1', '5000000000000001'), resize(2, '1', '5000000000000002')];
      expect(book.apply(changes, [], TIME)).toEqual([]);
      expect([book.total('B'), book.best('B')?.sz]).toEqual(['10000000000000003', '10000000000000003']);
    });

    it('returns the same findings from there on', () => {
      const book = built();
      expect(book.apply([insert(8, PAST_SAFE), remove(99), insert(1, '1.0')], [], TIME)).toEqual([
        { kind: 'unknown-oid', change: 'remove', oid: 99 },
        { kind: 'duplicate-oid', oid: 1 },
      ]);
    });

    it('[BOOK-17] draws the nearest doubles and prints the exact texts', () => {
      const book = built([[bid(1, '1.0', '9007199254740993.25'), bid(2, '0.5', '0.5')], []]);
      const window = new LadderWindow(4, 4);
      book.fill(window, 'B');
      const unit = 10 ** window.szScale;
      expect(window.szScale).toBe(2);
      expect([window.szText(0), window.cumSzText(1)]).toEqual(['9007199254740993.25', '9007199254740993.75']);
      expect(Math.abs((window.sz[0] ?? 0) / unit - 2 ** 53)).toBeLessThan(4);
      expect((window.sz[1] ?? 0) / unit).toBe(0.5);
      expect((window.laneSz[4] ?? 0) / unit).toBe(0.5);
    });
  });
});
