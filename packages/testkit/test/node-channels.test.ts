import { readdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { createClient, follow } from '@l4desk/client';
import type { ExecutedOrder } from '@l4desk/protocol';
import { StreamProbe, until } from '@l4desk/testkit';
import { type VenueControl } from '@l4desk/testkit/stack';
import { SubscriptionClient, WebSocketTransport } from '@nktkas/hyperliquid';
import { pro } from 'ccxt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Served } from './support/served.ts';

/** A decimal as a whole number of 10^-12, to compare different ways of printing it. */
function units(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(12, '0'));
}

/** One side of an execution in a node's file. */
interface Fill extends Omit<Trade, 'users'> {
  readonly hash: string;
  readonly oid: number;
  readonly crossed: boolean;
}

/** The fills of a line. Empty for a line that is cut off. */
function eventsOf(line: string): readonly (readonly [user: string, fill: Fill])[] {
  try {
    return JSON.parse(line).events;
  } catch {
    return [];
  }
}

interface Level {
  readonly px: string;
  readonly sz: string;
  readonly n: number;
}

type Plain = readonly (readonly [px: bigint, sz: bigint, n: number])[];

const plain = (levels: readonly Level[]): Plain => levels.map(({ px, sz, n }) => [units(px), units(sz), n]);

interface Trade {
  readonly coin: string;
  readonly side: string;
  readonly px: string;
  readonly sz: string;
  readonly time: number;
  readonly tid: number;
  readonly users: readonly string[];
}

/** The exchange, stepped one block at a time, with the levels that its orders add up to after each block. */
class Market {
  readonly #venue: VenueControl;
  readonly #nodeDir: string;
  /** By block time, both sides. */
  readonly levels = new Map<number, readonly Plain[]>();

  constructor(venue: VenueControl, nodeDir: string) {
    this.#venue = venue;
    this.#nodeDir = nodeDir;
  }

  async step(): Promise<void> {
    await this.#venue.step(1);
    const book = await this.#venue.book('BTC');
    const sides = book.levels.map((orders) => {
      const sums = new Map<bigint, { sz: bigint; n: number }>();
      for (const { limitPx, sz } of orders) {
        const sum = sums.get(units(limitPx)) ?? { sz: 0n, n: 0 };
        sums.set(units(limitPx), { sz: sum.sz + units(sz), n: sum.n + 1 });
      }
      return [...sums].map(([px, { sz, n }]) => [px, sz, n] as const);
    });
    this.levels.set(book.time, sides);
  }

