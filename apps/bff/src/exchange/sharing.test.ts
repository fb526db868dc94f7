import { Agent, type ClientRequest, request as send } from 'node:http';
import { until } from '@l4desk/testkit';
import { bearer, http, startTestService, type TestService, type TestServiceOptions } from '@l4desk/testkit/service';
import { afterEach, describe, expect, it } from 'vitest';
import { walletOf } from '../info/test-support/info-rig.ts';

/** An account and its API key. */
interface Party {
  readonly id: string;
  readonly api: string;
}

let service: TestService;
let flooder: Party;
let other: Party;
const agent = new Agent({ keepAlive: true });

afterEach(() => service[Symbol.asyncDispose]());

/**
 * Starts a service whose upstream clock stands still: no weight leaves the window during a test, and a call can be joined
 * as long as it lasts. A timeout ends hanging calls. It is shorter than a minute unless a test overrides it.
 */
async function start({ upstream, ...options }: TestServiceOptions): Promise<void> {
  service = await startTestService({ ...options, upstream: { now: () => 0, timeoutMs: 59_000, ...upstream } });
  flooder = await service.account('flooder');
  other = await service.account('other');
  await until('the coins are known', () => service.logs.some((line) => line.includes('list of coins loaded')));
  service.exchange.asked.length = 0;
}

const ask = (party: Party, query: object) =>
  http(`${service.url}/info`, {
    method: 'POST',
    headers: { ...bearer(party.api), 'content-type': 'application/json' },
    body: JSON.stringify(query),
    agent,
  });

/** A call whose client can disconnect. */
function call(party: Party, query: object): ClientRequest {
  const outgoing = send(`${service.url}/info`, {
    method: 'POST',
    headers: { ...bearer(party.api), 'content-type': 'application/json' },
  });
  outgoing.on('error', () => {});
  outgoing.end(JSON.stringify(query));
  return outgoing;
}

async function used({ id }: Party): Promise<number> {
  const { days } = await service.store.usageSums(id, { from: '2026-01-01', to: '2026-12-31' });
  return days.reduce((sum, { free, premium }) => sum + free + premium, 0);
}

/** Waits until every part is ready: on a busy machine a ping or loading the coins may exceed its limit once. */
const ready = () => until('the service is ready', async () => (await http(`${service.url}/readyz`)).status === 200);
const waiting = async () => {
  const { text } = await http(`${service.url}/metrics`);
  return Number(/^l4desk_upstream_calls\{state="waiting"\} (\d+)$/m.exec(text)?.[1]);
};

/** A query for the n-th of many distinct wallets. */
const orders = (n: number) => ({ type: 'openOrders', user: `0x${String(n).padStart(40, '0')}` });

