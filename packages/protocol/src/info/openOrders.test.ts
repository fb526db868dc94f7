import { describe, expect, it } from 'vitest';
import type { UpstreamOpenOrder } from '../upstream/info.ts';
import { openOrders, openOrdersRequest, servedOpenOrders } from './openOrders.ts';
import { decodeRequest } from './request.ts';

const USER = '0x5EAAC7c475b1fad85701f02c4e9e796a53f94bD5';
const CLOID = '0x1234567890abcdef1234567890abcdef';

const complete: UpstreamOpenOrder = {
  coin: '@107',
  side: 'A',
  limitPx: '28.7180',
  sz: '1.0',
  oid: 7,
  timestamp: 1778002753024,
  origSz: '2.50',
  cloid: CLOID,
};

describe('the request', () => {
  const decode = (fields: object) => decodeRequest(openOrdersRequest, { type: 'openOrders', ...fields });

  it('converts a wallet in any letter case to lower case', () => {
    expect(decode({ user: USER })).toEqual({
      kind: 'request',
      request: { type: 'openOrders', user: USER.toLowerCase() },
    });
  });

  it('keeps dex as sent, and treats null as missing', () => {
    expect(decode({ user: USER, dex: 'XYZ' })).toMatchObject({ request: { dex: 'XYZ' } });
    expect(decode({ user: USER, dex: '' })).toMatchObject({ request: { dex: '' } });
    const withNull = decode({ user: USER, dex: null });
    expect(JSON.stringify(withNull)).toBe(JSON.stringify(decode({ user: USER })));
  });

  it('[INFO-21] ignores an unknown field', () => {
    expect(decode({ user: USER, limit: 'x' })).toEqual(decode({ user: USER }));
  });

  it('[INFO-17] names a field that is missing or of the wrong type', () => {
    expect(decode({})).toMatchObject({ kind: 'refused', path: 'user' });
    expect(decode({ user: 5 })).toMatchObject({ kind: 'refused', path: 'user' });
    expect(decode({ user: USER, dex: [] })).toEqual({ kind: 'refused', path: 'dex', problem: 'must be a string' });
  });
});

describe('servedOpenOrders', () => {
  it('[INFO-3] returns the same array for complete orders', () => {
    const orders = [complete, { ...complete, cloid: null }];
    expect(servedOpenOrders(orders)).toBe(orders);
  });

  it('sets a missing cloid to null', () => {
    const { cloid: _, ...order } = complete;
    expect(servedOpenOrders([order, complete])).toEqual([{ ...order, cloid: null }, complete]);
  });

  it('[DEC-3] sets origSz of the older shape to sz, digit for digit, and cloid to null', () => {
    const { cloid: _, origSz: __, ...order } = complete;
    const served = servedOpenOrders([order]);
    expect(served).toEqual([{ ...order, origSz: '1.0', cloid: null }]);
    expect(openOrders.parse(served)).toEqual(served);
  });

  it('passes on unknown fields', () => {
    const { cloid: _, ...order } = complete;
    expect(servedOpenOrders([{ ...order, reduceOnly: true, later: { a: '0.0' } }])).toEqual([
      { ...order, cloid: null, reduceOnly: true, later: { a: '0.0' } },
    ]);
  });
});
