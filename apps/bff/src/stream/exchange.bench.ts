// Measures a whole exchange on one machine: 200 coins with their usual mix, followed by the whole service with ten viewers.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { BenchRow } from '@l4desk/config/bench';
import { type L4Feed, startL4Feed } from '@l4desk/feed';
import type { L4BookSnapshot } from '@l4desk/protocol';
import { KeptLog } from '@l4desk/testkit';
import { type BenchService, startBenchService } from '../info/test-support/bench-service.ts';
import { PACKAGE } from '../info/test-support/child.ts';
import { BenchMarket, type MarketBooks, type MarketShape } from './test-support/bench-market.ts';
import { BenchViewers } from './test-support/bench-viewers.ts';

/** Shape of the real exchange: 15 blocks per second, 6 % of all statuses are of BTC, 31 statuses per diff. */
const SHAPE: MarketShape = {
  coins: 200,
  statusesPerBlock: 13_400,
  diffsPerBlock: 430,
  ordersMost: 20_000,
  ordersLeast: 300,
  blockMs: 67,
  unsentBytesMax: 4_000_000,
};
const VIEWERS = 10;
const WARM_UP_BLOCKS = 60;
const MEASURED_BLOCKS = 180;
/** How long books may take to be built and to reach the last block. */
const PATIENCE_MS = 180_000;
const LOOK_MS = 250;
/** On a machine that is too slow, viewers fall behind. This keeps them from being disconnected for it. */
const UNSENT_BYTES_MAX = 64 * 1_024 * 1_024;

const LAG_MS_MAX = 250;
/** The service may use one of two cores, which it shares with the exchange and the viewers. */
const CORES_MAX = 1;

interface Case {
  /** Fields that a viewer adds to its subscription. */
  readonly fields: object;
  /** Maximum CPU time of the whole service, relative to `JSON.parse` of the same texts. */
  readonly parseRatioMax: number;
}

/** Cases by what viewers read. If every status is read, the service writes more than it reads. */
const CASES: Readonly<Record<string, Case>> = {
  'the statuses of each book': { fields: { statuses: 'book', checksum: true }, parseRatioMax: 1.2 },
  'every status': { fields: {}, parseRatioMax: Number.POSITIVE_INFINITY },
};

export default async function* exchange(): AsyncGenerator<BenchRow> {
  for (const [what, each] of Object.entries(CASES)) yield* await measure(what, each);
}

