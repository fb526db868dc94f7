import { Agent } from 'node:http';
import type { SimulatedUse, UsageReader } from '@l4desk/ledger';
import { sessionState, sessionUsage, type Usage, type UsageWindow, usage, usageDays } from '@l4desk/protocol';
import { until } from '@l4desk/testkit';
import { bearer, http, postJson, type RawResponse, startTestService } from '@l4desk/testkit/service';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { cookieOf, sharedService } from '../test-support/shared-service.ts';
import { USAGE_QUERIES_WAITING_MAX } from './router.ts';

/** The service's clock is stopped at 2026-11-20, 12:00 UTC. */
const TODAY = '2026-11-20';
const PLAN = { plan: 'crew', maxCredits: 5000, flexLimit: 700, freeCredits: 30 };

const rig = sharedService({ env: { AUTH_FAILURES_PER_MINUTE_MAX: '1000000' } });
let keys: readonly { readonly id: string; readonly key: string }[];

beforeAll(async () => {
  await rig.store.setPlan('team', PLAN);
  keys = [await rig.key(rig.team.id, 'api'), await rig.key(rig.team.id, 'api')];
  const use = (day: string, place: number, free: number, premium: number): SimulatedUse => ({
    day,
    credentialId: keys[place]?.id ?? '',
    free,
    premium,
  });
  await rig.store.addSimulatedUsage(rig.team.id, [
    use('2025-11-19', 0, 0, 1000),
    use('2025-11-20', 0, 0, 100),
    use('2026-05-20', 1, 0, 50),
    use('2026-08-20', 0, 0, 20),
    use('2026-10-31', 1, 9, 1),
    use('2026-11-01', 0, 5, 0),
    use('2026-11-19', 1, 20, 3),
  ]);
  // Real usage today, which uses up the last free credits of the month and exceeds them.
  rig.feed.makeLive('BTC');
  for (let call = 0; call < 7; call += 1) {
    const response = await postJson(`${rig.url}/info`, { type: 'l4BookSnapshot', coin: 'BTC' }, bearer(rig.team.api));
    if (response.status !== 200) throw new Error(response.text);
  }
  await rig.store.revokeCredential(keys[1]?.id ?? '', rig.now());
});

const ask = (query = '', headers: Readonly<Record<string, string>> = bearer(rig.team.service)) =>
  http(`${rig.url}/platform/usage/${query}`, { headers });

async function data(query = ''): Promise<Usage['data']> {
  const response = await ask(query);
  expect(response.status).toBe(200);
  return usage.parse(response.json()).data;
}

const errorOf = (response: RawResponse) => response.json() as { readonly error: string; readonly path?: string };
const shown = (key: string) => `l4k_…${key.slice(-4)}`;

async function cookie(body: object): Promise<string> {
  const response = await postJson(`${rig.url}/session`, body, { origin: rig.url });
  return cookieOf(response);
}

