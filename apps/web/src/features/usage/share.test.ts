import { compare, formatUnits } from '@l4desk/decimal';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { burnRate, elapsedOfMonth, sharesText, shareText } from './share.ts';

const NOON = Date.parse('2026-11-16T00:00:00Z');

describe('share', () => {
  it.each([
    [412, 1_000, '41.2 %'],
    [1, 3, '33.3 %'],
    [0, 5, '0.0 %'],
    [1_003, 1_000, '100.3 %'],
    [9_007_199_254_740_991, 9_007_199_254_740_991, '100.0 %'],
    [5, 0, undefined],
  ])('%s of %s', (part, whole, text) => {
    expect(shareText(part, whole)).toBe(text);
  });
});

describe('shares', () => {
  it.each([
    [[1, 1, 1], 3, ['33.4 %', '33.3 %', '33.3 %']],
    [[397_586, 189, 9], 397_784, ['100.0 %', '< 0.1 %', '< 0.1 %']],
    [[0, 5], 5, ['0.0 %', '100.0 %']],
    [[5], 0, [undefined]],
  ])('%s of %s', (parts, whole, texts) => {
    expect(sharesText(parts, whole)).toEqual(texts);
  });

  it('add up to 100.0 % whatever the parts', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 1, maxLength: 40 }), (parts) => {
        const texts = sharesText(
          parts,
          parts.reduce((a, b) => a + b, 0),
        );
        const tenths = texts.map((text = '') => (text.startsWith('<') ? 0 : Number(text.replace(/\D/g, ''))));
        expect(tenths.reduce((a, b) => a + b, 0)).toBe(1_000);
      }),
    );
  });
});

describe('time gone by', () => {
  it('half of November is over as the 16th begins', () => {
    expect(elapsedOfMonth('2026-11-16', NOON)).toEqual({ elapsedMs: 15 * 86_400_000, lengthMs: 30 * 86_400_000 });
  });

  it('never leaves the day it is said to be, whatever the clock', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (off) => {
        const { elapsedMs } = elapsedOfMonth('2026-11-16', NOON + off);
        expect(elapsedMs).toBeGreaterThanOrEqual(15 * 86_400_000);
        expect(elapsedMs).toBeLessThanOrEqual(16 * 86_400_000);
      }),
    );
  });
});

describe('burn rate', () => {
  const half = elapsedOfMonth('2026-11-16', NOON);

  it.each([
    [500, 1_000, '1.00'],
    [250, 1_000, '0.50'],
    [1_000, 1_000, '2.00'],
    [0, 1_000, '0.00'],
    [335, 1_000, '0.67'],
  ])('%s of %s after half of the month is %s', (used, ceiling, rate) => {
    expect(burnRate(used, ceiling, half)).toBe(rate);
  });

  it('there is none without a plan, nor before any time has gone by', () => {
    expect(burnRate(5, 0, half)).toBeUndefined();
    expect(burnRate(5, 100, { elapsedMs: 0, lengthMs: 1 })).toBeUndefined();
  });

  it('is at least 1.00 exactly when more of the plan is gone than of the month, but for the rounding', () => {
    const large = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(large, large, fc.integer({ min: 1, max: 30 * 86_400_000 }), (used, ceiling, elapsedMs) => {
        const rate = burnRate(used, ceiling, { elapsedMs, lengthMs: half.lengthMs });
        const ahead = BigInt(used) * BigInt(half.lengthMs) * 1_000n >= 995n * BigInt(ceiling) * BigInt(elapsedMs);
        expect(rate !== undefined && compare(rate, formatUnits(1, 0)) >= 0).toBe(ahead);
      }),
    );
  });
});
