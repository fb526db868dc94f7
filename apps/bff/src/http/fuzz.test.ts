import { Agent } from 'node:http';
import { ERROR_CODES, errorBody, INFO_KINDS } from '@l4desk/protocol';
import { fuzzRuns } from '@l4desk/testkit';
import { bearer, http, type RawResponse } from '@l4desk/testkit/service';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedService } from '../test-support/shared-service.ts';

const agent = new Agent({ keepAlive: true });
const rig = sharedService({ env: { BOOK_READY_TIMEOUT_MS: '0', AUTH_FAILURES_PER_MINUTE_MAX: '1000000' } });

beforeAll(() => rig.feed.makeLive('BTC'));

afterAll(() => agent.destroy());

/** Checks what must hold for every response: the specified form, no 500, no secret and no internal details. */
function check(response: RawResponse): void {
  expect(response.status).not.toBe(500);
  expect(response.text).not.toContain(rig.team.api.slice(4));
  expect(response.text).not.toContain(rig.team.service.slice(4));
  expect(response.text).not.toMatch(/node_modules|\n {4}at |apps\/bff|SQLITE/);
  if (response.status < 400 || response.text === '') return;
  const body = errorBody.parse(response.json());
  expect([body.code, body.msg]).toEqual([response.status, body.message]);
  expect(ERROR_CODES[body.error].status).toBe(response.status);
}

/** Text that a header can carry. */
const headerText = fc.stringMatching(/^[\x20-\x7e]{0,60}$/);

const coin = fc.oneof(
  fc.constantFrom('BTC', 'ETH', '@1', 'A/B', '#1', 'xyz:GOLD', '__proto__', 'constructor', ''),
  fc.string({ unit: 'binary', maxLength: 80 }),
);

const wallet = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(`0x${'a'.repeat(40)}`, `0x${'B'.repeat(40)}`) },
  fc.constantFrom(`0x${'g'.repeat(40)}`, '0x', `0x${'a'.repeat(41)}`, 'a'.repeat(40)),
  fc.jsonValue({ maxDepth: 1 }),
);

const time = fc.oneof(fc.integer({ min: -5, max: 2_000_000_000_000 }), fc.double(), fc.jsonValue({ maxDepth: 0 }));

/** A body of any kind, with valid, invalid or missing fields. */
const query = fc.record(
  {
    type: fc.constantFrom(...Object.keys(INFO_KINDS)),
    user: wallet,
    users: fc.oneof(fc.array(wallet, { maxLength: 55 }), fc.jsonValue({ maxDepth: 1 })),
    coin,
    dex: fc.oneof(fc.constantFrom('', 'xyz', null), fc.jsonValue({ maxDepth: 1 })),
    limit: time,
    startTime: time,
    endTime: time,
    oid: fc.oneof(fc.nat(), fc.constant(`0x${'1'.repeat(32)}`), fc.jsonValue({ maxDepth: 0 })),
    nSigFigs: time,
    mantissa: time,
  },
  { requiredKeys: ['type'] },
);

