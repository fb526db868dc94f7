import { expect, it } from 'vitest';
import { priceText } from './print-columns.tsx';

it('the prices of a tape have the same decimals, and an average at most one more', () => {
  // Of a coin whose prices have five: the exchange leaves out the zeros at their end.
  const texts = (['0.1393', '0.13929', '0.139295', '0.1392951'] as const).map((px) => priceText({ px }, 6));
  expect(texts.map((text) => text.trimEnd())).toEqual(['0.13930', '0.13929', '0.139295', '0.139295']);
  expect(new Set(texts.map((text) => text.length)).size, 'aligned on the point').toBe(1);
  expect(priceText({ px: '81312' }, 1).trimEnd()).toBe('81,312');
});
