import { wallet } from '@l4desk/testkit';
import { expect, it } from 'vitest';
import { bookOf } from '../test-support/books.ts';
import { missedBetween } from './missed.ts';

const MAKER = wallet(1);

it('reports what an outage hid: best prices, and orders near the mid that arrived, left or changed size', () => {
  const before = bookOf({
    bids: [
      ['100', '1', MAKER, 1],
      ['99.9', '2.50', MAKER, 2],
      ['90', '7', MAKER, 3],
    ],
    asks: [['100.2', '4', MAKER, 11]],
  });
  const after = bookOf({
    bids: [
      ['100.1', '0.5', MAKER, 4],
      ['100.1', '0.25', MAKER, 5],
      ['99.9', '2', MAKER, 2],
      ['80', '9', MAKER, 6],
    ],
    asks: [['100.2', '4', MAKER, 11]],
  });
  const nothing = { added: { orders: 0, sz: '0' }, gone: { orders: 0, sz: '0' }, resized: 0 };
  expect(missedBetween(before, after, '25')).toEqual({
    withinBps: '25',
    bids: {
      bestBefore: '100',
      bestAfter: '100.1',
      added: { orders: 2, sz: '0.75' },
      gone: { orders: 1, sz: '1' },
      resized: 1,
    },
    asks: { bestBefore: '100.2', bestAfter: '100.2', ...nothing },
  });
  const bare = missedBetween(before, bookOf({ bids: [['80', '9', MAKER, 6]] }), '25');
  expect(bare.asks).toEqual({ ...nothing, bestBefore: '100.2', bestAfter: null, gone: { orders: 1, sz: '4' } });
  expect(bare.bids).toMatchObject({ gone: { orders: 3, sz: '10.5' }, added: { orders: 1, sz: '9' } });
});