  /** The fills of BTC that the node wrote. */
  #fills(): readonly (readonly [user: string, fill: Fill])[] {
    const root = join(this.#nodeDir, 'node_fills_by_block', 'hourly');
    const paths = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const lines = paths.flatMap(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').split('\n'));
    return lines.flatMap(eventsOf).filter(([, { coin }]) => coin === 'BTC');
  }

  /** The executed size of resting orders, by block time and oid. */
  executed(): ReadonlyMap<string, bigint> {
    const sums = new Map<string, bigint>();
    for (const [, { crossed, oid, sz, time }] of this.#fills()) {
      const key = `${time} ${oid}`;
      if (!crossed) sums.set(key, (sums.get(key) ?? 0n) + units(sz));
    }
    return sums;
  }

  /** The executions of BTC in the node's fills, by number. Each is made of the two fills with that number. */
  trades(): ReadonlyMap<number, Trade> {
    const sides = new Map<number, (readonly [user: string, fill: Fill])[]>();
    for (const fill of this.#fills()) sides.set(fill[1].tid, [...(sides.get(fill[1].tid) ?? []), fill]);
    return new Map(
      [...sides].map(([tid, fills]) => {
        const of = (is: string) => fills.find(([, { side }]) => side === is)?.[0] ?? '';
        const taker = fills.find(([, { crossed }]) => crossed);
        if (taker === undefined) throw new Error(`the fills of ${tid} have no taker`);
        const { coin, side, px, sz, hash, time } = taker[1];
        return [tid, { coin, side, px, sz, hash, time, tid, users: [of('B'), of('A')] }];
      }),
    );
  }
}

let node: Awaited<ReturnType<typeof Served.onNode>>;
let rig: Served;
let market: Market;

beforeAll(async () => {
  node = await Served.onNode({ VENUE_RATE: '4' });
  rig = node.served;
  market = new Market(node.venue, node.nodeDir);
});

afterAll(() => node[Symbol.asyncDispose]());

/** Makes blocks until enough messages came. They are compared afterwards, when every block is known. */
async function blocksUntil(isEnough: () => boolean): Promise<void> {
  await until('enough is told', async () => {
    await market.step();
    return isEnough();
  });
}

it('what the exchange refuses on its own stream is reported and costs nothing', async () => {
  await using ours = await StreamProbe.open(`${rig.streamUrl}?key=${rig.apiKey}`);
  const refused = { type: 'candle', coin: 'BTC', interval: '1m' };
  ours.say({ method: 'subscribe', subscription: refused });
  const sentence = `Invalid subscription ${JSON.stringify(refused)}: the exchange refused it`;
  await ours.next(({ channel, data }) => channel === 'error' && data === sentence);
  expect(await creditsUsed()).toBe(0);
});

const best = (sides: readonly Plain[] | undefined) => sides?.map(([first]) => first);

it('[INFO-3] @nktkas/hyperliquid, unmodified, receives messages of l2Book, bbo and trades that match the orders and fills of a node', async () => {
  const transport = new WebSocketTransport({
    url: `${rig.streamUrl}?key=${rig.apiKey}`,
    reconnect: { WebSocket: WebSocket as unknown as typeof globalThis.WebSocket },
  });
  const client = new SubscriptionClient({ transport });
  const books: { readonly time: number; readonly levels: readonly (readonly Level[])[] }[] = [];
  const bests: { readonly time: number; readonly bbo: readonly (Level | null)[] }[] = [];
  const trades: Trade[] = [];
  await market.step();
  await client.trades({ coin: 'BTC' }, (data) => void trades.push(...(data as readonly Trade[])));
  await client.l2Book({ coin: 'BTC' }, (data) => void books.push(data));
  await client.bbo({ coin: 'BTC' }, (data) => void bests.push(data));
  await blocksUntil(() => books.length >= 12 && bests.length >= 6 && trades.length >= 6);
  // A lost line of fills is reported in a channel of our own, which such a client ignores.
  await node.venue.fault({ kind: 'node', effect: 'break', stream: 'fills' });
  const before = trades.length;
  await blocksUntil(() => trades.length >= before + 4);
  for (const { time, levels } of books) {
    const truth = market.levels.get(time);
    expect(truth, `block at ${time}`).toBeDefined();
    expect(levels.map(plain)).toEqual(truth?.map((side) => side.slice(0, 20)));
  }
  for (const { time, bbo } of bests)
    expect(bbo.map((level) => (level === null ? undefined : plain([level])[0]))).toEqual(best(market.levels.get(time)));
  const made = market.trades();
  for (const trade of trades) expect(trade).toEqual(made.get(trade.tid));
  expect(new Set(trades.map(({ tid }) => tid)).size).toBe(trades.length);
  // All trades of the blocks in between, except those of the lost line.
  const told = new Set(trades.map(({ tid }) => tid));
  const times = trades.map(({ time }) => time);
  const within = [...made.values()].filter(({ time }) => time >= (times[0] ?? 0) && time <= (times.at(-1) ?? 0));
  const missed = new Set(within.filter(({ tid }) => !told.has(tid)).map(({ time }) => time));
  expect(missed.size).toBeLessThanOrEqual(1);
  await transport.close();
});

it('our client receives with each block which of its orders were executed according to the fills of a node', async () => {
  const told: {
    readonly time: number;
    readonly executed: readonly ExecutedOrder[];
    readonly oids: readonly number[];
  }[] = [];
  const follower = follow({
    client: createClient({ baseUrl: rig.stack.url, apiKey: rig.apiKey, WebSocket }),
    coins: ['BTC'],
    executions: true,
    onEvent: (event) => {
      if (event.kind !== 'block') return;
      const { executed, time, changes } = event.batch;
      if (executed === undefined) return;
      told.push({ time, executed, oids: changes.map(({ oid }) => oid) });
    },
  });
  await blocksUntil(() => told.length >= 4);
  follower.close();
  const made = market.executed();
  for (const { time, executed, oids } of told) {
    expect(oids).toEqual(expect.arrayContaining(executed.map(({ oid }) => oid)));
    for (const { oid, sz } of executed) expect([oid, units(sz)]).toEqual([oid, made.get(`${time} ${oid}`)]);
  }
});

it('[INFO-3] ccxt, unmodified, receives order books and trades that match the orders and fills of a node', async () => {
  const { url } = rig.stack;
  const ccxt = new pro.hyperliquid({
    urls: { api: { public: url, private: url, ws: { public: `${rig.streamUrl}?key=${rig.apiKey}` } } },
    headers: { Authorization: `Bearer ${rig.apiKey}` },
    agent: new Agent(),
  });
  type Side = readonly (readonly [number, number])[];
  const books: { readonly timestamp: number; readonly sides: readonly Side[] }[] = [];
  const trades = new Map<
    string,
    { readonly timestamp: number; readonly price: number; readonly amount: number; readonly side: string }
  >();
  const over = new AbortController();
  const watch = async (next: () => Promise<void>) => {
    while (!over.signal.aborted) await next();
  };
  const copy = (side: readonly unknown[]) => (side as Side).map(([px, sz]) => [px, sz] as const);
  const watching = [
    watch(async () => {
      const { bids, asks, timestamp } = await ccxt.watchOrderBook('BTC/USDC:USDC');
      books.push({ timestamp: Number(timestamp), sides: [copy(bids), copy(asks)] });
    }),
    watch(async () => {
      for (const { id, timestamp, price, amount, side } of await ccxt.watchTrades('BTC/USDC:USDC'))
        trades.set(String(id), { timestamp: Number(timestamp), price, amount: Number(amount), side: String(side) });
    }),
  ].map((each) => each.catch((error: unknown) => (over.signal.aborted ? undefined : error)));
  await blocksUntil(() => books.length >= 12 && trades.size >= 6);
  // It ignores the message about lost fills, and keeps waiting for books and trades.
  await node.venue.fault({ kind: 'node', effect: 'break', stream: 'fills' });
  const before = trades.size;
  await blocksUntil(() => trades.size >= before + 4);
  over.abort();
  await ccxt.close();
  expect(await Promise.all(watching)).toEqual([undefined, undefined]);
  const numbers = (side: Plain | undefined) =>
    side?.slice(0, 20).map(([px, sz]) => [Number(px) / 1e12, Number(sz) / 1e12]);
  for (const { timestamp, sides } of books) expect(sides).toEqual(market.levels.get(timestamp)?.map(numbers));
  const made = market.trades();
  for (const [id, { timestamp, price, amount, side }] of trades) {
    const trade = made.get(Number(id));
    expect([timestamp, price, amount, side]).toEqual([
      trade?.time,
      Number(trade?.px),
      Number(trade?.sz),
      trade?.side === 'B' ? 'buy' : 'sell',
    ]);
  }
});

it('the exchange’s own channels through the service carry what the exchange sends', async () => {
  const open = (url: string) => StreamProbe.open(url);
  await using ours = await open(`${rig.streamUrl}?key=${rig.apiKey}`);
  await using theirs = await open(node.exchangeStream);
  const subscription = { type: 'activeAssetCtx', coin: 'BTC' };
  for (const probe of [theirs, ours]) {
    probe.say({ method: 'subscribe', subscription });
    expect(await probe.respond()).toMatchObject({ channel: 'subscriptionResponse' });
  }
  const texts = (probe: StreamProbe) =>
    probe.heard.flatMap(({ channel, text }) => (channel === 'activeAssetCtx' ? [text] : []));
  await blocksUntil(() => texts(ours).length >= 5);
  const [first = ''] = texts(ours);
  const from = texts(theirs).indexOf(first);
  expect(from).toBeGreaterThanOrEqual(0);
  const same = Math.min(texts(ours).length, texts(theirs).length - from);
  expect(texts(ours).slice(0, same)).toEqual(texts(theirs).slice(from, from + same));
});

async function creditsUsed(): Promise<number> {
  const headers = { Authorization: `Bearer ${rig.serviceKey}` };
  const response = await fetch(`${rig.stack.url}/platform/usage/`, { headers });
  const { data } = (await response.json()) as {
    readonly data: { readonly aggregate: { readonly credits_consumed: number } };
  };
  return data.aggregate.credits_consumed;
}
