// A gateway: what a block out of the stream costs it, against the same block in one process; and what NATS adds to its way.
import { setTimeout as pause } from 'node:timers/promises';
import { L4Book } from '@l4desk/book';
import type { BenchRow } from '@l4desk/config/bench';
import { generatedCapture, KeptLog, realCapture } from '@l4desk/testkit';
import { NatsServer } from '@l4desk/testkit/nats';
import { NO_TEXTS_WANTED, type PublishedBlock } from '../api.ts';
import { median, messagesOf, publishes, spent } from '../test-support/measured-blocks.ts';
import { packBlock } from '../thread/port.ts';
import { batchesOf } from './entries.ts';
import { FencedPublisher } from './fenced-publisher.ts';
import { decodeMessage, encodeMessage } from './frame.ts';
import { NatsLink, type NatsSession } from './nats-link.ts';
import { StreamReader } from './stream-reader.ts';
import { TermReader } from './term-reader.ts';

const ROUNDS = 12;
/** Blocks that are timed on their way over NATS, and how long after one another they come. */
const TIMED = 400;
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

/** How long blocks take from the sequencer to a gateway over a real server, in ms. */
async function latencies(blocks: readonly PublishedBlock[]): Promise<readonly number[]> {
  await using server = await NatsServer.start();
  const log = new KeptLog();
  const found: number[] = [];
  const waiting = new Map<number, number>();
  const terms = new TermReader({
    message: (message) => {
      if (message.kind !== 'block') return;
      const sentAt = waiting.get(message.block.receivedAt);
      if (sentAt !== undefined) found.push(performance.now() - sentAt);
    },
    term: () => {},
    missed: () => {},
  });
  const reader = new StreamReader(log, { frame: (frame) => terms.take(frame), restarted: () => terms.restart() });
  const up = (name: string, told: (session: NatsSession) => void) =>
    new Promise<NatsLink>((resolve) => {
      const link: NatsLink = new NatsLink({ url: server.url, id: 'bench', replicas: 1 }, name, log, {
        up: (session) => {
          told(session);
          resolve(link);
        },
        down: () => {},
      });
      link.start();
    });
  const sending = await up('sequencer', () => {});
  const reading = await up('gateway', (session) => reader.up(session));
  const publisher = await FencedPublisher.begin({ session: () => sending.session, ended: () => {}, log });
  await reader.caughtUp(AbortSignal.timeout(5_000));
  for (let count = 0; count < TIMED; count += 1) {
    const block = blocks[count % blocks.length];
    if (block === undefined) break;
    waiting.set(count, performance.now());
    publisher.publish({ kind: 'block', block: { ...block, receivedAt: count } });
    await pause(APART_MS);
  }
  await reader.caughtUp(AbortSignal.timeout(5_000));
  reader.close();
  publisher.close();
  await reading.close();
  await sending.close();
  return found.toSorted((a, b) => a - b);
}

export default async function* bench(): AsyncGenerator<BenchRow> {
  const capture = realCapture() ?? generatedCapture();
  const texts = messagesOf(capture);
  const times = { alone: [] as number[], gateway: [] as number[] };
  let blocks: readonly PublishedBlock[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { book } = L4Book.build('BTC', capture.levels);
    const { book: copy } = L4Book.build('BTC', capture.levels);
    // The first checksum reads the whole book, the next ones follow its changes.
    for (const one of [book, copy]) one.rollingChecksum();
    globalThis.gc?.();
    const publish = publishes(book, { sumsUp: true, wanted: { ...NO_TEXTS_WANTED, all: true } });
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
  const [limit, ours] = [median(times.alone), median(times.gateway)];
  yield {
    item: `a block at a gateway: read, applied, compared, packed (${capture.name})`,
    ours: `${ours.toFixed(2)} ms`,
    limit: `the same block in one process ${limit.toFixed(2)} ms`,
    ratio: ours / limit,
    bar: '≤ 1.25',
    pass: ours / limit <= 1.25,
  };
  const found = await latencies(blocks);
  const at = (part: number) => found[Math.floor(found.length * part)] ?? Number.NaN;
  yield {
    item: `NATS between sequencer and gateway, ${found.length} blocks, p99 (${capture.name})`,
    ours: `${at(0.99).toFixed(1)} ms (median ${at(0.5).toFixed(1)} ms)`,
    limit: `${LATENCY_MS_MAX} ms`,
    ratio: null,
    bar: `≤ ${LATENCY_MS_MAX} ms`,
    pass: at(0.99) <= LATENCY_MS_MAX,
  };
}
