import { describe, expect, it } from 'vitest';
import type { z } from '../zod.ts';
import { PASSED_KINDS } from './passThrough.ts';
import { decodeRequest } from './request.ts';

const USER = '0x5EAAC7c475b1fad85701f02c4e9e796a53f94bD5';
const CLOID = '0x1234567890ABCDEF1234567890abcdef';

describe('requests that are passed through', () => {
  it.each(Object.entries(PASSED_KINDS))(
    '[INFO-21, INFO-38] %s: the plainest request is valid, ignores unknown fields, and needs each of its own',
    (type, { request: schema, plain }) => {
      const request = { type, ...plain };
      const more = { later: { a: [1, null, '0.0'] }, laterUsers: [] };
      const decoded = decodeRequest<z.ZodType>(schema, { ...request, ...more });
      expect(JSON.parse(JSON.stringify(decoded))).toEqual({ kind: 'request', request });
      for (const field of Object.keys(plain)) {
        const without = Object.fromEntries(Object.entries(request).filter(([name]) => name !== field));
        expect(decodeRequest<z.ZodType>(schema, without)).toMatchObject({ kind: 'refused', path: field });
      }
    },
  );

  it('orderStatus accepts an oid or a client order id', () => {
    const decode = (oid: unknown) =>
      decodeRequest(PASSED_KINDS.orderStatus.request, { type: 'orderStatus', user: USER, oid });
    expect(decode(412036451270)).toMatchObject({ request: { oid: 412036451270 } });
    expect(decode(CLOID)).toMatchObject({ request: { oid: CLOID } });
    for (const oid of [undefined, null, -1, 1.5, '7', CLOID.slice(0, 33)]) {
      expect(decode(oid)).toEqual({
        kind: 'refused',
        path: 'oid',
        problem: 'must be an oid or a client order id: 0x and 32 hexadecimal digits',
      });
    }
  });

  it('l2Book accepts a coin of any market, and grouping that may be null', () => {
    const decode = (fields: object) => decodeRequest(PASSED_KINDS.l2Book.request, { type: 'l2Book', ...fields });
    expect(decode({ coin: '@107', nSigFigs: 5, mantissa: 2 })).toMatchObject({
      request: { coin: '@107', nSigFigs: 5, mantissa: 2 },
    });
    expect(decode({ coin: 'BTC', nSigFigs: null })).toMatchObject({ kind: 'request' });
    expect(decode({})).toEqual({ kind: 'refused', path: 'coin', problem: 'is missing' });
    expect(decode({ coin: 'BTC', nSigFigs: '5' })).toMatchObject({ kind: 'refused', path: 'nSigFigs' });
  });

  it('batchClearinghouseStates accepts 1 to 50 wallets, and keeps repeated ones at their places', () => {
    const decode = (count: number) =>
      decodeRequest(PASSED_KINDS.batchClearinghouseStates.request, {
        type: 'batchClearinghouseStates',
        users: Array(count).fill(USER),
      });
    expect(decode(50)).toMatchObject({ request: { users: { length: 50 } } });
    for (const count of [0, 51])
      expect(decode(count)).toEqual({ kind: 'refused', path: 'users', problem: 'must contain 1 to 50 wallets' });
  });

  it('userFunding rejects a window that ends before it starts', () => {
    const decode = (fields: object) =>
      decodeRequest(PASSED_KINDS.userFunding.request, { type: 'userFunding', user: USER, ...fields });
    expect(decode({ startTime: 5, endTime: 5 })).toMatchObject({ kind: 'request' });
    expect(decode({ endTime: 5 })).toMatchObject({ kind: 'request' });
    expect(decode({ startTime: 5, endTime: 4 })).toMatchObject({ kind: 'refused', path: 'endTime' });
  });
});
