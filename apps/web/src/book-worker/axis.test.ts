import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { must } from '../test-support/must.ts';
import {
  type Axis,
  CENTRINGS,
  type Centring,
  dividerSlot,
  indexAtSlot,
  type Placement,
  placeAxis,
  resized,
  rowsToMarket,
  scrolled,
  sideOfIndex,
  slotOfIndex,
  type Touch,
} from './axis.ts';

const ROWS = 20;
const calm: Placement = { rows: ROWS, mode: 'auto', held: false, recentre: false };

function placed(axis: Axis | undefined, touch: Touch, placement: Partial<Placement> = {}): Axis {
  return must(placeAxis(axis, touch, { ...calm, ...placement }), 'axis');
}

const touches = fc
  .tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 30 }))
  .map(([bid, gap]): Touch => ({ bid, ask: bid + gap }));

const placements = fc.record({
  rows: fc.constant(ROWS),
  mode: fc.constantFrom<Centring[]>(...CENTRINGS),
  held: fc.boolean(),
  recentre: fc.boolean(),
});

/** Prices by row, as the person sees them. */
const shown = (axis: Axis) => Array.from({ length: ROWS }, (_, slot) => indexAtSlot(axis, slot));

describe('which price stands where', () => {
  it('[WEB-3] rows and prices are each other, one row for the divider, none left out', () => {
    fc.assert(
      fc.property(touches, fc.integer({ min: -60, max: 60 }), (touch, by) => {
        const axis = scrolled(placed(undefined, touch), by);
        const rows = shown(axis);
        rows.forEach((index, slot) => {
          if (index === undefined) return;
          expect(slotOfIndex(axis, index)).toBe(slot);
        });
        const prices = rows.filter((index) => index !== undefined);
        for (let at = 1; at < prices.length; at += 1) expect(prices[at]).toBe((prices[at - 1] ?? 0) - 1);
      }),
    );
  });

  it('the divider parts the sides wherever the market stands between them', () => {
    fc.assert(
      fc.property(touches, (touch) => {
        const axis = placed(undefined, touch);
        expect(touch.ask !== undefined && sideOfIndex(axis, touch.ask)).toBe('A');
        expect(touch.bid !== undefined && sideOfIndex(axis, touch.bid)).toBe('B');
        expect(dividerSlot(axis)).toBe(ROWS / 2);
      }),
    );
  });

  it('scrolling by one moves every row by one, through the divider as well', () => {
    let axis = placed(undefined, { bid: 100, ask: 101 });
    for (let step = 0; step < 2 * ROWS; step += 1) {
      const next = scrolled(axis, -1);
      expect(shown(next).slice(0, -1)).toEqual(shown(axis).slice(1));
      axis = next;
    }
    expect(rowsToMarket(axis, ROWS)).toBeGreaterThan(0);
  });

  it('no price below zero is shown', () => {
    const axis = placed(undefined, { bid: 2, ask: 3 });
    expect(shown(axis).filter((index) => index !== undefined && index < 0)).toEqual([]);
  });
});

describe('when rows move', () => {
  it('[WEB-3] while something points at them, only a recentre moves rows', () => {
    fc.assert(
      fc.property(touches, touches, placements, (first, then, placement) => {
        const axis = placed(undefined, first);
        const next = placed(axis, then, { ...placement, held: true, recentre: false });
        expect(next).toBe(axis);
      }),
    );
  });

  it('[WEB-3] a recentre puts the market in the middle, whatever else holds', () => {
    fc.assert(
      fc.property(touches, touches, placements, (first, then, placement) => {
        const axis = scrolled(placed(undefined, first), 7);
        const next = placed(axis, then, { ...placement, recentre: true });
        expect(dividerSlot(next)).toBe(ROWS / 2);
        expect(next.detached).toBe(false);
      }),
    );
  });

  it('auto keeps still inside its band and recentres outside', () => {
    const axis = placed(undefined, { bid: 100, ask: 101 });
    const near = placed(axis, { bid: 103, ask: 104 });
    expect(near.top).toBe(axis.top);
    expect(dividerSlot(near)).toBe(ROWS / 2 - 3);
    const far = placed(near, { bid: 106, ask: 107 });
    expect(dividerSlot(far)).toBe(ROWS / 2);
  });

  it.each([
    ['up', 5, 5],
    ['up', 6, ROWS / 2],
    ['down', 4, 14],
    ['down', 5, ROWS / 2],
  ] as const)('auto: a market that goes %s by %i rows has its divider in row %i', (way, by, slot) => {
    const axis = placed(undefined, { bid: 100, ask: 101 });
    const bid = way === 'up' ? 100 + by : 100 - by;
    // Of 20 rows the middle ten are the band: rows 5 to 14.
    expect(dividerSlot(placed(axis, { bid, ask: bid + 1 }))).toBe(slot);
  });

  it('static lets the market go out of sight, and says how far', () => {
    const axis = placed(undefined, { bid: 100, ask: 101 });
    const away = placed(axis, { bid: 150, ask: 151 }, { mode: 'static' });
    expect(away.top).toBe(axis.top);
    expect(rowsToMarket(away, ROWS)).toBe(40);
    expect(rowsToMarket(placed(axis, { bid: 50, ask: 51 }, { mode: 'static' }), ROWS)).toBe(-41);
  });

  it('mid keeps the market in the middle', () => {
    const axis = placed(undefined, { bid: 100, ask: 101 });
    expect(dividerSlot(placed(axis, { bid: 102, ask: 103 }, { mode: 'mid' }))).toBe(ROWS / 2);
  });

  it('a person who scrolled away is left there until a recentre', () => {
    const axis = scrolled(placed(undefined, { bid: 100, ask: 101 }), 30);
    for (const mode of CENTRINGS) expect(placed(axis, { bid: 100, ask: 101 }, { mode }).top).toBe(axis.top);
  });

  it('the divider moves no further than it must', () => {
    const wide = placed(undefined, { bid: 100, ask: 110 });
    expect(wide.divider).toBe(106);
    expect(placed(wide, { bid: 102, ask: 108 }).divider).toBe(106);
    expect(placed(wide, { bid: 107, ask: 110 }).divider).toBe(108);
    expect(placed(wide, { bid: 100, ask: 104 }).divider).toBe(104);
  });

  it('a changed height keeps the middle row where it is', () => {
    const axis = placed(undefined, { bid: 100, ask: 101 });
    expect(dividerSlot(resized(axis, ROWS, 40))).toBe(20);
    expect(resized(axis, ROWS, ROWS)).toBe(axis);
  });
});

describe('a book with holes', () => {
  it('without any order there is no axis', () => {
    expect(placeAxis(undefined, { bid: undefined, ask: undefined }, calm)).toBeUndefined();
  });

  it('with one side only, the divider stands beside its best price', () => {
    expect(placed(undefined, { bid: 100, ask: undefined }).divider).toBe(101);
    expect(placed(undefined, { bid: undefined, ask: 200 }).divider).toBe(200);
  });

  it('a book that empties keeps its rows', () => {
    const axis = placed(undefined, { bid: 100, ask: 101 });
    expect(placed(axis, { bid: undefined, ask: undefined })).toBe(axis);
  });

  it('a crossed book is still placed', () => {
    expect(placed(undefined, { bid: 105, ask: 100 }).divider).toBe(106);
  });
});
