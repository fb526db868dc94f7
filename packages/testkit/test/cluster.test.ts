import { type SpecBook, SpecClient, until } from '@l4desk/testkit';
import { NatsServer } from '@l4desk/testkit/nats';
import { postgresDatabase } from '@l4desk/testkit/postgres';
import { Cluster, type ClusterMember } from '@l4desk/testkit/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const COINS = ['BTC', 'ETH'];

/** What browsers would see of the load balancer in front of the gateways. */
const PUBLIC_URL = 'http://desk.example';

let nats: NatsServer;
let cluster: Cluster;
let key: string;
let serviceKey: string;

beforeAll(async () => {
  nats = await NatsServer.start();
  cluster = await Cluster.start({
    natsUrl: nats.url,
    databaseUrl: await postgresDatabase(),
    sequencers: 2,
    gateways: 2,
    env: { PUBLIC_URL, L4_REBUILD_MAX_MS: '500', UNIVERSE_REFRESH_MS: '3600000' },
    venueEnv: { VENUE_SIZE: '0.02', VENUE_STATUS_RATE: '0.1', VENUE_SEED: 'cluster', VENUE_COINS: COINS.join() },
  });
  ({ key } = await cluster.key('api'));
  ({ key: serviceKey } = await cluster.key('service'));
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await nats[Symbol.asyncDispose]();
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

/** How a client's book of a coin differs from the exchange's own. */
async function difference(book: SpecBook | undefined, coin: string): Promise<string | undefined> {
  const { levels } = await cluster.venue.book(coin);
  return book === undefined ? 'no book' : book.difference(levels);
}

/** Waits until a client has the exchange's own books; the market moves a little now and then, for losses show with a block. */
async function exact(client: SpecClient): Promise<void> {
  let found: unknown;
  const logs = () => [...cluster.sequencers, ...cluster.gateways].map(({ log }) => log.slice(-1_500)).join('\n--\n');
  let tries = 0;
  await until(
    () =>
      `exact books: ${JSON.stringify({ found, gaps: client.gaps.slice(-3), violations: client.violations })}\n${logs()}`,
    async () => {
      tries += 1;
      if (tries % 40 === 0) await cluster.venue.step(1);
      const differences = await Promise.all(COINS.map((coin) => difference(client.book(coin), coin)));
      found = differences.filter((one) => one !== undefined);
      return differences.every((one) => one === undefined);
    },
  );
}

/** Steps the exchange until the client has an entry of every coin. */
async function moved(client: SpecClient): Promise<void> {
  const before = COINS.map((coin) => client.position(coin)?.height ?? 0);
  await until('an entry of every coin', async () => {
    await cluster.venue.step(1);
    return COINS.every((coin, place) => (client.position(coin)?.height ?? 0) > (before[place] ?? 0));
  });
}

describe('two sequencers and two gateways', () => {
  it('[CL-12, UP-18] keys, sessions and usage agree at every gateway, and so do epoch and sequence', async () => {
    await using first = clientOf(gateway(0));
    await using second = clientOf(gateway(1));
    await exact(first);
    await exact(second);
    await moved(first);
    await exact(first);
    await exact(second);
    for (const coin of COINS) expect(second.position(coin)).toEqual(first.position(coin));
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

    const usages = await Promise.all(
      cluster.gateways.map(async ({ url }) => {
        const response = await fetch(`${url}/platform/usage/`, { headers: { Authorization: `Bearer ${serviceKey}` } });
        return response.json() as Promise<{
          readonly data: { readonly aggregate: { readonly credits_consumed: number } };
        }>;
      }),
    );
    expect(usages[0]?.data.aggregate.credits_consumed).toBeGreaterThanOrEqual(2 * 2 * COINS.length + 2);
    expect(usages[1]).toEqual(usages[0]);

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

  it('[CL-11] a sequencer serves what operators ask, and nothing else', async () => {
    const leader = await until('a leader', () => cluster.leader());
    expect(await leader.page('/readyz')).toMatchObject({ status: 'ready', role: 'leader', nats: { status: 'ok' } });
    expect(await leader.page('/healthz')).toEqual({ status: 'up' });
    expect(await leader.metric('l4desk_cluster_leads')).toBe(1);
    expect(await leader.metric('l4desk_cluster_gateways')).toBe(2);
    expect((await fetch(`${leader.url}/info`, { method: 'POST', body: '{}' })).status).toBe(404);
  });

  it('[UP-17, CL-4] the leader is killed: the other takes over in a new epoch, and every book is exact again', async () => {
    await using client = clientOf(gateway(0));
    await exact(client);
    const epoch = client.position('BTC')?.epoch;
    const leader = await until('a leader', () => cluster.leader());
    await leader.end('SIGKILL');
    const next = await until('another leader', async () => {
      const found = await cluster.leader();
      return found !== leader && found;
    });
    leader.start();
    await until('another epoch', async () => {
      await cluster.venue.step(1);
      return client.position('BTC') !== undefined && client.position('BTC')?.epoch !== epoch;
    });
    await exact(client);
    expect(client.violations).toEqual([]);
    expect(await gateway(0).metric('l4desk_cluster_gaps_total')).toBe(0);
    await leader.ready();
    expect(await cluster.leader()).toBe(next);
  });

  it('[CL-8, CL-11] NATS is killed: gateways say so, and nobody misses a block; then a gateway is killed', async () => {
    await using client = clientOf(gateway(0));
    await using other = clientOf(gateway(1));
    await exact(client);
    await exact(other);
    await nats.end('SIGKILL');
    await until('the gateway says so', async () => {
      const state = (await gateway(0).page('/readyz')) as { readonly status: string; readonly nats?: object };
      return state.status === 'not_ready' && JSON.stringify(state.nats).includes('failed');
    });
    await cluster.venue.step(5);
    await nats.launch();
    await exact(client);
    await exact(other);
    await gateway(1).end('SIGKILL');
    await cluster.venue.step(5);
    gateway(1).start();
    await exact(client);
    await exact(other);
    expect([...client.violations, ...other.violations]).toEqual([]);
    expect(other.gaps.some(({ kind }) => kind === 'connection')).toBe(true);
  });
});
