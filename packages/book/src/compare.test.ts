import type { Address, DecimalString } from '@l4desk/protocol';
import { wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { compareBooks, compareWithLevels, describeDifference } from './compare.ts';
import { L4Book } from './l4-book.ts';
import { ask, bid, smallLevels } from './test-support/changes.ts';

const { book } = L4Book.build('BTC', smallLevels());
const [bids, asks] = smallLevels();

describe('comparison of two books', () => {
  it('[L4-8] finds none between equal books, whatever their number texts and statuses', () => {
    const respelt = (px: DecimalString) => `0${px}0` as DecimalString;
    const respelled = bids.map((item) => ({
      ...item,
      limitPx: respelt(item.limitPx),
      sz: respelt(item.sz),
      tif: 'Alo',
      timestamp: 0,
    }));
    expect(compareWithLevels([respelled, asks], book)).toBeUndefined();
    expect(compareBooks(L4Book.build('BTC', [respelled, asks]).book, book)).toBeUndefined();
  });

  it.each([
    [
      'an order too many',
      [bids.slice(0, 3), asks],
      { side: 'B', place: 3, field: 'oid', expected: null, actual: { oid: 4 } },
      'bid 3: expected none, found order 4',
    ],
    [
      'an order too few',
      [bids, [...asks, ask(8, '103.0', '1.0')]],
      { side: 'A', place: 3, field: 'oid', expected: { oid: 8 }, actual: null },
      'ask 3: expected order 8, found none',
    ],
    [
      'another place in the queue',
      [[bids[1], bids[0], ...bids.slice(2)], asks],
      { side: 'B', place: 0, field: 'oid', expected: { oid: 2 }, actual: { oid: 1 } },
      'bid 0: expected order 2, found 1',
    ],
    [
      'another price',
      [[...bids.slice(0, 3), bid(4, '99.4', '4.0')], asks],
      { side: 'B', place: 3, field: 'px' },
      'bid 3, order 4: expected price 99.4, found 99.5',
    ],
    [
      'another size',
      [bids, [ask(5, '101.0', '0.50000000000000000001'), ...asks.slice(1)]],
      { side: 'A', place: 0, field: 'sz' },
      'ask 0, order 5: expected size 0.50000000000000000001, found 0.5',
    ],
    [
      'another owner',
      [[bid(1, '100.0', '1.0', { user: wallet(2) }), ...bids.slice(1)], asks],
      { side: 'B', place: 0, field: 'user' },
      `bid 0, order 1: expected owner ${wallet(2)}, found ${wallet(1)}`,
    ],
    [
      'an owner that only the book names',
      [[bid(1, '100.0', '1.0', { user: null }), ...bids.slice(1)], asks],
      { side: 'B', place: 0, field: 'user' },
      `bid 0, order 1: expected owner null, found ${wallet(1)}`,
    ],
  ])('[UP-10] finds %s', (_what, levels, difference, sentence) => {
    const expected = levels as [typeof bids, typeof asks];
    const found = compareWithLevels(expected, book);
    expect(found).toMatchObject(difference);
    expect(found && describeDifference(found)).toBe(sentence);
    expect(compareBooks(L4Book.build('BTC', expected).book, book)).toEqual(found);
  });

  it('[BOOK-41] counts an owner that only one of the books names as a difference, and equal spellings as none', () => {
    const owned = (user: Address | null) => L4Book.build('BTC', [[bid(1, '100.0', '1.0', { user })], []]).book;
    const [lower, upper] = [`0x${'ab'.repeat(20)}`, `0x${'AB'.repeat(20)}`] as [Address, Address];
    expect(compareBooks(owned(null), owned(wallet(1)))).toMatchObject({ field: 'user', expected: { user: null } });
    expect(compareBooks(owned(wallet(1)), owned(null))).toMatchObject({ field: 'user', actual: { user: null } });
    expect(compareBooks(owned(null), owned(null))).toBeUndefined();
    expect(compareBooks(owned(upper), owned(lower))).toBeUndefined();
  });
});
