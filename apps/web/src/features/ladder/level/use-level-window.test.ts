import { expect, it } from 'vitest';
import type { LevelLine, QueueOrder } from '../../../book-worker/panes/level.ts';
import { movedBy } from './use-level-window.ts';

/** Orders in this order, from an index on. */
const orders = (from: number, ...oids: readonly number[]) =>
  oids.map((oid, at) => ({ oid, index: from + at }) as QueueOrder);

it('the view moves with the first of its orders that is still listed', () => {
  const before = orders(5, 15, 16, 17);
  expect(movedBy(before, orders(3, 13, 14, 15, 16))).toBe(0);
  expect(movedBy(before, orders(2, 14, 15, 16))).toBe(-2);
  expect(movedBy(before, orders(2, 14, 16, 17)), 'its first order has left').toBe(-3);
  expect(movedBy(before, orders(6, 15, 16)), 'another came in front').toBe(1);
});

it('the view does not follow an owner whose size sorts it elsewhere', () => {
  const owners = (...names: readonly string[]) => names.map((user, index) => ({ user, index }) as unknown as LevelLine);
  expect(movedBy(owners('a', 'b', 'c', 'd'), owners('d', 'a', 'b', 'c'))).toBe(0);
});

it('the view stays where it is without an order to follow', () => {
  expect(movedBy([], orders(0, 1))).toBe(0);
  expect(movedBy(orders(0, 1), orders(5, 9))).toBe(0);
});
