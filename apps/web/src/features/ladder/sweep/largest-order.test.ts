import type { MaxMarketOrderNtl } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { allowedOrder } from './largest-order.ts';

describe('[WEB-54] the largest market order', () => {
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

  it('is unknown above every bucket, and without buckets', () => {
    expect(allowedOrder(limits, 50, '1')).toEqual({ kind: 'unknown' });
    expect(allowedOrder([], 5, '1')).toEqual({ kind: 'unknown' });
  });
});
