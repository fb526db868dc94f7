import { describe, expect, it } from 'vitest';
import { ORDER_STATUSES, ORDER_TYPES, TIFS } from './order-vocabulary.ts';
import { orderStatus } from './stream/batch.ts';

describe('known words', () => {
  it('are all different', () => {
    for (const words of [ORDER_STATUSES, TIFS, ORDER_TYPES]) expect(new Set<string>(words).size).toBe(words.length);
  });

  it('32 statuses are known, the observed examples of the specification among them', () => {
    expect(ORDER_STATUSES).toHaveLength(32);
    expect(ORDER_STATUSES).toEqual(
      expect.arrayContaining(['open', 'filled', 'canceled', 'selfTradeCanceled', 'iocCancelRejected']),
    );
  });

  it('are no check of the wire: an unknown status is read as it is', () => {
    expect(orderStatus.shape.status.parse('someNewStatus')).toBe('someNewStatus');
  });
});
