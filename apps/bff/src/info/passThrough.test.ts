import { gunzipSync } from 'node:zlib';
import { INFO_KINDS, PASS_THROUGH_REQUESTS } from '@l4desk/protocol';
import { leastRequests } from '@l4desk/testkit';
import { bearer, type FakeResponse, http } from '@l4desk/testkit/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InfoRig, startInfoRig, walletOf } from './test-support/info-rig.ts';

const user = walletOf(3);

const NEEDED = leastRequests(user);
const KINDS = Object.entries(NEEDED);

/** What the fake exchange knows a query by: a query of a dex by that too. */
function wordsOf(type: string, fields: { readonly dex?: string }): string {
  return fields.dex === undefined ? type : `${type} ${fields.dex}`;
}

let rig: InfoRig;

beforeAll(async () => {
  rig = await startInfoRig({ env: { BOOK_READY_TIMEOUT_MS: '0' } });
});

afterAll(() => rig[Symbol.asyncDispose]());

beforeEach(() => {
  rig.exchange.asked.length = 0;
});

describe('[INFO-25, INFO-38] the listed kinds', () => {
  it('are these', () => {
    expect(KINDS.map(([type]) => type)).toEqual(Object.keys(PASS_THROUGH_REQUESTS));
  });

  it.each(KINDS)(
    '[INFO-21, INFO-24] %s goes upstream with the fields the exchange knows, and its response comes back byte for byte',
    async (type, needed) => {
      const text = ` {"of" : "${type}", "n":1.000,"big":12345678901234567890}\n`;
      rig.respond(wordsOf(type, needed), { status: 200, text });
      const query = { type, ...needed };
      const response = await rig.ask({ ...query, unknown: { a: [1] } });
      expect([response.status, response.text]).toEqual([200, text]);
      expect(rig.exchange.asked).toEqual([query]);
      expect(rig.meter.last).toEqual({ operation: type, credits: 1, outcome: 'charged' });
    },
  );

  it('[INFO-21] what is sent beside them makes no call of its own: calls are shared whatever they carry', async () => {
    let letGo: (response: FakeResponse) => void = () => {};
    rig.respond('perpDexs', { until: new Promise((resolve) => (letGo = resolve)) });
    const before = rig.meter.calls.length;
    const calls = [1, 2, 3].map((n) => rig.ask({ type: 'perpDexs', n }));
    await expect.poll(() => rig.meter.calls.length - before).toBe(3);
    letGo({ json: [] });
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(rig.asked('perpDexs')).toEqual([{ type: 'perpDexs' }]);
  });

  it.each([3_000, 12_000, 32_000])(
    '[INFO-21] %i levels in a field that nobody asked for are ignored',
    async (depth) => {
      const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      for (const type of Object.keys(INFO_KINDS)) {
        const words = wordsOf(type, NEEDED[type as keyof typeof NEEDED] ?? {});
        rig.respond(words, { json: type === 'perpDexs' ? [null] : {} });
        const fields = {
          ...NEEDED[type as keyof typeof NEEDED],
          users: [user],
          user,
          coin: 'BTC',
          startTime: 0,
          oid: 1,
        };
        const response = await http(`${rig.service.url}/info`, {
          method: 'POST',
          headers: { ...bearer(rig.key), 'content-type': 'application/json' },
          body: `{"other":${nested},${JSON.stringify({ type, ...fields }).slice(1)}`,
        });
        // 502 where the least response above is not of the kind's shape, 503 where there is no book: both past the body.
        expect([200, 502, 503]).toContain(response.status);
      }
      expect(rig.service.logs.join('')).not.toContain('internal_error');
    },
  );

  it('[INFO-20] wallets go in lower case', async () => {
    rig.respond('clearinghouseState', { json: {} });
    await rig.ask({ type: 'clearinghouseState', user: `0x${user.slice(2).toUpperCase()}` });
    expect(rig.exchange.asked).toEqual([{ type: 'clearinghouseState', user }]);
  });

  it('[INFO-19] a wallet that is none is refused', async () => {
    for (const type of ['frontendOpenOrders', 'spotClearinghouseState', 'clearinghouseState', 'userFunding'])
      expect(rig.errorOf(await rig.ask({ type, user: '0x1' }))).toMatchObject({ path: 'user' });
    expect(rig.exchange.asked).toEqual([]);
  });
});

