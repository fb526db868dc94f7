import { fileURLToPath } from 'node:url';
import {
  type Address,
  batchSpotClearinghouseState,
  coinDex,
  coinMarket,
  fundingHistory,
  HISTORICAL_ORDERS_LIMIT_MAX,
  historicalOrders,
  INFO_KINDS,
  type InfoKind,
  openOrders,
} from '@l4desk/protocol';
import { bundleProgram, removeBundles, until } from '@l4desk/testkit';
import { http, type RawResponse } from '@l4desk/testkit/service';
import { VenueControl, type VenueFault, type VenueWallet } from '@l4desk/testkit/stack';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startVenue, type VenueProcess } from '../exchange/venue/venue-process.ts';
import { createLog } from '../log/log.ts';
import { type InfoRig, startInfoRig } from './test-support/info-rig.ts';

let venue: VenueProcess;
let control: VenueControl;
let wallets: readonly VenueWallet[];
let rig: InfoRig;
/** Another service with short timeouts, for late responses. */
let hasty: InfoRig;

beforeAll(async () => {
  const program = await bundleProgram('apps/venue/src/main.ts', 'venue/dist/main');
  venue = await startVenue({
    program: fileURLToPath(program),
    environment: { VENUE_SIZE: '0.02', VENUE_PACE: 'step', VENUE_SEED: '7', VENUE_CONTROL_PORT: '0' },
    log: createLog('silent', { write() {} }),
  });
  control = new VenueControl(venue.controlUrl);
  wallets = await control.wallets();
  rig = await startInfoRig({
    upstream: { url: venue.infoUrl },
  });
  hasty = await startInfoRig({
    env: { WALLET_TIMEOUT_MS: '4000', UPSTREAM_TIMEOUT_MS: '4000' },
    upstream: { url: venue.infoUrl },
  });
});

afterEach(() => control.fault({ kind: 'clear' }));

afterAll(async () => {
  await rig[Symbol.asyncDispose]();
  await hasty[Symbol.asyncDispose]();
  await venue[Symbol.asyncDispose]();
  await removeBundles();
});

function walletIn(role: string): Address {
  const wallet = wallets.find((each) => each.role === role);
  if (wallet === undefined) throw new Error(`the exchange has no wallet in the role ${role}`);
  return wallet.address;
}

/** The kinds that the simulated exchange serves. */
const SIMULATED = [
  'batchSpotClearinghouseState',
  'openOrders',
  'historicalOrders',
  'maxMarketOrderNtls',
  'fundingHistory',
  'batchClearinghouseState',
  'meta',
  'spotMeta',
  'metaAndAssetCtxs',
  'spotMetaAndAssetCtxs',
  'allMids',
  'perpDexs',
  'l2Book',
  'frontendOpenOrders',
  'orderStatus',
  'spotClearinghouseState',
  'clearinghouseState',
  'userFunding',
  'userRole',
  'userAbstraction',
  'exchangeStatus',
] as const satisfies readonly InfoKind[];

