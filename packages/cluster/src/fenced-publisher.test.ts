import type { PublishedBlock } from '@l4desk/feed/core';
import { KeptLog } from '@l4desk/testkit';
import { NatsServer } from '@l4desk/testkit/nats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FencedPublisher } from './fenced-publisher.ts';
import { NatsLink, type NatsSession } from './nats-link.ts';

const MEGABYTE = 1_048_576;

let nats: NatsServer;
let link: NatsLink;
let session: NatsSession;

beforeAll(async () => {
  nats = await NatsServer.start();
  session = await new Promise((resolve) => {
    const cluster = { url: nats.url, id: 'one', replicas: 1 };
    link = new NatsLink(cluster, 'test', new KeptLog(), { up: resolve, down: () => {} });
    link.start();
  });
});

afterAll(async () => {
  await link.close();
  await nats[Symbol.asyncDispose]();
});

function block(height: number): PublishedBlock {
  const book = { plain: new Uint8Array(MEGABYTE), deflated: null };
  const entry = { coin: 'BTC', seq: height, prevSeq: height - 1, checksum: undefined, all: null, book };
  return { epoch: 'e', height, time: height, receivedAt: height, entries: [entry] };
}

test('ends the term and drops its messages once more than 64 MiB wait for an unreachable stream', async () => {
  let reached: NatsSession | null = session;
  const reasons: string[] = [];
  const publisher = await FencedPublisher.begin({
    session: () => reached,
    ended: (reason) => reasons.push(reason),
    log: new KeptLog(),
  });
  reached = null;
  for (let height = 1; height < 64; height += 1) publisher.publish({ kind: 'block', block: block(height) });
  expect(reasons).toEqual([]);
  expect(publisher.pendingBytes).toBeGreaterThan(63 * MEGABYTE);
  publisher.publish({ kind: 'block', block: block(64) });
  expect(reasons).toEqual(['the stream was away for too long']);
  expect(publisher.pendingBytes).toBe(0);
  publisher.publish({ kind: 'block', block: block(65) });
  expect(publisher.pendingBytes).toBe(0);
  expect(reasons).toHaveLength(1);
});
