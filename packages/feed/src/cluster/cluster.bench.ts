// A gateway: what a block out of the stream costs it, against the same block in one process; and what NATS adds to its way.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { L4Book } from '@l4desk/book';
import type { BenchRow } from '@l4desk/config/bench';
import { type BookCapture, generatedCapture, KeptLog, realCapture } from '@l4desk/testkit';
import { NatsServer } from '@l4desk/testkit/nats';
import { NO_TEXTS_WANTED, type PublishedBlock, type TextsWanted } from '../api.ts';
import { CapturedFeed } from '../test-support/captured-feed.ts';
import { median, messagesOf, publishes, spent } from '../test-support/measured-blocks.ts';
import { startL4Feed } from '../thread/feed.ts';
import { packBlock } from '../thread/port.ts';
import { ClusterSequencer } from './cluster-sequencer.ts';
import { batchesOf } from './entries.ts';
import { decodeMessage, encodeMessage } from './frame.ts';

const ROUNDS = 12;
/** How often the blocks are timed on their way over NATS, and how long one comes after the last has arrived. */
const LATENCY_ROUNDS = 8;
const APART_MS = 20;
const LATENCY_MS_MAX = 10;

/** Reads a message of the stream, applies it to a book, compares its checksum, and packs it for the thread of the streams. */
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

/**
 * What NATS adds, in ms: from a block's arrival at the thread of a process's clients, as it is where one process does it all, to its
 * arrival at that thread of a gateway, which has read it out of the stream, applied it and compared its checksum.
 */
async function added(
  capture: BookCapture,
  blocks: readonly PublishedBlock[],
  wanted: TextsWanted,
): Promise<readonly number[]> {
  const [first] = blocks;
  if (first === undefined) return [];
  await using server = await NatsServer.start();
  const log = new KeptLog();
  const cluster = { url: server.url, id: 'bench', replicas: 1 };
  const workerUrl = pathToFileURL(join(process.cwd(), 'apps/bff/dist/l4-gateway-worker.js'));
  const found: number[] = [];
  for (let round = 0; round < LATENCY_ROUNDS; round += 1) {
    await using gateway = startL4Feed({ pinnedCoins: ['BTC'], lingerMs: 0, rebuildMaxMs: 30_000, cluster }, log, {
      workerUrl,
    });
    gateway.wantTexts('BTC', wanted);
    let sent = { place: -1, at: 0, arrived: () => {} };
    gateway.onBlock(({ receivedAt }) => {
      // It may read some of the round before first.
      if (receivedAt !== sent.place) return;
      found.push(performance.now() - sent.at);
      sent.arrived();
    });
    const leader = new CapturedFeed(capture, first);
    await using sequencer = new ClusterSequencer({ ...cluster, id: `sequencer-${round}` }, () => leader, log);
    await gateway.snapshot('BTC', 'identity', AbortSignal.timeout(30_000));
    for (const [at, block] of blocks.entries()) {
      const place = round * blocks.length + at;
      const arrival = new Promise<void>((resolve) => {
        sent = { place, at: performance.now(), arrived: resolve };
      });
      leader.hand({ ...block, receivedAt: place });
      await arrival;
      await pause(APART_MS);
    }
    if (!sequencer.leads || gateway.health().coins.some(({ rebuilds }) => rebuilds > 0))
      throw new Error('the book differs');
  }
  return found.toSorted((one, other) => one - other);
}

/** Processor time of a block of each kind, in ms, and the blocks with all their texts. */
function blockTimes(capture: BookCapture, wanted: TextsWanted) {
  const texts = messagesOf(capture);
  const times = { alone: [] as number[], gateway: [] as number[] };
  let blocks: readonly PublishedBlock[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { book } = L4Book.build('BTC', capture.levels);
    const { book: copy } = L4Book.build('BTC', capture.levels);
    // The first checksum reads the whole book, the next ones follow its changes.
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
    const there = spent(messages, gateway(copy));
    blocks = published;
    // The first rounds are of code that is not optimised yet.
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
    const found = await added(capture, blocks, wanted);
    const at = (part: number) => found[Math.floor(found.length * part)] ?? Number.NaN;
    yield {
      item: `what NATS adds to a block with ${what}, ${found.length} blocks, p99 (${capture.name})`,
      ours: `${at(0.99).toFixed(1)} ms (median ${at(0.5).toFixed(1)} ms)`,
      limit: 'in one process 0 ms',
      ratio: null,
      bar: `≤ ${LATENCY_MS_MAX} ms`,
      pass: at(0.99) <= LATENCY_MS_MAX,
    };
  }
}
