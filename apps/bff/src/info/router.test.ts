import { request as send } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createKey } from '@l4desk/ledger';
import { type ERROR_CODES, l4BookSnapshot } from '@l4desk/protocol';
import { collectGarbage, until } from '@l4desk/testkit';
import {
  bearer,
  fakeSnapshot,
  http,
  postJson,
  type RawRequest,
  type RawResponse,
  startTestService,
} from '@l4desk/testkit/service';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedInfoRig, walletOf } from './test-support/info-rig.ts';

const rig = sharedInfoRig({ env: { BOOK_READY_TIMEOUT_MS: '200', AUTH_FAILURES_PER_MINUTE_MAX: '1000000' } });
let auth: { readonly authorization: string };
const snapshotOf = (coin: unknown) => ({ type: 'l4BookSnapshot', coin });

beforeAll(() => {
  auth = bearer(rig.key);
  for (const coin of ['BTC', 'ETH', 'xyz:GOLD']) rig.service.feed.makeLive(coin);
});

beforeEach(() => {
  rig.service.feed.asked.length = 0;
});

/** Calls `/info`, with a key by default. */
const info = (request: RawRequest): Promise<RawResponse> =>
  http(`${rig.service.url}/info`, {
    method: 'POST',
    ...request,
    headers: { ...auth, 'content-type': 'application/json', ...request.headers },
  });

