import { expect, it } from 'vitest';
import { fundingSearch } from './search.ts';

it('[WEB-9] a part in sight that ends before its start is named as not understood', () => {
  expect(fundingSearch.read({ zoom: '1-5' })).toEqual({ zoom: '1-5' });
  expect(fundingSearch.read({ zoom: '5-1' })).toEqual({});
  expect(fundingSearch.invalid({ zoom: '5-1' })).toEqual(['zoom=5-1']);
});

it('[WEB-9] eight coins are understood, each once; nine are named as not understood', () => {
  const eight = 'A,B,C,D,E,F,G,H';
  expect(fundingSearch.read({ coin: `${eight},A` }).coin).toHaveLength(8);
  expect(fundingSearch.read({ coin: `${eight},I` })).toEqual({});
  expect(fundingSearch.invalid({ coin: `${eight},I` })).toEqual([`coin=${eight},I`]);
});
