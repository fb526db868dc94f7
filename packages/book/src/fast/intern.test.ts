import { describe, expect, it } from 'vitest';
import { DetailPool, OwnerPool, type SharedDetail } from './intern.ts';

const plain: SharedDetail = {
  triggerCondition: 'N/A',
  isTrigger: false,
  triggerPx: '0.0',
  isPositionTpsl: false,
  reduceOnly: false,
  orderType: 'Limit',
  tif: 'Gtc',
};

function addressOf(index: number): string {
  return `0x${index.toString(16).padStart(40, '0')}`;
}

/** The argument of `keep`: a 1 for each of these numbers. */
function used(end: number, ...ids: readonly number[]): Uint8Array {
  const flags = new Uint8Array(end);
  for (const id of ids) flags[id] = 1;
  return flags;
}

describe('pools', () => {
  it('are full once their values have doubled', () => {
    const pool = new OwnerPool();
    let count = 0;
    for (; !pool.isFull; count += 1) pool.acquire(addressOf(count));
    pool.keep(new Uint8Array(pool.end).fill(1));
    expect(pool.isFull).toBe(false);
    for (let more = 0; more < count; more += 1) pool.acquire(addressOf(count + more));
    expect(pool.isFull).toBe(true);
    pool.keep(used(pool.end, 0));
    expect(pool.isFull).toBe(false);
    expect(pool.acquire(addressOf(0))).toBe(0);
  });

  it('distinguish owners whose last digits are equal, and find those that have no digits', () => {
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

  it('store a detail once, and compare every field', () => {
    const pool = new DetailPool();
    const id = pool.acquire(plain);
    expect(pool.acquire({ ...plain })).toBe(id);
    const others: Partial<SharedDetail>[] = [
      { triggerCondition: 'Triggered' },
      { isTrigger: true },
      { triggerPx: '0' },
      { isPositionTpsl: true },
      { reduceOnly: true },
      { orderType: 'Stop Limit' },
      { tif: null },
      { tif: 'Alo' },
      { orderType: 'Stop Market' },
    ];
    const ids = others.map((fields) => pool.acquire({ ...plain, ...fields }));
    expect(new Set([id, ...ids]).size).toBe(others.length + 1);
    // The first one is no longer among the most recently used, and is found nevertheless.
    expect(pool.acquire(plain)).toBe(id);
    expect(ids.map((other) => pool.get(other).detail)).toEqual(others.map((fields) => ({ ...plain, ...fields })));
  });
});
