import type { DecimalString } from '@l4desk/protocol';
import { wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { owners } from './owners.ts';
import { bookOf } from './test-support/books.ts';

const [one, two, three] = [wallet(1), wallet(2), wallet(3)];

describe('owners', () => {
  it('lists wallets per side by resting size, with orders and share', () => {
    const book = bookOf({
      bids: [
        ['99.99', '1.0', one],
        ['99.99', '1.5', two],
        ['99.98', '0.50', two],
      ],
      asks: [['100.01', '3', three]],
    });
    expect(owners(book, '10')).toEqual({
      mid: '100',
      withinBps: '10',
      bids: [
        { user: two, orders: 2, sz: '2', share: '0.666667' },
        { user: one, orders: 1, sz: '1', share: '0.333333' },
      ],
      asks: [{ user: three, orders: 1, sz: '3', share: '1.000000' }],
    });
  });

  it.each([
    ['a half is rounded up', ['1', '1999999'], '0.000001'],
    ['below a half is rounded down', ['1', '2000001'], '0.000000'],
  ] as const)('a share has 6 decimals: %s', (_, [small, large], share) => {
    const book = bookOf({
      bids: [
        ['100', large, one],
        ['100', small, two],
      ],
      asks: [['101', '1']],
    });
    expect(owners(book, '100').bids[1]).toEqual({ user: two, orders: 1, sz: small, share });
  });

  it.each([
    ['no asks', { bids: [['100', '1']] }],
    ['no bids', { asks: [['100', '1']] }],
    ['nothing', {}],
    ['asks of size zero only', { bids: [['100', '1']], asks: [['101', '0.0']] }],
  ] as const)('a book with %s has no mid and nobody near it', (_, sides) => {
    expect(owners(bookOf(sides), '10')).toEqual({ mid: null, withinBps: '10', bids: [], asks: [] });
  });

  // Mid 100: 10 bps are 0.1, and half a unit of the price more or less decides.
  it.each<[DecimalString, DecimalString, number]>([
    ['99.9', '10', 1],
    ['99.8999999999999999999', '10', 0],
    ['99.9', '9.9999999999999999999', 0],
    ['99.8999999999999999999', '10.00000000000000001', 1],
    ['99.999', '0.1', 1],
    ['99.998', '0.1', 0],
    ['0.000001', '10000', 1],
    ['0', '9999.9999', 0],
    ['0', '10000', 1],
    ['99', '00100.0', 1],
  ])('with a mid of 100 a bid at %s and a distance of %s bps: %i order counts', (px, withinBps, count) => {
    const book = bookOf({
      bids: [
        ['99.9995', '1', one],
        [px, '1', two],
      ],
      asks: [['100.0005', '1', one]],
    });
    expect(owners(book, withinBps)).toMatchObject({ mid: '100', withinBps });
    expect(owners(book, withinBps).bids.filter(({ user }) => user === two)).toHaveLength(count);
  });

  it.each(['-1', '1e1', '', 'ten', '0x10', '.5', '+1', 'NaN'])('rejects a distance of "%s"', (text) => {
    const book = bookOf({ bids: [['100', '1']], asks: [['101', '1']] });
    expect(() => owners(book, text as DecimalString)).toThrow(
      new RangeError(`withinBps must be a decimal from zero: ${text}`),
    );
  });
});