describe('failures', () => {
  it.each<[string, FakeResponse, string]>([
    ['HTTP 500', { status: 500, text: 'null' }, 'upstream_error'],
    ['HTTP 503', { status: 503, text: '' }, 'upstream_error'],
    ['HTTP 404', { status: 404, text: '' }, 'upstream_error'],
    ['a redirect', { status: 307, text: '', headers: { location: 'http://localhost/' } }, 'upstream_error'],
    ['half a response', { status: 200, text: '{"universe":[' }, 'upstream_error'],
    ['a page', { status: 200, text: '<!doctype html><html></html>' }, 'upstream_error'],
    ['nothing', { status: 200, text: '' }, 'upstream_error'],
    ['an error instead of a response', { json: { error: 'at 10.0.0.1' } }, 'upstream_error'],
    ['a large response without its end', { status: 200, text: `[${'1,'.repeat(50_000)}1` }, 'upstream_error'],
    ['a cut connection', 'cut', 'upstream_error'],
    ['a response that breaks off', 'break', 'upstream_error'],
    ['429 past the deadline', { status: 429, text: '', headers: { 'retry-after': '50' } }, 'upstream_busy'],
    ['fields the exchange does not take', { status: 422, text: 'Failed to deserialize' }, 'invalid_request'],
  ])('[UP-1, UP-3] %s is %s: not charged, and no word of a host', async (_, reply, code) => {
    rig.respond('allMids', reply);
    const response = await rig.ask({ type: 'allMids' });
    expect(rig.errorOf(response).error).toBe(code);
    expect(response.headers['retry-after']).toBe(code === 'upstream_busy' ? '50' : undefined);
    expect(rig.meter.last).toMatchObject({ operation: 'allMids', outcome: 'released' });
  });

  it('[UP-2] no response in time is upstream_timeout', async () => {
    await using hasty = await startInfoRig({ env: { UPSTREAM_TIMEOUT_MS: '100', UNIVERSE_REFRESH_MS: '1000' } });
    hasty.respond('allMids', 'hang');
    expect(hasty.errorOf(await hasty.ask({ type: 'allMids' }))).toMatchObject({
      error: 'upstream_timeout',
      message: 'The exchange did not respond within 100 ms.',
    });
    expect(hasty.meter.last).toMatchObject({ outcome: 'released' });
  });

  it('[UP-3, UP-4] a request limit used up is upstream_busy with Retry-After', async () => {
    await using counted = await startInfoRig({ upstream: { weightPerMinute: 62, now: () => 0 } });
    counted.respond('allMids', { json: {} });
    // The list of coins took 60.
    expect((await counted.ask({ type: 'allMids' })).status).toBe(200);
    const response = await counted.ask({ type: 'allMids' });
    expect(counted.errorOf(response).error).toBe('upstream_busy');
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('compression', () => {
  const large = JSON.stringify({ mids: Array.from({ length: 3_000 }, (_, n) => `${n}.0`) });

  it('[INFO-2] a large response is compressed for who asks for it', async () => {
    rig.respond('allMids', { status: 200, text: large });
    const response = await rig.ask({ type: 'allMids' }, { 'accept-encoding': 'gzip' });
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(response.bytes).toString()).toBe(large);
    expect((await rig.ask({ type: 'allMids' })).text).toBe(large);
  });

  it('[INFO-2] a small one is not', async () => {
    rig.respond('allMids', { json: { BTC: '1.0' } });
    const response = await rig.ask({ type: 'allMids' }, { 'accept-encoding': 'gzip' });
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(response.headers.vary).toContain('Accept-Encoding');
  });
});

it('[INFO-23] each call returns the state at its own time', async () => {
  let count = 0;
  rig.respond('allMids', () => ({ json: { count: (count += 1) } }));
  const responses = [];
  for (let n = 0; n < 3; n += 1) responses.push((await rig.ask({ type: 'allMids' })).text);
  expect(responses).toEqual(['{"count":1}', '{"count":2}', '{"count":3}']);
});

it('[INFO-23] calls that share a response under way are each charged', async () => {
  let letGo: (response: FakeResponse) => void = () => {};
  rig.respond('allMids', { until: new Promise((resolve) => (letGo = resolve)) });
  const before = rig.meter.calls.length;
  const calls = [1, 2, 3].map(() => rig.ask({ type: 'allMids' }));
  await expect.poll(() => rig.meter.calls.length - before).toBe(3);
  letGo({ json: { one: '1' } });
  expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(Array(3).fill('{"one":"1"}'));
  expect(rig.asked('allMids')).toHaveLength(1);
  expect(rig.meter.calls.slice(before).map(({ outcome }) => outcome)).toEqual(Array(3).fill('charged'));
});
