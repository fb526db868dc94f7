import { expect, it } from 'vitest';
import { identitiesOf, type RelayedType, readRelayed } from './relayed.ts';

const USER = '0x5eAAC7c475b1fad85701f02c4e9e796a53f94bd5';

it.each<[RelayedType, Readonly<Record<string, unknown>>, string, unknown]>([
  ['allMids', { type: 'allMids', dex: 'xyz' }, 'allMids', { mids: {}, dex: 'xyz' }],
  ['openOrders', { type: 'openOrders', user: USER }, 'openOrders', { user: USER.toLowerCase(), orders: [] }],
  ['openOrders', { type: 'openOrders', user: USER, dex: '' }, 'openOrders', { dex: '', user: USER, orders: [] }],
  ['openOrders', { type: 'openOrders', user: USER, dex: 'xyz' }, 'openOrders', { dex: 'xyz', user: USER, orders: [] }],
  ['trades', { type: 'trades', coin: '@107' }, 'trades', [{ coin: '@107', side: 'B', px: '28.4', sz: '1.0' }]],
  ['candle', { type: 'candle', coin: 'BTC', interval: '1m' }, 'candle', { s: 'BTC', i: '1m', o: '1' }],
  ['activeAssetCtx', { type: 'activeAssetCtx', coin: '@1' }, 'activeSpotAssetCtx', { coin: '@1', ctx: {} }],
  ['webData3', { type: 'webData3', user: USER }, 'webData3', { userState: { user: USER } }],
])('[WS-60] a message of %s %o belongs to its subscription', (type, body, channel, data) => {
  const query = readRelayed(type, body);
  expect(identitiesOf(channel, data)).toEqual(['identity' in query ? query.identity : query]);
});

it('a message that names something else, or nothing, belongs to no subscription of a wallet', () => {
  const query = readRelayed('userFills', { type: 'userFills', user: USER });
  for (const data of [{ user: USER.replace('5e', '6e') }, {}, null, 'userFills', [USER]])
    expect(identitiesOf('userFills', data)).not.toContain('identity' in query ? query.identity : '');
});
