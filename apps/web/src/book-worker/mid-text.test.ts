import { expect, it } from 'vitest';
import { midText } from './mid-text.ts';

it('a mid always has one decimal more than the tick', () => {
  const mids = (tick: string | undefined, ...asks: readonly `${number}`[]) =>
    asks.map((ask) => midText({ bid: '2410.0', ask }, tick));
  expect(mids('1', '2411.0', '2412.0')).toEqual(['2,410.5', '2,411.0']);
  expect(mids('0.1', '2411', '2410.1')).toEqual(['2,410.50', '2,410.05']);
  expect(mids(undefined, '2411')).toEqual(['2,410.5']);
  expect(midText({ bid: '1', ask: undefined }, '1')).toBeUndefined();
});
