import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fundingHistory, isDecimalString, type z } from '@l4desk/protocol';
import {
  allMids,
  frontendOpenOrders,
  l2Book,
  meta,
  metaAndAssetCtxs,
  orderStatusResponse,
  spotMetaAndAssetCtxs,
  upstreamHistoricalOrders,
  upstreamOpenOrders,
} from '@l4desk/protocol/upstream';
import { recordedData } from '@l4desk/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startVenue, type Venue } from '../server.ts';
import { askInfo, infoJson } from '../test-support/info-client.ts';
import type { WalletEntry } from './wallet-list.ts';

const START = 1_795_219_200_000;
const NOBODY = '0x00000000000000000000000000000000000000ee';

let venue: Venue;
let wallets: readonly WalletEntry[];

beforeAll(async () => {
  venue = await startVenue({ size: 0.005, statusRate: 0.1, pace: 0, startTime: START });
  await venue.step(60);
  wallets = venue.wallets();
});

afterAll(async () => venue[Symbol.asyncDispose]());

/** Returns the response, checked with the schema that the service reads it with. */
async function ask<S extends z.ZodType>(schema: S, body: object): Promise<z.output<S>> {
  return schema.parse(await infoJson(venue, body));
}

function walletWith(what: keyof WalletEntry): WalletEntry {
  const found = wallets.find((wallet) => typeof wallet[what] === 'number' && wallet[what] > 0);
  if (found === undefined) throw new Error(`no wallet has ${what}`);
  return found;
}

const addressOf = (role: string) => wallets.find((wallet) => wallet.role === role)?.address ?? '0x';

const EMPTY_MARGIN = { accountValue: '0.0', totalNtlPos: '0.0', totalRawUsd: '0.0', totalMarginUsed: '0.0' };

it('the status of the exchange states the clock although the market stands still', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START + 3_600_000 });
  try {
    expect(await infoJson(venue, { type: 'exchangeStatus' })).toEqual({
      time: START + 3_600_000,
      specialStatuses: null,
    });
  } finally {
    vi.useRealTimers();
  }
});

it.each([
  ['openOrders', []],
  ['frontendOpenOrders', []],
  ['historicalOrders', []],
  ['userFunding', []],
  ['userFills', []],
  ['spotClearinghouseState', { balances: [] }],
  [
    'clearinghouseState',
    {
      marginSummary: EMPTY_MARGIN,
      crossMarginSummary: EMPTY_MARGIN,
      crossMaintenanceMarginUsed: '0.0',
      withdrawable: '0.0',
      assetPositions: [],
      time: START + 60 * 67,
    },
  ],
])(
  'a wallet that was never used gets an empty %s, whether or not the exchange knows its address',
  async (type, empty) => {
    expect(await infoJson(venue, { type, user: NOBODY })).toEqual(empty);
    expect(await infoJson(venue, { type, user: addressOf('empty') })).toEqual(empty);
  },
);

describe('openOrders', () => {
  it('are resting orders, newest first; cloid and reduceOnly appear only if set', async () => {
    const keys = new Set<string>();
    for (const { address, openOrders } of wallets.filter((wallet) => wallet.openOrders > 0)) {
      const orders = await ask(upstreamOpenOrders, { type: 'openOrders', user: address });
      const builder = await ask(upstreamOpenOrders, { type: 'openOrders', user: address, dex: 'xyz' });
      expect(orders.length + builder.length).toBe(openOrders);
      expect(orders.map(({ timestamp }) => timestamp)).toEqual(orders.map((o) => o.timestamp).sort((a, b) => b - a));
      // As received: parsing with a schema would reorder the keys.
      const raw = (await infoJson(venue, { type: 'openOrders', user: address })) as readonly object[];
      for (const order of raw) keys.add(Object.keys(order).join());
    }
    const shortest = 'coin,side,limitPx,sz,oid,timestamp,origSz';
    expect([...keys].sort()).toEqual([
      shortest,
      `${shortest},cloid`,
      `${shortest},reduceOnly`,
      `${shortest},reduceOnly,cloid`,
    ]);
  });

  it('of a builder dex are returned only with its name, spot orders with the canonical dex', async () => {
    const builder = wallets.find((wallet) => (wallet.dexOrders.xyz ?? 0) > 0);
    const ofDex = await ask(upstreamOpenOrders, { type: 'openOrders', user: builder?.address, dex: 'xyz' });
    expect(ofDex.length).toBe(builder?.dexOrders.xyz);
    expect(ofDex.every(({ coin }) => coin.startsWith('xyz:'))).toBe(true);
    const { address, spotOrders } = walletWith('spotOrders');
    const orders = await ask(upstreamOpenOrders, { type: 'openOrders', user: address, dex: '' });
    expect(orders.filter(({ coin }) => /^@\d+$|^PURR\/USDC$/.test(coin)).length).toBe(spotOrders);
    expect(await askInfo(venue, { type: 'openOrders', user: address, dex: 'nope' })).toMatchObject({
      status: 500,
      text: 'null',
    });
  });
});

