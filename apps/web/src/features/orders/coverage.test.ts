import { HISTORICAL_ORDERS_LIMIT_MAX } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { pairNames, spotNames } from '../../api/use-spot-names.ts';
import { coverageOf, jointCoverage } from './coverage.ts';
import { OrderChunk } from './order-chunk.ts';
import { generatedEntries, responseOf } from './test-support/orders.ts';

it('[HIST-2] treats a full response as capped, covering from its earliest status on', () => {
  const chunk = (count: number) => new OrderChunk(responseOf(generatedEntries(count, 1)));
  const full = chunk(HISTORICAL_ORDERS_LIMIT_MAX);
  const from = Math.min(...full.response.entries.map(({ statusTimestamp = 0 }) => statusTimestamp));
  expect(coverageOf(full)).toEqual({ capped: true, from });
  expect(coverageOf(chunk(HISTORICAL_ORDERS_LIMIT_MAX - 1)).capped).toBe(false);
  expect(coverageOf(chunk(0))).toEqual({ capped: false, from: undefined });
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

it('shows the name of a spot pair beside its number', () => {
  const names = spotNames(
    pairNames({
      universe: [
        { name: '@107', tokens: [150, 0], index: 107, isCanonical: false },
        { name: 'PURR/USDC', tokens: [1, 0], index: 0, isCanonical: true },
      ],
      tokens: ['USDC', 'PURR', 'HYPE'].map((name, at) => ({
        name,
        szDecimals: 2,
        weiDecimals: 8,
        index: [0, 1, 150][at] ?? 0,
        tokenId: '0x0',
        isCanonical: true,
      })),
    }),
  );
  expect(['@107', '@0', '@9', 'BTC', 'PURR/USDC'].map(names)).toEqual([
    'HYPE/USDC @107',
    'PURR/USDC @0',
    '@9',
    'BTC',
    'PURR/USDC',
  ]);
});
