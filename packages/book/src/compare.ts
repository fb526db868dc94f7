import { compare } from '@l4desk/decimal';
import type { BookLevels, L4Order, Side } from '@l4desk/protocol';
import type { L4Book } from './l4-book.ts';
import type { OrderKey } from './types.ts';

/**
 * The first place where two books differ, walking bids, then asks, from the best price, in queue order. `place` counts the
 * orders of that side from 0. `expected` is null if the expected book ends there, `actual` if the actual one does.
 */
export interface BookDifference {
  readonly side: Side;
  readonly place: number;
  /** What differs there: which order it is, or one field of the same order. */
  readonly field: 'oid' | 'px' | 'sz' | 'user';
  readonly expected: OrderKey | null;
  readonly actual: OrderKey | null;
}

/**
 * The first difference between two books, or undefined if both hold the same orders in the same queues: same oids, owners, and
 * values of price and size. How numbers are printed, and what statuses reported of an order, is not compared.
 */
export function compareBooks(expected: L4Book, actual: L4Book): BookDifference | undefined {
  return compareSide('B', expected.keys('B'), actual) ?? compareSide('A', expected.keys('A'), actual);
}

/** The same, compared with the two sides of a snapshot. */
export function compareWithLevels(expected: BookLevels, actual: L4Book): BookDifference | undefined {
  return compareSide('B', keysOf(expected[0]), actual) ?? compareSide('A', keysOf(expected[1]), actual);
}

/** One sentence about a difference, for logs and for the reason of a rebuild. */
export function describeDifference({ side, place, field, expected, actual }: BookDifference): string {
  const where = `${side === 'B' ? 'bid' : 'ask'} ${place}`;
  if (actual === null) return `${where}: expected order ${expected?.oid}, found none`;
  if (expected === null) return `${where}: expected none, found order ${actual.oid}`;
  if (field === 'oid') return `${where}: expected order ${expected.oid}, found ${actual.oid}`;
  return `${where}, order ${expected.oid}: expected ${FIELD_NAMES[field]} ${expected[field]}, found ${actual[field]}`;
}

const FIELD_NAMES = { px: 'price', sz: 'size', user: 'owner' } as const;

function* keysOf(orders: readonly L4Order[]): Generator<OrderKey, void, undefined> {
  for (const { oid, user, limitPx: px, sz } of orders) yield { oid, user, px, sz };
}

function compareSide(side: Side, expecteds: Iterator<OrderKey, void>, actual: L4Book): BookDifference | undefined {
  const actuals = actual.keys(side);
  for (let place = 0; ; place += 1) {
    const expectedKey = expecteds.next().value ?? null;
    const actualKey = actuals.next().value ?? null;
    if (expectedKey === null && actualKey === null) return undefined;
    const field = differingField(expectedKey, actualKey);
    if (field !== undefined) return { side, place, field, expected: expectedKey, actual: actualKey };
  }
}

function differingField(a: OrderKey | null, b: OrderKey | null): BookDifference['field'] | undefined {
  if (a === null || b === null || a.oid !== b.oid) return 'oid';
  if (a.px !== b.px && compare(a.px, b.px) !== 0) return 'px';
  if (a.sz !== b.sz && compare(a.sz, b.sz) !== 0) return 'sz';
  if (a.user !== b.user && a.user?.toLowerCase() !== b.user?.toLowerCase()) return 'user';
  return undefined;
}
