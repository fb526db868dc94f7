import type { PublishedBlock } from '@l4desk/feed/core';
import { KeptLog } from '@l4desk/testkit';
import { expect, test } from 'vitest';
import { FencedPublisher } from './fenced-publisher.ts';
import type { NatsSession } from './nats-link.ts';
import { natsSession } from './test-support/test-session.ts';

const MEGABYTE = 1_048_576;

const opened = natsSession();

function block(height: number): PublishedBlock {
  const book = { plain: new Uint8Array(MEGABYTE), deflated: null };
  const entry = { coin: 'BTC', seq: height, prevSeq: height - 1, checksum: undefined, all: null, book };
  return { epoch: 'e', height, time: height, receivedAt: height, entries: [entry] };
}

test('ends the term and drops its messages once more than 64 MiB wait for an unreachable stream', async () => {
  let reached: NatsSession | null = opened().session;
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
