import { HISTORICAL_ORDERS_LIMIT_MAX } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { coverageOf, jointCoverage } from './coverage-panel.tsx';
import { generatedEntries, rowsOf } from './test-support/orders.ts';

it('[HIST-2] treats a full response as capped, covering from its earliest status on', () => {
  const some = (count: number) => rowsOf(generatedEntries(count, 1));
  const full = some(HISTORICAL_ORDERS_LIMIT_MAX);
  const from = Math.min(...full.map((row) => row.entry.statusTimestamp ?? 0));
  expect(coverageOf(full)).toEqual({ capped: true, from });
  expect(coverageOf(some(HISTORICAL_ORDERS_LIMIT_MAX - 1)).capped).toBe(false);
  expect(coverageOf(some(0))).toEqual({ capped: false, from: undefined });
});

it('covers several wallets together from the latest start of the capped ones', () => {
  const some = { capped: false, from: 100 };
  const capped = { capped: true, from: 300 };
  const earlier = { capped: true, from: 200 };
  expect(jointCoverage([some, capped, earlier])).toEqual({
    wallets: 3,
    capped: 2,
    from: 300,
    earliest: 100,
  });
  expect(jointCoverage([some])).toMatchObject({ capped: 0, from: 100 });
});
