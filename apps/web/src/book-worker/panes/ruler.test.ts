import { multiply, sum } from '@l4desk/decimal';
import type { DecimalString, L4Order } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { indexHolding, priceOfIndex, tickGrid } from '../prices.ts';
import { FakeWorker } from '../test-support/fake-worker.ts';

describe('the ruler', () => {
  it('counts what rests in the rows from one price to another, both included, for any tick', () => {
    const worker = FakeWorker.live();
    const book = must(worker.follower.coin('BTC')?.book, 'book');
    const [bids, asks] = worker.follower.levels('BTC');
    const within = (orders: readonly L4Order[], side: 'A' | 'B', tick: DecimalString, low: number, high: number) => {
      const own = orders.filter(({ limitPx }) => {
        const index = indexHolding(must(tickGrid(tick), 'grid'), side, limitPx) ?? Number.NaN;
        return index >= low && index <= high;
      });
      return {
        orders: own.length,
        sz: sum(own.map(({ sz }) => sz)),
        notional: sum(own.map(({ sz, limitPx }) => multiply(sz, limitPx))),
      };
    };
    let found = 0;
    fc.assert(
      fc.property(
        fc.constantFrom<DecimalString>('0.5', '2', '10'),
        fc.nat({ max: 60 }),
        fc.nat({ max: 60 }),
        (tick, below, above) => {
          const grid = must(tickGrid(tick), 'grid');
          const middle = must(indexHolding(grid, 'B', must(book.best('B'), 'bid').px), 'row');
          const [low, high] = [middle - below, middle + above];
          const rows = { tick, low: priceOfIndex(grid, low), high: priceOfIndex(grid, high) };
          const response = must(worker.frame({ ruler: rows }).ruler, 'response');
          found += response.bids.orders + response.asks.orders;
          expect(response.bids).toEqual(within(bids, 'B', tick, low, high));
          expect(response.asks).toEqual(within(asks, 'A', tick, low, high));
        },
      ),
    );
    expect(found).toBeGreaterThan(500);
  });
});
