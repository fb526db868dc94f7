import type { MaxMarketOrderNtl } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { allowedOrder, notionalOf } from './sweep-result.tsx';

describe('the largest market order', () => {
  const limits: MaxMarketOrderNtl[] = [
    [25, '15000000.0'],
    [40, '30000000.0'],
    [20, '5000000.0'],
  ];

  it('is that of the lowest bucket that contains the coin’s maximum leverage', () => {
    expect(allowedOrder(limits, 25, '15000000')).toEqual({ kind: 'within', largest: '15000000.0' });
    expect(allowedOrder(limits, 25, '15000000.01')).toEqual({ kind: 'over', largest: '15000000.0' });
    expect(allowedOrder(limits, 21, '6000000')).toEqual({ kind: 'within', largest: '15000000.0' });
    expect(allowedOrder(limits, 3, '6000000')).toEqual({ kind: 'over', largest: '5000000.0' });
  });

  it('is compared with the whole order, although the book fills only a part of it', () => {
    const sweep = { filledNtl: '500.5', unfilled: '10', worstPx: '100.25' } as const;
    const notional = (measure: 'sz' | 'ntl' | 'to') => notionalOf({ side: 'buy', measure, amount: '20000' }, sweep);
    expect([notional('ntl'), notional('sz'), notional('to')]).toEqual(['20000', '1503', '500.5']);
    expect(notionalOf({ side: 'buy', measure: 'sz', amount: '1' }, { ...sweep, worstPx: null })).toBe('500.5');
  });

  it('is unknown above every bucket, and without buckets', () => {
    expect(allowedOrder(limits, 50, '1')).toEqual({ kind: 'unknown' });
    expect(allowedOrder([], 5, '1')).toEqual({ kind: 'unknown' });
  });
});
