import { beforeAll, expect, it } from 'vitest';
import { StreamProbe } from '../stream-probe.ts';
import { until } from '../until.ts';
import { askInfo, type ConformanceTarget } from './target.ts';
import { array, INT, object, STRING } from './test-support/shape.ts';

let target: ConformanceTarget;

/** Table 2.8 of the specification. */
const USAGE = object({
  period: object({ from: STRING, to: STRING }),
  aggregate: object({
    credits_consumed: INT,
    max_credits: INT,
    premium_credits: INT,
    free_credits: INT,
    plan: STRING,
    flex_credits: object({ limit: INT }),
  }),
  by_day: array(object({ date: STRING, premium_credits: INT, free_credits: INT })),
  by_api_key: array(object({ apikey: STRING, credits: INT })),
});

interface Usage {
  readonly period: { readonly from: string; readonly to: string };
  readonly aggregate: {
    readonly credits_consumed: number;
    readonly premium_credits: number;
    readonly free_credits: number;
  };
  readonly by_day: readonly {
    readonly date: string;
    readonly premium_credits: number;
    readonly free_credits: number;
  }[];
  readonly by_api_key: readonly { readonly apikey: string; readonly credits: number }[];
}

function get(query = '', key = target.serviceKey, path = '/platform/usage/'): Promise<Response> {
  return fetch(`${target.url}${path}${query}`, { headers: { Authorization: `Bearer ${key}` } });
}

async function usage(query = ''): Promise<Usage> {
  const response = await get(query);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${query}: ${response.status} ${text}`);
  return (JSON.parse(text) as { readonly data: Usage }).data;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const consumed = async () => (await usage()).aggregate.credits_consumed;

/** Declares the tests. Call it inside a describe block; `opened` returns the target once it is open. */
export function usageSuite(opened: () => ConformanceTarget): void {
  beforeAll(() => {
    target = opened();
  });

  it('[USE-1, USE-9, USE-10, USE-11, AUTH-3] returns data with every field of the specification', async () => {
    const response = await get();
    const body = (await response.json()) as { readonly data: unknown };
    expect(response.status).toBe(200);
    expect(Object.keys(body)).toEqual(['data']);
    expect(USAGE(body.data)).toEqual([]);
  });

  it('[USE-2] responds with 404 without the trailing slash, and names the right path', async () => {
    const response = await get('', target.serviceKey, '/platform/usage');
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('/platform/usage/');
  });

  it('[USE-3, AUTH-6] rejects a missing header and an unknown key with 401, an API key with 403', async () => {
    const bare = await fetch(`${target.url}/platform/usage/`);
    expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer/)]);
    expect((await get('', 'l4s_nobody')).status).toBe(401);
    const wrong = await get('', target.apiKey);
    expect(wrong.status).toBe(403);
    expect(await wrong.json()).toMatchObject({
      error: 'wrong_credential',
      message: expect.stringMatching(/ServiceKey/),
    });
  });

  it('[USE-4, USE-5, USE-12] returns every day of a window, oldest first, up to today', async () => {
    const { period, by_day: days } = await usage();
    expect(await usage('?duration=1')).toMatchObject({ period });
    expect(period.from.endsWith('-01')).toBe(true);
    for (const duration of [1, 3, 6, 12]) {
      const window = await usage(`?duration=${duration}`);
      const dates = window.by_day.map(({ date }) => date);
      expect([dates[0], dates.at(-1)]).toEqual([window.period.from, window.period.to]);
      expect(dates).toEqual([...new Set(dates)].toSorted());
      const length = (Date.parse(window.period.to) - Date.parse(window.period.from)) / 86_400_000 + 1;
      expect(dates).toHaveLength(length);
    }
    expect(days.at(-1)?.date).toBe(period.to);
  });

  it('[USE-7] returns the window of from and to, whatever the duration is', async () => {
    const window = await usage('?from=2026-01-30&to=2026-02-02&duration=nonsense');
    expect(window.period).toEqual({ from: '2026-01-30', to: '2026-02-02' });
    expect(window.by_day.map(({ date }) => date)).toEqual(['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-02']);
  });

  it.each([
    '?duration=2',
    '?duration=0',
    '?duration=',
    '?from=2026-01-01',
    '?to=2026-01-01',
    '?from=2026-02-30&to=2026-03-01',
    '?from=2026-01-02&to=2026-01-01',
    '?from=2026-01-01&to=2999-01-01',
  ])('[USE-8] rejects %s with 400', async (query) => {
    const response = await get(query);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_request', code: 400 });
  });

  it('[BILL-1, BILL-2, BILL-5, BILL-7, USE-13, USE-14, USE-15] counts what was served, at its price, and nothing else', async () => {
    const [coin] = target.coins;
    const user = `0x${'0'.repeat(39)}9`;
    const before = await consumed();
    for (const body of [
      { type: 'batchSpotClearinghouseState', users: [user] },
      { type: 'openOrders', user },
      { type: 'l4BookSnapshot', coin },
      { type: 'meta' },
    ])
      expect((await askInfo(target, body)).status).toBe(200);
    for (const body of [
      { type: 'nope' },
      { type: 'openOrders' },
      { type: 'fundingHistory', coin: 'NOPE', startTime: 0 },
    ])
      expect((await askInfo(target, body)).status).toBe(400);
    const after = await usage();
    expect(after.aggregate.credits_consumed - before).toBe(28);
    const { credits_consumed: total, premium_credits: premium, free_credits: free } = after.aggregate;
    expect(premium + free).toBe(total);
    expect(sum(after.by_day.map((day) => day.premium_credits + day.free_credits))).toBe(total);
    expect(sum(after.by_api_key.map(({ credits }) => credits))).toBe(total);
    const shown = after.by_api_key.find(({ apikey }) => apikey.endsWith(target.apiKey.slice(-4)));
    expect(shown?.apikey.length).toBeLessThan(target.apiKey.length);
  });

  it('[BILL-3, BILL-13, BILL-16, BILL-5] charges a stream one credit per coin for its first minute, once per connection', async () => {
    const [first, second] = target.coins;
    const before = await consumed();
    const subscription = { type: 'l4BookUpdates', coin: [first, second] };
    await using probe = await StreamProbe.open(`${target.streamUrl}?key=${target.apiKey}`);
    await probe.ask({ method: 'subscribe', subscription: { type: 'l4BookUpdates', coin: 'NOPE' } });
    await probe.ask({ method: 'subscribe', subscription });
    await probe.ask({ method: 'subscribe', subscription: { type: 'l4BookUpdates', coin: first } });
    await probe.ask({ method: 'unsubscribe', subscription });
    await probe.ask({ method: 'subscribe', subscription });
    await until('the minutes to be counted', async () => (await consumed()) - before >= 2);
    expect((await consumed()) - before).toBe(2);
  });
}
