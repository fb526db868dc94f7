import { type BookChange, type L4Order, lowerCaseAddress } from '@l4desk/protocol';
import type { Cause } from './causes.ts';

/**
 * Finds the modifies of a block: a canceled order, and a new one under the same cloid of the same owner. Returns the
 * oid of the other half by the index of each change. Of several under one cloid, the first to leave pairs with the first to
 * arrive.
 */
export function requotesOf(
  changes: readonly BookChange[],
  causes: readonly Cause[],
  orders: readonly (L4Order | undefined)[],
): ReadonlyMap<number, number> {
  const leaving = new Map<string, number[]>();
  const partners = new Map<number, number>();
  for (const [index, { kind, user }] of changes.entries()) {
    const cloid = orders[index]?.cloid ?? null;
    if (kind !== 'remove' || cloid === null || causes[index]?.kind !== 'canceled') continue;
    const key = `${lowerCaseAddress(user)} ${cloid}`;
    const same = leaving.get(key);
    if (same === undefined) leaving.set(key, [index]);
    else same.push(index);
  }
  if (leaving.size === 0) return partners;
  for (const [index, { kind, user, oid }] of changes.entries()) {
    const cloid = orders[index]?.cloid ?? null;
    if (kind !== 'insert' || cloid === null) continue;
    const same = leaving.get(`${lowerCaseAddress(user)} ${cloid}`) ?? [];
    const at = same.findIndex((left) => changes[left]?.oid !== oid);
    const [left] = at < 0 ? [] : same.splice(at, 1);
    if (left === undefined) continue;
    partners.set(index, (changes[left] as BookChange).oid);
    partners.set(left, oid);
  }
  return partners;
}
