import {
  type Address,
  allMids,
  batchClearinghouseState,
  batchSpotClearinghouseState,
  type Client,
  clearinghouseState,
  clearinghouseStates,
  createClient,
  follow,
  frontendOpenOrders,
  fundingHistory,
  fundingHistoryPages,
  historicalOrders,
  l2Book,
  l4BookSnapshot,
  maxMarketOrderNtls,
  meta,
  metaAndAssetCtxs,
  openOrders,
  orderStatus,
  perpDexs,
  spotClearinghouseState,
  spotClearinghouseStates,
  spotMeta,
  spotMetaAndAssetCtxs,
  usage,
  userFunding,
} from '@l4desk/client';
import { StreamProbe, until } from '@l4desk/testkit';
import type { VenueWallet } from '@l4desk/testkit/stack';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Served } from './support/served.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let served: Served;
let client: Client;
let wallets: readonly VenueWallet[];
/** A wallet with resting orders and a history. */
let busy: VenueWallet;
beforeAll(async () => {
  served = await Served.start();
  const { stack, apiKey, serviceKey } = served;
  client = createClient({ baseUrl: stack.url, apiKey, serviceKey });
  await stack.venue.step(30);
  wallets = await stack.venue.wallets();
  const [busiest] = wallets.toSorted((a, b) => b.openOrders - a.openOrders);
  if (busiest === undefined) throw new Error('the exchange has no wallets');
  busy = busiest;
});
afterEach(() => served.stack.venue.fault({ kind: 'clear' }));
afterAll(() => served[Symbol.asyncDispose]());

const creditsUsed = async () => (await usage(client)).aggregate.credits_consumed;

/** The exchange's time: that of its last block. */
const marketTime = async () => (await l4BookSnapshot(client, { coin: 'BTC' })).time;

describe('every kind, from the client to the exchange and back', () => {
  it('[INFO-1] orders', async () => {
    const user = busy.address;
    const open = await openOrders(client, { user });
    expect(open).toHaveLength(busy.openOrders + busy.spotOrders);
    const [first] = open;
    if (first === undefined) throw new Error('the busiest wallet has no order');
    const all = await frontendOpenOrders(client, { user });
    expect(all.map(({ oid }) => oid)).toEqual(expect.arrayContaining(open.map(({ oid }) => oid)));
    const known = await orderStatus(client, { user, oid: first.oid });
    expect(known).toMatchObject({ status: 'order', order: { order: { oid: first.oid, limitPx: first.limitPx } } });
    expect(await orderStatus(client, { user, oid: 1 })).toEqual({ status: 'unknownOid' });
    const history = await historicalOrders(client, { user, limit: 5 });
    expect(history.length).toBe(Math.min(5, busy.history));
  });

  it('[INFO-1] accounts', async () => {
    const user = busy.address;
    const spot = await spotClearinghouseState(client, { user });
    const perp = await clearinghouseState(client, { user });
    const users = [user, '0x00000000000000000000000000000000000000a1' as const];
    const [spotSlot, nobody] = await batchSpotClearinghouseState(client, { users });
    expect(spotSlot).toMatchObject({ user, balances: spot.balances });
    expect(nobody).toEqual({ user: users[1], balances: [] });
    const [perpSlot] = await batchClearinghouseState(client, { users });
    expect(perpSlot).toMatchObject({ user, marginSummary: perp.marginSummary });
    const endTime = await marketTime();
    const payments = await userFunding(client, { user, startTime: endTime - 30 * DAY, endTime });
    expect(payments.every(({ time }) => time <= endTime)).toBe(true);
  });

  it('[INFO-1] markets', async () => {
    const { universe } = await meta(client);
    expect(universe.map(({ name }) => name)).toContain('BTC');
    expect((await metaAndAssetCtxs(client))[0].universe).toEqual(universe);
    const spot = await spotMeta(client);
    expect((await spotMetaAndAssetCtxs(client))[0].universe).toEqual(spot.universe);
    expect((await perpDexs(client))[0]).toBeNull();
    expect(await allMids(client)).toHaveProperty('BTC');
    const buckets = await maxMarketOrderNtls(client);
    expect(buckets.map(([leverage]) => leverage)).toEqual(
      buckets.map(([leverage]) => leverage).toSorted((a, b) => b - a),
    );
  });

  it('[INFO-1] books: the aggregated one equals that of the single orders', async () => {
    const aggregated = await l2Book(client, { coin: 'BTC' });
    const snapshot = await l4BookSnapshot(client, { coin: 'BTC' });
    const best = snapshot.levels.map((orders) => orders[0]?.limitPx);
    expect(aggregated?.levels.map((levels) => levels[0]?.px)).toEqual(best);
  });

  it('[CHAN-30, CHAN-31] books of a quiet coin: a subscription has the state sent that POST /info returns', async () => {
    const ask = (fields: object) => l2Book(client, { coin: 'SOL', ...fields });
    const groupings = [{}, { nSigFigs: 4 }, { nSigFigs: 5, mantissa: 5 }] as const;
    // Nobody follows the coin yet, so these are of the exchange.
    const theirs = await Promise.all(groupings.map(ask));
    const open = () => StreamProbe.open(`${served.streamUrl}?key=${served.apiKey}`);
    await using holder = await open();
    holder.say({ method: 'subscribe', subscription: { type: 'bbo', coin: 'SOL' } });
    await holder.next(({ channel }) => channel === 'bbo');
    for (const [place, fields] of groupings.entries()) {
      const posted = await ask(fields);
      await using probe = await open();
      probe.say({ method: 'subscribe', subscription: { type: 'l2Book', coin: 'SOL', ...fields } });
      expect((await probe.next()).channel).toBe('subscriptionResponse');
      expect((await probe.next()).data).toEqual(posted);
      expect(posted).toEqual({ ...theirs[place], time: expect.any(Number) });
    }
  });
});

