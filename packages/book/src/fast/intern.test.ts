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

describe('pools', () => {
  it('hold an owner once, and no longer than an order of his rests', () => {
    const pool = new OwnerPool();
    const first = pool.acquire('0x1');
    expect(pool.acquire('0x1')).toBe(first);
    const second = pool.acquire(null);
    expect(pool.get(second)).toBeNull();
    pool.release(first);
    expect(pool.get(first)).toBe('0x1');
    pool.release(first);
    expect(pool.acquire('0x2')).toBe(first);
    expect(pool.get(first)).toBe('0x2');
    expect(pool.acquire('0x1')).not.toBe(first);
  });

  it('tell owners apart whose last digits are the same, and find those that have none', () => {
    const pool = new OwnerPool();
    const owners = [
      '0x1111111111111111111111111110123456789abc',
      '0x2222222222222222222222222220123456789abc',
      '0x1111111111111111111111111110123456789ABC',
      '0123456789abc',
      'short',
      'é123456789abcdef',
      null,
      ...Array.from({ length: 200 }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`),
    ];
    const ids = owners.map((owner) => pool.acquire(owner));
    expect(new Set(ids).size).toBe(owners.length);
    expect(owners.map((owner) => pool.acquire(owner))).toEqual(ids);
    expect(ids.map((id) => pool.get(id))).toEqual(owners);
    // The first of those that share their digits goes: the others are found all the same.
    for (const id of [ids[0], ids[0], ids[3], ids[3]]) pool.release(id ?? -1);
    expect(pool.acquire(owners[1] ?? null)).toBe(ids[1]);
    expect(pool.acquire(owners[2] ?? null)).toBe(ids[2]);
    const again = pool.acquire(owners[0] ?? null);
    expect(pool.get(again)).toBe(owners[0]);
    expect(pool.acquire(owners[0] ?? null)).toBe(again);
  });

  it('hold a detail once, told apart by every field', () => {
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
    // The first one is no longer among those used last, and is found all the same.
    expect(pool.acquire(plain)).toBe(id);
    expect(ids.map((other) => pool.get(other).detail)).toEqual(others.map((fields) => ({ ...plain, ...fields })));
  });

  it('give a number again only when nothing refers to it', () => {
    const pool = new DetailPool();
    const id = pool.acquire(plain);
    pool.acquire(plain);
    pool.release(id);
    const other = pool.acquire({ ...plain, tif: 'Alo' });
    expect(other).not.toBe(id);
    pool.release(id);
    expect(pool.acquire({ ...plain, tif: 'Ioc' })).toBe(id);
    expect(pool.get(id).detail.tif).toBe('Ioc');
    expect(pool.acquire(plain)).not.toBe(id);
  });
});
