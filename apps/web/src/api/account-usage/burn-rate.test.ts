import { compare, formatUnits } from '@l4desk/decimal';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { burnRate, elapsedOfMonth } from './burn-rate.ts';

const NOON = Date.parse('2026-11-16T00:00:00Z');

describe('elapsedOfMonth', () => {
  it('is half the month at the start of November 16', () => {
    expect(elapsedOfMonth('2026-11-16', NOON)).toEqual({ elapsedMs: 15 * 86_400_000, lengthMs: 30 * 86_400_000 });
  });

  it('stays within the given day, whatever the clock says', () => {
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

  it('is undefined without a plan, and before any time has elapsed', () => {
    expect(burnRate(5, 0, half)).toBeUndefined();
    expect(burnRate(5, 100, { elapsedMs: 0, lengthMs: 1 })).toBeUndefined();
  });

  it('is at least 1.00 exactly when the used share of the plan exceeds the elapsed share of the month, up to rounding', () => {
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
