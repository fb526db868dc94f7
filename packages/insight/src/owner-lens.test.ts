import type { DecimalString } from '@l4desk/protocol';
import { wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { ownerLens } from './owner-lens.ts';
import { bookOf } from './test-support/books.ts';

const [one, two, three] = [wallet(1), wallet(2), wallet(3)];
const asked = (withinBps: DecimalString, more: object = {}) => ({ withinBps, clock: 1_000, ...more });

describe('owner lens', () => {
  it('a wall is one wallet with at least that share of the side at one price', () => {
    const book = bookOf({
      bids: [
        ['99.9', '1', one],
        ['99.9', '1', two],
        ['99.8', '1', three],
        ['99.8', '1', three],
        ['99.7', '5', null],
      ],
      asks: [['100.1', '1']],
    });
    const walls = (wallShare: DecimalString) => ownerLens(book, asked('50', { wallShare })).bids.walls;
    expect(walls('0.2')).toEqual([
      { user: three, px: '99.8', orders: 2, sz: '2', share: '0.222222', levelShare: '1.000000', bps: '20.00' },
    ]);
    expect(walls('0.1').map(({ user, levelShare }) => [user, levelShare])).toEqual([
      [one, '0.500000'],
      [two, '0.500000'],
      [three, '1.000000'],
    ]);
    expect(walls('0.223')).toEqual([]);
  });

  it('throws RangeError for a distance or share that is not a non-negative decimal', () => {
    const book = bookOf({ bids: [['99', '1']], asks: [['100', '1']] });
    expect(() => ownerLens(book, asked('-5'))).toThrow(/withinBps must be a decimal from zero: -5/);
    const wallShare = '2 %' as DecimalString;
    expect(() => ownerLens(book, asked('5', { wallShare }))).toThrow(/wallShare must be a decimal from zero: 2 %/);
  });
});
