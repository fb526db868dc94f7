import { describe, expect, it } from 'vitest';
import {
  type MaxMarketOrderNtl,
  maxMarketOrderNtls,
  maxMarketOrderNtlsRequest,
  servedMaxMarketOrderNtls,
} from './maxMarketOrderNtls.ts';
import { decodeRequest } from './request.ts';

describe('the request', () => {
  it('[NTL-1] has only a type, and drops a user', () => {
    const request = { type: 'maxMarketOrderNtls' };
    expect(decodeRequest(maxMarketOrderNtlsRequest, request)).toEqual({ kind: 'request', request });
    expect(decodeRequest(maxMarketOrderNtlsRequest, { ...request, user: 'anyone' })).toEqual({
      kind: 'request',
      request,
    });
  });
});

describe('the response', () => {
  it('[DEC-1, DEC-5] accepts as a bucket an integer and a decimal string', () => {
    expect(maxMarketOrderNtls.parse([[40, '15000000.0']])).toEqual([[40, '15000000.0']]);
    for (const bucket of [[40], ['40', '1.0'], [40.5, '1.0'], [40, 1], [40, '1e7'], [40, '1.0', '2.0'], [0, '1.0']]) {
      expect(maxMarketOrderNtls.safeParse([bucket]).success).toBe(false);
    }
  });

  it('is served from the highest leverage to the lowest, unchanged if it was sorted', () => {
    const sorted: MaxMarketOrderNtl[] = [
      [40, '15000000.0'],
      [25, '5000000.0'],
      [3, '500000.0'],
    ];
    expect(servedMaxMarketOrderNtls(sorted)).toBe(sorted);
    expect(servedMaxMarketOrderNtls(sorted.toReversed())).toEqual(sorted);
    expect(servedMaxMarketOrderNtls([])).toEqual([]);
  });
});
