import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { type RecordedFile, readiness, sessionRecordings } from '@l4desk/protocol';
import type { Recordings, RecordingsHealth } from '@l4desk/recording/recorder';
import { temporaryDirectory, until } from '@l4desk/testkit';
import { http, postJson, startTestService, type TestService } from '@l4desk/testkit/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookieOf } from '../test-support/shared-service.ts';

const NAME = 'BTC-20261122T140000000Z.l4rec';
/** More than a socket buffers without being read. */
const CONTENT = Buffer.alloc(24_000_000, 'recorded ');

const FILE: RecordedFile = {
  name: NAME,
  coin: 'BTC',
  source: 'a test',
  from: 5,
  to: 9,
  createdAt: 1,
  changedAt: 2,
  bytes: CONTENT.length,
  gaps: 0,
  state: 'complete',
};

const HEALTH: RecordingsHealth = {
  coins: [{ coin: 'BTC', state: 'failed', since: 1, height: 9, file: null, problem: 'the disk is full' }],
  files: 1,
  fileBytes: CONTENT.length,
  counters: { blocks: 4, filesBegun: 1, filesRemoved: 0, gaps: 2, failures: 3, fallenBehind: 0 },
};

let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
let rig: TestService;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = await temporaryDirectory();
  const path = join(folder.path, 'recordings');
  mkdirSync(path);
  writeFileSync(join(path, NAME), CONTENT);
  writeFileSync(join(folder.path, 'secret'), 'a secret');
  const recordings: Recordings = {
    health: () => HEALTH,
    list: async () => [FILE],
    pathOf: (name) => (/^[\w-]+\.l4rec$/.test(name) ? join(path, name) : undefined),
    [Symbol.asyncDispose]: async () => {},
  };
  rig = await startTestService({ recordings });
  const { api } = await rig.account('team');
  const response = await postJson(`${rig.url}/session`, { apiKey: api }, { origin: rig.url });
  headers = { cookie: cookieOf(response), 'sec-fetch-site': 'same-origin' };
});

afterAll(async () => {
  await rig[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const address = (name = NAME) => `${rig.url}/session/recordings/${name}`;

const get = (url: string, more: Readonly<Record<string, string>> = {}, method = 'GET') =>
  http(url, { method, headers: { ...headers, ...more } });

/** A download whose client reads nothing. */
async function unread(): Promise<IncomingMessage> {
  const outgoing = request(address(), { headers, agent: false });
  outgoing.end();
  const [response] = await once(outgoing, 'response');
  return response;
}

describe('the recordings of a service', () => {
  it('are listed only for signed-in users', async () => {
    const response = await http(`${rig.url}/session/recordings`, { headers });
    expect(sessionRecordings.parse(response.json()).recordings).toEqual([FILE]);
    for (const url of [`${rig.url}/session/recordings`, address()]) {
      expect((await http(url)).status).toBe(401);
      expect((await http(url, { headers: { ...headers, 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
      expect((await http(url, { method: 'POST', headers: { ...headers, origin: rig.url } })).status).toBe(405);
    }
  });

  it('are sent whole, or as the requested range', async () => {
    const whole = await get(address());
    expect([whole.status, whole.bytes.equals(CONTENT)]).toEqual([200, true]);
    expect(whole.headers['content-disposition']).toBe(`attachment; filename="${NAME}"`);
    expect(whole.headers['cache-control']).toBe('no-store');
    const last = CONTENT.length - 1;
    for (const [range, from, to] of [
      ['bytes=0-0', 0, 0],
      ['bytes=100-199', 100, 199],
      ['bytes=23999990-', 23_999_990, last],
      ['bytes=-5', last - 4, last],
      ['bytes=23999990-99999999', 23_999_990, last],
    ] as const) {
      const part = await get(address(), { range });
      expect([range, part.status, part.headers['content-range']]).toEqual([
        range,
        206,
        `bytes ${from}-${to}/${CONTENT.length}`,
      ]);
      expect(part.bytes.equals(CONTENT.subarray(from, to + 1))).toBe(true);
    }
    for (const range of ['bytes=0-1,3-4', 'lines=1-2'])
      expect([range, (await get(address(), { range }, 'HEAD')).status]).toEqual([range, 200]);
    expect((await get(address(), { range: `bytes=${CONTENT.length}-` })).status).toBe(416);
    const head = await get(address(), {}, 'HEAD');
    expect([head.bytes.length, head.headers['content-length']]).toEqual([0, String(CONTENT.length)]);
  });

  it('are the only files that can be downloaded', async () => {
    for (const name of [
      'other.l4rec',
      'secret',
      '..%2fsecret',
      '%2e%2e/secret',
      '..%5csecret',
      '',
      '%00',
      'a%2fb.l4rec',
    ])
      expect([name, (await get(address(name))).status]).toEqual([name, 404]);
    expect((await get(address('%'))).status).toBe(400);
  });

  it('can be downloaded twice at a time per account', async () => {
    const underWay = [await unread(), await unread()];
    const refused = await http(address(), { headers });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    for (const response of underWay) response.destroy();
    await until('the downloads are over', async () => (await get(address(), {}, 'HEAD')).status === 200);
  });

  it('are reported in /readyz and /metrics if they cannot be written', async () => {
    rig.feed.makeLive('BTC');
    const state = readiness.parse((await http(`${rig.url}/readyz`)).json());
    expect(state.recordings).toEqual(HEALTH.coins);
    expect(state.warnings).toContain('BTC is not recorded: the disk is full');
    const metrics = (await http(`${rig.url}/metrics`)).text;
    expect(metrics).toContain('l4desk_recording_coins{state="failed"} 1');
    expect(metrics).toContain('l4desk_recording_coins{state="recording"} 0');
    expect(metrics).toContain('l4desk_recording_events_total{event="failures"} 3');
  });
});
