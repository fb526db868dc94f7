import { ceilToTick, compare, floorToTick } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { must } from '../test-support/must.ts';
import { indexHolding, indexOfPrice, priceOfIndex, TICK_PATTERN, type TickGrid, tickGrid } from './prices.ts';

function grid(tick: string): TickGrid {
  return must(tickGrid(tick), `tick ${tick}`);
}

const ticks = fc
  .tuple(fc.constantFrom(1, 2, 5), fc.integer({ min: -8, max: 4 }))
  .map(([factor, power]) => (power >= 0 ? `${factor}${'0'.repeat(power)}` : `0.${'0'.repeat(-power - 1)}${factor}`));

const prices = fc
  .tuple(fc.integer({ min: 0, max: 200_000 }), fc.stringMatching(/^\d{1,6}$/))
  .map(([whole, fraction]) => `${whole}.${fraction}` as DecimalString);

describe('rows as whole numbers', () => {
  it('[DEC-6] maps a row to its price and back, with the decimals of the tick', () => {
    fc.assert(
      fc.property(ticks, fc.integer({ min: 0, max: 10_000_000 }), (tick, index) => {
        const px = priceOfIndex(grid(tick), index);
        expect(indexOfPrice(grid(tick), px)).toBe(index);
        expect(px.split('.')[1]?.length ?? 0).toBe(tick.split('.')[1]?.length ?? 0);
      }),
    );
  });

  it('never prints two prices of one grouping alike', () => {
    const shown = Array.from({ length: 6 }, (_, index) => priceOfIndex(grid('0.000005'), index + 1));
    expect(new Set(shown).size).toBe(6);
    expect(shown[0]).toBe('0.000005');
  });

  it('[DEC-6] rounds a price to its row exactly: bids down, asks up', () => {
    fc.assert(
      fc.property(ticks, prices, (tick, px) => {
        const floor = floorToTick(px, tick as DecimalString);
        const ceil = ceilToTick(px, tick as DecimalString);
        const bid = indexHolding(grid(tick), 'B', px);
        const ask = indexHolding(grid(tick), 'A', px);
        expect(bid !== undefined && compare(priceOfIndex(grid(tick), bid), floor)).toBe(0);
        expect(ask !== undefined && compare(priceOfIndex(grid(tick), ask), ceil)).toBe(0);
      }),
    );
  });

  it('returns no row for a price off the grid', () => {
    expect(indexOfPrice(grid('5'), '81307.0')).toBeUndefined();
    expect(indexOfPrice(grid('0.5'), '81307.25')).toBeUndefined();
  });
});

it('ticks are 1, 2 and 5 times powers of ten, each with a single spelling', () => {
  fc.assert(
    fc.property(ticks, (tick) => {
      expect(TICK_PATTERN.test(tick)).toBe(true);
    }),
  );
  for (const text of ['0', '3', '01', '1.0', '0.50', '.5', '1e1', '-1', '0.3', '15', '']) {
    expect({ text, ok: TICK_PATTERN.test(text) }).toEqual({ text, ok: false });
  }
});
