import { KeptLog } from '@l4desk/testkit';
import { NatsServer } from '@l4desk/testkit/nats';
import { expect, test } from 'vitest';
import { NatsLink } from './nats-link.ts';

test.each([
  ['a user and a password', 'user: desk, password: "p@ss 100%"', 'desk:p%40ss%20100%25'],
  ['a password with a sign that the URL should escape', 'user: desk, password: "100%"', 'desk:100%'],
  ['a token', 'token: "a/long-token"', 'a%2Flong-token'],
])('connects to a server that requires %s, by what NATS_URL has of them', async (_what, required, login) => {
  await using nats = await NatsServer.start({ moreConfig: `authorization { ${required} }` });
  const connected = async (url: string) => {
    let link: NatsLink | undefined;
    const problem = await new Promise<string | null>((resolve) => {
      const events = { up: () => resolve(null), down: resolve };
      link = new NatsLink({ url, id: 'one', replicas: 1 }, 'test', new KeptLog(), events);
      link.start();
    });
    await link?.close();
    return problem;
  };
  expect(await connected(nats.url.replace('//', `//${login}@`))).toBeNull();
  expect(await connected(nats.url.replace('//', '//another@'))).toBe('Authorization Violation');
});