describe('GET /platform/usage/', () => {
  it('[USE-1, USE-9, USE-11, AUTH-3] returns the account’s usage for a ServiceKey, in exactly this shape', async () => {
    const response = await ask();
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['cache-control']).toBe('no-store');
    const body = response.json() as Usage;
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data.period).toEqual({ from: '2026-11-01', to: TODAY });
    expect(body.data.aggregate).toEqual({
      credits_consumed: 35,
      max_credits: 5000,
      premium_credits: 5,
      free_credits: 30,
      plan: 'crew',
      flex_credits: { limit: 700 },
    });
    expect(Object.keys(body.data)).toEqual(['period', 'aggregate', 'by_day', 'by_api_key']);
  });

  it('[USE-12] lists every day of the window in by_day, oldest first, including zeros', async () => {
    const { by_day: byDay } = await data();
    expect(byDay.map(({ date }) => date)).toEqual(usageDays({ from: '2026-11-01', to: TODAY }));
    expect(byDay[0]).toEqual({ date: '2026-11-01', premium_credits: 0, free_credits: 5 });
    expect(byDay[1]).toEqual({ date: '2026-11-02', premium_credits: 0, free_credits: 0 });
    expect(byDay.slice(-2)).toEqual([
      { date: '2026-11-19', premium_credits: 3, free_credits: 20 },
      { date: TODAY, premium_credits: 2, free_credits: 5 },
    ]);
  });

  it('[USE-13, USE-14] lists every key with credits in by_api_key, including revoked ones, highest first, abbreviated', async () => {
    const [first, revoked] = [keys[0]?.key ?? '', keys[1]?.key ?? ''];
    expect((await data()).by_api_key).toEqual([
      { apikey: shown(revoked), credits: 23 },
      { apikey: shown(rig.team.api), credits: 7 },
      { apikey: shown(first), credits: 5 },
    ]);
    expect((await data('?from=2026-05-01&to=2026-05-31')).by_api_key).toEqual([
      { apikey: shown(revoked), credits: 50 },
    ]);
    const { text } = await ask('?duration=12');
    for (const key of [first, revoked, rig.team.api, rig.team.service]) expect(text).not.toContain(key.slice(4, -4));
  });

  it.each([
    ['', '2026-11-01', 35],
    ['?duration=1', '2026-11-01', 35],
    ['?duration=3', '2026-08-20', 65],
    ['?duration=6', '2026-05-20', 115],
    ['?duration=12', '2025-11-20', 215],
  ])('[USE-4, USE-5] with %s begins at %s', async (query, from, credits) => {
    const response = await data(query);
    expect(response.period).toEqual({ from, to: TODAY });
    expect(response.aggregate.credits_consumed).toBe(credits);
  });

  it('[USE-7, USE-10] uses from and to, both inclusive, as the window of every section and ignores duration', async () => {
    for (const duration of ['', '&duration=3', '&duration=nonsense', '&duration=1&duration=3']) {
      const response = await data(`?from=2025-11-19&to=2026-10-31${duration}`);
      expect(response.period).toEqual({ from: '2025-11-19', to: '2026-10-31' });
      expect(response.aggregate).toMatchObject({ credits_consumed: 1180, premium_credits: 1171, free_credits: 9 });
      expect(response.by_day).toHaveLength(347);
      expect(response.by_api_key.map(({ credits }) => credits)).toEqual([1120, 60]);
    }
  });

  it('[USE-1] responds to HEAD with the same head and no body', async () => {
    const [whole, head] = [
      await ask(),
      await http(`${rig.url}/platform/usage/`, { method: 'HEAD', headers: bearer(rig.team.service) }),
    ];
    expect([head.status, head.headers['content-length'], head.text]).toEqual([
      200,
      whole.headers['content-length'],
      '',
    ]);
  });
});