describe('frontendOpenOrders', () => {
  it('adds waiting triggers; legs appear in the list and in their parent', async () => {
    const { address } = walletWith('withChildren');
    const orders = await ask(frontendOpenOrders, { type: 'frontendOpenOrders', user: address });
    const parent = orders.find(({ children }) => children?.length === 2);
    expect(parent?.children?.map(({ orderType }) => orderType)).toEqual(['Take Profit Market', 'Stop Market']);
    for (const leg of parent?.children ?? []) {
      expect(leg).toMatchObject({ isTrigger: true, reduceOnly: true, tif: null, children: [], sz: parent?.origSz });
      expect(leg.side).not.toBe(parent?.side);
      expect(leg.triggerCondition).toMatch(/^Price (?:above|below) [\d.]+$/);
      expect(orders).toContainEqual(leg);
    }
    const raw = (await infoJson(venue, { type: 'frontendOpenOrders', user: address })) as readonly object[];
    expect(Object.keys(raw[0] ?? {})).toEqual(ORDER_KEYS);
  });

  it('triggers stops on the losing side of the price and take-profits on the other', async () => {
    const seen = new Set<string>();
    for (const { address } of wallets.filter(({ triggers }) => triggers > 0))
      for (const order of await ask(frontendOpenOrders, { type: 'frontendOpenOrders', user: address }))
        if (order.isTrigger) {
          const [what] = order.orderType?.split(' ') ?? [];
          const [, when] = order.triggerCondition?.split(' ') ?? [];
          seen.add(`${what} ${order.side} ${when}`);
        }
    expect([...seen].sort()).toEqual(['Stop A below', 'Stop B above', 'Take A above', 'Take B below']);
  });
});

const ORDER_KEYS = [
  'coin',
  'side',
  'limitPx',
  'sz',
  'oid',
  'timestamp',
  'triggerCondition',
  'isTrigger',
  'triggerPx',
  'children',
  'isPositionTpsl',
  'reduceOnly',
  'orderType',
  'origSz',
  'tif',
  'cloid',
];

it('orderStatus finds an order by oid and by client order id, whether open or gone', async () => {
  const user = addressOf('archive');
  const history = await ask(upstreamHistoricalOrders, { type: 'historicalOrders', user });
  const past = history.find(({ order }) => order.cloid !== null);
  const byOid = await ask(orderStatusResponse, { type: 'orderStatus', user, oid: past?.order.oid });
  expect(byOid).toEqual({ status: 'order', order: past });
  expect(await infoJson(venue, { type: 'orderStatus', user, oid: past?.order.cloid })).toEqual(byOid);
  expect(await infoJson(venue, { type: 'orderStatus', user: NOBODY, oid: past?.order.oid })).toEqual({
    status: 'unknownOid',
  });
  const { address } = walletWith('openOrders');
  const [open] = await ask(upstreamOpenOrders, { type: 'openOrders', user: address });
  expect(await infoJson(venue, { type: 'orderStatus', user: address, oid: open?.oid })).toMatchObject({
    status: 'order',
    order: { status: 'open', order: open },
  });
});

