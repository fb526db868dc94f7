import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createId, createKey, createToken, DatabaseError, issueKey } from '@l4desk/ledger';
import { sessionCoins, sessionState, sessionWallets } from '@l4desk/protocol';
import { temporaryDirectory, until } from '@l4desk/testkit';
import { bearer, http, postJson, type RawResponse, startTestService, type TestService } from '@l4desk/testkit/service';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { demoSignInLink, prepareDemo } from '../demo.ts';
import { SESSION_TTL_MS, SESSIONS_PER_ACCOUNT_MAX, SIGN_INS_PER_MINUTE_MAX } from '../http/auth/sessions.ts';
import { StreamClient } from '../stream/test-support/stream-server.ts';
import { cookieOf, sharedService } from '../test-support/shared-service.ts';

const rig = sharedService({ env: { AUTH_FAILURES_PER_MINUTE_MAX: '1000000' } });

beforeAll(() => rig.feed.makeLive('BTC'));

const own = () => ({ origin: rig.url });

const signIn = (body: unknown, headers: Readonly<Record<string, string>> = own()) =>
  postJson(`${rig.url}/session`, body, headers);

/** Headers that a browser sends with a same-origin GET. */
const sameOrigin = (cookie: string) => ({ cookie, 'sec-fetch-site': 'same-origin' });

const whoAmI = (cookie: string) => http(`${rig.url}/session`, { headers: sameOrigin(cookie) });

/** Starts sessions of other browsers with a key of the account. */
async function addSessions({ store, now, pass }: TestService, accountId: string, count: number): Promise<void> {
  pass(1);
  const key = (await store.listCredentials(accountId)).find(({ kind }) => kind === 'api');
  for (let added = 0; added < count; added += 1) {
    const session = { id: createId('ses'), tokenHash: createToken().hash, createdAt: now(), expiresAt: now() + 60_000 };
    const credentials = { accountId, apiCredentialId: key?.id ?? null, serviceCredentialId: null };
    await store.createSession(session, credentials, SESSIONS_PER_ACCOUNT_MAX);
  }
}

/** Resolves with the status of the response to an upgrade. */
function upgradeStatus(socket: WebSocket): Promise<number> {
  const opened = once(socket, 'open').then(
    () => 101,
    () => 0,
  );
  const refused = once(socket, 'unexpected-response').then(
    (values) => (values[1] as IncomingMessage).statusCode ?? 0,
    () => 0,
  );
  return Promise.race([opened, refused]);
}

const snapshot = { type: 'l4BookSnapshot', coin: 'BTC' };

const errorOf = (response: RawResponse) => (response.json() as { readonly error: string }).error;

