import { documentedChecksum } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { L4Book } from '../l4-book.ts';
import { insert, remove, resize, smallLevels } from '../test-support/changes.ts';

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

  it('stays correct when a number leaves the range that doubles hold exactly', () => {
    const book = bookOf();
    book.rollingChecksum();
    expect(book.apply([insert(8, '9007199254740993.5', { px: '99.0' })], [], 0)).toEqual([]);
    expect(book.rollingChecksum()).toBe(documented.checksum(book.levels()));
  });
});