describe('over the simulated exchange', () => {
  it.each(SIMULATED)('[INFO-2, INFO-24, INFO-25, INFO-26] %s matches its schema', async (type) => {
    const user = walletIn('maker');
    const body = { type, user, users: [user, walletIn('spot')], coin: 'BTC', startTime: 0, oid: 1 };
    const response = await rig.ask(body);
    expect(response.status).toBe(200);
    expect(INFO_KINDS[type].response.safeParse(response.json()).error).toBeUndefined();
  });

  it('[OPEN-2, OPEN-3, OPEN-4] the busiest wallet has open orders and an unused one has none', async () => {
    const ordersOf = async (user: Address) => openOrders.parse((await rig.ask({ type: 'openOrders', user })).json());
    const busiest = wallets.toSorted((a, b) => b.openOrders - a.openOrders)[0];
    expect((await ordersOf(busiest?.address ?? '0x')).length).toBeGreaterThan(0);
    expect(await ordersOf(walletIn('empty'))).toEqual([]);
  });

  const historyOf = async (user: Address, limit?: number) =>
    historicalOrders.parse((await rig.ask({ type: 'historicalOrders', user, limit })).json());

  it('[HIST-2, HIST-4, HIST-10] a long history returns the newest 2000 orders', async () => {
    const all = await historyOf(walletIn('archive'));
    expect(all).toHaveLength(HISTORICAL_ORDERS_LIMIT_MAX);
    expect(await historyOf(walletIn('archive'), 3)).toEqual(all.slice(0, 3));
  });

  it('[HIST-5] a history has open and finalized orders of perps, spot pairs and builder dexes', async () => {
    const all = await historyOf(walletIn('archive'));
    const markets = new Set(all.map(({ order: { coin } }) => (coinDex(coin) === '' ? coinMarket(coin) : 'builder')));
    expect(markets).toEqual(new Set(['perp', 'spot', 'builder']));
    const statuses = new Set(all.map(({ status }) => status));
    for (const status of ['open', 'filled', 'canceled', 'badAloPxRejected']) expect(statuses).toContain(status);
  });

  it('[HIST-5] a history has every resting order', async () => {
    const user = walletIn('bracket');
    const resting = openOrders.parse((await rig.ask({ type: 'openOrders', user })).json());
    const open = (await historyOf(user)).filter(({ status }) => status === 'open');
    expect(resting.length).toBeGreaterThan(0);
    expect(open.map(({ order }) => order.oid)).toEqual(expect.arrayContaining(resting.map(({ oid }) => oid)));
  });

  it('[FUND-2, FUND-5, FUND-7] four months of funding can be read in pages of 500', async () => {
    const endTime = Date.now();
    let startTime = endTime - 120 * 86_400_000;
    let entries = 0;
    for (let page: unknown[] = Array(500); page.length === 500; ) {
      const response = await rig.ask({ type: 'fundingHistory', coin: 'BTC', startTime, endTime });
      const read = fundingHistory.parse(response.json());
      expect(read.every(({ time }) => time >= startTime && time <= endTime)).toBe(true);
      startTime = (read.at(-1)?.time ?? 0) + 1;
      entries += read.length;
      page = read;
    }
    expect(entries).toBeGreaterThan(2_800);
  });

  it('[FUND-11, INFO-31, SNAP-14] a delisted perp has funding, including premiums of NaN, but no book', async () => {
    const funding = { type: 'fundingHistory', coin: 'STRAX', startTime: Date.now() - 20 * 86_400_000 };
    const response = await rig.ask(funding);
    const entries = fundingHistory.parse(response.json());
    expect(entries.length).toBeGreaterThan(400);
    expect(entries.filter(({ premium }) => premium !== 'NaN')).toEqual([]);
    expect(rig.errorOf(await rig.ask({ type: 'l4BookSnapshot', coin: 'STRAX' })).error).toBe('unknown_coin');
  });

  it('[UP-21] a 422 for a query that we checked is upstream_error', async () => {
    const user = walletIn('maker');
    await control.fault({ kind: 'info', type: 'openOrders', user, effect: 'status', status: 422 });
    expect(rig.errorOf(await rig.ask({ type: 'openOrders', user })).error).toBe('upstream_error');
  });

  it('[FUND-10] a coin that the exchange does not have is unknown_coin', async () => {
    const response = await rig.ask({ type: 'fundingHistory', coin: 'NOPE', startTime: 0 });
    expect(rig.errorOf(response)).toMatchObject({ error: 'unknown_coin', path: 'coin' });
  });
});

/**
 * Queries the hasty service. Its clock only advances once the slow call is the only one left at the exchange, so all other
 * calls are in time, however busy the machine is.
 */