describe('funding past 500 entries', () => {
  it('[FUND-7] returns all of 120 days, each entry once, at one credit a page', async () => {
    const endTime = await marketTime();
    const startTime = endTime - 120 * DAY;
    const before = await creditsUsed();
    const entries = [];
    let credits = 0;
    for await (const page of fundingHistoryPages(client, { coin: 'BTC', startTime, endTime })) {
      entries.push(...page.entries);
      credits = page.credits;
    }
    expect((await creditsUsed()) - before).toBe(credits);
    expect(entries.length).toBeGreaterThan(2_800);
    const times = entries.map(({ time }) => time);
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
    // Queries the same range in other pieces.
    const middle = entries.slice(1_000, 1_400);
    const [from, to] = [middle[0]?.time ?? 0, middle.at(-1)?.time ?? 0];
    expect(await fundingHistory(client, { coin: 'BTC', startTime: from, endTime: to })).toEqual(middle);
  });
});

describe('wallets past 50', () => {
  it('[BATCH-18, BATCH-2] returns all of them in order; a failed one is one result', async () => {
    const users = wallets.map(({ address }) => address);
    const [broken] = users;
    if (broken === undefined) throw new Error('the exchange has no wallets');
    await served.stack.venue.fault({ kind: 'info', effect: 'status', status: 500, user: broken });
    const before = await creditsUsed();
    const { results, retryable, credits } = await spotClearinghouseStates(client, { users });
    expect((await creditsUsed()) - before).toBe(credits);
    expect(credits).toBe(25 * Math.ceil(users.length / 50));
    expect(results.map(({ user }) => user)).toEqual(users);
    expect(results.filter(({ kind }) => kind === 'failed')).toHaveLength(1);
    expect(results[0]).toMatchObject({ error: { code: 'upstream_error', message: 'upstream returned HTTP 500' } });
    expect(retryable).toEqual([broken]);
    await served.stack.venue.fault({ kind: 'clear' });
    expect(await spotClearinghouseStates(client, { users: retryable })).toMatchObject({ retryable: [], calls: 1 });
    const perps = await clearinghouseStates(client, { users: users.slice(0, 60).map(shout) });
    expect(perps.results.every(({ kind }) => kind === 'state')).toBe(true);
  });
});