describe('a delisted perp', () => {
  it('is listed in meta with its flag and has a context without a market', async () => {
    const [{ universe }, contexts] = await ask(metaAndAssetCtxs, { type: 'metaAndAssetCtxs' });
    const places = universe.flatMap(({ isDelisted }, place) => (isDelisted === true ? [place] : []));
    expect(places.map((place) => universe[place]?.name)).toEqual(['STRAX', 'FRIEND']);
    for (const place of places)
      expect(contexts[place]).toMatchObject({ funding: '0.0', openInterest: '0.0', premium: null, midPx: null });
  });

  it('has funding with rate zero and premium NaN since its delisting', async () => {
    const startTime = START - 31 * 86_400_000;
    const page = await ask(fundingHistory, { type: 'fundingHistory', coin: 'STRAX', startTime });
    expect(page).toHaveLength(500);
    const since = page.findIndex(({ premium }) => premium === 'NaN');
    expect(since).toBe(24);
    expect(page.slice(0, since).filter(({ premium }) => !isDecimalString(premium))).toEqual([]);
    const rest = page.slice(since);
    expect(rest.map(({ fundingRate, premium }) => [fundingRate, premium])).toEqual(rest.map(() => ['0.0', 'NaN']));
  });

  it('has no book', async () => {
    expect(await infoJson(venue, { type: 'l2Book', coin: 'STRAX' })).toBeNull();
    expect(venue.book('STRAX')).toBeNull();
    expect(await infoJson(venue, { type: 'allMids' })).not.toHaveProperty('STRAX');
  });
});

describe('meta families', () => {
  it.each([
    [undefined, ['BTC', 'ETH', 'SOL']],
    ['', ['BTC', 'ETH', 'SOL']],
    [null, ['BTC', 'ETH', 'SOL']],
    ['xyz', ['xyz:GOLD', 'xyz:TSLA']],
  ])('meta lists the perps of dex %j', async (dex, first) => {
    const { universe } = await ask(meta, { type: 'meta', dex });
    expect(universe.slice(0, 3).map(({ name }) => name)).toEqual(first);
    const isOfDex = (name: string) => name.startsWith('xyz:') === (dex === 'xyz');
    for (const { name, isDelisted } of universe) {
      expect(isOfDex(name)).toBe(true);
      expect((venue.book(name)?.levels[0].length ?? 0) > 0).toBe(isDelisted !== true);
    }
  });

  it('metaAndAssetCtxs has one context for each asset of meta, at the same index', async () => {
    for (const dex of ['', 'xyz']) {
      const [universe, contexts] = await ask(metaAndAssetCtxs, { type: 'metaAndAssetCtxs', dex });
      expect(universe).toEqual(await infoJson(venue, { type: 'meta', dex }));
      expect(contexts.length).toBe(universe.universe.length);
      const mids = await ask(allMids, { type: 'allMids', dex });
      const traded = universe.universe.filter(({ isDelisted }) => isDelisted !== true);
      for (const [index, { name }] of traded.entries()) expect(contexts[index]?.midPx).toBe(mids[name]);
    }
  });

  it('spotMetaAndAssetCtxs and allMids agree with spotMeta', async () => {
    const [spot, contexts] = await ask(spotMetaAndAssetCtxs, { type: 'spotMetaAndAssetCtxs' });
    expect(spot).toEqual(await infoJson(venue, { type: 'spotMeta' }));
    const mids = await ask(allMids, { type: 'allMids' });
    const tokens = spot.tokens.map(({ index }) => index);
    for (const { name, index, isCanonical, tokens: pair } of spot.universe) {
      expect(name === `@${index}` || isCanonical).toBe(true);
      expect(tokens).toEqual(expect.arrayContaining(pair));
      expect(contexts.find(({ coin }) => coin === name)?.midPx).toBe(mids[name]);
    }
    expect(Object.keys(mids)).toEqual(Object.keys(mids).sort());
  });
});

it.each(['meta', 'metaAndAssetCtxs', 'allMids', 'frontendOpenOrders', 'clearinghouseState'])(
  '%s fails for an unknown dex',
  async (type) => {
    expect(await askInfo(venue, { type, user: NOBODY, dex: 'nope' })).toMatchObject({ status: 500, text: 'null' });
  },
);

it('l2Book serves spot pairs and returns null for an unknown coin', async () => {
  expect((await ask(l2Book, { type: 'l2Book', coin: '@107' }))?.levels[0].length).toBeGreaterThan(5);
  expect(await askInfo(venue, { type: 'l2Book', coin: 'NOPE' })).toMatchObject({ status: 200, text: 'null' });
});

