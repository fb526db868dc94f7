import { KeptLog } from '@l4desk/testkit';
import { NatsServer } from '@l4desk/testkit/nats';
import { afterAll, beforeAll } from 'vitest';
import { NatsLink, type NatsSession } from '../nats-link.ts';

interface TestSession {
  readonly nats: NatsServer;
  readonly session: NatsSession;
}

/** Gives the tests of a file a NATS server and a connection to it, which the returned function returns. */
export function natsSession(): () => TestSession {
  let opened: TestSession;
  let link: NatsLink;
  beforeAll(async () => {
    const nats = await NatsServer.start();
    const session = await new Promise<NatsSession>((resolve) => {
      const cluster = { url: nats.url, id: 'one', replicas: 1 };
      link = new NatsLink(cluster, 'test', new KeptLog(), { up: resolve, down: () => {} });
      link.start();
    });
    opened = { nats, session };
  });
  afterAll(async () => {
    await link.close();
    await opened.nats[Symbol.asyncDispose]();
  });
  return () => opened;
}
