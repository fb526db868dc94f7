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

  it('gives the spread exactly, in basis points and in ticks', () => {
    expect(figures(book, '0.1')).toMatchObject({ spread: '0.2', spreadBps: '20.000000', spreadTicks: '2' });
    expect(figures(book, '0.3')).toMatchObject({ spreadTicks: '0.666667' });
    expect(figures(book)).toMatchObject({ spreadTicks: null });
  });

  it('gives the imbalance of each distance and the wallet with the largest size on both sides together', () => {
    const found = figures(book);
    expect(found?.imbalances.map(({ withinBps, lean }) => [withinBps, lean])).toEqual([
      ['5', null],
      ['10', '0.500000'],
      ['25', '0.500000'],
      ['50', '0.750000'],
      ['100', '-0.125000'],
    ]);
    expect(found?.topOwner).toEqual({ user: wallet(1), share: '0.750000' });
  });

  it('finds the largest wallet of both sides even if it leads neither; ties go by address', () => {
    const of = (least: '5.9' | '6') =>
      figures(
        bookOf({
          bids: [
            ['99.99', '10', wallet(3)],
            ['99.99', '6', wallet(2)],
            ['99.98', '5', wallet(1)],
          ],
          asks: [
            ['100.01', '10', wallet(4)],
            ['100.01', '5', wallet(2)],
            ['100.02', least, wallet(1)],
          ],
        }),
      )?.topOwner?.user;
    expect(of('5.9')).toBe(wallet(2));
    expect(of('6')).toBe(wallet(1));
  });

  it('are undefined without both sides, and throw RangeError for a tick that is not a decimal above zero', () => {
    expect(figures(bookOf({ bids: [['99', '1']] }))).toBeUndefined();
    expect(() => figures(book, '0.0')).toThrow(/tick must be a decimal above zero: 0.0/);
  });
});
