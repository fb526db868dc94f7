import { isDeepStrictEqual } from 'node:util';
import { RawSocket, SpecClient, until } from '@l4desk/testkit';
import { NatsServer } from '@l4desk/testkit/nats';
import { PostgresServer, postgresDatabase } from '@l4desk/testkit/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cluster, type ClusterMember } from './support/cluster.ts';
import { QUICK_FAULTS } from './support/cluster-fault.ts';
import { FaultRun } from './support/cluster-faults.ts';
import { alertRules, missing, panels, samplesOf } from './test-support/monitoring.ts';

/** `npm run soak -- cluster` raises all of these. */
const SOAK_BLOCKS = Number(process.env.L4DESK_CLUSTER_BLOCKS ?? 0);
/** After this time it ends with the current fault. */
const SOAK_MS = Number(process.env.L4DESK_CLUSTER_MINUTES ?? 1_440) * 60_000;
const CLIENTS = Number(process.env.L4DESK_CLUSTER_CLIENTS ?? 6);
/** How many of them are written from the specification alone. */
const SPEC_CLIENTS = SOAK_BLOCKS === 0 ? 4 : Math.min(CLIENTS, 24);
const SEED = Number(process.env.L4DESK_SEED ?? 20_261_122);
/** Blocks between and during faults, and the highest pace. */
const PACE =
  SOAK_BLOCKS === 0
    ? { blocksBetween: 10, blocksDuring: 10 }
    : { blocksBetween: 90, blocksDuring: 40, blocksPerSecond: 30 };
const GATEWAYS = SOAK_BLOCKS === 0 ? 2 : 3;
const COINS = SOAK_BLOCKS === 0 ? ['BTC', 'ETH'] : ['BTC', 'ETH', 'SOL', 'DOGE', 'XRP'];

/** The fields of a batch that these tests read. */
interface BatchWire {
  readonly epoch: string;
  readonly block_height: number;
  readonly book_diffs: readonly { readonly coin: string; readonly seq: number; readonly prev_seq: number }[];
}

/** The public URL that browsers would see: the load balancer in front of the gateways. */
const PUBLIC_URL = 'http://desk.example';

let nats: NatsServer;
let postgres: PostgresServer | undefined;
let databaseUrl: string;
let cluster: Cluster;
let key: string;
let serviceKey: string;

beforeAll(async () => {
  nats = await NatsServer.start();
  // A server that is ended must not be shared with other tests.
  if (SOAK_BLOCKS > 0) postgres = await PostgresServer.start();
  databaseUrl = await (postgres?.createDatabase() ?? postgresDatabase());
  cluster = await Cluster.start({
    natsUrl: nats.url,
    databaseUrl,
    sequencers: 2,
    gateways: GATEWAYS,
    env: {
      PUBLIC_URL,
      L4_REBUILD_MAX_MS: '500',
      // Blocks delayed by a loaded machine are not lost.
      L4_REORDER_MS: '2000',
      STREAM_CONNECTIONS_PER_KEY_MAX: '10000',
    },
    venueEnv: { VENUE_SIZE: '0.02', VENUE_STATUS_RATE: '0.1', VENUE_SEED: 'cluster', VENUE_COINS: COINS.join() },
  });
  ({ key } = await cluster.key('api'));
  ({ key: serviceKey } = await cluster.key('service'));
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await nats[Symbol.asyncDispose]();
  await postgres?.[Symbol.asyncDispose]();
});

function clientOf({ url }: ClusterMember): SpecClient {
  const streamUrl = `${url.replace('http', 'ws')}/ws`;
  const client = new SpecClient({ infoUrl: `${url}/info`, streamUrl, key, coins: COINS });
  client.start();
  return client;
}

function gateway(place: number): ClusterMember {
  const member = cluster.gateways[place];
  if (member === undefined) throw new Error(`there is no gateway ${place}`);
  return member;
}

interface UsageWire {
  readonly data: { readonly aggregate: { readonly credits_consumed: number } };
}

async function usageAt({ url }: ClusterMember): Promise<UsageWire> {
  const response = await fetch(`${url}/platform/usage/`, { headers: { Authorization: `Bearer ${serviceKey}` } });
  return response.json() as Promise<UsageWire>;
}

/** A stream client that keeps every message it received. */
async function follow({ url }: ClusterMember, resume?: object) {
  const texts: string[] = [];
  const sockets = await RawSocket.open(`${url.replace('http', 'ws')}/ws?key=${key}`, {
    onText: (text) => texts.push(text),
    onClose: () => {},
    onViolation: (what) => texts.push(what),
  });
  const subscription = { type: 'l4BookUpdates', coin: COINS, statuses: 'book', ...resume };
  sockets.sendText(JSON.stringify({ method: 'subscribe', subscription }));
  const entries = () =>
    texts
      .filter((text) => text.startsWith('{"channel":"l4BookUpdates"'))
      .flatMap((text) => {
        const { epoch, block_height, book_diffs } = (JSON.parse(text) as { data: { Updates: BatchWire } }).data.Updates;
        return book_diffs.map(({ coin, seq, prev_seq }) => ({
          coin,
          epoch,
          height: block_height,
          seq,
          prevSeq: prev_seq,
        }));
      });
  return { texts, entries, close: () => sockets.close() };
}

