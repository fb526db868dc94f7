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
