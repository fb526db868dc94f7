import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { must } from '../../../test-support/must.ts';
import { laneShape, SEGMENT_GAP, SEGMENT_MIN } from './lane.ts';

const queue = (sizes: readonly number[], count = sizes.length, total = sizes.reduce((sum, size) => sum + size, 0)) => ({
  sizes: Float64Array.from(sizes),
  start: 0,
  sent: sizes.length,
  count,
  total,
});

describe('the queue lane', () => {
  it('gives a single order the whole bar', () => {
    expect(laneShape(queue([5]), 40)).toEqual({ segments: [{ from: 0, width: 40 }], tail: undefined });
  });

  it('makes segments as wide as their share, from the front of the queue', () => {
    const { segments, tail } = laneShape(queue([3, 1]), 41);
    expect(segments).toEqual([
      { from: 0, width: 30 },
      { from: 31, width: 10 },
    ]);
    expect(tail).toBeUndefined();
  });

  it('keeps a small order visible beside a large one', () => {
    const { segments } = laneShape(queue([0.0001, 100]), 50);
    expect(segments[0]?.width).toBe(SEGMENT_MIN);
    expect(segments[1]?.width).toBe(50 - SEGMENT_MIN - SEGMENT_GAP);
  });

  it('folds orders that do not fit, with their number', () => {
    const { segments, tail } = laneShape(queue(Array.from({ length: 40 }, () => 1)), 29);
    expect(segments).toHaveLength(9);
    expect(tail?.orders).toBe(31);
  });

  it('folds orders that were not sent', () => {
    const { segments, tail } = laneShape(queue([1, 1], 4_468, 1_000), 200);
    expect(segments).toHaveLength(2);
    expect(tail?.orders).toBe(4_466);
    expect(tail?.width).toBeGreaterThan(180);
  });

  it('always fits, never overlaps, and counts every order once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 64 }),
        fc.nat({ max: 5_000 }),
        fc.double({ min: 2, max: 600, noNaN: true }),
        (sizes, more, length) => {
          const total = sizes.reduce((sum, size) => sum + size, 0) + more;
          const { segments, tail } = laneShape(queue(sizes, sizes.length + more, total), length);
          expect(segments.length + (tail?.orders ?? 0)).toBe(sizes.length + more);
          const parts = tail === undefined ? segments : [...segments, tail];
          parts.forEach((part, at) => {
            expect(part.width).toBeGreaterThanOrEqual(SEGMENT_MIN - 1e-9);
            const gap = (parts[at + 1]?.from ?? part.from + part.width + SEGMENT_GAP) - part.from - part.width;
            expect(gap).toBeCloseTo(SEGMENT_GAP, 6);
          });
          const last = must(parts.at(-1), 'part');
          expect(last.from + last.width).toBeLessThanOrEqual(length + SEGMENT_MIN + 1e-6);
        },
      ),
    );
  });
});