describe('refusals', () => {
  it('[USE-2] of the path without its slash are 404 and name the right path, with any credential and method', async () => {
    for (const headers of [{}, bearer(rig.team.service)])
      for (const [method, query] of [
        ['GET', ''],
        ['GET', '?duration=3'],
        ['POST', ''],
      ]) {
        const response = await http(`${rig.url}/platform/usage${query ?? ''}`, { method: method ?? '', headers });
        expect([response.status, errorOf(response).error]).toEqual([404, 'not_found']);
        expect(response.text).toContain('/platform/usage/, with a trailing slash');
      }
    for (const path of ['/platform/usage//', '/platform/', '/Platform/usage/', '/platform/usage/x'])
      expect((await http(`${rig.url}${path}`, { headers: bearer(rig.team.service) })).status).toBe(404);
  });

  it('of another method are 405', async () => {
    const response = await http(`${rig.url}/platform/usage/`, { method: 'POST', headers: bearer(rig.team.service) });
    expect([response.status, response.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('[USE-3] of a missing or malformed header and of an unknown or revoked ServiceKey are 401', async () => {
    const gone = await rig.key(rig.team.id, 'service');
    expect((await ask('', bearer(gone.key))).status).toBe(200);
    await rig.store.revokeCredential(gone.id, rig.now());
    rig.pass(2000);
    for (const headers of [{}, { authorization: rig.team.service }, bearer(`${rig.team.service}x`), bearer(gone.key)]) {
      const response = await ask('', headers);
      expect([response.status, errorOf(response).error, response.headers['www-authenticate']]).toEqual([
        401,
        'unauthorized',
        'Bearer',
      ]);
    }
    expect((await ask('?duration=2', {})).status, 'before the query is read').toBe(401);
  });
});

describe('a browser’s session', () => {
  it('[AUTH-6, AUTH-15] without a ServiceKey is 403', async () => {
    const response = await ask('', {
      cookie: await cookie({ apiKey: rig.team.api }),
      'sec-fetch-site': 'same-origin',
    });
    expect([response.status, errorOf(response).error]).toEqual([403, 'wrong_credential']);
  });
});

describe('GET /session/usage', () => {
  const byKind = (query: string, headers: Readonly<Record<string, string>>) =>
    http(`${rig.url}/session/usage${query}`, { headers });
  const page = async (keys: object) => ({ cookie: await cookie(keys), 'sec-fetch-site': 'same-origin' });

  it('returns the credits of the window by key and kind, highest first, with the sum of the usage endpoint', async () => {
    const response = await byKind('', await page({ serviceKey: rig.team.service }));
    expect(response.status).toBe(200);
    const { period, by_kind } = sessionUsage.parse(response.json());
    expect(period).toEqual({ from: '2026-11-01', to: TODAY });
    expect(by_kind).toEqual([
      { apikey: shown(keys[1]?.key ?? ''), kind: 'simulated', credits: 23 },
      { apikey: shown(rig.team.api), kind: 'l4BookSnapshot', credits: 7 },
      { apikey: shown(keys[0]?.key ?? ''), kind: 'simulated', credits: 5 },
    ]);
    expect((await data()).aggregate.credits_consumed).toBe(35);
    const may = await byKind('?from=2026-05-01&to=2026-05-31', await page({ serviceKey: rig.team.service }));
    expect(may.json()).toMatchObject({ by_kind: [{ kind: 'simulated', credits: 50 }] });
  });

  it('[AUTH-15] is for pages: a key and a session without a ServiceKey are refused', async () => {
    expect((await byKind('', bearer(rig.team.service))).status).toBe(401);
    expect((await byKind('', await page({ apiKey: rig.team.api }))).status).toBe(403);
    expect((await byKind('?from=2026-05-01', await page({ serviceKey: rig.team.service }))).status).toBe(400);
  });
});

describe('many queries', () => {
  /** A reader whose queries the test ends. */
  class SlowReader implements UsageReader {
    readonly underWay: { readonly accountId: string; readonly from: string; readonly end: () => void }[] = [];
    readonly asked: string[] = [];

    async usageJson(accountId: string, { from }: UsageWindow): Promise<Uint8Array> {
      this.asked.push(from);
      await new Promise<void>((resolve) => {
        this.underWay.push({ accountId, from, end: resolve });
      });
      return Buffer.from(JSON.stringify({ from }));
    }

    kindSums = async () => [];

    async close(): Promise<void> {}

    /** Waits for a query and ends it. */
    async endNext(): Promise<string> {
      await until('a query', () => this.underWay.length > 0);
      const next = this.underWay.shift();
      next?.end();
      return next?.from ?? '';
    }
  }

  const query = (from: string) => `?from=${from}&to=${TODAY}`;

  it('of one account are handled one at a time, without delaying other accounts or other calls', async () => {
    const reader = new SlowReader();
    await using slow = await startTestService({ usage: reader });
    slow.feed.makeLive('BTC');
    const [team, other] = [await slow.account('team'), await slow.account('other')];
    const get = (key: string, from: string) =>
      http(`${slow.url}/platform/usage/${query(from)}`, { headers: bearer(key) });
    const first = get(team.service, '2026-01-01');
    await until('it is asked', () => reader.asked.length === 1);
    const second = get(team.service, '2026-01-02');
    const foreign = get(other.service, '2026-01-03');
    await until('the other account is asked', () => reader.asked.length === 2);
    expect(reader.asked).toEqual(['2026-01-01', '2026-01-03']);
    const snapshot = { type: 'l4BookSnapshot', coin: 'BTC' };
    expect((await postJson(`${slow.url}/info`, snapshot, bearer(team.api))).status).toBe(200);
    for (let ended = 0; ended < 3; ended += 1) await reader.endNext();
    const responses = await Promise.all([first, second, foreign]);
    expect(responses.map((response) => [response.status, response.json()])).toEqual([
      [200, { from: '2026-01-01' }],
      [200, { from: '2026-01-02' }],
      [200, { from: '2026-01-03' }],
    ]);
  });

  it('are 503 after 30 s, and the next one of the account begins once the database has responded', async () => {
    const reader = new SlowReader();
    await using slow = await startTestService({ usage: reader });
    const team = await slow.account('team');
    const get = (from: string) => http(`${slow.url}/platform/usage/${query(from)}`, { headers: bearer(team.service) });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const hanging = get('2026-01-01');
      await vi.waitUntil(() => reader.asked.length === 1, { timeout: 300_000 });
      await vi.advanceTimersByTimeAsync(30_000);
      const response = await hanging;
      expect([response.status, errorOf(response).error]).toEqual([503, 'database_unavailable']);
    } finally {
      vi.useRealTimers();
    }
    const next = get('2026-01-02');
    await reader.endNext();
    await reader.endNext();
    expect((await next).json()).toEqual({ from: '2026-01-02' });
  });

  it('of one account are 429 if too many wait, and those whose clients disconnected are not run', async () => {
    const reader = new SlowReader();
    await using slow = await startTestService({ usage: reader });
    const team = await slow.account('team');
    const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
    const get = (from: string, over?: Agent) =>
      http(`${slow.url}/platform/usage/${query(from)}`, {
        headers: bearer(team.service),
        ...(over && { agent: over }),
      });
    const first = get('2026-01-01');
    await until('it is asked', () => reader.asked.length === 1);
    const waiting = Array.from({ length: USAGE_QUERIES_WAITING_MAX + 1 }, () => get('2026-01-02', agent));
    const refused = await Promise.race(waiting);
    expect(refused.json()).toMatchObject({ error: 'too_many_requests', code: 429 });
    expect(refused.headers['retry-after']).toBe('1');

    agent.destroy();
    const left = await Promise.allSettled(waiting);
    expect(left.filter(({ status }) => status === 'rejected')).toHaveLength(USAGE_QUERIES_WAITING_MAX);
    const gone = `l4desk_http_requests_total{route="/platform/usage/",status="499"} ${USAGE_QUERIES_WAITING_MAX}`;
    await until('they are gone', async () => (await http(`${slow.url}/metrics`)).text.includes(gone));
    await reader.endNext();
    expect((await first).status).toBe(200);
    const late = get('2026-01-03');
    await reader.endNext();
    expect((await late).status).toBe(200);
    expect(reader.asked).toEqual(['2026-01-01', '2026-01-03']);
  });
});

describe('credits over HTTP', () => {
  it('[BILL-8, BILL-9, INFO-9] are exhausted past ceiling and flex: a call is 402 with needed, used, limit and resets_at, an invalid one 400', async () => {
    const poor = await rig.account('poor');
    await rig.store.setPlan('poor', { maxCredits: 1, flexLimit: 1, freeCredits: 1 });
    const call = (body: object) => postJson(`${rig.url}/info`, body, bearer(poor.api));
    const snapshot = { type: 'l4BookSnapshot', coin: 'BTC' };
    for (let count = 0; count < 2; count += 1) expect((await call(snapshot)).status).toBe(200);
    const refused = await call(snapshot);
    expect(refused.status).toBe(402);
    expect(refused.json()).toMatchObject({
      error: 'credits_exhausted',
      code: 402,
      needed: 1,
      used: 2,
      limit: 2,
      resets_at: Date.UTC(2026, 11, 1),
    });
    expect((await call({ type: 'l4BookSnapshot' })).status).toBe(400);
    expect((await call({ type: 'nonsense' })).status).toBe(400);
    await rig.store.setPlan('poor', { flexLimit: 2 });
    rig.pass(2000);
    expect((await call(snapshot)).status).toBe(200);
  });

  it('are reported as exhausted in the session while the account cannot pay a single credit', async () => {
    const broke = await rig.account('broke');
    await rig.store.setPlan('broke', { maxCredits: 1, flexLimit: 0, freeCredits: 1 });
    const headers = async (keys: object) => ({ cookie: await cookie(keys), 'sec-fetch-site': 'same-origin' });
    const [own, blind] = [await headers({ apiKey: broke.api }), await headers({ serviceKey: broke.service })];
    const told = async (of: typeof own) =>
      sessionState.parse((await http(`${rig.url}/session`, { headers: of })).json()).creditsExhausted;
    expect(await told(own)).toBeUndefined();
    const call = { type: 'l4BookSnapshot', coin: 'BTC' };
    expect((await postJson(`${rig.url}/info`, call, bearer(broke.api))).status).toBe(200);
    expect(await told(own)).toEqual({ used: 1, limit: 1, resets_at: Date.UTC(2026, 11, 1) });
    expect(await told(blind), 'without an API key nothing can be spent').toBeUndefined();
    await rig.store.setPlan('broke', { maxCredits: 2 });
    rig.pass(2000);
    expect(await told(own)).toBeUndefined();
  });
});
