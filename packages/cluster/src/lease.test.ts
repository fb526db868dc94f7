import { KeptLog, until } from '@l4desk/testkit';
import { NatsServer } from '@l4desk/testkit/nats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Lease } from './lease.ts';
import { NatsLink, type NatsSession } from './nats-link.ts';

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

test.each(['{"id":', '{"id":7}'])('is taken over once it expires if its holder cannot be read: %s', async (text) => {
  const bucket = session.lease;
  await bucket.put('leader', text);
  const log = new KeptLog();
  let now = 0;
  const lease = new Lease(
    'one',
    { session: () => session, now: () => now, gained: () => {}, lost: () => {}, log },
    { renewMs: 10_000, checkMs: 1, expiresMs: 1_000 },
  );
  lease.start();
  const looks = () => log.lines.filter((line) => line.startsWith('warn holder of the lease cannot be read')).length;
  await until('it is looked at twice', () => looks() >= 2);
  expect(lease.isHeld).toBe(false);
  now += 1_000;
  await until('it is taken', () => lease.isHeld);
  await lease.close();
});