/** Headers that the service may send. None reveals its software. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set([
  'allow',
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'etag',
  'keep-alive',
  'upgrade',
  'vary',
  'www-authenticate',
  'x-request-id',
  // Set by helmet.
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]);

describe('responses', () => {
  it('[INFO-1, INFO-2, SNAP-1, SNAP-2, AUTH-1] to a snapshot query are 200 and JSON', async () => {
    const response = await rig.ask(snapshotOf('BTC'));
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json()).toEqual(fakeSnapshot('BTC'));
    expect(l4BookSnapshot.safeParse(response.json()).success).toBe(true);
  });

  it('[SNAP-22] to a snapshot query come from our own book, without an upstream call', async () => {
    await rig.ask(snapshotOf('BTC'));
    expect(rig.service.feed.asked).toEqual([{ coin: 'BTC', encoding: 'identity' }]);
    expect(JSON.stringify(rig.exchange.asked)).not.toContain('l4BookSnapshot');
  });

  it('[SNAP-1] include builder markets, requested with their prefix', async () => {
    expect((await rig.ask(snapshotOf('xyz:GOLD'))).json()).toEqual(fakeSnapshot('xyz:GOLD'));
  });

  it('[INFO-21] ignore a query string', async () => {
    expect((await postJson(`${rig.service.url}/info?version=2`, snapshotOf('BTC'), auth)).status).toBe(200);
  });

  it.each(['utf8', '"utf-8"', '"UTF8"; x=1'])('[INFO-13] read a body with the charset %s', async (charset) => {
    const headers = { ...auth, 'content-type': `application/json; charset=${charset}` };
    const body = JSON.stringify(snapshotOf('BTC'));
    expect((await http(`${rig.service.url}/info`, { method: 'POST', headers, body })).status).toBe(200);
  });

  it('[INFO-27] have no header that names a version or the software', async () => {
    const names = new Set<string>();
    for (const path of ['/info', '/healthz', '/readyz', '/nope', '/', '/docs', '/session', '/ws', '/platform/usage/'])
      for (const method of ['GET', 'POST', 'OPTIONS'])
        for (const name of Object.keys((await http(`${rig.service.url}${path}`, { method })).headers)) names.add(name);
    for (const name of Object.keys((await rig.ask(snapshotOf('BTC'))).headers)) names.add(name);
    const socket = connect(rig.service.port, '127.0.0.1');
    socket.end('NONSENSE\r\n\r\n');
    for (const [, name = ''] of (await text(socket)).matchAll(/^([\w-]+): /gm)) names.add(name.toLowerCase());
    const said = [...names].filter((name) => !PLAIN_HEADERS.has(name));
    expect(said).toEqual([]);
  });

  it.each([
    [undefined, undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['gzip;q=0', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['*', 'gzip'],
    ['BR', 'br'],
    ['gzip;q=nonsense', undefined],
  ])('[INFO-2] to Accept-Encoding %s have the encoding %s', async (accepted, encoding) => {
    const response = await rig.ask(snapshotOf('BTC'), accepted === undefined ? {} : { 'accept-encoding': accepted });
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(response.headers.vary).toContain('Accept-Encoding');
    const text =
      encoding === 'br'
        ? brotliDecompressSync(response.bytes)
        : encoding === 'gzip'
          ? gunzipSync(response.bytes)
          : response.bytes;
    expect(JSON.parse(text.toString())).toEqual(fakeSnapshot('BTC'));
  });
});

describe('bad requests', () => {
  const json = JSON.stringify(snapshotOf('BTC'));
  const padded = (bytes: number) => `${json}${' '.repeat(bytes - json.length)}`;

  /** The error of a bad request, and the number of upstream and feed calls made for it (INFO-18). */
  async function outcome(request: RawRequest): Promise<object> {
    const asked = rig.exchange.asked.length;
    const error = rig.errorOf(await info(request));
    return { ...error, forwarded: rig.service.feed.asked.length + rig.exchange.asked.length - asked };
  }

  const refusal = (error: keyof typeof ERROR_CODES, more: object = {}) =>
    expect.objectContaining({ error, ...more, forwarded: 0 });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('[INFO-14] with %s are 405', async (method) => {
    expect(await outcome({ method })).toEqual(refusal('method_not_allowed'));
  });

  it.each<[string, string | Uint8Array]>([
    ['an empty body', ''],
    ['half an object', '{"type":'],
    ['a trailing comma', '{"type":"l4BookSnapshot",}'],
    ['two values', '{} {}'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['NaN', '{"type":NaN}'],
  ])('[INFO-10, INFO-18] with %s are invalid_json', async (_, body) => {
    expect(await outcome({ body })).toEqual(refusal('invalid_json'));
  });

  it.each<[string, RawRequest]>([
    ['a byte over 64 KiB', { body: padded(65_537) }],
    ['a megabyte', { body: padded(1_048_576) }],
    ['a byte over without a content length', { body: padded(65_537), headers: { 'transfer-encoding': 'chunked' } }],
  ])('[INFO-12] with %s are body_too_large', async (_, request) => {
    expect(await outcome(request)).toEqual(refusal('body_too_large'));
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['text', { 'content-type': 'text/plain' }],
    ['another media type', { 'content-type': 'application/jsonp' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another charset', { 'content-type': 'application/json; charset=latin1' }],
    ['a compressed body', { 'content-encoding': 'gzip' }],
  ])('[INFO-13] with %s are unsupported_media_type', async (_, headers) => {
    expect(await outcome({ body: json, headers })).toEqual(refusal('unsupported_media_type'));
  });

  it.each(['candles', '', 'L4BOOKSNAPSHOT', '__proto__', 'constructor'])(
    '[INFO-15, INFO-16] with the type "%s" are unsupported_type and echo it',
    async (type) => {
      expect(await outcome({ body: JSON.stringify({ type, coin: 'BTC' }) })).toEqual(
        refusal('unsupported_type', { type }),
      );
    },
  );

  it.each([
    [{ type: 'l4BookSnapshot' }, 'The field coin is missing.'],
    [snapshotOf(1), 'The field coin must be a string.'],
    [snapshotOf(''), 'The field coin must not be empty.'],
    [snapshotOf('x'.repeat(65)), 'The field coin must be at most 64 characters long.'],
    [
      { type: 'userFills', user: walletOf(1), aggregateByTime: 'true' },
      'The field aggregateByTime must be true or false.',
    ],
  ])('[INFO-17] like %j get the message: %s', async (body, message) => {
    expect(rig.errorOf(await rig.ask(body)).message).toBe(message);
  });

  it('[INFO-12] do not include a body of exactly 64 KiB', async () => {
    expect((await info({ body: padded(65_536) })).status).toBe(200);
    expect((await info({ body: padded(65_536), headers: { 'transfer-encoding': 'chunked' } })).status).toBe(200);
  });

  it('[INFO-28] to an unknown path get 404 with the error body, with and without a key', async () => {
    for (const path of [
      '/nope',
      '/info/',
      '/INFO',
      '//info',
      '/info/x',
      '/exchange',
      '//exchange',
      '/platform/usage',
      '/v1/info',
    ]) {
      for (const headers of [auth, {}]) {
        const response = await http(`http://127.0.0.1:${rig.service.port}${path}`, {
          method: 'POST',
          headers,
          body: '{}',
        });
        const { error, message } = rig.errorOf(response);
        expect([path, error]).toEqual([path, 'not_found']);
        expect(message.includes('exactly /info')).toBe(['/info/', '/INFO', '//info'].includes(path));
        expect(message.includes('read-only')).toBe(['/exchange', '//exchange'].includes(path));
      }
    }
  });
});

describe('credentials', () => {
  const withHeaders = (headers: Readonly<Record<string, string>>) =>
    postJson(`${rig.service.url}/info`, snapshotOf('BTC'), headers);

  it.each<[string, Readonly<Record<string, string>>]>([
    ['an empty header', { authorization: '' }],
    ['a blank key', { authorization: 'Bearer  ' }],
    ['two keys', { authorization: 'Bearer a b' }],
    ['an unknown ServiceKey', { authorization: `Bearer ${createKey('service').key}` }],
    ['an unknown session cookie', { cookie: `l4desk=${'a'.repeat(43)}` }],
  ])('[AUTH-4] with %s get 401 with WWW-Authenticate', async (_, headers) => {
    const response = await withHeaders(headers);
    expect(rig.errorOf(response).error).toBe('unauthorized');
    expect(response.headers['www-authenticate']).toBe('Bearer');
  });

  it('[AUTH-24] in the query string do not work', async () => {
    const reply = await postJson(`${rig.service.url}/info?key=${rig.key}`, snapshotOf('BTC'));
    expect(rig.errorOf(reply).error).toBe('unauthorized');
  });

  it('[AUTH-1] may have the scheme in any letter case', async () => {
    expect((await withHeaders({ authorization: `bearer ${rig.key}` })).status).toBe(200);
  });

  it('[AUTH-1] work with any host name and origin', async () => {
    expect(
      (await withHeaders({ ...auth, host: 'desk.internal:1234', origin: 'https://elsewhere.example' })).status,
    ).toBe(200);
  });
});

describe('waiting for a book', () => {
  it('[SNAP-17] ends as soon as the book is ready', async () => {
    await using slow = await startTestService({ env: { BOOK_READY_TIMEOUT_MS: '20000' } });
    const { api } = await slow.account('team');
    const response = postJson(`${slow.url}/info`, snapshotOf('ETH'), bearer(api));
    await until('the call waits', () => slow.feed.waiting === 1);
    slow.feed.makeLive('ETH');
    expect((await response).json()).toEqual(fakeSnapshot('ETH'));
  });

  it('[SNAP-18] ends with 503 and Retry-After if the book is not ready at the deadline, even after garbage collection', async () => {
    await using slow = await startTestService({ env: { BOOK_READY_TIMEOUT_MS: '1000' } });
    const { api } = await slow.account('team');
    await until('the coins are known', () => slow.logs.some((line) => line.includes('list of coins loaded')));
    const call = postJson(`${slow.url}/info`, snapshotOf('ETH'), bearer(api));
    await until('the call waits', () => slow.feed.waiting === 1);
    for (let count = 0; count < 3; count += 1) {
      collectGarbage();
      await setImmediate();
    }
    const response = await call;
    expect(rig.errorOf(response).error).toBe('book_not_ready');
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('[SNAP-17] is for books that are not ready: a live one is served even without any time', async () => {
    await using hasty = await startTestService({ env: { BOOK_READY_TIMEOUT_MS: '0' } });
    const { api } = await hasty.account('team');
    await until('the coins are known', () => hasty.logs.some((line) => line.includes('list of coins loaded')));
    hasty.feed.makeLive('BTC');
    expect((await postJson(`${hasty.url}/info`, snapshotOf('BTC'), bearer(api))).json()).toEqual(fakeSnapshot('BTC'));
  });

  it('[SNAP-18] ends with 503 if the coin list was never loaded', async () => {
    await using blind = await startTestService({
      env: { BOOK_READY_TIMEOUT_MS: '50' },
      prepare: (exchange) => exchange.responses.clear(),
    });
    const { api } = await blind.account('team');
    const response = await postJson(`${blind.url}/info`, snapshotOf('BTC'), bearer(api));
    expect(rig.errorOf(response)).toMatchObject({
      error: 'book_not_ready',
      message: expect.stringContaining('list of coins'),
    });
    const spot = await postJson(`${blind.url}/info`, snapshotOf('@1'), bearer(api));
    expect(rig.errorOf(spot).error).toBe('unsupported_coin');
  });

  it('[SNAP-16, SNAP-17] includes waiting for the coin list', async () => {
    await using late = await startTestService({
      env: { BOOK_READY_TIMEOUT_MS: '20000' },
      prepare: (exchange) => exchange.responses.set('meta', { status: 503, text: '' }),
    });
    late.feed.makeLive('BTC');
    const { api } = await late.account('team');
    await until('the first reading fails', () =>
      late.logs.some((line) => line.includes('loading the list of coins failed')),
    );
    const response = postJson(`${late.url}/info`, snapshotOf('BTC'), bearer(api));
    late.exchange.responses.set('meta', { json: { universe: [{ name: 'BTC', szDecimals: 5, maxLeverage: 40 }] } });
    expect((await response).status).toBe(200);
  });

  it('is given up when the client disconnects', async () => {
    await using slow = await startTestService({ env: { BOOK_READY_TIMEOUT_MS: '60000' } });
    const { api } = await slow.account('team');
    const call = send(`${slow.url}/info`, {
      method: 'POST',
      headers: { ...bearer(api), 'content-type': 'application/json' },
    });
    call.on('error', () => {});
    call.end(JSON.stringify(snapshotOf('ETH')));
    await until('the call waits', () => slow.feed.waiting === 1);
    call.destroy();
    await until('the wait ends', () => slow.feed.abandoned.length === 1);
    const line = await until('the log tells', () => slow.logs.find((text) => text.includes('"status":499')));
    expect(JSON.parse(line)).toMatchObject({ msg: 'client disconnected' });
  });

  it('[INFO-7] ends with 500 on an unexpected failure, whose details are only logged', async () => {
    rig.service.feed.failure = new Error('the disk of db.internal is full');
    const body = rig.errorOf(await rig.ask(snapshotOf('BTC')));
    rig.service.feed.failure = undefined;
    expect(body.error).toBe('internal_error');
    expect(JSON.stringify(body)).not.toContain('db.internal');
    await until('the log tells', () => rig.service.logs.some((line) => line.includes('db.internal')));
  });
});

describe('other sites', () => {
  it('get no CORS header unless CORS_ORIGINS is set', async () => {
    const response = await rig.ask(snapshotOf('BTC'), { origin: 'https://app.example' });
    expect(JSON.stringify(response.headers)).not.toContain('access-control');
  });

  it('that are configured may call with their own key, and may read errors', async () => {
    await using open = await startTestService({ env: { CORS_ORIGINS: 'https://app.example' } });
    const { api } = await open.account('team');
    open.feed.makeLive('BTC');
    const origin = 'https://app.example';
    const preflight = await http(`${open.url}/info`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'Authorization,Content-Type',
    });
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
    const response = await postJson(`${open.url}/info`, snapshotOf('BTC'), { origin, ...bearer(api) });
    expect(response.headers['access-control-allow-origin']).toBe(origin);
    expect(response.headers.vary).toContain('Origin');
    const refused = await postJson(`${open.url}/info`, snapshotOf('BTC'), { origin });
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, origin]);
    const stranger = await postJson(`${open.url}/info`, snapshotOf('BTC'), {
      origin: 'https://evil.example',
      ...bearer(api),
    });
    expect(stranger.headers['access-control-allow-origin']).toBeUndefined();
  });
});
