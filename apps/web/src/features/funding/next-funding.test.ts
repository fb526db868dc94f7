import { expect, it } from 'vitest';
import { nextFundings } from './next-funding.ts';

it('the next funding of a coin is that of this exchange, and unknown where it reports none', () => {
  const next = nextFundings([
    [
      'BTC',
      [
        ['BinPerp', { nextFundingTime: 8 }],
        ['HlPerp', { nextFundingTime: 3_600_000, fundingRate: '0.1' }],
      ],
    ],
    ['ETH', [['HlPerp', null]]],
    ['SOL', [['HlPerp', { nextFundingTime: '3600000' }]]],
    ['DOGE', [['BinPerp', { nextFundingTime: 8 }]]],
  ]);
  expect([...next]).toEqual([['BTC', 3_600_000]]);
});