async function measure(what: string, { fields, parseRatioMax }: Case): Promise<readonly BenchRow[]> {
  await using market = await BenchMarket.start(SHAPE);
  await using feed = startL4Feed(
    {
      upstream: { dialect: 'l4Book', url: market.streamUrl },
      pinnedCoins: [],
      lingerMs: 600_000,
      auditMs: 0,
      reorderMs: 200,
      rebuildMaxMs: 30_000,
    },
    new KeptLog(),
    { workerUrl: pathToFileURL(join(PACKAGE, 'dist', 'l4-worker.js')) },
  );
  await using service = await startBenchService(market.infoUrl, feed, { UNSENT_BYTES_MAX: String(UNSENT_BYTES_MAX) });
  await using viewers = new BenchViewers();
  const coins = Array.from({ length: SHAPE.coins }, (_, rank) => (rank === 0 ? 'BTC' : `C${rank}`));
  // Distributed so that each viewer has one of the busiest coins.
  const dealt = Array.from({ length: VIEWERS }, (_, viewer) =>
    coins.filter((_coin, rank) => rank % VIEWERS === viewer),
  );
  const key = service.headers.Authorization?.replace('Bearer ', '');
  await viewers.open({ url: `ws://127.0.0.1:${service.port}/ws?key=${key}`, coins: dealt, fields });
  await until('every book is live', () => liveCoins(feed) === coins.length);
  await market.go();
  await blocksLater(feed, WARM_UP_BLOCKS);
  await viewers.report();
  await market.report();
  const before = cpuByThread();
  await blocksLater(feed, MEASURED_BLOCKS);
  const after = cpuByThread();
  const [sent, received] = [await market.report(), await viewers.report()];
  const end = await market.rest();
  await until('the books are at the last block', () => (feed.health().height ?? 0) >= end.height);
  const wrong = await differences(service, end.books);
  const parseMs = await market.parseMs();

  const marketSeconds = (sent.blocks * SHAPE.blockMs) / 1_000;
  const perSecond = (ms: number) => ms / 1_000 / marketSeconds;
  const used = [...after].map(([thread, ms]) => [thread, ms - (before.get(thread) ?? 0)] as const);
  const total = perSecond(used.reduce((sum, [, ms]) => sum + ms, 0));
  const main = perSecond(used.find(([thread]) => thread === String(process.pid))?.[1] ?? 0);
  const others = used.filter(([thread]) => thread !== String(process.pid)).map(([, ms]) => perSecond(ms));
  const feedThread = Math.max(...others);
  const parse = parseMs / SHAPE.blockMs;
  const losses = feed.health().coins.reduce((sum, { rebuilds }) => sum + rebuilds, 0);
  const lag = (part: number) => received.lags[Math.floor(received.lags.length * part)] ?? Number.NaN;
  const item = `${SHAPE.coins} coins, ${Math.round(sent.statuses / marketSeconds / 1_000)}k statuses/s, ten viewers of ${what}`;
  const cores = (value: number) => `${value.toFixed(2)} cores`;
  const isExact = wrong.length === 0 && received.gaps === 0 && received.closed === 0 && losses === 0;
  return [
    {
      item: `${item}: processor a second of market`,
      ours: `${cores(total)} (feed ${feedThread.toFixed(2)}, HTTP ${main.toFixed(2)}, compiler and garbage the rest); ${Math.round(SHAPE.coins / total)} coins a core`,
      limit: `JSON.parse of the same texts ${cores(parse)}`,
      ratio: total / parse,
      bar: `≤ ${CORES_MAX} core${Number.isFinite(parseRatioMax) ? `, ≤ ${parseRatioMax}× JSON.parse` : ''}`,
      pass: total / parse <= parseRatioMax && total <= CORES_MAX,
    },
    {
      item: `${item}: lag, p99`,
      ours: `${lag(0.99)} ms (p50 ${lag(0.5)} ms)`,
      limit: `${sent.late} of ${sent.blocks} blocks were sent late`,
      ratio: null,
      bar: `≤ ${LAG_MS_MAX} ms`,
      pass: lag(0.99) <= LAG_MS_MAX,
    },
    {
      item: `${item}: books that equal the exchange's, order by order, at the end`,
      ours: `${coins.length - wrong.length} of ${coins.length}`,
      limit: `${received.entries} entries, ${received.gaps} gaps, ${losses} books lost, ${received.closed} viewers cut off`,
      ratio: null,
      bar: 'all, without a gap',
      pass: isExact,
    },
  ];
}

/** Waits until the feed has advanced by this many blocks. */
async function blocksLater(feed: L4Feed, blocks: number): Promise<void> {
  const from = feed.health().height ?? 0;
  await until(`${blocks} blocks`, () => (feed.health().height ?? 0) >= from + blocks);
}

function liveCoins(feed: L4Feed): number {
  return feed.health().coins.filter(({ state }) => state === 'live').length;
}

/** Returns the coins whose snapshot differs from the exchange's own book. */
async function differences({ port, headers }: BenchService, books: MarketBooks): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const [coin, { digest, orders }] of Object.entries(books)) {
    const response = await fetch(`http://127.0.0.1:${port}/info`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'l4BookSnapshot', coin }),
    });
    const { levels } = (await response.json()) as L4BookSnapshot;
    const text = levels
      .map((side) => side.map(({ limitPx, oid, sz, user }) => `${oid} ${limitPx} ${sz} ${user}`).join())
      .join('|');
    const isSame = createHash('sha1').update(text).digest('hex') === digest;
    if (!isSame || levels.flat().length !== orders) wrong.push(coin);
  }
  return wrong;
}

/** CPU time of each thread of this process in ms, by thread id. */
function cpuByThread(): ReadonlyMap<string, number> {
  const TICKS_PER_MS = 0.1;
  const times = new Map<string, number>();
  for (const thread of readdirSync('/proc/self/task')) {
    // Counted after the name, which may contain anything: fields 12 and 13 are user and system time.
    const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    times.set(thread, (Number(fields[11]) + Number(fields[12])) / TICKS_PER_MS);
  }
  return times;
}

/** Polls until a condition holds. */
async function until(what: string, isSo: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`${what}: not within ${PATIENCE_MS} ms`);
    await pause(LOOK_MS);
  }
}
