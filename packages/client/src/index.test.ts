import { expect, it } from 'vitest';
import * as client from './index.ts';

it('the package exports what its README names, and nothing else', () => {
  expect(Object.keys(client).toSorted()).toEqual([
    'FOLLOW_DEFAULTS',
    'ServiceError',
    'TransportError',
    'WalletError',
    'WireFormatError',
    'allMids',
    'batchClearinghouseState',
    'batchSpotClearinghouseState',
    'clearinghouseState',
    'clearinghouseStates',
    'createClient',
    'follow',
    'frontendOpenOrders',
    'fundingHistory',
    'fundingHistoryPages',
    'historicalOrders',
    'isAddress',
    'isErrorSlot',
    'l2Book',
    'l4BookSnapshot',
    'maxMarketOrderNtls',
    'meta',
    'metaAndAssetCtxs',
    'openOrders',
    'orderStatus',
    'perpDexs',
    'spotClearinghouseState',
    'spotClearinghouseStates',
    'spotMeta',
    'spotMetaAndAssetCtxs',
    'usage',
    'userFunding',
  ]);
});
