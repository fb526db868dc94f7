import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIP_HEIGHT, TIP_WIDTH, tipPlace } from './lane-tip.tsx';
import { HEADING } from './paint-lines.ts';

const ROW = 20;

describe('the tip of an order', () => {
  it('covers neither the best prices nor its own row, and stays on the canvas, wherever the order is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 22, max: 60 }),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 300, max: 1_400 }),
        fc.nat({ max: 1_400 }),
        (slots, at, market, width, x) => {
          const height = HEADING + slots * ROW;
          const best = market % (slots - 1);
          const slot = at % slots;
          const y = HEADING + slot * ROW;
          const touch = { top: HEADING + best * ROW, bottom: HEADING + (best + 2) * ROW };
          const side = slot <= best ? 'A' : 'B';
          const { left, top } = tipPlace(
            { level: { side, px: '1', tick: '1' }, y, rowHeight: ROW, x, touch },
            width,
            height,
          );
          const isApart = (from: number, to: number) => top + TIP_HEIGHT <= from || top >= to;
          expect(isApart(touch.top, touch.bottom)).toBe(true);
          expect(isApart(y, y + ROW)).toBe(true);
          expect(top).toBeGreaterThanOrEqual(HEADING);
          expect(top + TIP_HEIGHT).toBeLessThanOrEqual(height);
          expect(left).toBeGreaterThanOrEqual(0);
          expect(left + TIP_WIDTH).toBeLessThanOrEqual(Math.max(width, TIP_WIDTH + 8));
        },
      ),
    );
  });

  it('lies over the outer rows: above an ask, below a bid', () => {
    const place = (side: 'A' | 'B') =>
      tipPlace({ level: { side, px: '1', tick: '1' }, y: 400, rowHeight: ROW, x: 10, touch: undefined }, 800, 800).top;
    expect(place('A')).toBeLessThan(400 - TIP_HEIGHT);
    expect(place('B')).toBeGreaterThanOrEqual(400 + ROW);
  });
});
