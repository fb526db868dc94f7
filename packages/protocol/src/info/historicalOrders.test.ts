import { describe, expect, it } from 'vitest';
import { HISTORICAL_ORDERS_LIMIT_MAX } from '../limits.ts';
import { ORDER_TYPES, TIFS } from '../order-vocabulary.ts';
import type { UpstreamHistoricalOrder, UpstreamOrder } from '../upstream/info.ts';
import { historicalOrders, historicalOrdersRequest, servedHistoricalOrders } from './historicalOrders.ts';
import { decodeRequest } from './request.ts';

const USER = '0x5EAAC7c475b1fad85701f02c4e9e796a53f94bD5';

function order(oid: number, fields: Partial<UpstreamOrder> = {}): UpstreamOrder {
  return {
    coin: '@107',
    side: 'B',
    limitPx: '28.7180',
    sz: '0.0',
    origSz: '2.50',
    oid,
    timestamp: 1778002753024,
    orderType: 'Limit',
    tif: 'Gtc',
    reduceOnly: false,
    isTrigger: false,
    triggerCondition: 'N/A',
    triggerPx: '0.0',
    isPositionTpsl: false,
    children: [],
    cloid: null,
    ...fields,
  };
}

function entry(oid: number, statusTimestamp: number, fields: Partial<UpstreamOrder> = {}): UpstreamHistoricalOrder {
  return { order: order(oid, fields), status: 'filled', statusTimestamp };
}

function withoutCloid(upstream: UpstreamOrder): UpstreamOrder {
  const { cloid: _, ...rest } = upstream;
  return rest;
}

describe('the request', () => {
  const decode = (fields: object) => decodeRequest(historicalOrdersRequest, { type: 'historicalOrders', ...fields });

  it('[HIST-1] has type, user and an optional limit', () => {
    const user = USER.toLowerCase();
    expect(decode({ user: USER })).toEqual({
      kind: 'request',
      request: { type: 'historicalOrders', user, limit: 2000 },
    });
    expect(decode({ user: USER, limit: 25 })).toEqual({
      kind: 'request',
      request: { type: 'historicalOrders', user, limit: 25 },
    });
    expect(decode({ user: USER.slice(0, 41) })).toMatchObject({ kind: 'refused', path: 'user' });
    expect(decode({ user: `${USER}0` })).toMatchObject({ kind: 'refused', path: 'user' });
    expect(decode({ limit: 25 })).toMatchObject({ kind: 'refused', path: 'user' });
  });

  it.each([2000, 2001, 2 ** 53, 1e300])('caps a limit of %d at 2000', (limit) => {
    expect(decode({ user: USER, limit })).toMatchObject({
      kind: 'request',
      request: { limit: HISTORICAL_ORDERS_LIMIT_MAX },
    });
  });

  it.each([0, -1, 1.5, Number.POSITIVE_INFINITY, '25', [25], true])('rejects a limit of %j', (limit) => {
    expect(decode({ user: USER, limit })).toMatchObject({ kind: 'refused', path: 'limit' });
  });
});

describe('the response', () => {
  it('[HIST-10] lists the values of tif and orderType seen on the exchange, and accepts others as they are', () => {
    expect(TIFS).toEqual(['Gtc', 'Ioc', 'Alo', 'FrontendMarket', 'LiquidationMarket']);
    expect(ORDER_TYPES).toEqual([
      'Market',
      'Limit',
      'Stop Market',
      'Stop Limit',
      'Take Profit Market',
      'Take Profit Limit',
      'Twap Slice',
      'Vault Close',
      'Spot Dust Conversion',
    ]);
    const entries = [...TIFS, null, 'Fok'].flatMap((tif) =>
      [...ORDER_TYPES, 'Iceberg'].map((orderType, index) => entry(index, 1, { tif, orderType })),
    );
    expect(historicalOrders.parse(entries)).toEqual(entries);
  });

  it('accepts children as complete orders, to any depth', () => {
    const nested = entry(1, 1, { children: [order(2, { children: [order(3)] })] });
    expect(historicalOrders.parse([nested])).toEqual([nested]);
    const { coin: _, ...broken } = order(3);
    const withBroken = {
      ...nested,
      order: { ...nested.order, children: [order(2, { children: [broken as UpstreamOrder] })] },
    };
    expect(historicalOrders.safeParse([withBroken]).error?.issues[0]?.path).toEqual([
      0,
      'order',
      'children',
      0,
      'children',
      0,
      'coin',
    ]);
  });
});

describe('servedHistoricalOrders', () => {
  it('[INFO-3] returns the same array for complete entries up to the limit', () => {
    const entries = [entry(1, 5), entry(1, 9), entry(2, 7)];
    expect(servedHistoricalOrders(entries, 3)).toBe(entries);
  });

  it('keeps the newest of more entries, newest first, and entries of one moment in their order', () => {
    const entries = [entry(1, 5), entry(2, 9), entry(3, 7), entry(4, 9)];
    expect(servedHistoricalOrders(entries, 3)).toEqual([entries[1], entries[3], entries[2]]);
    expect(entries.map((kept) => kept.order.oid)).toEqual([1, 2, 3, 4]);
  });

  it('keeps two entries of one oid in two states', () => {
    const entries = [entry(1, 9), { ...entry(1, 5), status: 'open' }];
    expect(servedHistoricalOrders(entries, 2000)).toEqual(entries);
  });

  it.each([
    ['of the order', withoutCloid(order(1, { children: [order(2)] }))],
    ['of a child', order(1, { children: [withoutCloid(order(2))] })],
    ['of both', withoutCloid(order(1, { children: [withoutCloid(order(2))] }))],
  ])('sets a missing cloid %s to null', (_whose, upstream) => {
    const served = servedHistoricalOrders([{ ...entry(1, 5), order: upstream }], 2000);
    expect(served).toEqual([{ ...entry(1, 5), order: order(1, { children: [order(2)] }) }]);
    expect(historicalOrders.parse(served)).toEqual(served);
  });
});