describe('in a page of the dashboard', () => {
  it('[AUTH-12, AUTH-15] needs only the session for queries, usage and books, and no key', async () => {
    const { stack, apiKey, serviceKey } = served;
    const origin = stack.url;
    const signedIn = await fetch(`${origin}/session`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ apiKey, serviceKey }),
    });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    // What a browser adds on its own.
    class PageSocket extends WebSocket {
      constructor(url: string) {
        super(url, { headers: { cookie, origin } });
      }
    }
    const page = createClient({
      baseUrl: origin,
      WebSocket: PageSocket,
      fetch: (url, init) => {
        const ownOrigin = init.method === 'POST' ? { origin } : { 'sec-fetch-site': 'same-origin' };
        return fetch(url, { ...init, headers: { ...init.headers, ...ownOrigin, cookie } });
      },
    });
    expect(await openOrders(page, { user: busy.address })).toEqual(await openOrders(client, { user: busy.address }));
    expect((await usage(page)).aggregate).toEqual((await usage(client)).aggregate);
    const follower = follow({ client: page, coins: ['BTC'] });
    try {
      await until('a live book', () => follower.coin('BTC')?.state.kind === 'live');
      expect(await follower.verify('BTC')).toMatchObject({ kind: 'equal' });
    } finally {
      follower.close();
    }
  });
});

describe('the command line', () => {
  it('queue, owners and sweep return correct results for the book of the exchange', async () => {
    const { levels } = await served.stack.venue.book('BTC');
    const ask = async (...words: readonly string[]): Promise<Record<string, unknown>> => {
      const { code, stdout, stderr } = await served.stack.command(
        ...words,
        '--coin',
        'BTC',
        '--json',
        '--key',
        served.apiKey,
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout);
    };
    const position = { coin: 'BTC', height: expect.any(Number), epoch: expect.any(String), seq: expect.any(Number) };
    const [bids, asks] = levels;
    const [front] = bids;
    const oids = levels.flatMap((side) => side.filter(({ user }) => user === front?.user).map(({ oid }) => oid));
    const { orders, ...queueAt } = await ask('queue', front?.user ?? '');
    expect(queueAt).toEqual(position);
    expect((orders as readonly { readonly oid: number }[]).map(({ oid }) => oid)).toEqual(oids);
    expect(orders).toMatchObject([{ oid: front?.oid, ordersAhead: 0, szAhead: '0' }, ...oids.slice(1).map(() => ({}))]);
    const everyone = await ask('owners', '--within-bps', '10000');
    const usersOf = (side: unknown) =>
      (side as readonly { readonly user: string }[]).map(({ user }) => user).toSorted();
    expect(everyone).toMatchObject({ ...position, withinBps: '10000' });
    expect(usersOf(everyone.bids)).toEqual([...new Set(bids.map(({ user }) => user))].toSorted());
    const best = asks[0]?.limitPx;
    const lot = { filledSz: '0.00001', unfilled: '0', bestPx: best, worstPx: best, slippageBps: '0.000000', orders: 1 };
    expect(await ask('sweep', '--side', 'buy', '--sz', '0.00001')).toMatchObject({ ...position, ...lot });
    const swept = await ask('sweep', '--side', 'sell', '--ntl', '1000');
    expect(swept.filledSz).toMatch(/^\d+(\.\d{1,5})?$/);
    expect(swept.bestPx).toBe(bids[0]?.limitPx);
  });
});

/** The same wallet in upper case. */
function shout(user: Address): Address {
  return `0x${user.slice(2).toUpperCase()}`;
}
