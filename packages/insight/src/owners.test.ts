import type { Address, DecimalString } from '@l4desk/protocol';
import { wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { owners } from './owners.ts';
import { bookOf, type Row } from './test-support/books.ts';

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

  it('sorts ties by address, in whatever order they rest', () => {
    const bids: Row[] = [wallet(0xc), wallet(0xa), wallet(0xb)].map((user) => ['100', '1', user]);
    const found = owners(bookOf({ bids, asks: [['101', '1']] }), '100');
    expect(found.bids.map(({ user }) => user)).toEqual([wallet(0xa), wallet(0xb), wallet(0xc)]);
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

  it('the mid is the exact mean of the best prices', () => {
    const book = bookOf({ bids: [['0.1234567890123456789', '1']], asks: [['0.1234567890123456790', '1']] });
    expect(owners(book, '1').mid).toBe('0.12345678901234567895');
  });

  it.each([
    ['no asks', { bids: [['100', '1']] }],
    ['no bids', { asks: [['100', '1']] }],
    ['nothing', {}],
    ['asks of size zero only', { bids: [['100', '1']], asks: [['101', '0.0']] }],
  ] as const)('a book with %s has no mid and nobody near it', (_, sides) => {
    expect(owners(bookOf(sides), '10')).toEqual({ mid: null, withinBps: '10', bids: [], asks: [] });
  });

  it('a level of size zero is not a best price, but its orders count', () => {
    const book = bookOf({
      bids: [
        ['100.5', '0.0', two],
        ['99', '2', one],
      ],
      asks: [['101', '1']],
    });
    expect(owners(book, '100')).toMatchObject({
      mid: '100',
      bids: [
        { user: one, orders: 1, sz: '2', share: '1.000000' },
        { user: two, orders: 1, sz: '0', share: '0.000000' },
      ],
    });
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

  it('the same distance applies on both sides, and nothing is within a distance of 0', () => {
    const book = bookOf({
      bids: [
        ['99.9', '1'],
        ['99.8', '1'],
      ],
      asks: [
        ['100.1', '1'],
        ['100.2', '1'],
      ],
    });
    expect(owners(book, '10')).toMatchObject({ bids: [{ orders: 1 }], asks: [{ orders: 1 }] });
    expect(owners(book, '20')).toMatchObject({ bids: [{ orders: 2 }], asks: [{ orders: 2 }] });
    expect(owners(book, '0')).toMatchObject({ mid: '100', bids: [], asks: [] });
  });

  it('orders past the mid in a crossed book count by distance too', () => {
    const book = bookOf({
      bids: [
        ['102', '1', one],
        ['100.5', '1', two],
        ['99', '1', three],
      ],
      asks: [
        ['100', '1', one],
        ['101', '1', two],
      ],
    });
    const { mid, bids, asks } = owners(book, '60');
    expect([mid, bids.map(({ user }) => user), asks.map(({ user }) => user)]).toEqual(['101', [two], [two]]);
  });

  it('an address in any letter case is one wallet, returned in lower case', () => {
    const spelled = wallet(0xabc).toUpperCase().replace('X', 'x') as Address;
    const bids: Row[] = [spelled, wallet(0xabc), spelled].map((user) => ['100', '1', user]);
    expect(owners(bookOf({ bids, asks: [['100', '1']] }), '0').bids).toEqual([
      { user: wallet(0xabc), orders: 3, sz: '3', share: '1.000000' },
    ]);
  });

  it('orders without an owner are one entry, last, and count towards the side', () => {
    const bids: Row[] = [one, null, two, null].map((user) => ['100', '1', user]);
    expect(owners(bookOf({ bids, asks: [['101', '1']] }), '100').bids).toEqual([
      { user: one, orders: 1, sz: '1', share: '0.250000' },
      { user: two, orders: 1, sz: '1', share: '0.250000' },
      { user: null, orders: 2, sz: '2', share: '0.500000' },
    ]);
  });

  it.each(['-1', '1e1', '', 'ten', '0x10', '.5', '+1', 'NaN'])('rejects a distance of "%s"', (text) => {
    const book = bookOf({ bids: [['100', '1']], asks: [['101', '1']] });
    expect(() => owners(book, text as DecimalString)).toThrow(
      new RangeError(`withinBps must be a decimal from zero: ${text}`),
    );
  });

  it('is exact past what doubles hold', () => {
    const book = bookOf({
      bids: [
        ['100', '9007199254740993', one],
        ['100', '0.000000000000000000000001', two],
      ],
      asks: [['100.5', '1', one]],
    });
    expect(owners(book, '50').bids).toEqual([
      { user: one, orders: 1, sz: '9007199254740993', share: '1.000000' },
      { user: two, orders: 1, sz: '0.000000000000000000000001', share: '0.000000' },
    ]);
  });
});
