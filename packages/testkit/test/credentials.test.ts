import { createClient, type FollowEvent, follow, l4BookSnapshot, ServiceError } from '@l4desk/client';
import { StreamProbe, UpgradeRefused, until } from '@l4desk/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Served } from './support/served.ts';

let served: Served;
beforeAll(async () => {
  served = await Served.start();
});
afterAll(() => served[Symbol.asyncDispose]());

describe('a key, from the command line to the stream', () => {
  it('[AUTH-9] works at once; once it is revoked, the stream stops and nothing is served', async () => {
    const { stack } = served;
    const words = ['keys', 'create', '--json', '--kind', 'api', '--account', 'demo'];
    const made = await stack.command(...words);
    expect(made).toMatchObject({ code: 0 });
    const { id, key } = JSON.parse(made.stdout) as { readonly id: string; readonly key: string };
    const events: FollowEvent[] = [];
    const client = createClient({ baseUrl: stack.url, apiKey: key, WebSocket });
    const follower = follow({ client, coins: ['BTC'], onEvent: (event) => events.push(event) });
    await until('a live book', () => follower.coin('BTC')?.state.kind === 'live');

    expect(await stack.command('keys', 'revoke', id)).toMatchObject({ code: 0 });
    await until('the stream to stop', () => follower.connection.kind === 'stopped');
    expect(follower.connection).toMatchObject({ reason: { kind: 'credential', code: 'unauthorized' } });
    expect(follower.coin('BTC')?.state).toMatchObject({ kind: 'stale', reason: 'stopped' });

    const isRefused = () =>
      l4BookSnapshot(client, { coin: 'BTC' }).then(
        () => false,
        (error: unknown) => error instanceof ServiceError && error.code === 'unauthorized',
      );
    await until('the refusal of a query', isRefused);
    await expect(StreamProbe.open(`${served.streamUrl}?key=${key}`)).rejects.toThrow(UpgradeRefused);
    expect(JSON.stringify(events)).not.toContain(key);
    expect(stack.log).not.toContain(key);
  });
});
