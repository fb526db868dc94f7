import type { DecimalString } from '@l4desk/protocol';
import { wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { sweep } from './sweep.ts';
import { bookOf } from './test-support/books.ts';

const [one, two, three] = [wallet(1), wallet(2), wallet(3)];

/** Bids from 100.0, asks from 101.0: three orders on two levels each. */
const book = bookOf({
  bids: [
    ['100.0', '1.0', one],
    ['100.0', '2.0', two],
    ['99.0', '5.0', one],
  ],
  asks: [
    ['101.0', '1.0', two],
    ['101.0', '2.0', three],
    ['102.0', '5.0', two],
  ],
});

describe('a sweep of a notional', () => {
  it('takes nothing from that order and nothing after it if the part is below one lot', () => {
    const cheaper = bookOf({
      bids: [
        ['100', '1'],
        ['100', '2'],
        ['50', '1'],
      ],
    });
    expect(sweep(cheaper, 'sell', { ntl: '199', szDecimals: 0 })).toMatchObject({
      filledSz: '1',
      filledNtl: '100',
      unfilled: '99',
      worstPx: '100',
      orders: 1,
      levels: 1,
    });
  });

  it('takes an order whole that is paid for exactly, even if it is finer than a lot', () => {
    const odd = bookOf({
      asks: [
        ['100', '1.55555'],
        ['101', '1'],
      ],
    });
    expect(sweep(odd, 'buy', { ntl: '155.555', szDecimals: 2 })).toMatchObject({ filledSz: '1.55555', unfilled: '0' });
  });
});

describe('digits', () => {
  it.each<[string, DecimalString, DecimalString, DecimalString, string, string]>([
    ['all ten are printed', '81307', '1', '1', '81307.00000', '0.000000'],
    ['a small price', '0.00001234', '1', '1', '0.00001234000000', '0.000000'],
    ['a price with more than ten', '12345678901234', '1', '1', '12345678900000', '0.000000'],
    ['a half is rounded up', '1.0000000005', '1', '1', '1.000000001', '0.000000'],
    ['less is rounded down', '1.00000000049999', '1', '1', '1.000000000', '0.000000'],
    ['rounding up may add a digit', '99999.999996', '1', '1', '100000.0000', '0.000000'],
  ])('%s', (_, px, sz, amount, vwap, slippageBps) => {
    const found = sweep(bookOf({ asks: [[px, sz]] }), 'buy', { sz: amount });
    expect([found.vwap, found.slippageBps]).toEqual([vwap, slippageBps]);
  });

  it('computes slippage from the exact average, not from the printed one', () => {
    // An average of 100.00000000004 prints as 100.0000000 and is 0.000000004 bps away; over 1.25 million lots it shows.
    const deep = bookOf({
      asks: [
        ['100', '999999'],
        ['100.005', '1'],
      ],
    });
    expect(sweep(deep, 'buy', { sz: '1000000' })).toMatchObject({ vwap: '100.0000000', slippageBps: '0.000001' });
  });
});

describe('rejects invalid amounts', () => {
  it.each(['-1', '1e5', '', 'all', '1,000', 'Infinity'])('"%s"', (text) => {
    const amount = text as DecimalString;
    expect(() => sweep(book, 'buy', { sz: amount })).toThrow(new RangeError(`sz must be a decimal from zero: ${text}`));
    expect(() => sweep(book, 'buy', { ntl: amount, szDecimals: 2 })).toThrow(
      new RangeError(`ntl must be a decimal from zero: ${text}`),
    );
  });

  it.each([-1, 0.5, 13, Number.NaN])('szDecimals %d', (szDecimals) => {
    expect(() => sweep(book, 'buy', { ntl: '1', szDecimals })).toThrow(
      new RangeError(`szDecimals must be a whole number from 0 to 12: ${szDecimals}`),
    );
  });
});
