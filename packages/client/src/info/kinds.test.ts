import { INFO_KINDS, PASSED_KINDS } from '@l4desk/protocol';
import { fixture } from '@l4desk/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as client from '../index.ts';
import { type Client, createClient, type QueryOptions, WireFormatError } from '../index.ts';
import { InfoService, respondJson } from '../test-support/info-service.ts';

const WALLET = '0x5EAAC7c475b1fad85701f02c4e9e796a53f94bD5';

type Ask = (client: Client, parameters: object, options?: QueryOptions) => Promise<unknown>;

/** The arguments of each kind. */
const KINDS = {
  batchSpotClearinghouseState: { users: [WALLET] },
  openOrders: { user: WALLET, dex: 'xyz' },
  historicalOrders: { user: WALLET, limit: 7 },
  maxMarketOrderNtls: {},
  fundingHistory: { coin: 'BTC', startTime: 1, endTime: 1_778_006_353_072 },
  l4BookSnapshot: { coin: 'BTC' },
  batchClearinghouseState: { users: [WALLET], dex: 'xyz' },
};

/** Those whose response the service passes on. */
const UPSTREAM_KINDS = {
  meta: { dex: 'xyz' },
  spotMeta: {},
  metaAndAssetCtxs: {},
  spotMetaAndAssetCtxs: {},
  allMids: {},
  perpDexs: {},
  l2Book: { coin: 'BTC', nSigFigs: 5, mantissa: 2 },
  frontendOpenOrders: { user: WALLET },
  orderStatus: { user: WALLET, oid: 412_036_451_271 },
  spotClearinghouseState: { user: WALLET },
  clearinghouseState: { user: WALLET, dex: 'xyz' },
  userFunding: { user: WALLET, startTime: 1 },
};

/** Each kind with its function and the protocol fixture of its response. */
const functions = client as unknown as Readonly<Record<string, Ask>>;
const cases = [
  ...Object.entries(KINDS).map(([kind, parameters]) => ({ kind, parameters, response: fixture(kind) })),
  ...Object.entries(UPSTREAM_KINDS).map(([kind, parameters]) => {
    return { kind, parameters, response: fixture(`upstream-${kind}`) };
  }),
].map((one) => ({ ...one, ask: functions[one.kind] as Ask }));

let service: InfoService;
let asking: Client;
beforeAll(async () => {
  service = await InfoService.start(() => {});
  asking = createClient({ baseUrl: service.url, apiKey: 'l4k_secret' });
});
afterAll(() => service[Symbol.asyncDispose]());

it('every kind that the service serves has a function of its name, or can be queried by name', () => {
  const served = [...new Set([...cases.map(({ kind }) => kind), ...Object.keys(PASSED_KINDS)])];
  expect(served.toSorted()).toEqual(Object.keys(INFO_KINDS).toSorted());
});

describe('[INFO-38] a kind without a function of its own', () => {
  it('is queried by name, and returns the response as the exchange sent it', async () => {
    const candle = {
      t: 1,
      T: 2,
      s: 'BTC',
      i: '1h',
      o: '1.0',
      c: '1.0',
      h: '1.0',
      l: '1.0',
      v: '0.0',
      n: 0,
      later: [1],
    };
    service.respond = (_, response) => respondJson(response, [candle]);
    const req = { coin: 'BTC', interval: '1h', startTime: 1 };
    const [received] = await client.query(asking, 'candleSnapshot', { req });
    expect(received).toEqual(candle);
    expect(service.asked.at(-1)?.body).toEqual({ type: 'candleSnapshot', req });
  });

  it('rejects a response with a field of another type, and reports where it differs', async () => {
    service.respond = (_, response) => respondJson(response, [{ coin: 'BTC', px: 1 }]);
    const asked = client.query(asking, 'userFills', { user: WALLET });
    await expect(asked).rejects.toMatchObject({ path: 'userFills[0].px' });
  });
});

describe.each(cases)('$kind', ({ kind, ask, parameters, response: body }) => {
  it('[INFO-1, DEC-3] sends its kind and returns the response without changing a character', async () => {
    service.respond = (_, response) => respondJson(response, body);
    const { asked } = service;
    expect(await ask(asking, parameters)).toEqual(body);
    expect(asked.at(-1)).toEqual({
      path: '/info',
      authorization: 'Bearer l4k_secret',
      body: { type: kind, ...parameters },
    });
  });

  it('rejects a response of another shape, and reports where it differs', async () => {
    service.respond = (_, response) => respondJson(response, 'nonsense');
    await expect(ask(asking, parameters)).rejects.toBeInstanceOf(WireFormatError);
    service.respond = (_, response) => respondJson(response, [{ coin: 'BTC' }]);
    await expect(ask(asking, parameters)).rejects.toThrow(/: /);
  });
});

