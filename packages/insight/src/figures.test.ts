import { wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { figures } from './figures.ts';
import { bookOf } from './test-support/books.ts';

describe('figures', () => {
  const book = bookOf({
    bids: [
      ['99.9', '3', wallet(1)],
      ['99.5', '4', wallet(2)],
    ],
    asks: [
      ['100.1', '1', wallet(3)],
      ['101', '8', wallet(1)],
    ],
  });

  it('are undefined without both sides, and throw RangeError for a tick that is not a decimal above zero', () => {
    expect(figures(bookOf({ bids: [['99', '1']] }))).toBeUndefined();
    expect(() => figures(book, '0.0')).toThrow(/tick must be a decimal above zero: 0.0/);
  });
});