/** A value nested as deeply as a body allows. Recursive code that traverses it would overflow the stack. */
const deep = fc.nat(30_000).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`);
const deepField = fc.constantFrom('user', 'users', 'coin', 'dex', 'limit', 'startTime', 'endTime', 'oid', 'other');

const body = fc.oneof(
  fc
    .tuple(query, deepField, deep)
    .map(([value, name, text]) => `${JSON.stringify(value).slice(0, -1)},"${name}":${text}}`),
  { weight: 6, arbitrary: query.map((value) => JSON.stringify(value)) },
  fc.record({ type: fc.constant('l4BookSnapshot'), coin }).map((value) => JSON.stringify(value)),
  fc.record({ type: fc.constant('l4BookSnapshot'), coin: fc.jsonValue() }).map((value) => JSON.stringify(value)),
  fc.record({ type: fc.jsonValue() }).map((value) => JSON.stringify(value)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 200 }),
);

const authorization = fc.oneof(
  { weight: 4, arbitrary: fc.constant('the API key') },
  fc.constant('the ServiceKey'),
  headerText.map((text) => `Bearer ${text}`),
  headerText,
);

const contentType = fc.oneof(
  { weight: 4, arbitrary: fc.constant('application/json') },
  fc.constantFrom('application/json; charset=utf-8', 'text/plain', 'application/json; charset=utf-16', ''),
  headerText,
);

function authorised(text: string): string {
  if (text === 'the API key') return bearer(rig.team.api).authorization;
  return text === 'the ServiceKey' ? bearer(rig.team.service).authorization : text;
}

describe('arbitrary input', () => {
  it('[INFO-3, INFO-4, INFO-7] at /info gets a specified response', async () => {
    await fc.assert(
      fc.asyncProperty(body, authorization, contentType, headerText, async (bytes, credential, type, encoding) => {
        const headers = { authorization: authorised(credential), 'content-type': type, 'accept-encoding': encoding };
        check(await http(`${rig.url}/info`, { method: 'POST', agent, headers, body: bytes }));
      }),
      fuzzRuns(300),
    );
    expect(rig.logs.join('')).not.toContain('internal_error');
  });

  it('[UP-1, UP-15, INFO-7, BATCH-6] from the exchange results in a specified response', async () => {
    const text = fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.constantFrom('', 'null', '[]', '{}', '{"balances":[]}', '{"error":"at 10.0.0.1:3001"}', '[[5,"1.0"]]', '['),
      fc.string({ unit: 'binary' }),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    );
    const status = fc.oneof({ weight: 3, arbitrary: fc.constant(200) }, fc.constantFrom(204, 302, 400, 422, 500, 503));
    const response = fc.oneof(
      { weight: 8, arbitrary: fc.record({ status, text }) },
      fc.constantFrom('cut' as const, 'break' as const),
    );
    const kinds = Object.keys(INFO_KINDS).filter((type) => type !== 'l4BookSnapshot');
    const fields = { user: `0x${'a'.repeat(40)}`, coin: 'NOPE', startTime: 0, oid: 1 };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...kinds), response, async (type, said) => {
        const isBatch = type === 'batchSpotClearinghouseState' || type === 'batchClearinghouseState';
        const upstreamType = type === 'batchSpotClearinghouseState' ? 'spotClearinghouseState' : 'clearinghouseState';
        rig.exchange.responses.set(isBatch ? upstreamType : type, said);
        const asked = { type, ...fields, users: [fields.user] };
        const headers = { ...bearer(rig.team.api), 'content-type': 'application/json' };
        const response = await http(`${rig.url}/info`, {
          method: 'POST',
          agent,
          headers,
          body: JSON.stringify(asked),
        });
        check(response);
        expect(response.text).not.toContain('10.0.0.1');
        // The batch succeeds whatever the response for a wallet is, unless the upstream does not serve its kind (D63).
        const isRefused = typeof said === 'object' && [400, 422].includes(said.status);
        const expected = isRefused ? 501 : 200;
        expect(isBatch ? response.status : expected).toBe(expected);
        if (response.status === 200) JSON.parse(response.text);
      }),
      fuzzRuns(200),
    );
    expect(rig.logs.join('')).not.toContain('internal_error');
  });

  it('[USE-8, INFO-4, INFO-7] at the usage endpoint gets a specified response', async () => {
    const value = fc.oneof(
      fc.constantFrom('1', '3', '12', '2026-11-01', '2026-11-20', '2026-02-30', '0001-01-01', '9999-12-31', ''),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.integer().map(String),
    );
    const parameters = fc.dictionary(fc.constantFrom('duration', 'from', 'to', 'other'), value);
    const search = fc.oneof(
      parameters.map((fields) => new URLSearchParams(fields).toString()),
      fc.stringMatching(/^[!-~]{0,80}$/).map((text) => text.replaceAll('#', '')),
    );
    await fc.assert(
      fc.asyncProperty(search, authorization, async (query, credential) => {
        const headers = { authorization: authorised(credential) };
        const response = await http(`${rig.url}/platform/usage/?${query}`, { method: 'GET', agent, headers });
        check(response);
        expect([200, 400, 401, 403]).toContain(response.status);
      }),
      fuzzRuns(150),
    );
    expect(rig.logs.join('')).not.toContain('internal_error');
  });

  it('[AUTH-13] at /session never starts a session', async () => {
    const field = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.jsonValue());
    const value = fc.oneof(
      fc.record({ apiKey: field, serviceKey: field, token: field }, { requiredKeys: [] }),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(value, headerText, async (sent, cookie) => {
        const headers = { 'content-type': 'application/json', cookie: `l4desk_${rig.port}=${cookie}` };
        const response = await http(`${rig.url}/session`, {
          method: 'POST',
          agent,
          headers,
          body: JSON.stringify(sent),
        });
        check(response);
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(response.headers['set-cookie']).toBeUndefined();
      }),
      fuzzRuns(100),
    );
    expect(rig.logs.join('')).not.toContain('internal_error');
  });

  it('[INFO-28] at any path, with any method and origin, gets a specified response', async () => {
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD');
    const known = fc.constantFrom(
      '/',
      '/info',
      '/session',
      '/session/coins',
      '/session/wallets',
      '/session/usage',
      '/session/document',
      '/session/recordings',
      '/session/recordings/BTC-20261122T140000000Z.l4rec',
      '/healthz',
      '/readyz',
      '/metrics',
      '/ws',
      '/book/x',
      '/assets/x',
    );
    // Not correctly percent-encoded.
    const malformed = fc.constantFrom('/%', '%z', '/%4', '%ff', '/%c3%28', '%ed%a0%80', '/a%/b', '/%%');
    const path = fc.oneof(
      known,
      fc.webPath(),
      fc.tuple(known, fc.oneof(fc.webPath(), malformed)).map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(method, path, headerText, headerText, headerText, async (verb, at, origin, host, accept) => {
        const headers = { origin, accept, ...(host === '' ? {} : { host }) };
        const response = await http(`http://127.0.0.1:${rig.port}${at === '' ? '/' : at}`, {
          method: verb,
          agent,
          headers,
        });
        // The 503 of /readyz is not an error and has its own body.
        if (response.status === 503 && at.split(/[?#]/, 1)[0] === '/readyz') return;
        check(response);
        // This service has no dashboard; nothing else is unavailable.
        const away =
          response.status === 503 && response.text !== '' ? errorBody.parse(response.json()).error : undefined;
        expect([undefined, 'dashboard_not_built']).toContain(away);
      }),
      fuzzRuns(200),
    );
    expect(rig.logs.join('')).not.toContain('internal_error');
  });
});
