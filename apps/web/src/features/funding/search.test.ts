import { expect, it } from 'vitest';
import { fundingSearch } from './search.ts';

it('rejects a part in view that ends before its start', () => {
  expect(fundingSearch.read({ zoom: '1-5' })).toEqual({ zoom: '1-5' });
  expect(fundingSearch.read({ zoom: '5-1' })).toEqual({});
  expect(fundingSearch.invalid({ zoom: '5-1' })).toEqual(['zoom=5-1']);
});

it('accepts eight distinct coins, and rejects nine', () => {
  const eight = 'A,B,C,D,E,F,G,H';
  expect(fundingSearch.read({ coin: `${eight},A` }).coin).toHaveLength(8);
  expect(fundingSearch.read({ coin: `${eight},I` })).toEqual({});
  expect(fundingSearch.invalid({ coin: `${eight},I` })).toEqual([`coin=${eight},I`]);
});