async function askedInTime(body: object): Promise<RawResponse> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  using _ = { [Symbol.dispose]: () => void vi.useRealTimers() };
  const { url } = hasty.service;
  const underWay = async () => {
    const { text } = await http(`${url}/metrics`);
    return Number(/^l4desk_upstream_calls\{state="under_way"\} (\d+)$/m.exec(text)?.[1]);
  };
  const metered = hasty.meter.calls.length;
  const response = hasty.ask(body);
  await until('the call is sent', () => hasty.meter.calls.length > metered);
  await until('the slow one is left', async () => (await underWay()) === 1);
  // When this response arrives, those of the other calls have been read.
  await http(`${url}/healthz`);
  vi.advanceTimersByTime(4_000);
  return await response;
}

/**
 * Queries the hasty service with a stopped clock, so that the caller never times out. However busy the machine is, the call
 * ends with a refusal that leaves no time for a retry.
 */
async function askedUntilRefused(body: object): Promise<RawResponse> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  using _ = { [Symbol.dispose]: () => void vi.useRealTimers() };
  return await hasty.ask(body);
}

describe('faults of one wallet', () => {
  const about = (user: Address, effect: Extract<VenueFault, { kind: 'info' }>['effect'], more: object = {}) =>
    control.fault({ kind: 'info', type: 'spotClearinghouseState', user, effect, ...more });

  it('[BATCH-6, BATCH-13, BATCH-15, BATCH-16, BATCH-17] fail only its own slot', async () => {
    const users = wallets.slice(0, 8).map(({ address }) => address);
    const [slow, status, invalid, cut, error, busy, fine, good] = users as [Address, ...Address[]];
    await about(slow, 'slow', { ms: 600_000 });
    await about(status as Address, 'status', { status: 503 });
    await about(invalid as Address, 'invalid-json');
    await about(cut as Address, 'disconnect');
    await about(error as Address, 'error', { message: 'node of 10.1.2.3 is behind' });
    await about(busy as Address, 'rate-limit');
    const response = await askedInTime({ type: 'batchSpotClearinghouseState', users });
    expect(response.status).toBe(200);
    const slots = batchSpotClearinghouseState.parse(response.json());
    const told = slots.map((slot) => ('message' in slot ? [slot.user, slot.message] : [slot.user]));
    expect(told).toEqual([
      [slow, 'upstream_error: timeout after 4000 ms'],
      [status, 'upstream returned HTTP 503'],
      [invalid, 'upstream_error: a response that is not JSON'],
      [cut, expect.stringMatching(/^upstream_error: the connection failed/)],
      [error, 'upstream_error: node of [host] is behind'],
      [busy, 'upstream returned HTTP 429'],
      [fine],
      [good],
    ]);
  });

  it('[UP-1, UP-2, UP-3] fail a single query with the specified error', async () => {
    const user = walletIn('maker');
    const codeUnder = async (
      effect: Extract<VenueFault, { kind: 'info' }>['effect'],
      more: object = {},
      ask: (body: object) => Promise<RawResponse> = (body) => rig.ask(body),
    ) => {
      await control.fault({ kind: 'info', type: 'openOrders', user, effect, ...more });
      const code = rig.errorOf(await ask({ type: 'openOrders', user })).error;
      await control.fault({ kind: 'clear' });
      return code;
    };
    expect([
      await codeUnder('status'),
      await codeUnder('invalid-json'),
      await codeUnder('disconnect'),
      await codeUnder('error', { message: 'no' }),
      await codeUnder('slow', { ms: 600_000 }, askedInTime),
      await codeUnder('rate-limit', {}, askedUntilRefused),
    ]).toEqual([
      'upstream_error',
      'upstream_error',
      'upstream_error',
      'upstream_error',
      'upstream_timeout',
      'upstream_busy',
    ]);
    expect((await rig.ask({ type: 'openOrders', user })).status).toBe(200);
  });

  it('[UP-1, UP-3] are not visible if they are temporary: one cut connection, a limit reached briefly', async () => {
    const user = walletIn('maker');
    for (const effect of ['disconnect', 'rate-limit'] as const) {
      await control.fault({ kind: 'info', type: 'openOrders', user, effect, count: 1 });
      expect((await rig.ask({ type: 'openOrders', user })).status).toBe(200);
    }
  });
});