describe('[WEB-182] rows that nobody knows', () => {
  const order = { coin: '#1230', side: 'X', oid: 7, limitPx: null, sz: 'NaN', timestamp: null, children: null };
  it.each([
    ['openOrders', client.openOrders, { ...order, origSz: null, cloid: null }],
    ['frontendOpenOrders', client.frontendOpenOrders, order],
    [
      'historicalOrders',
      client.historicalOrders,
      { order: { ...order, cloid: null }, status: null, statusTimestamp: null },
    ],
    [
      'historicalOrders',
      client.historicalOrders,
      { order: { ...order, cloid: null, children: [{ ...order, cloid: null }] }, status: 'settledByNobody' },
    ],
  ] as const)('are returned as sent by %s', async (_, request, row) => {
    service.respond = (_, response) => respondJson(response, [row, row]);
    expect(await (request as Ask)(asking, { user: WALLET })).toEqual([row, row]);
  });

  it.each([
    ['openOrders', client.openOrders, { ...order, origSz: null, cloid: null }, 'coin'],
    ['frontendOpenOrders', client.frontendOpenOrders, order, 'coin'],
    ['historicalOrders', client.historicalOrders, { order: { ...order, cloid: null }, status: 'open' }, 'order'],
  ] as const)('[WEB-182] leave the readable rows of %s, and are reported', async (kind, request, row, missing) => {
    service.respond = (_, response) => respondJson(response, [row, null, { twapId: 9 }, row]);
    const unreadable: string[] = [];
    const asked = (request as Ask)(
      asking,
      { user: WALLET },
      { onUnreadableRow: ({ message }) => unreadable.push(message) },
    );
    expect(await asked).toEqual([row, row]);
    expect(unreadable).toEqual([
      expect.stringContaining(`${kind}[1]: `),
      expect.stringContaining(`${kind}[2].${missing}: `),
    ]);
  });

  it('are returned as sent by fundingHistory', async () => {
    const entries = [
      { coin: 'STRAX', fundingRate: null, premium: 'NaN', time: 1 },
      { coin: 'STRAX', time: 2 },
    ];
    service.respond = (_, response) => respondJson(response, entries);
    expect(await client.fundingHistory(asking, { coin: 'STRAX', startTime: 1 })).toEqual(entries);
  });

  it('are returned as sent by batchSpotClearinghouseState', async () => {
    const slot = {
      user: WALLET.toLowerCase(),
      balances: [{ coin: '+1230', total: '-1.0', hold: null, ltv: {} }, { coin: 'o77', token: null }, { total: '1' }],
      tokenToAvailableAfterMaintenance: [[0, null]],
      evmEscrows: [],
    };
    service.respond = (_, response) => respondJson(response, [slot]);
    expect(await client.batchSpotClearinghouseState(asking, { users: [WALLET] })).toEqual([slot]);
  });
});

it('[BATCH-6] a slot that cannot be read fails its own wallet', async () => {
  const good = { user: WALLET.toLowerCase(), balances: [] };
  const odd = { user: WALLET.replace('5E', 'A1'), balances: [null, { coin: 'USDC', token: 0, total: 7.5 }] };
  service.respond = (_, response) => respondJson(response, [good, odd]);
  const [first, second] = await client.batchSpotClearinghouseState(asking, { users: [WALLET] });
  expect(first).toEqual(good);
  expect(second).toMatchObject({
    error: 'upstream_error',
    user: odd.user.toLowerCase(),
    message: expect.stringMatching(/^upstream_error: batchSpotClearinghouseState\[1\]\.balances\[0\]: /),
  });
});

it('reports where a response is wrong, down to the field', async () => {
  service.respond = (_, response) =>
    respondJson(response, [
      [40, '15000000.0'],
      [25, 5_000_000],
    ]);
  await expect(client.maxMarketOrderNtls(asking)).rejects.toMatchObject({ path: 'maxMarketOrderNtls[1][1]' });
  service.respond = (_, response) => respondJson(response, { universe: [{ name: 'BTC' }] });
  await expect(client.meta(asking)).rejects.toMatchObject({ path: 'meta.universe[0].szDecimals', retryable: false });
});

it('[BATCH-18] distinguishes a failed wallet from the others before reading any other field of it', async () => {
  service.respond = (_, response) => respondJson(response, fixture('batchSpotClearinghouseState'));
  const slots = await client.batchSpotClearinghouseState(asking, { users: [WALLET] });
  expect(slots.map((slot) => (client.isErrorSlot(slot) ? slot.message : slot.balances.length))).toEqual([
    2,
    'upstream returned HTTP 502',
    0,
  ]);
});
