import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Column, type Columns, columnsFor, numberColumns } from './columns.ts';

const texts = { price: 6, size: 8, count: 4, cumulative: 9, notional: 10, flow: 9 };
const all = {
  layout: 'split',
  count: true,
  cumulative: true,
  notional: 'row',
  flow: true,
  lane: true,
  large: 'none',
} as const;

/** The cells of one side's row, from left to right. */
const cells = ({ price, ...columns }: Columns, side: 'bids' | 'asks'): Column[] =>
  [price, ...numberColumns(columns[side]), columns[side].lane]
    .filter((column) => column !== undefined)
    .toSorted((a, b) => a.x - b.x);

describe('columns', () => {
  it('gives a queue the whole half that its numbers leave free, with its front at the price', () => {
    for (const width of [560, 830, 1_440]) {
      const { price, bids, asks } = columnsFor(width, 7.2, texts, all);
      expect(bids.lane).toEqual({ x: price.x + price.width, width: width - price.x - price.width });
      expect(asks.lane).toEqual({ x: 0, width: price.x });
      expect([bids.laneMirrored, asks.laneMirrored]).toEqual([false, true]);
    }
  });

  it('keeps price, size and one lane at 360 pixels', () => {
    const columns = columnsFor(360, 7.2, texts, all);
    expect(columns.layout).toBe('single');
    expect(columns.asks.lane).toBeDefined();
    expect(columns.bids).toEqual(columns.asks);
  });

  it('never overlaps columns or exceeds the pane, for any width and choice', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 240, max: 2_560 }),
        fc.record({
          layout: fc.constantFrom('split' as const, 'single' as const),
          count: fc.boolean(),
          cumulative: fc.boolean(),
          notional: fc.constantFrom('none' as const, 'row' as const, 'cumulative' as const),
          flow: fc.boolean(),
          lane: fc.boolean(),
          large: fc.constant('none' as const),
        }),
        (width, choice) => {
          const columns = columnsFor(width, 7.2, texts, choice);
          for (const side of ['bids', 'asks'] as const) {
            const sorted = cells(columns, side);
            sorted.forEach((column, at) => {
              expect(column.x).toBeGreaterThanOrEqual(0);
              expect(column.x + column.width).toBeLessThanOrEqual(sorted[at + 1]?.x ?? width);
            });
          }
        },
      ),
    );
  });

  it('leaves columns out from the last one on: a narrower one takes no place of one without room', () => {
    for (let width = 240; width <= 1_440; width += 1) {
      const { bids } = columnsFor(width, 7.2, { ...texts, notional: 7, flow: 5 }, { ...all, layout: 'single' });
      const shown = [bids.count, bids.cumulative, bids.notional, bids.came, bids.withdrawn];
      const fit = shown.map((column) => column !== undefined);
      expect(fit, `${width} px`).toEqual(fit.toSorted((a, b) => Number(b) - Number(a)));
    }
  });

  it('hides recent changes on a phone, whatever else is off', () => {
    const few = { ...all, layout: 'single', count: false, cumulative: false, notional: 'none' } as const;
    const short = { ...texts, flow: 4 };
    expect(columnsFor(380, 7.2, short, few).asks.came).toBeUndefined();
    expect(columnsFor(864, 7.2, texts, { ...all, layout: 'single' }).asks.withdrawn).toBeDefined();
    expect(columnsFor(864, 7.2, texts, { ...few, flow: false }).asks.came).toBeUndefined();
  });

  it('never draws what came without what was withdrawn, if both are chosen', () => {
    for (let width = 480; width <= 1_000; width += 10) {
      const { came, withdrawn } = columnsFor(width, 7.2, texts, { ...all, layout: 'single' }).asks;
      expect(came === undefined).toBe(withdrawn === undefined);
    }
  });
});
