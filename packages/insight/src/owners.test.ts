import type { DecimalString } from '@l4desk/protocol';
import { wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { owners } from './owners.ts';
import { bookOf } from './test-support/books.ts';

const [one, two] = [wallet(1), wallet(2)];

describe('owners', () => {
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
