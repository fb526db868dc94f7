import { INFO_KINDS, type InfoKind } from '@l4desk/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InfoRig, startInfoRig, walletOf } from './test-support/info-rig.ts';

let rig: InfoRig;

beforeAll(async () => {
  rig = await startInfoRig();
});

afterAll(() => rig[Symbol.asyncDispose]());

beforeEach(() => {
  rig.exchange.asked.length = 0;
  rig.meter.calls.length = 0;
});

const FIELDS = { user: walletOf(1), users: [walletOf(1)], coin: 'BTC', startTime: 0, oid: 1 };

/** Kinds whose query keeps the field; it is reserved and dropped in the spot batch. A kind that asks for other fields has none. */
const KINDS = (Object.keys(INFO_KINDS) as InfoKind[]).filter((type) => {
  const query = INFO_KINDS[type].request.safeParse({ type, ...FIELDS, dex: 'xyz' });
  return query.success && 'dex' in query.data;
});

describe('[INFO-33] a dex that the exchange does not have', () => {
  it('is a field of these kinds', () => {
    expect(KINDS.toSorted()).toEqual([
      'allMids',
      'batchClearinghouseState',
      'clearinghouseState',
      'frontendOpenOrders',
      'meta',
      'metaAndAssetCtxs',
      'openOrders',
      'perpDexLimits',
      'perpsAtOpenInterestCap',
      'spotClearinghouseState',
    ]);
  });

  it.each(KINDS)('is refused, and nothing of the query asked or charged: %s', async (type) => {
    expect(rig.errorOf(await rig.ask({ type, ...FIELDS, dex: 'XYZ' }))).toMatchObject({
      error: 'invalid_request',
      path: 'dex',
    });
    expect(rig.exchange.asked.filter((query) => query.type !== 'perpDexs')).toEqual([]);
    expect(rig.meter.calls).toEqual([]);
  });

  it('is not looked for where another field is wrong', async () => {
    expect(rig.errorOf(await rig.ask({ type: 'openOrders', user: '0x1', dex: 'XYZ' }))).toMatchObject({
      path: 'user',
    });
    expect(rig.exchange.asked).toEqual([]);
  });

  it('does not matter where the field is reserved', async () => {
    rig.respond('spotClearinghouseState', { json: { balances: [] } });
    const users = [walletOf(1)];
    expect((await rig.ask({ type: 'batchSpotClearinghouseState', users, dex: 'XYZ' })).status).toBe(200);
  });
});
