import { expect, it } from 'vitest';
import { newestHistoricalOrders } from './historicalOrders.ts';

const at = (statusTimestamp: unknown, oid: number) => ({ order: { oid }, statusTimestamp });

it('[HIST-4] of more entries than requested the newest come first, and those without a time last', () => {
  const entries = [at(undefined, 1), at(5, 2), 'unreadable', at(9, 3), at(9, 4), at('7', 5)];
  expect(newestHistoricalOrders(entries, 5)).toEqual([at(9, 3), at(9, 4), at(5, 2), at(undefined, 1), 'unreadable']);
  expect(newestHistoricalOrders(entries, 6)).toBe(entries);
});
