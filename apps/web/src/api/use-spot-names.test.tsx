import { expect, it } from 'vitest';
import { pairNames, spotNames } from './use-spot-names.ts';

it('shows the name of a spot pair beside its number', () => {
  const names = spotNames(
    pairNames({
      universe: [
        { name: '@107', tokens: [150, 0], index: 107, isCanonical: false },
        { name: 'PURR/USDC', tokens: [1, 0], index: 0, isCanonical: true },
      ],
      tokens: [
        { name: 'USDC', index: 0 },
        { name: 'PURR', index: 1 },
        { name: 'HYPE', index: 150 },
      ].map((token) => ({ ...token, szDecimals: 2, weiDecimals: 8, tokenId: '0x0', isCanonical: true })),
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
