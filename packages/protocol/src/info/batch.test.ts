import { describe, expect, it } from 'vitest';
import type { Address } from '../primitives.ts';
import { isErrorSlot, successSlot, uniqueWallets } from './batch.ts';
import { batchClearinghouseStateRequest } from './batchClearinghouseState.ts';
import { batchSpotClearinghouseStateRequest } from './batchSpotClearinghouseState.ts';
import { decodeRequest } from './request.ts';

const MIXED = '0x5EAAC7c475b1fad85701f02c4e9e796a53f94bD5';
const LOWER = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';
const OTHER = '0x00000000000000000000000000000000000000a1';

function wallets(count: number): Address[] {
  return Array.from({ length: count }, (_, index): Address => `0x${String(index).padStart(40, '0')}`);
}

describe.each([
  ['batchSpotClearinghouseState', batchSpotClearinghouseStateRequest],
  ['batchClearinghouseState', batchClearinghouseStateRequest],
] as const)('the request of %s', (type, schema) => {
  const decode = (fields: object) => decodeRequest(schema, { type, ...fields });

  it('[BATCH-1] has type, 1 to 50 wallets and an optional dex', () => {
    for (const count of [1, 50]) {
      for (const dex of [{}, { dex: '' }, { dex: null }, { dex: 'xyz' }]) {
        expect(decode({ users: wallets(count), ...dex })).toMatchObject({
          kind: 'request',
          request: { users: wallets(count) },
        });
      }
    }
  });

  it('is rejected at users with none or more than 50 wallets, counted before de-duplication', () => {
    const refused = { kind: 'refused', path: 'users', problem: 'must contain 1 to 50 wallets' };
    expect(decode({ users: [] })).toEqual(refused);
    expect(decode({ users: wallets(51) })).toEqual(refused);
    expect(decode({ users: Array.from({ length: 51 }, () => LOWER) })).toEqual(refused);
  });

  it('converts wallets to lower case, each at the place of its first occurrence', () => {
    expect(decode({ users: [OTHER, MIXED, LOWER, OTHER.replace('a', 'A')] })).toMatchObject({
      kind: 'request',
      request: { users: [OTHER, LOWER] },
    });
  });

  it('[INFO-6] names an invalid wallet by its index', () => {
    expect(decode({ users: [LOWER, OTHER, LOWER.slice(0, -1)] })).toMatchObject({ kind: 'refused', path: 'users[2]' });
    expect(decode({ users: [LOWER.replace('0x', '1x')] })).toMatchObject({ kind: 'refused', path: 'users[0]' });
  });

  it('[INFO-17] names a field that is missing or of the wrong type', () => {
    expect(decode({})).toEqual({ kind: 'refused', path: 'users', problem: 'is missing' });
    expect(decode({ users: LOWER })).toEqual({ kind: 'refused', path: 'users', problem: 'must be an array' });
    expect(decode({ users: [LOWER], dex: 7 })).toEqual({ kind: 'refused', path: 'dex', problem: 'must be a string' });
  });
});

describe('dex', () => {
  it('is reserved in the spot batch, and used in the perp batch', () => {
    const fields = { users: [LOWER], dex: 'xyz' };
    expect(
      decodeRequest(batchSpotClearinghouseStateRequest, { type: 'batchSpotClearinghouseState', ...fields }),
    ).toEqual({
      kind: 'request',
      request: { type: 'batchSpotClearinghouseState', users: [LOWER] },
    });
    expect(decodeRequest(batchClearinghouseStateRequest, { type: 'batchClearinghouseState', ...fields })).toEqual({
      kind: 'request',
      request: { type: 'batchClearinghouseState', users: [LOWER], dex: 'xyz' },
    });
  });
});

describe('slots', () => {
  it('uniqueWallets keeps the first of each, in order', () => {
    expect(uniqueWallets([OTHER, MIXED, LOWER])).toEqual([OTHER, LOWER]);
  });

  it('a success slot has user first, in lower case, then the state as received', () => {
    expect(JSON.stringify(successSlot(MIXED, { balances: [], later: '0.0', user: MIXED }))).toBe(
      `{"user":"${LOWER}","balances":[],"later":"0.0"}`,
    );
  });

  it('an error slot is recognized by its key', () => {
    expect(isErrorSlot({ error: 'upstream_error', user: LOWER, message: 'upstream returned HTTP 500' })).toBe(true);
    expect(isErrorSlot({ user: LOWER, balances: [] })).toBe(false);
  });
});