describe('signing in', () => {
  it('on a full disk gets 503, and the cause is logged', async () => {
    const full = new DatabaseError('unwritable', 'The database cannot be written (SQLITE_FULL).');
    const createSession = vi.spyOn(rig.store, 'createSession').mockRejectedValueOnce(full);
    const response = await signIn({ apiKey: rig.team.api });
    createSession.mockRestore();
    expect([response.status, errorOf(response), response.headers['retry-after']]).toEqual([
      503,
      'database_unavailable',
      '1',
    ]);
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(rig.logs.some((line) => line.includes('SQLITE_FULL'))).toBe(true);
    expect((await signIn({ apiKey: rig.team.api })).status).toBe(200);
  });

  it.each([
    ['an API key', () => ({ apiKey: rig.team.api }), true, false],
    ['a ServiceKey', () => ({ serviceKey: rig.team.service }), false, true],
    ['both', () => ({ apiKey: rig.team.api, serviceKey: rig.team.service }), true, true],
  ])('[AUTH-13] with %s starts a session', async (_, body, hasApi, hasService) => {
    const response = await signIn(body());
    expect(response.status).toBe(200);
    const state = sessionState.parse(response.json());
    expect(state.account).toEqual({ id: rig.team.id, name: 'team' });
    expect(state.credentials.api).toEqual(hasApi ? { shown: `l4k_…${rig.team.api.slice(-4)}`, label: 'test' } : null);
    expect(state.credentials.service).toEqual(
      hasService ? { shown: `l4s_…${rig.team.service.slice(-4)}`, label: 'test' } : null,
    );
    expect(state).toMatchObject({ source: { kind: 'simulated' }, demo: true });
    expect(state.expiresAt).toBeGreaterThan(rig.now());
    expect((await whoAmI(cookieOf(response))).json()).toEqual(state);
  });

  it('returns a session that says where the data comes from', async () => {
    const source = { kind: 'recorded', from: 1_778_002_752_957, to: 1_778_002_756_000 } as const;
    await using recorded = await startTestService({ source });
    const { api } = await recorded.account('team');
    const response = await postJson(`${recorded.url}/session`, { apiKey: api }, { origin: recorded.url });
    expect(sessionState.parse(response.json()).source).toEqual(source);
  });

  it('[AUTH-13, AUTH-14] sets a cookie for this service and its own pages only', async () => {
    const [cookie] = (await signIn({ apiKey: rig.team.api })).headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      new RegExp(`^l4desk_${rig.port}=[\\w-]{43}; Max-Age=604800; Path=/; Expires=[^;]+; HttpOnly; SameSite=Strict$`),
    );
  });

  it('[AUTH-12] returns no key or token that a page could read', async () => {
    const response = await signIn({ apiKey: rig.team.api, serviceKey: rig.team.service });
    expect(response.text).not.toContain(rig.team.api.slice(4, -4));
    expect(response.text).not.toContain(rig.team.service.slice(4, -4));
    expect(response.text).not.toContain(cookieOf(response).split('=')[1]);
  });

  it.each<[string, () => unknown, string, string?]>([
    ['an unknown API key', () => ({ apiKey: createKey('api').key }), 'unauthorized', 'apiKey'],
    ['an unknown ServiceKey', () => ({ serviceKey: createKey('service').key }), 'unauthorized', 'serviceKey'],
    ['a malformed API key', () => ({ apiKey: 'open sesame' }), 'unauthorized', 'apiKey'],
    ['a ServiceKey as API key', () => ({ apiKey: rig.team.service }), 'wrong_credential', 'apiKey'],
    ['an API key as ServiceKey', () => ({ serviceKey: rig.team.api }), 'wrong_credential', 'serviceKey'],
    ['one valid and one invalid key', () => ({ apiKey: rig.team.api, serviceKey: 'x' }), 'unauthorized', 'serviceKey'],
    ['an unknown token', () => ({ token: createToken().token }), 'unauthorized', 'token'],
    ['a malformed token', () => ({ token: 'x' }), 'unauthorized', 'token'],
    ['an empty body', () => ({}), 'invalid_request'],
    ['an empty key', () => ({ apiKey: '' }), 'invalid_request', 'apiKey'],
    ['a number', () => ({ apiKey: 1 }), 'invalid_request', 'apiKey'],
    ['a token that is a number', () => ({ token: 1, apiKey: rig.team.api }), 'invalid_request', 'token'],
    ['null', () => ({ apiKey: null }), 'invalid_request', 'apiKey'],
    ['a list', () => [], 'invalid_request'],
    ['a very long key', () => ({ apiKey: 'x'.repeat(300) }), 'invalid_request', 'apiKey'],
  ])('with %s is refused', async (_, body, code, path) => {
    const response = await signIn(body());
    expect(response.json()).toMatchObject({ error: code, ...(path === undefined ? {} : { path }) });
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  it('with keys of two accounts is refused', async () => {
    const other = await rig.account('other');
    const response = await signIn({ apiKey: rig.team.api, serviceKey: other.service });
    expect(response.json()).toMatchObject({ error: 'invalid_request', path: 'serviceKey' });
  });

  it('ends the previous session of the browser', async () => {
    const first = cookieOf(await signIn({ apiKey: rig.team.api }));
    const second = cookieOf(await signIn({ serviceKey: rig.team.service }, { ...own(), cookie: first }));
    expect((await whoAmI(first)).status).toBe(401);
    expect((await whoAmI(second)).status).toBe(200);
  });

  it.each(['PUT', 'PATCH', 'OPTIONS'])('by %s is refused', async (method) => {
    const response = await http(`${rig.url}/session`, { method, headers: own() });
    expect([response.status, errorOf(response)]).toEqual([405, 'method_not_allowed']);
    expect(response.headers.allow).toBe('GET, HEAD, POST, DELETE');
  });
});

it('[AUTH-12] the keys of the account are listed in a session with a ServiceKey, including revoked ones, and never in full', async () => {
  const team = await rig.account('with many keys');
  const other = await rig.account('somebody else');
  const { id } = await issueKey(rig.store, team.id, 'api', 'market maker', rig.now());
  await rig.store.revokeCredential(id, rig.now());
  const keysOf = async (body: object) => sessionState.parse((await signIn(body)).json()).accountKeys;
  expect(await keysOf({ apiKey: team.api })).toBeUndefined();
  const keys = await keysOf({ apiKey: team.api, serviceKey: team.service });
  expect(keys).toHaveLength(2);
  expect(keys).toContainEqual({ shown: `l4k_…${team.api.slice(-4)}`, label: 'test' });
  expect(keys).toContainEqual({ shown: expect.stringMatching(/^l4k_….{4}$/), label: 'market maker' });
  expect(JSON.stringify(keys)).not.toContain(other.api.slice(-4));
});

describe('the sign-in link', () => {
  const tokenOf = (link: string) => new URL(link).hash.replace('#token=', '');

  it('[AUTH-21, AUTH-22] has a single-use token in the fragment, which fetching the link does not use up', async () => {
    const link = await demoSignInLink(rig.store, rig.url, rig.now(), 60_000);
    expect(link).toMatch(new RegExp(`^${rig.url}/sign-in#token=[\\w-]{43}$`));
    for (let fetches = 0; fetches < 3; fetches += 1) await http(link);
    const response = await signIn({ token: tokenOf(link) });
    expect(response.status).toBe(200);
    expect(sessionState.parse(response.json())).toMatchObject({
      account: { name: 'demo' },
      credentials: { api: { label: 'demo' }, service: { label: 'demo' } },
    });
    expect(errorOf(await signIn({ token: tokenOf(link) }))).toBe('unauthorized');
    expect(rig.logs.join('')).not.toContain(tokenOf(link));
  });

  it('[AUTH-22] stops working when it expires or a newer one is printed', async () => {
    const first = await demoSignInLink(rig.store, rig.url, rig.now(), 60_000);
    const second = await demoSignInLink(rig.store, rig.url, rig.now(), 60_000);
    expect((await signIn({ token: tokenOf(first) })).status).toBe(401);
    rig.pass(60_000);
    expect((await signIn({ token: tokenOf(second) })).status).toBe(401);
  });

  it('creates the demo account and its keys only once', async () => {
    await demoSignInLink(rig.store, rig.url, rig.now(), 60_000);
    const demoKeys = async () =>
      (await rig.store.listCredentials()).filter((key) => key.accountName === 'demo' && key.label === 'demo');
    const before = await demoKeys();
    expect(before.map((key) => key.kind).sort()).toEqual(['api', 'service']);
    await demoSignInLink(rig.store, rig.url, rig.now(), 60_000);
    expect(await demoKeys()).toEqual(before);
    await rig.store.revokeCredential(before[0]?.id ?? '', rig.now());
    await demoSignInLink(rig.store, rig.url, rig.now(), 60_000);
    expect(await demoKeys()).toHaveLength(3);
  });
});

describe('a session', () => {
  let cookie: string;

  beforeEach(async () => {
    cookie = cookieOf(await signIn({ apiKey: rig.team.api, serviceKey: rig.team.service }));
  });

  const info = (headers: Readonly<Record<string, string>>) => postJson(`${rig.url}/info`, snapshot, headers);

  it('[AUTH-15] is accepted by /info from its own pages', async () => {
    expect((await info({ cookie, ...own() })).status).toBe(200);
    expect((await info({ cookie: `theme=dark; ${cookie}; other=1`, ...own() })).status).toBe(200);
  });

  it.each<[string, () => Readonly<Record<string, string>>]>([
    ['no Origin', () => ({})],
    ['no Origin, but Sec-Fetch-Site: same-origin', () => ({ 'sec-fetch-site': 'same-origin' })],
    ['another origin', () => ({ origin: 'https://evil.example' })],
    ['the opaque origin', () => ({ origin: 'null' })],
    ['another port', () => ({ origin: `http://127.0.0.1:${rig.port + 1}` })],
    ['another scheme', () => ({ origin: `https://127.0.0.1:${rig.port}` })],
    ['a longer host name', () => ({ origin: `http://127.0.0.1:${rig.port}.evil.example` })],
    ['another host name', () => ({ ...own(), host: 'evil.example' })],
    ['a host with another port', () => ({ ...own(), host: `127.0.0.1:${rig.port + 1}` })],
  ])('[AUTH-17, AUTH-20] is 403 for a POST with %s', async (_, headers) => {
    const response = await info({ cookie, ...headers() });
    expect([response.status, errorOf(response)]).toEqual([403, 'forbidden_origin']);
  });

  it('[AUTH-19] is allowed on loopback under both usual names and no other', async () => {
    for (const name of ['127.0.0.1', 'localhost']) {
      const at = `${name}:${rig.port}`;
      expect((await info({ cookie, origin: `http://${at}`, host: at })).status).toBe(200);
    }
    const at = `[::1]:${rig.port}`;
    expect((await info({ cookie, origin: `http://${at}`, host: at })).status).toBe(403);
  });

  it('[AUTH-14, AUTH-19] is also allowed under PUBLIC_URL, with a Secure cookie if that is https', async () => {
    await using proxied = await startTestService({ env: { PUBLIC_URL: 'https://desk.example.com' } });
    const { api } = await proxied.account('team');
    proxied.feed.makeLive('BTC');
    const headers = { origin: 'https://desk.example.com', host: 'desk.example.com' };
    const signedIn = await postJson(`${proxied.url}/session`, { apiKey: api }, headers);
    expect(signedIn.headers['set-cookie']?.[0]).toMatch(/; Secure(?:;|$)/);
    const session = cookieOf(signedIn);
    const call = (more: Readonly<Record<string, string>>) =>
      postJson(`${proxied.url}/info`, snapshot, { cookie: session, ...more });
    expect((await call(headers)).status).toBe(200);
    expect((await call({ ...headers, host: 'desk.example.com:443' })).status).toBe(200);
    expect((await call({ origin: proxied.url, host: `127.0.0.1:${proxied.port}` })).status).toBe(200);
    expect((await call({ ...headers, origin: 'http://desk.example.com' })).status).toBe(403);
  });

  it.each<[string, () => Readonly<Record<string, string>>, number]>([
    ['from the same origin', () => ({ 'sec-fetch-site': 'same-origin' }), 200],
    ['with an allowed Origin', own, 200],
    ['without either header', () => ({}), 403],
    ['from another site', () => ({ 'sec-fetch-site': 'cross-site' }), 403],
    ['from a sibling site', () => ({ 'sec-fetch-site': 'same-site' }), 403],
    ['typed into the address bar', () => ({ 'sec-fetch-site': 'none' }), 403],
    ['with another Origin', () => ({ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }), 403],
    ['under another host name', () => ({ 'sec-fetch-site': 'same-origin', host: 'evil.example' }), 403],
  ])('[AUTH-18] is checked for a GET %s', async (_, headers, status) => {
    for (const path of ['/session', '/session/coins', '/session/document', '/session/usage', '/platform/usage/'])
      expect((await http(rig.url + path, { headers: { cookie, ...headers() } })).status).toBe(status);
  });

  it.each<[string, () => Readonly<Record<string, string>>]>([
    ['no cookie', () => ({})],
    ['other cookies', () => ({ cookie: `theme=dark; l4desk_${rig.port + 1}=${'x'.repeat(43)}` })],
    ['an Origin of the service', own],
  ])('is reported as absent to a page in a browser with %s', async (_, more) => {
    const headers = { 'sec-fetch-site': 'same-origin', ...more() };
    const response = await http(`${rig.url}/session`, { headers });
    expect([response.status, response.text]).toEqual([200, '{"account":null}']);
    expect(response.headers).not.toHaveProperty('set-cookie');
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    expect(response.headers['cache-control']).toBe('no-store');
    expect((await http(`${rig.url}/session`, { method: 'HEAD', headers })).status).toBe(200);
    // All other paths are refused.
    for (const path of [
      '/session/coins',
      '/session/wallets',
      '/session/document',
      '/session/recordings',
      '/platform/usage/',
    ])
      expect((await http(rig.url + path, { headers })).status).toBe(401);
    expect((await http(`${rig.url}/session`, { method: 'DELETE', headers: { ...headers, ...own() } })).status).toBe(
      401,
    );
  });

  it.each<[string, () => Readonly<Record<string, string>>]>([
    ['with the cookie of an unknown session', () => ({ cookie: `l4desk_${rig.port}=${'x'.repeat(43)}` })],
    ['with a malformed cookie', () => ({ cookie: `l4desk_${rig.port}=x` })],
    ['with an empty cookie', () => ({ cookie: `l4desk_${rig.port}=` })],
    ['from another site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['from a sibling site', () => ({ 'sec-fetch-site': 'same-site' })],
    ['with another Origin', () => ({ origin: 'https://evil.example' })],
    ['under another host name', () => ({ host: 'evil.example' })],
  ])('is required by /session for a request %s', async (_, more) => {
    const headers = { 'sec-fetch-site': 'same-origin', ...more() };
    const response = await http(`${rig.url}/session`, { headers });
    expect([response.status, errorOf(response)]).toEqual([401, 'unauthorized']);
    expect((await http(`${rig.url}/session`, { method: 'HEAD', headers })).status).toBe(401);
  });

  it('[AUTH-5] is refused by /info with only a ServiceKey', async () => {
    const response = await info({ cookie: cookieOf(await signIn({ serviceKey: rig.team.service })), ...own() });
    expect(response.json()).toMatchObject({
      error: 'wrong_credential',
      message: 'This requires an API key; the session has no valid one. Sign in again with it.',
    });
  });

  it('is ignored if the request has a key', async () => {
    expect((await info({ cookie, ...bearer('nonsense'), ...own() })).status).toBe(401);
    expect((await info({ cookie: 'none', ...bearer(rig.team.api) })).status).toBe(200);
  });

  it('[AUTH-23] ends at once on sign-out, which clears the cookie', async () => {
    expect((await info({ cookie, ...own() })).status).toBe(200);
    const response = await http(`${rig.url}/session`, { method: 'DELETE', headers: { cookie, ...own() } });
    expect(response.status).toBe(204);
    expect(response.headers['set-cookie']?.[0]).toContain('Max-Age=0');
    expect((await info({ cookie, ...own() })).status).toBe(401);
    expect((await whoAmI(cookie)).status).toBe(401);
    expect((await http(`${rig.url}/session`, { method: 'DELETE', headers: { cookie, ...own() } })).status).toBe(401);
  });

  it('[AUTH-17] cannot be ended by another site', async () => {
    const headers = { cookie, origin: 'https://evil.example' };
    expect((await http(`${rig.url}/session`, { method: 'DELETE', headers })).status).toBe(403);
    expect((await whoAmI(cookie)).status).toBe(200);
  });

  it('is reported with 503 if the database does not return the keys of its account within 10 s', async () => {
    const owner = cookieOf(await signIn({ serviceKey: rig.team.service }));
    const listCredentials = vi.spyOn(rig.store, 'listCredentials');
    const asked = new Promise<() => void>((resolve) => {
      listCredentials.mockImplementationOnce(() => new Promise((respond) => resolve(() => respond([]))));
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const asking = whoAmI(owner);
      const respond = await asked;
      await vi.advanceTimersByTimeAsync(10_000);
      // Too late.
      respond();
      const response = await asking;
      expect([response.status, errorOf(response)]).toEqual([503, 'database_unavailable']);
    } finally {
      vi.useRealTimers();
      listCredentials.mockRestore();
    }
    expect((await whoAmI(owner)).status).toBe(200);
  });

  it('ends with its revoked key even if the clock is set back', async () => {
    await using other = await startTestService();
    other.feed.makeLive('BTC');
    const team = await other.account('team');
    const { id, key } = await other.key(team.id, 'api');
    const enter = (body: object) => postJson(`${other.url}/session`, body);
    const session = cookieOf(await enter({ apiKey: key }));
    const ask = async () => [
      (await postJson(`${other.url}/info`, snapshot, bearer(key))).status,
      (await postJson(`${other.url}/info`, snapshot, { cookie: session, origin: other.url })).status,
    ];
    expect(await ask()).toEqual([200, 200]);
    await other.store.revokeCredential(id, other.now());
    other.setBack(3_600_000);
    other.pass(2000);
    expect(await ask()).toEqual([401, 401]);
  });

  it('expires exactly at its time, even if it was just used', async () => {
    rig.pass(SESSION_TTL_MS - 1);
    expect((await whoAmI(cookie)).status).toBe(200);
    rig.pass(1);
    expect((await whoAmI(cookie)).status).toBe(401);
  });

  it('ends if it is the oldest of an account with too many, without affecting other accounts', async () => {
    await using small = await startTestService();
    const [team, other] = [await small.account('team'), await small.account('other')];
    const enter = async (body: object) => {
      small.pass(1);
      return cookieOf(await postJson(`${small.url}/session`, body));
    };
    const foreign = await enter({ apiKey: other.api });
    const cookies = [await enter({ apiKey: team.api })];
    await addSessions(small, team.id, SESSIONS_PER_ACCOUNT_MAX - 3);
    for (const body of [{ serviceKey: team.service }, { apiKey: team.api }, { apiKey: team.api }])
      cookies.push(await enter(body));
    const statusOf = async (cookie: string) =>
      (await http(`${small.url}/session`, { headers: sameOrigin(cookie) })).status;
    expect(await Promise.all([...cookies, foreign].map(statusOf))).toEqual([401, 200, 200, 200, 200]);
    // With the clock set back, a new session ends another one and not itself.
    small.setBack(60_000);
    cookies.push(await enter({ apiKey: team.api }));
    small.pass(2000);
    expect(await Promise.all([...cookies, foreign].map(statusOf))).toEqual([401, 200, 200, 200, 200, 200]);
  });

  it('counts toward the same limit if a link started it', async () => {
    await using small = await startTestService();
    const enter = async () => {
      small.pass(1);
      const link = await demoSignInLink(small.store, small.url, small.now(), 60_000);
      return cookieOf(await postJson(`${small.url}/session`, { token: new URL(link).hash.replace('#token=', '') }));
    };
    const first = await enter();
    await addSessions(small, (await prepareDemo(small.store, small.now())).id, SESSIONS_PER_ACCOUNT_MAX - 1);
    const second = await enter();
    const statusOf = async (cookie: string) =>
      (await http(`${small.url}/session`, { headers: sameOrigin(cookie) })).status;
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
  });

  it('is refused with 429 after too many sign-ins per minute with one key, but not with another key', async () => {
    await using strict = await startTestService();
    const team = await strict.account('team');
    const { key: colleague } = await strict.key(team.id, 'api');
    const enter = (body: object) => postJson(`${strict.url}/session`, body);
    for (let attempts = 0; attempts < SIGN_INS_PER_MINUTE_MAX; attempts += 1)
      expect((await enter({ apiKey: team.api })).status).toBe(200);
    strict.pass(15_000);
    const refused = await enter({ apiKey: team.api, serviceKey: team.service });
    expect(refused.json()).toMatchObject({ error: 'too_many_requests', code: 429 });
    expect([refused.headers['retry-after'], refused.headers['set-cookie']]).toEqual(['45', undefined]);
    // Failed sign-ins do not count, nor does a valid key that was refused because of the other one.
    for (let attempts = 0; attempts < 4; attempts += 1)
      expect((await enter({ apiKey: colleague, serviceKey: 'x' })).status).toBe(401);
    expect((await enter({ apiKey: colleague })).status).toBe(200);
    strict.pass(45_001);
    expect((await enter({ apiKey: team.api })).status).toBe(200);
  });

  it('survives a restart of the service', async () => {
    await using directory = await temporaryDirectory();
    const first = await startTestService({ directory: directory.path });
    const { api } = await first.account('team');
    const session = cookieOf(await postJson(`${first.url}/session`, { apiKey: api }));
    await first[Symbol.asyncDispose]();
    await using second = await startTestService({ directory: directory.path, env: { PORT: String(first.port) } });
    expect((await http(`${second.url}/session`, { headers: sameOrigin(session) })).status).toBe(200);
  });

  it('gives access to example wallets only in demo mode', async () => {
    const wallets = [{ address: `0x${'5e'.repeat(20)}`, name: 'maker 1', role: 'maker' }] as const;
    const demo = await startTestService({ exampleWallets: async () => ({ wallets: [...wallets] }) });
    await using _ = demo;
    const { api } = await demo.account('team');
    const session = cookieOf(await postJson(`${demo.url}/session`, { apiKey: api }));
    const response = await http(`${demo.url}/session/wallets`, { headers: sameOrigin(session) });
    expect(sessionWallets.parse(response.json()).wallets).toEqual(wallets);
    expect((await http(`${demo.url}/session/wallets`)).status).toBe(401);
    const foreign = { cookie: session, 'sec-fetch-site': 'cross-site' };
    expect((await http(`${demo.url}/session/wallets`, { headers: foreign })).status).toBe(403);
    expect((await http(`${rig.url}/session/wallets`, { headers: sameOrigin(cookie) })).status).toBe(404);
    const post = { method: 'POST', headers: { cookie: session, ...own() } };
    expect((await http(`${demo.url}/session/wallets`, post)).status).toBe(405);
  });

  it('gives access to the traded coins, in the order of the exchange', async () => {
    const response = await http(`${rig.url}/session/coins`, { headers: sameOrigin(cookie) });
    expect(sessionCoins.parse(response.json()).coins).toEqual([
      { coin: 'BTC', szDecimals: 2, maxLeverage: 10 },
      { coin: 'ETH', szDecimals: 2, maxLeverage: 10 },
      { coin: 'xyz:GOLD', szDecimals: 2, maxLeverage: 10 },
    ]);
    expect((await http(`${rig.url}/session/coins`)).status).toBe(401);
    expect((await http(`${rig.url}/session/coins`, { method: 'POST', headers: { cookie, ...own() } })).status).toBe(
      405,
    );
  });
});

describe('a session on the stream', () => {
  const connect = (headers: Readonly<Record<string, string>>) => {
    const socket = new WebSocket(`${rig.url.replace('http', 'ws')}/ws`, { headers });
    return { socket, status: upgradeStatus(socket) };
  };

  it('[AUTH-15, AUTH-23] is accepted from its own pages, and signing out closes it with 4401', async () => {
    const cookie = cookieOf(await signIn({ apiKey: rig.team.api }));
    const { socket, status } = connect({ cookie, ...own() });
    expect(await status).toBe(101);
    const closed = once(socket, 'close');
    await http(`${rig.url}/session`, { method: 'DELETE', headers: { cookie, ...own() } });
    expect((await closed)[0]).toBe(4401);
  });

  it('[AUTH-9, AUTH-23] is closed with 4401 when its API key is revoked or the session expires, not with its ServiceKey', async () => {
    const url = `${rig.url.replace('http', 'ws')}/ws`;
    const team = await rig.account('on the stream');
    const [api, service] = [await rig.key(team.id, 'api'), await rig.key(team.id, 'service')];
    const inSession = async (keys: object) => {
      const cookie = cookieOf(await signIn(keys));
      return { cookie, client: await StreamClient.open(url, { cookie, ...own() }) };
    };
    /** Ends another session, whose stream closes, so that the credentials of all streams are rechecked. */
    const recheckAfter = async (ms: number) => {
      rig.pass(ms);
      const { cookie, client } = await inSession({ apiKey: rig.team.api });
      await http(`${rig.url}/session`, { method: 'DELETE', headers: { cookie, ...own() } });
      await client.until(() => client.closed !== null);
    };
    const { client: kept } = await inSession({ apiKey: team.api, serviceKey: service.key });
    const isOpen = async () => {
      kept.texts.length = 0;
      kept.send({ method: 'ping' });
      await kept.until(() => kept.closed !== null || kept.texts.length > 0);
      return kept.closed === null;
    };
    const lost = [
      await StreamClient.open(`${url}?key=${api.key}`),
      (await inSession({ apiKey: api.key })).client,
      (await inSession({ apiKey: api.key, serviceKey: team.service })).client,
    ];
    for (const { id } of [api, service]) await rig.store.revokeCredential(id, rig.now());
    await recheckAfter(10_000);
    for (const client of lost) await client.until(() => client.closed !== null);
    const [revoked, ended] = ['key revoked', 'signed out or key revoked'].map((reason) => ({ code: 4401, reason }));
    expect(lost.map(({ closed }) => closed)).toEqual([revoked, ended, ended]);
    expect(await isOpen()).toBe(true);
    await recheckAfter(SESSION_TTL_MS - 10_001);
    expect(await isOpen()).toBe(true);
    await recheckAfter(1);
    await kept.until(() => kept.closed !== null);
    expect(kept.closed).toEqual(ended);
  });

  it.each<[string, () => Readonly<Record<string, string>>]>([
    ['no Origin', () => ({ 'sec-fetch-site': 'same-origin' })],
    ['another origin', () => ({ origin: 'https://evil.example' })],
    ['another host', () => ({ ...own(), host: 'evil.example' })],
  ])('[AUTH-17, AUTH-20] with %s is refused with 403', async (_, headers) => {
    const cookie = cookieOf(await signIn({ apiKey: rig.team.api }));
    const { socket, status } = connect({ cookie, ...headers() });
    expect(await status).toBe(403);
    socket.terminate();
  });

  it('[AUTH-5] with only a ServiceKey is refused with 403', async () => {
    const cookie = cookieOf(await signIn({ serviceKey: rig.team.service }));
    const { socket, status } = connect({ cookie, ...own() });
    expect(await status).toBe(403);
    socket.terminate();
  });
});

it.each<[string, Readonly<Record<string, string>>]>([
  ['another site', { origin: 'https://evil.example' }],
  ['another site without Origin', { 'sec-fetch-site': 'cross-site' }],
  ['another host name', { host: 'evil.example' }],
])('[AUTH-17, AUTH-20] signing in from elsewhere is 403 from %s', async (_, headers) => {
  expect((await signIn({ apiKey: rig.team.api }, headers)).status).toBe(403);
});

describe('unknown credentials', () => {
  it('[AUTH-25] get 429 with Retry-After for a minute if there are too many from one address, but not from others', async () => {
    await using strict = await startTestService({ env: { AUTH_FAILURES_PER_MINUTE_MAX: '5', TRUST_PROXY: '1' } });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const attempt = (address: string) => postJson(`${strict.url}/session`, { apiKey: 'x' }, from(address));
    for (let attempts = 0; attempts < 5; attempts += 1) expect((await attempt('192.0.2.1')).status).toBe(401);
    strict.pass(20_000);
    const refused = await attempt('192.0.2.1');
    expect(refused.json()).toMatchObject({ error: 'too_many_attempts', code: 429, path: 'apiKey' });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '40']);
    expect((await attempt('192.0.2.1:50123')).status).toBe(429);
    expect((await attempt('192.0.2.2')).status).toBe(401);
    // A request without a key does not count as an attempt.
    for (let calls = 0; calls < 8; calls += 1)
      expect((await postJson(`${strict.url}/info`, snapshot, from('192.0.2.3'))).status).toBe(401);
    expect((await attempt('192.0.2.3')).status).toBe(401);
    strict.pass(40_001);
    expect((await attempt('192.0.2.1')).status).toBe(401);
  });

  it('[AUTH-25] never cause a valid one to be refused, on any endpoint, and a revoked one stays 401', async () => {
    await using directory = await temporaryDirectory();
    const env = { AUTH_FAILURES_PER_MINUTE_MAX: '3' };
    const before = await startTestService({ directory: directory.path, env });
    const team = await before.account('team');
    const [revoked, revokedService] = [await before.key(team.id, 'api'), await before.key(team.id, 'service')];
    for (const { id } of [revoked, revokedService]) await before.store.revokeCredential(id, before.now());
    await before[Symbol.asyncDispose]();

    // All callers share one address, as behind an untrusted proxy, and nothing is cached yet.
    await using strict = await startTestService({ directory: directory.path, env });
    strict.feed.makeLive('BTC');
    await until('the coins are known', () => strict.logs.some((line) => line.includes('list of coins loaded')));
    const surfaces = {
      info: async (key: string) => (await postJson(`${strict.url}/info`, snapshot, bearer(key))).status,
      usage: async (key: string) => (await http(`${strict.url}/platform/usage/`, { headers: bearer(key) })).status,
      stream: async (key: string) => {
        const socket = new WebSocket(`${strict.url.replace('http', 'ws')}/ws?key=${key}`);
        const status = await upgradeStatus(socket);
        socket.terminate();
        return status;
      },
      signIn: async (body: object) => (await postJson(`${strict.url}/session`, body)).status,
    };
    const unknown = { api: createKey('api').key, service: createKey('service').key };
    for (let attempts = 0; attempts < 3; attempts += 1) expect(await surfaces.info(unknown.api)).toBe(401);
    const limited = async () => [
      await surfaces.info(unknown.api),
      await surfaces.usage(unknown.service),
      await surfaces.stream(unknown.api),
      await surfaces.signIn({ apiKey: unknown.api }),
      await surfaces.signIn({ serviceKey: unknown.service }),
      await surfaces.signIn({ token: createToken().token }),
    ];
    expect(await limited()).toEqual([429, 429, 429, 429, 429, 429]);

    const [fresh, freshService] = [await strict.key(team.id, 'api'), await strict.key(team.id, 'service')];
    for (const key of [team.api, fresh.key])
      expect([await surfaces.info(key), await surfaces.stream(key), await surfaces.signIn({ apiKey: key })]).toEqual([
        200, 101, 200,
      ]);
    for (const key of [team.service, freshService.key])
      expect([await surfaces.usage(key), await surfaces.signIn({ serviceKey: key })]).toEqual([200, 200]);
    const link = await demoSignInLink(strict.store, strict.url, strict.now(), 60_000);
    expect(await surfaces.signIn({ token: new URL(link).hash.replace('#token=', '') })).toBe(200);
    // A valid key of the wrong kind gets 403.
    expect([await surfaces.info(team.service), await surfaces.usage(team.api)]).toEqual([403, 403]);

    expect([
      await surfaces.info(revoked.key),
      await surfaces.usage(revokedService.key),
      await surfaces.stream(revoked.key),
      await surfaces.signIn({ apiKey: revoked.key }),
    ]).toEqual([401, 401, 401, 401]);
    expect(await limited()).toEqual([429, 429, 429, 429, 429, 429]);
  });

  it('[AUTH-25] do not include revoked ones in the count of an address', async () => {
    await using strict = await startTestService({ env: { AUTH_FAILURES_PER_MINUTE_MAX: '1' } });
    const team = await strict.account('team');
    const { id, key } = await strict.key(team.id, 'api');
    await strict.store.revokeCredential(id, strict.now());
    const ask = (wanted: string) => postJson(`${strict.url}/info`, snapshot, bearer(wanted));
    for (let calls = 0; calls < 4; calls += 1) expect((await ask(key)).status).toBe(401);
    expect((await ask(createKey('api').key)).status).toBe(401);
    expect((await ask(createKey('api').key)).status).toBe(429);
  });

  it('a forwarded request is logged as a warning once, without its content, if TRUST_PROXY is not set', async () => {
    await using plain = await startTestService();
    const warnings = () => plain.logs.filter((line) => line.includes('TRUST_PROXY'));
    await http(`${plain.url}/healthz`);
    expect(warnings()).toEqual([]);
    for (const headers of [{ forwarded: 'for=192.0.2.9' }, { 'x-forwarded-for': '192.0.2.9' }])
      await http(`${plain.url}/healthz`, { headers });
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toContain('"level":"warn"');
    expect(plain.logs.join('')).not.toContain('192.0.2.9');
    await using trusting = await startTestService({ env: { TRUST_PROXY: '1' } });
    await http(`${trusting.url}/healthz`, { headers: { 'x-forwarded-for': '192.0.2.9' } });
    expect(trusting.logs.join('')).not.toContain('TRUST_PROXY is not set');
  });
});