describe('a cluster', () => {
  it('agrees on keys, sessions, usage, epoch and sequence at every gateway', async () => {
    await using first = clientOf(gateway(0));
    await using second = clientOf(gateway(1));
    for (const client of [first, second]) await client.until(() => COINS.every((coin) => client.position(coin)));
    const { height } = await cluster.venue.book('BTC');
    await cluster.venue.step(3);
    for (const client of [first, second])
      await client.until(() => COINS.every((coin) => (client.position(coin)?.height ?? 0) >= height + 3));
    for (const coin of COINS) {
      expect(second.position(coin)).toEqual(first.position(coin));
      expect(first.book(coin)?.difference((await cluster.venue.book(coin)).levels)).toBeUndefined();
    }
    const snapshots = await Promise.all(
      cluster.gateways.map(async ({ url }) => {
        const body = JSON.stringify({ type: 'l4BookSnapshot', coin: 'BTC' });
        const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
        return (await fetch(`${url}/info`, { method: 'POST', headers, body })).text();
      }),
    );
    expect(snapshots[0]).toContain('"levels":[[{');
    expect(snapshots[1]).toBe(snapshots[0]);
    const { subscriptions } = await cluster.venue.state();
    expect(subscriptions).toMatchObject({ BTC: 1, ETH: 1 });

    // The minutes of streams are charged within a second, and the next one may begin between the two requests.
    await until('the gateways to agree on every charge', async () => {
      const usages = await Promise.all(cluster.gateways.map((one) => usageAt(one)));
      const credits = usages[0]?.data.aggregate.credits_consumed ?? 0;
      return credits >= 2 * 2 * COINS.length + 2 && isDeepStrictEqual(usages[0], usages[1]);
    });

    const origin = { Origin: PUBLIC_URL };
    const signIn = await fetch(`${gateway(0).url}/session`, {
      method: 'POST',
      headers: { ...origin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ apiKey: key }),
    });
    const [cookie = ''] = signIn.headers.get('set-cookie')?.split(';') ?? [];
    expect(cookie).toMatch(/^l4desk_80=/);
    const there = await fetch(`${gateway(1).url}/session`, { headers: { ...origin, Cookie: cookie } });
    expect([signIn.status, there.status, await there.json()]).toMatchObject([200, 200, { account: { name: 'desk' } }]);
  });

  it('refuses a revoked key and an ended session at every gateway, and closes the streams of the key', async () => {
    const { id, key: other } = await cluster.key('api');
    const closed: number[] = [];
    for (const { url } of cluster.gateways) {
      const texts: string[] = [];
      const socket = await RawSocket.open(`${url.replace('http', 'ws')}/ws?key=${other}`, {
        onText: (text) => texts.push(text),
        onClose: (code) => closed.push(code),
        onViolation: (what) => texts.push(what),
      });
      socket.sendText('{"method":"subscribe","subscription":{"type":"l4BookUpdates","coin":"BTC"}}');
      await until('the acknowledgement', () => texts.length > 0);
    }
    const statuses = () =>
      Promise.all(
        cluster.gateways.map(async ({ url }) => {
          const headers = { Authorization: `Bearer ${other}`, 'Content-Type': 'application/json' };
          return (await fetch(`${url}/info`, { method: 'POST', headers, body: '{"type":"meta"}' })).status;
        }),
      );
    expect(new Set(await statuses())).toEqual(new Set([200]));
    const json = { Origin: PUBLIC_URL, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ apiKey: key });
    const signIn = await fetch(`${gateway(0).url}/session`, { method: 'POST', headers: json, body });
    const [cookie = ''] = signIn.headers.get('set-cookie')?.split(';') ?? [];
    const session = async ({ url }: ClusterMember, method = 'GET') =>
      (await fetch(`${url}/session`, { method, headers: { Origin: PUBLIC_URL, Cookie: cookie } })).status;
    expect(await Promise.all(cluster.gateways.map((member) => session(member)))).toEqual(
      cluster.gateways.map(() => 200),
    );

    expect(await cluster.command('keys', 'revoke', id)).toMatchObject({ code: 0 });
    expect(await session(gateway(1), 'DELETE')).toBe(204);
    await until('the key is refused everywhere', async () => (await statuses()).every((status) => status === 401));
    await until('its streams are closed everywhere', () => closed.length === GATEWAYS);
    expect(new Set(closed)).toEqual(new Set([4401]));
    for (const member of cluster.gateways)
      await until('the session has ended everywhere', async () => (await session(member)) === 401);
  });

  it('has every metric in its processes that the alerts and panels query', async () => {
    const leader = await until('a leader', () => cluster.leader());
    const samples = await Promise.all(
      [gateway(0), leader].map(async ({ url }) => samplesOf(await (await fetch(`${url}/metrics`)).text())),
    );
    const [ofGateway = [], ofSequencer = []] = samples;
    const expressions = [
      ...alertRules().map(({ expr }) => expr),
      ...panels().flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ].filter((expr) => /l4desk_(?:cluster_|database_lost|ledger_spool)/.test(expr));
    expect(expressions.length).toBeGreaterThan(10);
    const nowhere = expressions.filter((expr) => samples.every((its) => missing(expr, its).length > 0));
    expect(nowhere).toEqual([]);
    for (const name of ['nats_lost', 'sequencer_lost', 'lag_seconds', 'terms_total', 'gaps_total'])
      expect(missing(`l4desk_cluster_${name}`, ofGateway)).toEqual([]);
    for (const name of ['l4desk_database_lost_seconds', 'l4desk_ledger_spool_batches'])
      expect(missing(name, ofGateway)).toEqual([]);
    for (const name of ['leads', 'nats_lost', 'pending_bytes', 'gateways', 'terms_total'])
      expect(missing(`l4desk_cluster_${name}`, ofSequencer)).toEqual([]);
  });

  it('lets a client that reconnects to another, just started gateway continue where it left off', async () => {
    const { height } = await cluster.venue.book('BTC');
    const first = await follow(gateway(0));
    await until('the acknowledgement', () => first.texts.length > 0);
    await cluster.venue.step(3);
    await until('the blocks', () => first.entries().some((entry) => entry.height === height + 3));
    first.close();
    const seen = first.entries();
    const seq = Object.fromEntries(seen.map((entry) => [entry.coin, entry.seq]));
    await gateway(1).end('SIGTERM');
    await cluster.venue.step(3);
    gateway(1).start();
    await gateway(1).ready();
    const resume = { epoch: seen[0]?.epoch, seq };
    // A gateway that has no book of a coin in time refuses that coin, and the client asks again.
    const second = await until('the coins to be resumed', async () => {
      const asked = await follow(gateway(1), { resume });
      await until('the acknowledgement', () => asked.texts.length > 0);
      const { resumed, refused } = JSON.parse(asked.texts[0] ?? '').data.resume;
      for (const reason of Object.values(refused)) expect(['not-live', 'unread']).toContain(reason);
      if (Object.keys(resumed).length === Object.keys(seq).length) return asked;
      asked.close();
      return undefined;
    });
    await cluster.venue.step(2);
    await until('the blocks', () => second.entries().some((entry) => entry.height === height + 8));
    for (const coin of Object.keys(seq)) {
      const all = [...seen, ...second.entries()].filter((entry) => entry.coin === coin);
      expect(all.slice(1).map(({ prevSeq }) => prevSeq)).toEqual(all.slice(0, -1).map((entry) => entry.seq));
      expect(new Set(all.map(({ epoch }) => epoch)).size).toBe(1);
    }
    second.close();
  });

  it('has a sequencer that serves what operators query, and nothing else', async () => {
    const leader = await until('a leader', () => cluster.leader());
    expect(await leader.page('/readyz')).toMatchObject({ status: 'ready', role: 'leader', nats: { status: 'ok' } });
    expect(await leader.page('/healthz')).toEqual({ status: 'up' });
    expect(await leader.metric('l4desk_cluster_leads')).toBe(1);
    // A gateway that has just started reports within seconds.
    await until('the gateways', async () => (await leader.metric('l4desk_cluster_gateways')) === GATEWAYS);
    expect((await fetch(`${leader.url}/info`, { method: 'POST', body: '{}' })).status).toBe(404);
  });

  it('[L4-8, BILL-19] keeps every book exact whenever a client says so, and charges every response, while sequencers, gateways and NATS fail', async () => {
    const clients = { clients: CLIENTS, specClients: SPEC_CLIENTS };
    await using run = new FaultRun({ cluster, nats, postgres, key, coins: COINS, seed: SEED, ...clients, ...PACE });
    await run.settled('the start');
    const endsAt = performance.now() + SOAK_MS;
    for (const fault of SOAK_BLOCKS === 0 ? QUICK_FAULTS : run.drawn(SOAK_BLOCKS)) {
      if (performance.now() > endsAt) break;
      const passed = await run.through(fault);
      if (SOAK_BLOCKS > 0) process.stdout.write(`${passed}\n`);
    }
    process.stdout.write(`${run.report()}\n`);
    const { served, unknown, charged } = await run.charges(databaseUrl);
    expect(charged).toBeGreaterThanOrEqual(served);
    expect(charged).toBeLessThanOrEqual(served + unknown);
    expect(served).toBeGreaterThan(0);
    process.stdout.write(`cluster: ${served} calls served, ${unknown} without a response, ${charged} charged\n`);
    expect(run.epochs.size).toBeGreaterThan(1);
  });
});
