import { INFO_KINDS, type InfoKind } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { sharedInfoRig, walletOf } from './test-support/info-rig.ts';

const rig = sharedInfoRig();

const FIELDS = { user: walletOf(1), users: [walletOf(1)], coin: 'BTC', startTime: 0, oid: 1, id: 50 };

/** Kinds whose decoded query keeps `dex`. The spot batch reserves and drops it; other kinds do not have it. */
const KINDS = (Object.keys(INFO_KINDS) as InfoKind[]).filter((type) => {
  const query = INFO_KINDS[type].request.safeParse({ type, ...FIELDS, dex: 'xyz' });
  return query.success && 'dex' in query.data;
});

describe('[INFO-33] a dex that the exchange does not have', () => {
  it('can be sent to these kinds', () => {
    expect(KINDS.toSorted()).toEqual([
      'allMids',
      'batchClearinghouseState',
      'batchClearinghouseStates',
      'clearinghouseState',
      'frontendOpenOrders',
      'marginTable',
      'meta',
      'metaAndAssetCtxs',
      'openOrders',
      'perpDexLimits',
      'perpDexStatus',
      'perpsAtOpenInterestCap',
      'spotClearinghouseState',
    ]);
  });

  it.each(KINDS)('is refused without sending or charging the query: %s', async (type) => {
    expect(rig.errorOf(await rig.ask({ type, ...FIELDS, dex: 'XYZ' }))).toMatchObject({
      error: 'invalid_request',
      path: 'dex',
    });
    expect(rig.exchange.asked.filter((query) => query.type !== 'perpDexs')).toEqual([]);
    expect(rig.meter.calls).toEqual([]);
  });

  it('is not looked up if another field is invalid', async () => {
    expect(rig.errorOf(await rig.ask({ type: 'openOrders', user: '0x1', dex: 'XYZ' }))).toMatchObject({
      path: 'user',
    });
    expect(rig.exchange.asked).toEqual([]);
  });

  it('is accepted if the field is reserved', async () => {
    rig.respond('spotClearinghouseState', { json: { balances: [] } });
    const users = [walletOf(1)];
    expect((await rig.ask({ type: 'batchSpotClearinghouseState', users, dex: 'XYZ' })).status).toBe(200);
  });
});
