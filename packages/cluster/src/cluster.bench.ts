// Cost of a block from the stream at a gateway, compared with the same block in one process, and the latency that NATS adds.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { L4Book } from '@l4desk/book';
import type { BenchRow } from '@l4desk/config/bench';
import { NO_TEXTS_WANTED, type PublishedBlock, packBlock, startL4Feed, type TextsWanted } from '@l4desk/feed/core';
import { median, messagesOf, publishes, spent } from '@l4desk/feed/test-support';
import { type BookCapture, generatedCapture, KeptLog, realCapture, until } from '@l4desk/testkit';
import { NatsServer } from '@l4desk/testkit/nats';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { ClusterSequencer } from './cluster-sequencer.ts';
import { decodeMessage, encodeMessage } from './frame.ts';
import type { GatewayFeedSettings } from './gateway-feed.ts';
import { batchesOf } from './gateway-feed.ts';
import { LEASE_TIMES } from './lease.ts';
import { CapturedFeed } from './test-support/captured-feed.ts';
import { ClusterRig } from './test-support/cluster-rig.ts';

const ROUNDS = 12;
/** Number of rounds in which blocks over NATS are timed, and the pause between a block's arrival and the next block. */
const LATENCY_ROUNDS = 9;
const APART_MS = 20;
const LATENCY_MS_MAX = 10;
const BARE_RATIO_MAX = 2;
/** Number of takeovers, and how long a standby may take to lead. */
const TAKEOVERS = 5;
const TAKEOVER_MS_MAX = 5_000;

/** Reads a stream message, applies it to a book, compares its checksum, and packs it for the HTTP thread. */
function gateway(book: L4Book): (bytes: Uint8Array) => unknown {
  return (bytes) => {
    const message = decodeMessage(bytes);
    if (message.kind !== 'block') throw new Error(message.kind);
    for (const batch of batchesOf(message.block)) {
      const findings = book.apply(batch.changes, batch.statuses, batch.time);
      if (findings.length > 0 || book.rollingChecksum() !== batch.checksum) throw new Error('the book differs');
    }
    return packBlock(message.block);
  };
}

/** Latencies of blocks in ms, shortest first. */
interface Latencies {
  /** At a warm gateway, in a gateway's first seconds, and of the first block after a takeover, when every book was rebuilt. */
  readonly ours: readonly number[];
  readonly first: readonly number[];
  readonly takeover: readonly number[];
  /** The same bytes from one connection to another, without processing. */
  readonly bare: readonly number[];
}

/**
 * Latency added by NATS, in ms: from the moment a block would reach the HTTP thread of a single process until it reaches the HTTP
 * thread of a gateway, which has read it from the stream, applied it and compared its checksum. Each round has its own leader,
 * with the book that the first block follows.
 */
async function added(capture: BookCapture, blocks: readonly PublishedBlock[], wanted: TextsWanted): Promise<Latencies> {
  const [first] = blocks;
  if (first === undefined) throw new Error('no blocks');
  await using server = await NatsServer.start();
  await using bare = await BareWay.open(server.port);
  const log = new KeptLog();
  const cluster = { url: server.url, id: 'bench', replicas: 1 };
  const workerUrl = pathToFileURL(join(process.cwd(), 'apps/bff/dist/l4-gateway-worker.js'));
  await using gateway = startL4Feed<GatewayFeedSettings>(
    { pinnedCoins: ['BTC'], lingerMs: 0, rebuildMaxMs: 30_000, cluster },
    log,
    {
      workerUrl,
    },
  );
  gateway.acquire('BTC', { statuses: wanted.all ? 'all' : 'book', deflate: false });
  let sent = { place: -1, at: 0, arrived: (_ms: number) => {} };
  gateway.onBlock(({ receivedAt }) => {
    if (receivedAt === sent.place) sent.arrived(performance.now() - sent.at);
  });
  const found = { ours: [] as number[], first: [] as number[], takeover: [] as number[], bare: [] as number[] };
  for (let round = 0; round < LATENCY_ROUNDS; round += 1) {
    const leader = new CapturedFeed(capture, first);
    await using sequencer = new ClusterSequencer({ ...cluster, id: `sequencer-${round}` }, () => leader, log);
    await until("the round's leader", () => gateway.health().cluster?.terms === round + 1);
    await gateway.snapshot('BTC', 'identity', AbortSignal.timeout(30_000));
    for (const [at, block] of blocks.entries()) {
      const place = round * blocks.length + at;
      const arrival = new Promise<number>((resolve) => {
        sent = { place, at: performance.now(), arrived: resolve };
      });
      leader.hand({ ...block, receivedAt: place });
      (round === 0 ? found.first : at === 0 ? found.takeover : found.ours).push(await arrival);
      await pause(APART_MS);
      found.bare.push(await bare.take(encodeMessage({ kind: 'block', block: leader.withTexts(block) })));
      await pause(APART_MS);
    }
    // The book is rebuilt for each leader, and for nothing else.
    if (!sequencer.leads || gateway.health().coins.some(({ rebuilds }) => rebuilds !== round))
      throw new Error('the book differs');
  }
  const inOrder = (times: readonly number[]) => times.toSorted((one, other) => one - other);
  return {
    ours: inOrder(found.ours),
    first: inOrder(found.first),
    takeover: inOrder(found.takeover),
    bare: inOrder(found.bare),
  };
}

/** Two connections to NATS with only the server in between. */
class BareWay implements AsyncDisposable {
  readonly #from: NatsConnection;
  readonly #to: NatsConnection;
  #arrived = () => {};

