import { describe, expect, it } from 'vitest';
import { ORDER_STATUSES, ORDER_TYPES, TIFS } from './order-vocabulary.ts';
import { orderStatus } from './stream/batch.ts';

describe('known words', () => {
  it('are all different', () => {
    for (const words of [ORDER_STATUSES, TIFS, ORDER_TYPES]) expect(new Set<string>(words).size).toBe(words.length);
  });

  it('include 32 statuses, among them the examples of the specification', () => {
    expect(ORDER_STATUSES).toHaveLength(32);
    expect(ORDER_STATUSES).toEqual(
      expect.arrayContaining(['open', 'filled', 'canceled', 'selfTradeCanceled', 'iocCancelRejected']),
    );
  });

  it('do not restrict the wire: an unknown status is accepted as it is', () => {
    expect(orderStatus.shape.status.parse('someNewStatus')).toBe('someNewStatus');
  });
});
