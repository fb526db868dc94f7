import { expect, it } from 'vitest';
import { maxMarketOrderNtls } from './maxMarketOrderNtls.ts';

it('[DEC-1, DEC-5] a response accepts as a bucket an integer and a decimal string', () => {
  expect(maxMarketOrderNtls.parse([[40, '15000000.0']])).toEqual([[40, '15000000.0']]);
  for (const bucket of [[40], ['40', '1.0'], [40.5, '1.0'], [40, 1], [40, '1e7'], [40, '1.0', '2.0'], [0, '1.0']]) {
    expect(maxMarketOrderNtls.safeParse([bucket]).success).toBe(false);
  }
});