  private constructor(from: NatsConnection, to: NatsConnection) {
    this.#from = from;
    this.#to = to;
    to.subscribe('bare', { callback: () => this.#arrived() });
  }

  static async open(port: number): Promise<BareWay> {
    const [from, to] = await Promise.all([connect({ port }), connect({ port })]);
    const way = new BareWay(from, to);
    await to.flush();
    return way;
  }

  /** Sends a message. Resolves with its latency in ms. */
  take(bytes: Uint8Array): Promise<number> {
    return new Promise((resolve) => {
      const sentAt = performance.now();
      this.#arrived = () => resolve(performance.now() - sentAt);
      this.#from.publish('bare', bytes);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#from.close(), this.#to.close()]);
  }
}

/** Times in ms until a standby leads after the leader hangs with its connection open; longest last. */
async function takeovers(): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < TAKEOVERS; round += 1) {
    await using rig = await ClusterRig.start(['BTC']);
    const first = await rig.sequencer(LEASE_TIMES);
    await until('a leader', () => first.sequencer.leads);
    const standby = await rig.sequencer(LEASE_TIMES);
    // The standby has checked the lease a few times; each round stalls at another moment of its period.
    await pause(LEASE_TIMES.renewMs * (1 + round / TAKEOVERS));
    first.way.stall();
    const stalledAt = performance.now();
    await until('the standby leads', () => standby.sequencer.leads);
    times.push(performance.now() - stalledAt);
    first.way.resume();
  }
  return times.toSorted((one, other) => one - other);
}

/** The quantile `part` of the sorted times. */
function within(times: readonly number[], part: number): number {
  return times[Math.floor(times.length * part)] ?? Number.NaN;
}

/** CPU time per block, in ms, in one process and at a gateway, and the blocks with all their texts. */
function blockTimes(capture: BookCapture, wanted: TextsWanted) {
  const texts = messagesOf(capture);
  const times = { alone: [] as number[], gateway: [] as number[] };
  let blocks: readonly PublishedBlock[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { book } = L4Book.build('BTC', capture.levels);
    const { book: copy } = L4Book.build('BTC', capture.levels);
    // The first checksum reads the whole book; later ones are incremental.
    for (const one of [book, copy]) one.rollingChecksum();
    globalThis.gc?.();
    const publish = publishes(book, { sumsUp: true, wanted });
    const published: PublishedBlock[] = [];
    const alone = spent(texts, (text) => {
      const block = publish(text);
      published.push(block);
      return packBlock(block);
    });
    const messages = published.map((block) => encodeMessage({ kind: 'block', block }));
    // Collect the garbage of the first measurement before the second.
    globalThis.gc?.();
    const there = spent(messages, gateway(copy));
    blocks = published;
    // The first rounds run code that is not optimised yet.
    if (round < 3) continue;
    times.alone.push(alone);
    times.gateway.push(there);
  }
  return { limit: median(times.alone), ours: median(times.gateway), blocks };
}

export default async function* bench(): AsyncGenerator<BenchRow> {
  const capture = realCapture() ?? generatedCapture();
  for (const [what, wanted] of [
    ['statuses of its diffs', NO_TEXTS_WANTED],
    ['all statuses', { ...NO_TEXTS_WANTED, all: true }],
  ] as const) {
    const { limit, ours, blocks } = blockTimes(capture, wanted);
    yield {
      item: `a block with ${what} at a gateway: read, applied, compared, packed (${capture.name})`,
      ours: `${ours.toFixed(2)} ms`,
      limit: `the same block in one process ${limit.toFixed(2)} ms`,
      ratio: ours / limit,
      bar: '≤ 1.25',
      pass: ours / limit <= 1.25,
    };
    const { ours: ms, first, takeover, bare } = await added(capture, blocks, wanted);
    const [p99, bareP99] = [within(ms, 0.99), within(bare, 0.99)];
    // Blocks with all statuses are half a megabyte; bare NATS alone may exceed the limit.
    const bar = wanted.all ? Math.max(LATENCY_MS_MAX, BARE_RATIO_MAX * bareP99) : LATENCY_MS_MAX;
    yield {
      item: `what NATS adds to a block with ${what}, ${ms.length} blocks, p99 (${capture.name})`,
      ours: `${p99.toFixed(1)} ms (median ${within(ms, 0.5).toFixed(1)}; first behind a takeover ${within(takeover, 0.5).toFixed(1)}; in a gateway's first seconds p95 ${within(first, 0.95).toFixed(1)})`,
      limit: `the same bytes over bare NATS ${bareP99.toFixed(1)} ms (median ${within(bare, 0.5).toFixed(1)})`,
      ratio: p99 / bareP99,
      bar: `≤ ${LATENCY_MS_MAX} ms${wanted.all ? `, or ${BARE_RATIO_MAX} times bare NATS` : ''}`,
      pass: p99 <= bar,
    };
  }
  const longest = (await takeovers()).at(-1) ?? Number.NaN;
  yield {
    item: `a standby leads after its leader hangs, the longest of ${TAKEOVERS}`,
    ours: `${(longest / 1_000).toFixed(2)} s`,
    limit: `the lease ends after ${LEASE_TIMES.expiresMs / 1_000} s without renewal`,
    ratio: longest / LEASE_TIMES.expiresMs,
    bar: `≤ ${TAKEOVER_MS_MAX / 1_000} s`,
    pass: longest <= TAKEOVER_MS_MAX,
  };
}
