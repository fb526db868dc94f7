import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { must } from '../test-support/must.ts';
import {
  type Axis,
  barSlot,
  CENTRINGS,
  type Centring,
  indexAtSlot,
  indicesIn,
  movesOnAfter,
  type Placement,
  placeAxis,
  resized,
  rowsOutOfSight,
  scrolled,
  showing,
  sideOfIndex,
  slotOfIndex,
  type Touch,
} from './axis.ts';

const ROWS = 20;
const calm: Placement = { rows: ROWS, mode: 'auto', held: false, recentre: false, now: 0 };

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
  now: fc.constant(0),
});

/** Prices by row, top to bottom. */
const shown = (axis: Axis) => Array.from({ length: ROWS }, (_, slot) => indexAtSlot(axis, slot));

describe('placing prices in rows', () => {
  it('maps rows to prices and back, with no price left out', () => {
    fc.assert(
      fc.property(touches, fc.integer({ min: -60, max: 60 }), (touch, by) => {
        const axis = scrolled(placed(undefined, touch), by);
        const rows = shown(axis);
        rows.forEach((index, slot) => {
          if (index === undefined) return;
          expect(slotOfIndex(axis, index)).toBe(slot);
        });
        const bar = barSlot(axis);
        expect(bar >= 0 && bar < ROWS ? rows[bar] : undefined).toBeUndefined();
        const prices = rows.filter((index) => index !== undefined);
        const lowest = prices.at(-1) ?? 0;
        expect(indicesIn(axis, ROWS)).toEqual({ highest: prices[0] ?? 0, lowest });
        for (let at = 1; at < prices.length; at += 1) expect(prices[at]).toBe((prices[at - 1] ?? 0) - 1);
      }),
    );
  });

  it('centres a fresh axis on the market, with the best ask above the best bid', () => {
    fc.assert(
      fc.property(touches, (touch) => {
        const { bid, ask } = { bid: must(touch.bid, 'bid'), ask: must(touch.ask, 'ask') };
        const axis = placed(undefined, touch);
        const [above, below] = [slotOfIndex(axis, ask), ROWS - 1 - slotOfIndex(axis, bid)];
        expect(Math.abs(above - below)).toBeLessThanOrEqual(2);
        expect(barSlot(axis)).toBe(ROWS / 2);
        expect(slotOfIndex(axis, ask)).toBeLessThan(barSlot(axis));
        expect(slotOfIndex(axis, bid)).toBeGreaterThan(barSlot(axis));
      }),
    );
  });

  it('assigns a price between the best ones to the side it is nearer to', () => {
    const touch = { bid: 100, ask: 110 };
    const sides = [99, 100, 104, 105, 109, 110, 111].map((index) => sideOfIndex(touch, index));
    expect(sides.join('')).toBe('BBBAAAA');
    expect(sideOfIndex({ bid: 100, ask: undefined }, 101)).toBe('A');
    expect(sideOfIndex({ bid: undefined, ask: 100 }, 99)).toBe('B');
  });

  it('centres a price that the person went to, and keeps it when the market moves', () => {
    const market = { bid: 100, ask: 101 };
    for (const price of [500, 20]) {
      const axis = showing(placed(undefined, market), price, ROWS);
      expect(slotOfIndex(axis, price)).toBe(ROWS / 2);
      expect(placed(axis, market)).toBe(axis);
      expect(placed(axis, { bid: 102, ask: 103 }).top).toBe(axis.top);
    }
  });

  it('shows no price below zero', () => {
    const axis = placed(undefined, { bid: 2, ask: 3 });
    expect(shown(axis).filter((index) => index !== undefined && index < 0)).toEqual([]);
  });
});

