import * as insight from '@l4desk/insight';
import { expect, it } from 'vitest';
import * as client from './index.ts';
import * as clientInsight from './insight/index.ts';

it('the package exports these names, and nothing else', () => {
  expect(Object.keys(client).toSorted()).toEqual([
    'FOLLOW_DEFAULTS',
    'ServiceError',
    'TransportError',
    'WalletError',
    'WireFormatError',
    'allMids',
    'batchClearinghouseState',
    'batchSpotClearinghouseState',
    'bookOf',
    'clearinghouseState',
    'clearinghouseStates',
    'createClient',
    'errorOfResponse',
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
    'owners',
    'perpDexs',
    'query',
    'queuePlaces',
    'queuePlacesOf',
    'spotClearinghouseState',
    'spotClearinghouseStates',
    'spotMeta',
    'spotMetaAndAssetCtxs',
    'sweep',
    'usage',
    'userFunding',
  ]);
});

/** Exports that only the dashboard needs, to write what it keeps as a recording. */
const INTERNAL = ['changesOf', 'redo', 'streamBlock'];

it('the entry for bots exports all of the insight package, with its own functions for a snapshot or a book', () => {
  const names = Object.keys(insight).filter((name) => !INTERNAL.includes(name));
  expect(Object.keys(clientInsight).toSorted()).toEqual([...names, 'bookOf'].toSorted());
  const shared = Object.entries(clientInsight).filter(([name]) => name in client);
  expect(shared.map(([name]) => name).toSorted()).toEqual([
    'bookOf',
    'owners',
    'queuePlaces',
    'queuePlacesOf',
    'sweep',
  ]);
  const { bookOf, owners, queuePlaces, queuePlacesOf, sweep } = client;
  expect(Object.fromEntries(shared)).toEqual({ bookOf, owners, queuePlaces, queuePlacesOf, sweep });
});
