import { KeptLog, until } from '@l4desk/testkit';
import { NatsServer } from '@l4desk/testkit/nats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JoinedInterest, OwnInterest } from './interest.ts';
import { INTEREST_TTL_MS, NatsLink, type NatsSession } from './nats-link.ts';

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

test('[CL-6] what a gateway wants that is gone without a word ends with its heartbeat; the others stay', async () => {
  let now = 0;
  let wanted: readonly string[] = [];
  const joined = new JoinedInterest(
    (coins) => {
      wanted = [...coins.keys()].toSorted();
    },
    () => now,
  );
  await joined.listen(session);
  const says = (id: string, coin: string, reached: () => NatsSession | null) =>
    new OwnInterest(id, reached, () => ({ coins: [coin], all: [] }));
  let isAlive = true;
  const gone = says('gone', 'ETH', () => (isAlive ? session : null));
  const stays = says('stays', 'BTC', () => session);
  for (const interest of [gone, stays]) interest.changed();
  await until('both', () => wanted.join() === 'BTC,ETH');
  isAlive = false;
  await gone.close();
  now += INTEREST_TTL_MS - 1;
  stays.changed();
  await until('the one that stays says it again', () => wanted.join() === 'BTC,ETH' && joined.gateways === 2);
  now += 2;
  await until('the other is forgotten', () => {
    stays.changed();
    return wanted.join() === 'BTC';
  });
  expect(joined.gateways).toBe(1);
  await stays.close();
  joined.close();
});
