import { gunzipSync } from 'node:zlib';
import { INFO_KINDS, PASSED_KINDS } from '@l4desk/protocol';
import { bearer, type FakeResponse, http } from '@l4desk/testkit/service';
import { describe, expect, it } from 'vitest';
import { sharedInfoRig, startInfoRig, walletOf } from './test-support/info-rig.ts';

const user = walletOf(3);

const KINDS = Object.entries(PASSED_KINDS).map(([type, { plain }]): [string, object] => [type, plain]);

function plainOf(type: string): object {
  return KINDS.find(([kind]) => kind === type)?.[1] ?? {};
}

/** The fake exchange's name for a query: its type, and its dex if it has one. */
function wordsOf(type: string, fields: object): string {
  const words = { user: '', dex: '', ...fields };
  return [type, words.dex].filter((word) => word !== '').join(' ');
}

const rig = sharedInfoRig({ env: { BOOK_READY_TIMEOUT_MS: '0' } });

describe('[INFO-25, INFO-38] the listed kinds', () => {
  it.each(KINDS)(
    '[INFO-21, INFO-24] %s is sent upstream with only the known fields, and its response is returned byte for byte',
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

  it('[INFO-21] share one call even if their unknown fields differ', async () => {
    const letGo = rig.exchange.holdBack('perpDexs');
    const before = rig.meter.calls.length;
    const calls = [1, 2, 3].map((n) => rig.ask({ type: 'perpDexs', n }));
    await expect.poll(() => rig.meter.calls.length - before).toBe(3);
    letGo({ json: [] });
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(rig.asked('perpDexs')).toEqual([{ type: 'perpDexs' }]);
  });

  it('[INFO-21] ignore thousands of levels of nesting in a field that is not known', async () => {
    const nested = `${'['.repeat(32_000)}${']'.repeat(32_000)}`;
    for (const type of Object.keys(INFO_KINDS)) {
      const words = wordsOf(type, plainOf(type));
      rig.respond(words, { json: type === 'perpDexs' ? [null] : {} });
      const fields = {
        ...plainOf(type),
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
      // 502 if the minimal response above does not fit the kind, 503 if there is no book. In both cases the body was read.
      expect([200, 502, 503]).toContain(response.status);
    }
    expect(rig.service.logs.join('')).not.toContain('internal_error');
  });
});

describe('failures', () => {
  it.each<[string, FakeResponse, string]>([
    ['HTTP 500', { status: 500, text: 'null' }, 'upstream_error'],
    ['HTTP 503', { status: 503, text: '' }, 'upstream_error'],
    ['HTTP 404', { status: 404, text: '' }, 'upstream_error'],
    ['a redirect', { status: 307, text: '', headers: { location: 'http://localhost/' } }, 'upstream_error'],
    ['half a response', { status: 200, text: '{"universe":[' }, 'upstream_error'],
    ['HTML', { status: 200, text: '<!doctype html><html></html>' }, 'upstream_error'],
    ['an empty body', { status: 200, text: '' }, 'upstream_error'],
    ['an error instead of a response', { json: { error: 'at 10.0.0.1' } }, 'upstream_error'],
    ['a large response without its end', { status: 200, text: `[${'1,'.repeat(50_000)}1` }, 'upstream_error'],
    ['a cut connection', 'cut', 'upstream_error'],
    ['a truncated response', 'break', 'upstream_error'],
    ['429 past the deadline', { status: 429, text: '', headers: { 'retry-after': '50' } }, 'upstream_busy'],
    ['a kind that the exchange rejects', { status: 422, text: 'Failed to deserialize' }, 'not_served_upstream'],
  ])('[UP-1, UP-3] like %s become %s, without a charge or a host name', async (_, reply, code) => {
    rig.respond('allMids', reply);
    const response = await rig.ask({ type: 'allMids' });
    expect(rig.errorOf(response).error).toBe(code);
    expect(response.headers['retry-after']).toBe(code === 'upstream_busy' ? '50' : undefined);
    expect(rig.meter.last).toMatchObject({ operation: 'allMids', outcome: 'released' });
  });

  it('[UP-2] are upstream_timeout if there is no response in time', async () => {
    await using hasty = await startInfoRig({ env: { UPSTREAM_TIMEOUT_MS: '100' }, universeRefreshMs: 1_000 });
    hasty.respond('allMids', 'hang');
    expect(hasty.errorOf(await hasty.ask({ type: 'allMids' }))).toMatchObject({
      error: 'upstream_timeout',
      message: 'The exchange did not respond within 100 ms.',
    });
    expect(hasty.meter.last).toMatchObject({ outcome: 'released' });
  });

  it('[UP-3, UP-4] are upstream_busy with Retry-After if the request limit is used up', async () => {
    await using counted = await startInfoRig({ upstream: { weightPerMinute: 62, now: () => 0 } });
    counted.respond('allMids', { json: {} });
    // Loading the coin lists used 60.
    expect((await counted.ask({ type: 'allMids' })).status).toBe(200);
    const response = await counted.ask({ type: 'allMids' });
    expect(counted.errorOf(response).error).toBe('upstream_busy');
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('a coin that the exchange does not know', () => {
  const NOTHING = { status: 500, text: 'null' };
  const candles = (coin: string) => ({ type: 'candleSnapshot', req: { coin, interval: '1h', startTime: 0 } });

  it.each([
    ['coin', { type: 'recentTrades', coin: 'btc' }],
    ['coin', { type: 'activeAssetData', user, coin: 'BTC-PERP' }],
    ['req.coin', candles('xyz:gold')],
  ])('[INFO-6] is unknown_coin after 500 null, with the path %s, and not charged: %j', async (path, query) => {
    rig.respond(query.type, NOTHING);
    expect(rig.errorOf(await rig.ask(query))).toMatchObject({ error: 'unknown_coin', path });
    expect(rig.meter.last).toMatchObject({ outcome: 'released' });
  });

  it.each([
    ['a coin that trades', 'BTC', NOTHING],
    ['a delisted coin', 'OLD', NOTHING],
    ['a spot coin', '@107', NOTHING],
    ['another failure', 'btc', { status: 500, text: 'Internal Server Error' }],
  ])('[UP-1] is not assumed for %s', async (_, coin, failure) => {
    rig.respond('candleSnapshot', failure);
    expect(rig.errorOf(await rig.ask(candles(coin))).error).toBe('upstream_error');
  });
});

describe('compression', () => {
  const large = JSON.stringify({ mids: Array.from({ length: 3_000 }, (_, n) => `${n}.0`) });

  it('[INFO-2] is applied to a large response on request', async () => {
    rig.respond('allMids', { status: 200, text: large });
    const response = await rig.ask({ type: 'allMids' }, { 'accept-encoding': 'gzip' });
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(response.bytes).toString()).toBe(large);
    expect((await rig.ask({ type: 'allMids' })).text).toBe(large);
  });

  it('[INFO-2] is not applied to a small response', async () => {
    rig.respond('allMids', { json: { BTC: '1.0' } });
    const response = await rig.ask({ type: 'allMids' }, { 'accept-encoding': 'gzip' });
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(response.headers.vary).toContain('Accept-Encoding');
  });
});