describe('moving rows', () => {
  it('moves rows only on a recentre while something points at them', () => {
    fc.assert(
      fc.property(touches, touches, placements, (first, then, placement) => {
        const axis = placed(undefined, first);
        const next = placed(axis, then, { ...placement, held: true, recentre: false });
        expect(next).toBe(axis);
      }),
    );
  });

  it('centres the market on a recentre, even while detached or held', () => {
    fc.assert(
      fc.property(touches, touches, placements, (first, then, placement) => {
        const axis = scrolled(placed(undefined, first), 7);
        const next = placed(axis, then, { ...placement, recentre: true });
        expect(next).toEqual(placed(undefined, then));
      }),
    );
  });

  it.each([
    ['auto', 5],
    ['mid', 2],
  ] as const)(
    '%s does not move while the market drifts by at most %i rows, and follows by three rows beyond that',
    (mode, band) => {
      const axis = placed(undefined, { bid: 100, ask: 101 });
      for (const way of [1, -1]) {
        const near = { bid: 100 + way * band, ask: 101 + way * band };
        const far = { bid: near.bid + way, ask: near.ask + way };
        expect(placed(axis, near, { mode }).top).toBe(axis.top);
        expect(placed(axis, far, { mode })).toMatchObject({ ...placed(undefined, far), top: axis.top + way * 3 });
      }
    },
  );

  /** The first row's price after each mid of a sequence, one every 100 ms. */
  const tops = (mids: readonly number[], mode: Centring) => {
    let axis = placed(undefined, { bid: 100, ask: 101 });
    return mids.map((bid, at) => {
      axis = placed(axis, { bid, ask: bid + 1 }, { mode, now: at * 100 });
      return axis.top;
    });
  };

  it.each(['auto', 'mid'] as const)('%s does not move back and forth within two seconds', (mode) => {
    // It swings by eight rows every 0.8 s, then falls by one every 0.8 s.
    const swing = [100, 103, 104, 106, 105, 102, 99, 98];
    const fall = Array.from({ length: 150 }, (_, at) => 98 - Math.floor(at / 8));
    const mids = [...Array.from({ length: 6 }, () => swing).flat(), ...fall];
    const moved = tops(mids, mode);
    const steps = moved.map((top, at) => ({ at: at * 100, by: top - (moved[at - 1] ?? top) })).filter(({ by }) => by);
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.every(({ by }) => Math.abs(by) <= 3)).toBe(true);
    const turns = steps.filter(({ by }, at) => by * (steps[at - 1]?.by ?? by) < 0);
    for (const turn of turns) expect(turn.at - (steps[steps.indexOf(turn) - 1]?.at ?? 0)).toBeGreaterThanOrEqual(2_000);
    expect(moved.at(-1)).toBeLessThan(Math.min(...moved.slice(0, 48)));
  });

  it.each([
    ['in the direction of the last move', { by: 3, at: 0 }, 0],
    ['back, once two seconds have passed', { by: -3, at: 0 }, 2_000],
    ['that was never followed', undefined, 0],
  ])('moves on to a market that rests, %s', (_, step, from) => {
    const market = { bid: 108, ask: 109 };
    const { top } = placed(undefined, market);
    const start = { ...placed(undefined, { bid: 100, ask: 101 }), ...(step && { step }) };
    let now = 100;
    let axis = placed(start, market, { now });
    const times: number[] = [];
    for (let wait = movesOnAfter(axis, now); wait !== undefined; wait = movesOnAfter(axis, now)) {
      now += wait;
      const next = placed(axis, market, { now });
      if (next.top !== axis.top) times.push(now);
      axis = next;
    }
    expect(Math.abs(top - axis.top)).toBeLessThanOrEqual(5);
    expect(Math.min(now, ...times)).toBeGreaterThanOrEqual(from);
    expect(now).toBeLessThan(10_000);
  });

  it('follows on at once in the same direction, and centres a market that fell out of view right after a rise', () => {
    const rise = Array.from({ length: 20 }, (_, at) => 100 + at);
    const rising = tops(rise, 'mid');
    expect(Math.max(...rise.map((bid, at) => Math.abs((rising[at] ?? 0) - 10 - bid)))).toBeLessThanOrEqual(3);
    expect(tops([...rise, 60], 'mid').at(-1)).toBe(placed(undefined, { bid: 60, ask: 61 }).top);
  });

  it('keeps every row but those that the market crossed, which go to the other side of the bar', () => {
    const axis = placed(undefined, { bid: 100, ask: 101 });
    const risen = placed(axis, { bid: 102, ask: 103 });
    expect(barSlot(risen)).toBe(barSlot(axis) - 2);
    for (const price of [99, 100, 103, 104]) expect(slotOfIndex(risen, price)).toBe(slotOfIndex(axis, price));
    for (const price of [101, 102]) expect(slotOfIndex(risen, price)).toBe(slotOfIndex(axis, price) + 1);
  });

  it('centres at once a market that left the visible rows', () => {
    const far = { bid: 150, ask: 151 };
    const moved = placed(placed(undefined, { bid: 100, ask: 101 }), far, { now: 100 });
    expect(moved).toMatchObject(placed(undefined, far));
    // It counts as a move: the rows do not go back at once.
    expect(placed(moved, { bid: 143, ask: 144 }, { now: 200 }).top).toBe(moved.top);
  });

  it('lets the market leave the visible rows in static mode, and reports how far', () => {
    const axis = placed(undefined, { bid: 100, ask: 101 });
    const away = placed(axis, { bid: 150, ask: 151 }, { mode: 'static' });
    expect(away.top).toBe(axis.top);
    expect(rowsOutOfSight(away, ROWS, 150)).toBe(39);
    expect(rowsOutOfSight(away, ROWS, 100)).toBe(0);
    expect(rowsOutOfSight(away, ROWS, 51)).toBe(-41);
  });

  it('stays where a person scrolled to until a recentre', () => {
    const axis = scrolled(placed(undefined, { bid: 100, ask: 101 }), 30);
    for (const mode of CENTRINGS) expect(placed(axis, { bid: 100, ask: 101 }, { mode }).top).toBe(axis.top);
  });

  it("keeps the middle row's price when the height changes", () => {
    const axis = placed(undefined, { bid: 100, ask: 101 });
    expect(slotOfIndex(resized(axis, ROWS, 40), 100)).toBe(slotOfIndex(axis, 100) + 10);
    expect(resized(axis, ROWS, ROWS)).toBe(axis);
  });
});

describe('incomplete or unusual books', () => {
  it('returns no axis for a book without orders', () => {
    expect(placeAxis(undefined, { bid: undefined, ask: undefined }, calm)).toBeUndefined();
  });

  it('centres the best price of a book with only one side', () => {
    expect(slotOfIndex(placed(undefined, { bid: 100, ask: undefined }), 100)).toBe(ROWS / 2 + 1);
    expect(slotOfIndex(placed(undefined, { bid: undefined, ask: 200 }), 200)).toBe(ROWS / 2 - 1);
  });

  it('keeps the rows when the book becomes empty', () => {
    const axis = placed(undefined, { bid: 100, ask: 101 });
    expect(placed(axis, { bid: undefined, ask: undefined })).toBe(axis);
  });

  it('places a crossed book', () => {
    expect(slotOfIndex(placed(undefined, { bid: 105, ask: 100 }), 102)).toBe(ROWS / 2 + 1);
  });
});
