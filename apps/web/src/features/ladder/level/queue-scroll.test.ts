import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anchorsOf, windowAt } from './queue-scroll.ts';

const ROW = 22;

describe('the window of a long queue', () => {
  it('[WEB-8] covers what is in view, wherever that is', () => {
    fc.assert(
      fc.property(fc.nat({ max: 4_468 * ROW }), fc.integer({ min: 1, max: 1_200 }), (scrollTop, height) => {
        const { from, length } = windowAt(scrollTop, height, ROW);
        expect(from * ROW).toBeLessThanOrEqual(scrollTop);
        expect((from + length) * ROW).toBeGreaterThanOrEqual(scrollTop + height);
        expect(length).toBeLessThan(height / ROW + 40);
      }),
    );
  });

  it('of 4,468 orders never more than a screenful is asked for', () => {
    expect(windowAt(90_000, 660, ROW).length).toBeLessThan(60);
  });
});

describe('what the view is held by', () => {
  const orders = Array.from({ length: 60 }, (_, index) => ({ index, oid: index + 1 }));

  it('[WEB-8] at the front by nothing: the front is what is watched', () => {
    expect(anchorsOf(orders, 0, 440, ROW)).toEqual([]);
  });

  it('[WEB-8] further back by the orders in full view, the first one first', () => {
    const anchors = anchorsOf(orders, 10 * ROW + 5, 4 * ROW, ROW);
    expect(anchors.map(({ index }) => index)).toEqual([11, 12, 13, 14]);
  });
});
