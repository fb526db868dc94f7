import type { DecimalString } from '@l4desk/protocol';
import { documentedChecksum } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { ExactEngine } from '../exact/exact-engine.ts';
import { L4Book } from '../l4-book.ts';
import { ask, bid, insert, remove, resize, smallLevels } from '../test-support/changes.ts';
import { appendAll } from '../test-support/engine-book.ts';

const documented = await documentedChecksum();

function bookOf(levels = smallLevels()): L4Book {
  return L4Book.build('BTC', levels).book;
}

describe('rolling checksum', () => {
  it('equals that of the documentation: for a built book, after every kind of change, and for an empty book', () => {
    const book = bookOf();
    expect(book.rollingChecksum()).toBe(documented.checksum(smallLevels()));
    const changes = [
      insert(8, '0.125', { before: 2 }),
      insert(9, '3.0', { before: 1 }),
      insert(10, '1.0', { px: '98.25' }),
      resize(2, '2.0', '0.001'),
      remove(1),
      remove(3),
      remove(9),
      insert(11, '4.0', { side: 'A', px: '101.0', before: 6 }),
      remove(5, { side: 'A', px: '101.0' }),
      remove(7, { side: 'A', px: '102.0' }),
    ];
    for (const change of changes) {
      expect(book.apply([change], [], 0)).toEqual([]);
      expect(book.rollingChecksum()).toBe(documented.checksum(book.levels()));
    }
    expect(bookOf([[], []]).rollingChecksum()).toBe('0'.repeat(16));
  });

  it('differs for a book with another size, price, oid, side or place', () => {
    const sum = bookOf().rollingChecksum();
    const [bids, asks] = smallLevels();
    const [first, second, third, fourth] = bids;
    if (first === undefined || second === undefined || third === undefined || fourth === undefined) throw new Error();
    const others = [
      [{ ...first, sz: '1.00000001' as DecimalString }, second, third, fourth],
      [first, second, third, { ...fourth, limitPx: '99.4' as DecimalString }],
      [first, second, { ...third, oid: 30 }, fourth],
      [second, first, third, fourth],
      [first, third, second, fourth],
      [first, second, third],
    ];
    for (const other of others) expect(bookOf([other, asks]).rollingChecksum()).not.toBe(sum);
    const bought = bookOf([[bid(1, '100.0', '1.0')], []]).rollingChecksum();
    expect(bookOf([[], [ask(1, '100.0', '1.0')]]).rollingChecksum()).not.toBe(bought);
  });

  it('depends neither on how a number is printed nor on the scales that a book has used', () => {
    const book = bookOf([[bid(1, '100', '1')], []]);
    const sum = book.rollingChecksum();
    expect(bookOf([[bid(1, '100.000', '1.0')], []]).rollingChecksum()).toBe(sum);
    const finer = [insert(2, '0.00001', { px: '0.0001' }), remove(2, { px: '0.0001' })];
    expect(book.apply(finer, [], 0)).toEqual([]);
    expect(book.rollingChecksum()).toBe(sum);
    const exact = new ExactEngine('BTC');
    appendAll(exact, [[bid(1, '100.0', '1.00')], []]);
    expect(exact.rollingChecksum()).toBe(sum);
  });

  it('stays correct when a number leaves the range that doubles hold exactly', () => {
    const book = bookOf();
    book.rollingChecksum();
    expect(book.apply([insert(8, '9007199254740993.5', { px: '99.0' })], [], 0)).toEqual([]);
    expect(book.rollingChecksum()).toBe(documented.checksum(book.levels()));
  });
});
