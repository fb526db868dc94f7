import { Agent } from 'node:http';
import { errorBody, HTTP_ERRORS } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, http, type RawAnswer } from '../test-support/http.ts';
import { startTestService, type TestService } from '../test-support/test-service.ts';

const agent = new Agent({ keepAlive: true });
let desk: TestService;
let account: Awaited<ReturnType<TestService['account']>>;

beforeAll(async () => {
  desk = await startTestService({ env: { BOOK_READY_TIMEOUT_MS: '0', AUTH_FAILURES_PER_MINUTE_MAX: '1000000' } });
  account = await desk.account('team');
  desk.feed.makeLive('BTC');
});

afterAll(async () => {
  agent.destroy();
  await desk[Symbol.asyncDispose]();
});

/** What holds for every answer to anything: the decided shape, no failure of ours, no secret, no trace of the inside. */
function check(answer: RawAnswer): void {
  expect(answer.status).not.toBe(500);
  expect(answer.text).not.toContain(account.api.slice(4));
  expect(answer.text).not.toContain(account.service.slice(4));
  expect(answer.text).not.toMatch(/node_modules|\n {4}at |apps\/bff|SQLITE/);
  if (answer.status < 400 || answer.text === '') return;
  const body = errorBody.parse(answer.json());
  expect([body.code, body.msg]).toEqual([answer.status, body.message]);
  expect(HTTP_ERRORS[body.error]).toBe(answer.status);
}

/** Text that a header can carry. */
const headerText = fc.stringMatching(/^[\x20-\x7e]{0,60}$/);

const coin = fc.oneof(
  fc.constantFrom('BTC', 'ETH', '@1', 'A/B', '#1', 'xyz:GOLD', '__proto__', 'constructor', ''),
  fc.string({ unit: 'binary', maxLength: 80 }),
);

const body = fc.oneof(
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
  if (text === 'the API key') return bearer(account.api).authorization;
  return text === 'the ServiceKey' ? bearer(account.service).authorization : text;
}

describe('anything at all', () => {
  it('[INFO-3, INFO-4, INFO-7] at /info is answered as decided', async () => {
    await fc.assert(
      fc.asyncProperty(body, authorization, contentType, headerText, async (bytes, credential, type, encoding) => {
        const headers = { authorization: authorised(credential), 'content-type': type, 'accept-encoding': encoding };
        check(await http(`${desk.url}/info`, { method: 'POST', agent, headers, body: bytes }));
      }),
      { numRuns: 800 },
    );
    expect(desk.logs.join('')).not.toContain('internal_error');
  });

  it('[AUTH-13] at /session gives nobody a session', async () => {
    const field = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.jsonValue());
    const value = fc.oneof(
      fc.record({ apiKey: field, serviceKey: field, token: field }, { requiredKeys: [] }),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(value, headerText, async (sent, cookie) => {
        const headers = { 'content-type': 'application/json', cookie: `l4desk_${desk.port}=${cookie}` };
        const answer = await http(`${desk.url}/session`, {
          method: 'POST',
          agent,
          headers,
          body: JSON.stringify(sent),
        });
        check(answer);
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }),
      { numRuns: 300 },
    );
    expect(desk.logs.join('')).not.toContain('internal_error');
  });

  it('[INFO-28] at any path, by any method and from any origin, is answered as decided', async () => {
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD');
    const known = fc.constantFrom(
      '/',
      '/info',
      '/session',
      '/session/coins',
      '/session/wallets',
      '/healthz',
      '/readyz',
      '/metrics',
      '/book/x',
      '/assets/x',
    );
    const path = fc.oneof(
      known,
      fc.webPath(),
      fc.tuple(known, fc.webPath()).map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(method, path, headerText, headerText, headerText, async (verb, at, origin, host, accept) => {
        const headers = { origin, accept, ...(host === '' ? {} : { host }) };
        const answer = await http(`http://127.0.0.1:${desk.port}${at === '' ? '/' : at}`, {
          method: verb,
          agent,
          headers,
        });
        if (answer.status !== 503) check(answer);
      }),
      { numRuns: 500 },
    );
    expect(desk.logs.join('')).not.toContain('internal_error');
  });
});