describe('[UP-24, UP-25] a flood of one account', () => {
  it('of heavy calls leaves capacity for a call of another account, and the service stays ready', async () => {
    await start({ upstream: { weightPerMinute: 1_200 } });
    service.exchange.responses.set('openOrders', { json: [] });
    const flood = Promise.all(Array.from({ length: 150 }, (_, n) => ask(flooder, orders(n))));
    await until('the flood is there', async () => (await used(flooder)) > 20);
    expect((await ask(other, orders(1_000))).status).toBe(200);
    await ready();
    const responses = await flood;
    const served = responses.filter(({ status }) => status === 200);
    const refused = responses.filter(({ status }) => status !== 200);
    // Four fifths of what the coin lists and the other account leave, whose timing varies.
    expect(served.length).toBeGreaterThanOrEqual(Math.floor((0.8 * (1_200 - 60 - 20)) / 20));
    expect(served.length).toBeLessThanOrEqual(Math.floor((0.8 * (1_200 - 60)) / 20));
    for (const { status, headers, json } of refused) {
      expect(status).toBe(503);
      expect(json()).toMatchObject({ error: 'upstream_busy' });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect([await used(flooder), await used(other)]).toEqual([served.length, 1]);
    service.exchange.responses.set('spotClearinghouseState', { json: { balances: [] } });
    expect((await ask(other, { type: 'batchSpotClearinghouseState', users: [walletOf(1)] })).status).toBe(200);
  });

  it('of queued calls does not prevent the coin lists from being refreshed', async () => {
    await start({ upstream: { weightPerMinute: 24_000, timeoutMs: 120_000 }, universeRefreshMs: 1_000 });
    service.exchange.responses.set('openOrders', { json: [] });
    service.exchange.responses.set('userRole', { json: { role: 'user' } });
    const calls = Array.from({ length: 300 }, (_, n) => call(flooder, { ...orders(n), type: 'userRole' }));
    // The coin lists reserve a tenth of the weight. The flood gets four fifths of the rest.
    const served = (0.8 * (24_000 - 2_400)) / 60;
    await until('the rest waits', async () => (await waiting()) === calls.length - served);
    const readings = () => service.exchange.countOf('perpDexs');
    const before = readings();
    await until('the list is read again', () => readings() >= before + 1);
    await ready();
    expect((await ask(other, orders(1_000))).status).toBe(200);
    expect(await waiting()).toBe(calls.length - served);
    for (const each of calls) each.destroy();
    await until('the flood is over', async () => (await waiting()) === 0);
    expect([await used(flooder), await used(other)]).toEqual([served, 1]);
  });

  it('of hanging calls leaves connections free', async () => {
    await start({ upstream: { connectionsMax: 24, waitingMax: 50 } });
    const letGo = service.exchange.holdBack('openOrders');
    let refusals = 0;
    const flood = Array.from({ length: 200 }, async (_, n) => {
      const { status } = await ask(flooder, orders(n));
      if (status === 503) refusals += 1;
      return status;
    });
    await until('it waits', async () => (await waiting()) === 50);
    // Four fifths of the 20 connections that are not reserved.
    expect(service.exchange.open).toBe(16);
    service.exchange.responses.set('allMids', { json: {} });
    expect((await ask(other, { type: 'allMids' })).status).toBe(200);
    await until('what cannot wait is refused', () => refusals === flood.length - 66);
    letGo({ json: [] });
    expect((await Promise.all(flood)).filter((status) => status === 200)).toHaveLength(66);
    expect([await used(flooder), await used(other)]).toEqual([66, 1]);
  });

  it('of batches on a slow exchange leaves connections free for a single call of another account', async () => {
    await start({ upstream: { connectionsMax: 24 } });
    const letGo = service.exchange.holdBack('spotClearinghouseState');
    const users = Array.from({ length: 50 }, (_, n) => walletOf(n));
    const batches = [0, 1, 2, 3].map((batch) =>
      ask(flooder, {
        type: 'batchSpotClearinghouseState',
        users: users.map((user) => user.replace(/^0xa/, `0x${batch}`)),
      }),
    );
    await until('the rest of the wallets waits', async () => (await waiting()) === 200 - 16);
    service.exchange.responses.set('openOrders', { json: [] });
    expect((await ask(other, orders(1))).status).toBe(200);
    expect([service.exchange.countOf('spotClearinghouseState'), service.exchange.open]).toEqual([16, 16]);
    letGo({ json: { balances: [] } });
    for (const { status, json } of await Promise.all(batches)) {
      expect(status).toBe(200);
      expect((json() as object[]).filter((slot) => 'error' in slot)).toEqual([]);
    }
  });

  it('[BILL-23, BILL-24] that disconnects is charged only for calls that were sent', async () => {
    await start({ upstream: { dialect: 'service', connectionsMax: 24 } });
    const letGo = service.exchange.holdBack('openOrders');
    const calls = Array.from({ length: 100 }, (_, n) => call(flooder, orders(n)));
    await until('the rest waits', async () => (await waiting()) === 84);
    for (const each of calls) each.destroy();
    await until('what waited is dropped', async () => (await waiting()) === 0);
    letGo({ json: [] });
    await until('the rest is charged', async () => (await used(flooder)) === 16);
    expect((await ask(other, orders(1_000))).status).toBe(200);
    expect([service.exchange.countOf('openOrders'), await used(flooder), await used(other)]).toEqual([17, 16, 1]);
  });
});

const MIDS = { type: 'allMids' };

it('[INFO-23] equal calls of one account are one call upstream, and each is charged; another account has its own', async () => {
  await start({});
  const letGo = service.exchange.holdBack('allMids');
  const calls = [ask(flooder, MIDS), ask(flooder, MIDS), ask(other, MIDS)];
  await until('both are sent', () => service.exchange.countOf('allMids') === 2);
  letGo({ json: {} });
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([service.exchange.countOf('allMids'), await used(flooder), await used(other)]).toEqual([2, 2, 1]);
});
