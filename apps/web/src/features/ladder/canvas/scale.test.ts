import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barShare, fullBar, fullBarText, isLargeBetween, largeFrom, largeLimit, largestShown } from './scale.ts';

const sizes = fc.double({ min: 1e-8, max: 1e9, noNaN: true });

describe('the size of a full bar', () => {
  it('holds the largest size, and is initially at most twice as large', () => {
    fc.assert(
      fc.property(sizes, (largest) => {
        const full = fullBar(largest, 0);
        expect(full).toBeGreaterThanOrEqual(largest * (1 - 1e-12));
        expect(full).toBeLessThanOrEqual(largest * 2);
      }),
    );
  });

  it('does not flicker around a step', () => {
    let full = fullBar(19.9, 0);
    const seen = new Set<number>();
    for (const largest of [20.1, 19.9, 20.1, 19.9, 20.1]) {
      full = fullBar(largest, full);
      seen.add(full);
    }
    expect([...seen]).toEqual([30]);
  });

  it('shrinks when most of the bar stays empty', () => {
    expect(fullBar(1, 30)).toBe(1);
    expect(fullBar(0, 30)).toBe(30);
    expect(fullBar(0, 0)).toBe(1);
  });

  it('is written in short form', () => {
    expect([0.05, 1.5, 20, 3_000].map(fullBarText)).toEqual(['0.05', '1.5', '20', '3,000']);
  });
});

describe('the size that the full bar holds', () => {
  it('is the largest of similar sizes', () => {
    expect(largestShown([1, 2, 3, 4, 5, 6, 7, 8])).toBe(8);
    expect(largestShown([3])).toBe(3);
    expect(largestShown([])).toBe(0);
  });

  it('leaves out one wall, so that the rest is not flattened', () => {
    expect(largestShown([1, 2, 1.5, 20, 1, 2])).toBe(2);
    expect(largestShown(Array.from({ length: 60 }, (_, at) => (at < 3 ? 50 + at : 1 + at / 100)))).toBeLessThan(2);
  });

  it('holds all but one in twenty rows, for any sizes', () => {
    fc.assert(
      fc.property(fc.array(sizes, { minLength: 1, maxLength: 80 }), (all) => {
        const shown = largestShown(all);
        expect(all.filter((size) => size > shown).length).toBeLessThanOrEqual(Math.max(1, Math.ceil(all.length / 20)));
      }),
    );
  });
});

describe('bar length', () => {
  it('grows with the size on every scale, from zero to full', () => {
    fc.assert(
      fc.property(sizes, sizes, (a, b) => {
        const full = Math.max(a, b);
        const [small, large] = [Math.min(a, b), full];
        for (const scale of ['linear', 'sqrt', 'log'] as const) {
          expect(barShare(small, full, scale)).toBeLessThanOrEqual(barShare(large, full, scale));
          expect(barShare(large, full, scale)).toBeCloseTo(1, 9);
          expect(barShare(0, full, scale)).toBe(0);
        }
      }),
    );
  });

  it('keeps small levels visible on the root and log scales', () => {
    expect(barShare(1, 100, 'linear')).toBeCloseTo(0.01);
    expect(barShare(1, 100, 'sqrt')).toBeCloseTo(0.1);
    expect(barShare(1, 100, 'log')).toBeGreaterThan(0.3);
  });
});

describe('large orders', () => {
  it('are the largest hundredth of the visible ones', () => {
    const sizes = Float64Array.from({ length: 500 }, (_, at) => ((at * 7919) % 500) + 1);
    const limit = largeFrom(sizes);
    expect(sizes.filter((size) => size >= limit)).toHaveLength(5);
  });

  it('are those from a chosen size on, compared to the last digit, or none', () => {
    const sizes = Float64Array.of(0.49999999, 0.5, 0.50000001);
    const limit = largeLimit('0.5', sizes);
    expect([...sizes].map((size) => size >= limit)).toEqual([false, true, true]);
    expect(largeLimit('none', sizes)).toBe(Number.POSITIVE_INFINITY);
    expect(largeLimit('p99', sizes)).toBe(Number.POSITIVE_INFINITY);
  });

  it('are found to begin between two sizes exactly if they do', () => {
    // Few different sizes, so that many are equal, also to the bounds.
    const few = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(fc.array(few, { maxLength: 300 }), few, few, (list, above, below) => {
        const sizes = Float64Array.from(list);
        const limit = largeFrom(sizes);
        expect(isLargeBetween(sizes, above, below)).toBe(limit > above && limit < below);
      }),
    );
  });

  it('are none among only a few orders', () => {
    expect(largeFrom(Float64Array.of(1, 2, 3))).toBe(Number.POSITIVE_INFINITY);
    expect(largeFrom(new Float64Array(0))).toBe(Number.POSITIVE_INFINITY);
  });
});
