import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { errorBody } from '@l4desk/protocol';
import { bearer, startTestService, type TestService } from '@l4desk/testkit/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let rig: TestService;
let key: string;

beforeAll(async () => {
  rig = await startTestService();
  key = (await rig.account('team')).api;
});

afterAll(() => rig[Symbol.asyncDispose]());

/** Requests a path exactly as given. `fetch` and `URL` would normalise it. */
async function respond(method: string, path: string, headers: Readonly<Record<string, string>>) {
  const { port } = rig;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers, agent: false }, resolve).once('error', reject).end();
  });
  return { status: response.statusCode, type: response.headers['content-type'], body: await text(response) };
}

/** Every path of the service, and the place of its parameter if it has one. */
const PATHS = [
  '/session/recordings/*',
  '/session/recordings/BTC*.l4rec',
  '/session/recordings*',
  '/session*',
  '/session/coins*',
  '/session/wallets*',
  '/session/usage*',
  '/session/document*',
  '/info*',
  '/ws*',
  '/platform/usage/*',
  '/platform/usage*',
  '/healthz*',
  '/readyz*',
  '/metrics*',
  '/docs/*',
  '/openapi.json*',
  '/asyncapi.json*',
  '/assets/*',
  '/nowhere/*',
  '//*',
  'http://x/session/recordings/*',
  'http://[*',
];

/** Text that `decodeURIComponent` rejects. */
const MALFORMED = ['%', '%z', '%4', '%ff', '%c3%28', '%e2%82', '%ed%a0%80', '%u0041', 'a%/b', '%%', '%2'];

describe('[INFO-4, INFO-7] a path that is not correctly percent-encoded', () => {
  it.each(PATHS)('gets the error body and no stack: %s', async (path) => {
    for (const malformed of MALFORMED)
      for (const method of ['GET', 'POST', 'DELETE'])
        for (const headers of [{}, bearer(key)]) {
          const at = path.replace('*', malformed);
          const { status, type, body } = await respond(method, at, headers);
          expect([at, method, [400, 401, 404, 405].includes(status ?? 0)]).toEqual([at, method, true]);
          expect(type).toBe('application/json');
          expect(errorBody.parse(JSON.parse(body)).code).toBe(status);
        }
    expect(rig.logs.filter((line) => line.includes('"stack"') || line.includes('internal_error'))).toEqual([]);
  });

  it('is 400 at a path with a parameter', async () => {
    const { status, body } = await respond('GET', '/session/recordings/%', {});
    expect([status, errorBody.parse(JSON.parse(body)).error]).toEqual([400, 'invalid_request']);
  });
});
