import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anchorsOf, isCovered, windowAt } from './queue-scroll.ts';

const ROW = 22;

describe('the window of a long queue', () => {
  it('covers what is visible, at any scroll position', () => {
    fc.assert(
      fc.property(fc.nat({ max: 4_468 * ROW }), fc.integer({ min: 1, max: 1_200 }), (scrollTop, height) => {
        const { from, length } = windowAt(scrollTop, height, ROW);
        expect(from * ROW).toBeLessThanOrEqual(scrollTop);
        expect((from + length) * ROW).toBeGreaterThanOrEqual(scrollTop + height);
        expect(length).toBeLessThan(height / ROW + 40);
      }),
    );
  });

  it('never requests more than a screenful of 4,468 orders', () => {
    expect(windowAt(90_000, 660, ROW).length).toBeLessThan(60);
  });
});

describe('the anchors of the view', () => {
  const orders = Array.from({ length: 60 }, (_, index) => ({ index, oid: index + 1 }));

  it('are empty at the front, which stays visible', () => {
    expect(anchorsOf(orders, 0, 440, ROW)).toEqual([]);
    expect(anchorsOf(orders, ROW - 1, 440, ROW)).toEqual([]);
    expect(anchorsOf(orders, ROW, 4 * ROW, ROW)).toHaveLength(5);
  });

  it('are the fully visible orders further back, the first one first', () => {
    const anchors = anchorsOf(orders, 10 * ROW + 5, 4 * ROW, ROW);
    expect(anchors.map(({ index }) => index)).toEqual([11, 12, 13, 14]);
  });
});

describe('the requested window', () => {
  const HEIGHT = 440;
  /** A request at this row, with an order that anchors it unless it is at the front. */
  const asked = (row: number) => ({ ...windowAt(row * ROW, HEIGHT, ROW), anchors: row === 0 ? [] : [row] });
  const covers = (row: number, at: number, followed = 0) => isCovered(asked(row), followed, at * ROW, HEIGHT, ROW);

  it('covers the view until half of the rows beyond its edge are used up, either way', () => {
    expect([88, 94, 95, 100, 106, 107].filter((at) => covers(100, at))).toEqual([94, 95, 100, 106]);
  });

  it('follows the orders that it was requested for', () => {
    expect(covers(100, 60)).toBe(false);
    expect(covers(100, 60, -40)).toBe(true);
  });

  it('does not cover both the front, which stays visible, and the orders behind it', () => {
    expect([covers(0, 0), covers(0, 0.9), covers(0, 1)]).toEqual([true, true, false]);
    expect([covers(3, 0.9), covers(3, 1)]).toEqual([false, true]);
  });
});