describe('invalid requests', () => {
  const REFUSAL = 'Failed to deserialize the JSON body into the target type';

  it.each([
    {},
    [],
    'hello',
    '{',
    'null',
    { type: 7 },
    { type: 'nope' },
    { type: 'openOrders' },
    { type: 'openOrders', user: '0x12' },
    { type: 'frontendOpenOrders', user: 7 },
    { type: 'historicalOrders', user: null },
    { type: 'orderStatus', user: NOBODY, oid: '0x12' },
    { type: 'fundingHistory', coin: 'BTC', startTime: '0' },
    { type: 'meta', dex: 3 },
    { type: 'userFillsByTime', user: NOBODY },
    { type: 'l2Book', coin: 'BTC', nSigFigs: 9 },
    { type: 'batchSpotClearinghouseState', users: [NOBODY] },
  ])('%j gets 422 with a text', async (body) => {
    expect(await askInfo(venue, body)).toEqual({ status: 422, type: 'text/plain; charset=utf-8', text: REFUSAL });
  });

  const json = { 'content-type': 'application/json' };

  it.each<[number, what: string, RequestInit]>([
    [415, 'another content type', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' }],
    [413, 'a body that is too large', { method: 'POST', headers: json, body: `{"type":"${'x'.repeat(70_000)}"}` }],
    [405, 'another method', { method: 'GET' }],
  ])('get %i for %s', async (status, _, request) => {
    expect((await fetch(venue.infoUrl, request)).status).toBe(status);
    expect((await fetch(venue.infoUrl.replace('/info', '/other'), request)).status).toBe(404);
  });
});

interface Recording {
  readonly recordedAt: string;
  readonly request: { readonly type: string };
  readonly response: unknown;
}

/** Every path of a response with its value's type: `[].szDecimals: whole`. Coin names used as keys count as one. */
function pathsOf(value: unknown, at = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => pathsOf(each, `${at}[]`));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, each]) => pathsOf(each, `${at}.${/^[a-z]\w+$/.test(key) ? key : '*'}`));
  }
  if (typeof value === 'string') return [`${at}: ${/^-?\d+\.\d+$/.test(value) ? 'decimal' : 'text'}`];
  if (typeof value === 'number') return [`${at}: ${Number.isInteger(value) ? 'whole' : 'fraction'}`];
  return [`${at}: ${value === null ? 'null' : typeof value}`];
}

/** Responses since 2025; older ones have other fields. */
function recordingsOf(folder: string, type: string): readonly Recording[] {
  return readdirSync(folder)
    .filter((file) => file.startsWith(`${type}__`))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recording)
    .filter(({ recordedAt }) => Number(/\d{4}/.exec(recordedAt)?.[0]) >= 2025);
}

// Registered only where the recordings are available; elsewhere the schemas with which responses are read take their place.
describe.each([recordedData('info')].filter((path) => path !== undefined))(
  'beside the recorded responses in %s',
  (folder) => {
    it.each([
      'historicalOrders',
      'orderStatus',
      'spotClearinghouseState',
      'clearinghouseState',
      'meta',
      'metaAndAssetCtxs',
      'spotMeta',
      'spotMetaAndAssetCtxs',
      'perpDexs',
    ])('%s has every field of the exchange, and its values have the same form', async (type) => {
      const user = addressOf(type === 'spotClearinghouseState' ? 'taker' : 'archive');
      const history = await ask(upstreamHistoricalOrders, { type: 'historicalOrders', user: addressOf('archive') });
      const oid = history.find(({ order }) => order.tif !== null)?.order.oid;
      const ours = new Set(pathsOf(await infoJson(venue, { type, user, oid })));
      const theirs = new Set(recordingsOf(folder, type).flatMap(({ response }) => pathsOf(response)));
      expect(theirs.size).toBeGreaterThan(0);
      const strange = [...theirs].filter((path) => !ours.has(path) && !ONLY_THEIRS.test(path));
      expect(strange).toEqual([]);
    });
  },
);

/** Fields that only some assets or accounts of the exchange have, and the response for an unknown order. */
const ONLY_THEIRS =
  /isDelisted|onlyIsolated|marginMode|growthMode|lastGrowthModeChangeTime|deployerTradingFeeShare|subDeployers|oracleUpdater|assetToFundingMultiplier|null$/i;
