import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CoinScale } from './scale.ts';

const szDecimals = fc.integer({ min: 0, max: 6 });
const px = fc.integer({ min: 1, max: 10_000_000_000 });

describe('the scale of a coin', () => {
  it.each([
    [5, 813_070, '81307.0'],
    [0, 420, '0.00042'],
    [0, 4_123, '0.004123'],
    [2, 1_364_200, '136.42'],
    [5, 11_111_170, '1111117.0'],
    [6, 7, '7.0'],
  ])('with %i size decimals %i ticks print as %s', (decimals, ticks, text) => {
    expect(new CoinScale(decimals).price(ticks)).toBe(text);
  });

  it.each([
    [5, 18_385, '0.18385'],
    [5, 0, '0.0'],
    [0, 12, '12.0'],
    [2, 1_842, '18.42'],
  ])('with %i size decimals %i lots print as %s', (decimals, lots, text) => {
    expect(new CoinScale(decimals).size(lots)).toBe(text);
  });

  it('snaps to the nearest allowed price on the given side', () => {
    fc.assert(
      fc.property(szDecimals, px, (decimals, ticks) => {
        const scale = new CoinScale(decimals);
        const down = scale.snap(ticks, 'down');
        const up = scale.snap(ticks, 'up');
        expect(scale.isPrice(down)).toBe(true);
        expect(scale.isPrice(up)).toBe(true);
        expect(up).toBeGreaterThanOrEqual(ticks);
        expect(up - ticks).toBeLessThan(scale.step(ticks));
        expect(down).toBeLessThanOrEqual(ticks);
        expect(ticks - down).toBeLessThan(scale.step(ticks));
      }),
    );
  });

  it('allows no price that is fractional in ticks, zero or negative', () => {
    const scale = new CoinScale(2);
    for (const ticks of [0, -10, 10.5, Number.NaN, 2 ** 53]) expect(scale.isPrice(ticks)).toBe(false);
  });
});
