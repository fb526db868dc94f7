import { DEFAULT_PLAN, issueKey, KyselyStore, newAccount, openDatabase } from '@l4desk/ledger';
import { temporaryDirectory } from '@l4desk/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StreamClient, StreamServer } from '../../stream/test-support/stream-server.ts';
import { AttemptLimiter } from './attempt-limiter.ts';
import { createAuthoriser } from './authoriser.ts';
import { CredentialCheck, clientAddress } from './credential-check.ts';
import { SESSION_TTL_MS, Sessions, type SignIn } from './sessions.ts';

let rig: Awaited<ReturnType<typeof startRig>>;

beforeEach(async () => {
  rig = await startRig();
});

afterEach(() => rig.end());

/** A stream server with the real checks of keys and sessions, and a manual clock. */
async function startRig() {
  const directory = await temporaryDirectory();
  const store = new KyselyStore(await openDatabase(directory.path));
  let now = Date.UTC(2026, 10, 20);
  const elapsed = () => now;
  const credentials = new CredentialCheck({ store, unknown: new AttemptLimiter(60, elapsed), elapsed, staleMsMax: 0 });
  const sessions = new Sessions({
    staleMsMax: 0,
    store,
    credentials,
    now: () => now,
    elapsed,
  });
  const authoriser = createAuthoriser({
    credentials,
    sessions,
    addressOf: clientAddress(false),
    origins: { primary: 'http://x', isNameless: false, hasOrigin: () => true, hasHost: () => true },
    cookieName: 'session',
  });
  const server: StreamServer = await StreamServer.start({}, authoriser);
  const account = newAccount('team', DEFAULT_PLAN, now);
  await store.createAccount(account);
  const [api, service] = [
    await issueKey(store, account.id, 'api', '', now),
    await issueKey(store, account.id, 'service', '', now),
  ];
  return {
    server,
    api,
    service,
    signIn: async (keys: Omit<Extract<SignIn, { kind: 'keys' }>, 'kind'>) => {
      const started = await sessions.start({ kind: 'keys', ...keys }, '192.0.2.1');
      if (!('token' in started)) throw started;
      return server.connect('/ws', {
        Cookie: `session=${started.token}`,
        Origin: `http://127.0.0.1:${server.port}`,
      });
    },
    revoke: (id: string) => store.revokeCredential(id, now),
    /** Advances the clock and makes the stream recheck its credentials. */
    recheckAfter: async (ms: number) => {
      now += ms;
      await server.stream.recheck();
    },
    end: async () => {
      await server[Symbol.asyncDispose]();
      await store.close();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** Resolves with how the service closed a connection, or with null if it still responds. */
async function closeOf(client: StreamClient) {
  client.send({ method: 'ping' });
  await client.until(() => client.closed !== null || client.texts.includes('{"channel":"pong"}'));
  client.texts.length = 0;
  return client.closed;
}

describe('an open stream', () => {
  it('[AUTH-9] is closed with 4401 when its key is revoked, also in a session', async () => {
    const { server, api, recheckAfter, revoke, signIn } = rig;
    const [byKey, bySession] = [
      await server.connect(`/ws?key=${api.key}`),
      await signIn({ apiKey: api.key, serviceKey: undefined }),
    ];
    await recheckAfter(10_000);
    expect([await closeOf(byKey), await closeOf(bySession)]).toEqual([null, null]);
    await revoke(api.id);
    await recheckAfter(10_000);
    expect(await closeOf(byKey)).toEqual({ code: 4401, reason: 'key revoked' });
    expect(await closeOf(bySession)).toEqual({ code: 4401, reason: 'signed out or key revoked' });
  });

  it('[AUTH-9, AUTH-23] of a session is closed when its API key is revoked, even if its ServiceKey is valid', async () => {
    const { api, service, recheckAfter, revoke, signIn } = rig;
    const client = await signIn({ apiKey: api.key, serviceKey: service.key });
    await revoke(api.id);
    await recheckAfter(10_000);
    expect(await closeOf(client)).toEqual({ code: 4401, reason: 'signed out or key revoked' });
  });

  it('[AUTH-9] of a session continues when its ServiceKey is revoked, which the stream does not use', async () => {
    const { api, service, recheckAfter, revoke, signIn } = rig;
    const client = await signIn({ apiKey: api.key, serviceKey: service.key });
    await revoke(service.id);
    await recheckAfter(10_000);
    expect(await closeOf(client)).toBeNull();
  });

  it('[AUTH-23] of a session is closed when the session expires', async () => {
    const { api, recheckAfter, signIn } = rig;
    const client = await signIn({ apiKey: api.key, serviceKey: undefined });
    await recheckAfter(SESSION_TTL_MS - 1);
    expect(await closeOf(client)).toBeNull();
    await recheckAfter(1);
    expect(await closeOf(client)).toMatchObject({ code: 4401 });
  });
});
