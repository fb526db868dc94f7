import { expect, it } from 'vitest';
import { OwnerPool } from './intern.ts';

function addressOf(index: number): string {
  return `0x${index.toString(16).padStart(40, '0')}`;
}

/** The argument of `keep`: a 1 for each of these numbers. */
function used(end: number, ...ids: readonly number[]): Uint8Array {
  const flags = new Uint8Array(end);
  for (const id of ids) flags[id] = 1;
  return flags;
}

it('pools distinguish owners whose last digits are equal, and find those that have no digits', () => {
  const pool = new OwnerPool();
  const owners = [
    '0x1111111111111111111111111110123456789abc',
    '0x2222222222222222222222222220123456789abc',
    // Each differs from the first in one place only.
    ...[0, 8, 16, 24].map((place) => `0x${'1'.repeat(place)}2${'1'.repeat(26 - place)}0123456789abc`),
    '0x1111111111111111111111111110123456789ABC',
    `0x${'g'.repeat(40)}`,
    '0123456789abc',
    'short',
    'é123456789abcdef',
    null,
    ...Array.from({ length: 200 }, (_, index) => addressOf(index)),
  ];
  const ids = owners.map((owner) => pool.acquire(owner));
  expect(new Set(ids).size).toBe(owners.length);
  expect(owners.map((owner) => pool.acquire(owner))).toEqual(ids);
  expect(ids.map((id) => pool.get(id))).toEqual(owners);
  // Dropping the first of those that share their digits must not hide the others.
  pool.keep(used(pool.end, ...ids.filter((_, index) => index !== 0 && index !== 3)));
  expect(pool.acquire(owners[1] ?? null)).toBe(ids[1]);
  expect(pool.acquire(owners[2] ?? null)).toBe(ids[2]);
  const again = pool.acquire(owners[0] ?? null);
  expect(pool.get(again)).toBe(owners[0]);
  expect(pool.acquire(owners[0] ?? null)).toBe(again);
});
