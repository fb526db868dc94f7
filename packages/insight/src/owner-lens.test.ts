import type { DecimalString } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { ownerLens } from './owner-lens.ts';
import { bookOf } from './test-support/books.ts';

it('throws RangeError for a distance or share that is not a non-negative decimal', () => {
  const book = bookOf({ bids: [['99', '1']], asks: [['100', '1']] });
  const asked = (withinBps: string, wallShare: string) => () =>
    ownerLens(book, { withinBps: withinBps as DecimalString, wallShare: wallShare as DecimalString, clock: 1_000 });
  expect(asked('-5', '0.1')).toThrow(/withinBps must be a decimal from zero: -5/);
  expect(asked('5', '2 %')).toThrow(/wallShare must be a decimal from zero: 2 %/);
});
