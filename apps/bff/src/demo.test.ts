import { sessionState, usage } from '@l4desk/protocol';
import { bearer, http, postJson, startTestService, type TestService } from '@l4desk/testkit/service';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoSignInLink, prepareDemo } from './demo.ts';

let desk: TestService;

beforeEach(async () => {
  desk = await startTestService();
  return () => desk[Symbol.asyncDispose]();
});

const window = { from: '2026-08-01', to: '2026-11-20' };

async function signedIn() {
  const link = await demoSignInLink(desk.store, desk.url, desk.now(), 60_000);
  const response = await postJson(`${desk.url}/session`, { token: link.split('token=')[1] }, { origin: desk.url });
  const cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return { state: sessionState.parse(response.json()), headers: { cookie, 'sec-fetch-site': 'same-origin' } };
}

describe('[SET-4] the demo account', () => {
  it('has ninety days of simulated use by four keys, the same on every machine, and says so', async () => {
    const account = await prepareDemo(desk.store, desk.now());
    const { days, credentials } = await desk.store.usageSums(account.id, window);
    expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([90, '2026-08-22', '2026-11-19']);
    expect(credentials).toHaveLength(4);
    expect(days.at(-1)).toEqual({ day: '2026-11-19', free: 0, premium: LAST_DAY });
    const labels = (await desk.store.listCredentials()).map(({ label, revokedAt }) => [label, revokedAt !== null]);
    expect(labels.filter(([label]) => String(label).startsWith('simulated: '))).toHaveLength(4);
    expect(labels.filter(([, isRevoked]) => isRevoked)).toEqual([['simulated: former desk', true]]);
    const { state } = await signedIn();
    expect(state.simulatedUsage).toEqual({ from: '2026-08-22', to: '2026-11-19' });
  });

  it('has a weekly rhythm, and the month is far from its ceiling', async () => {
    const account = await prepareDemo(desk.store, desk.now());
    const { days } = await desk.store.usageSums(account.id, window);
    const sums = [0, 0, 0, 0, 0, 0, 0];
    for (const { day, free, premium } of days) {
      const weekday = new Date(day).getUTCDay();
      sums[weekday] = (sums[weekday] ?? 0) + free + premium;
    }
    const [sunday = 0, monday = 0, , , , friday = 0, saturday = 0] = sums;
    expect(Math.max(sunday, saturday)).toBeLessThan(0.9 * Math.min(monday, friday));
    const month = days.filter(({ day }) => day >= '2026-11-01').reduce((sum, day) => sum + day.free + day.premium, 0);
    expect(month).toBeLessThan(0.4 * account.maxCredits);
  });

  it('is made once: a later start adds nothing, and real use is charged beside it', async () => {
    const account = await prepareDemo(desk.store, desk.now());
    const before = [await desk.store.usageSums(account.id, window), (await desk.store.listCredentials()).length];
    await prepareDemo(desk.store, desk.now() + 86_400_000);
    expect([await desk.store.usageSums(account.id, window), (await desk.store.listCredentials()).length]).toEqual(
      before,
    );
    desk.feed.makeLive('BTC');
    const { key } = await desk.key(account.id, 'api');
    expect((await postJson(`${desk.url}/info`, { type: 'l4BookSnapshot', coin: 'BTC' }, bearer(key))).status).toBe(200);
    const { headers } = await signedIn();
    const { data } = usage.parse((await http(`${desk.url}/platform/usage/`, { headers })).json());
    expect(data.by_day.at(-1)).toEqual({ date: '2026-11-20', premium_credits: 1, free_credits: 0 });
    expect(data.aggregate.plan).toBe('demo');
  });

  it('of an account that was used before gets none', async () => {
    desk.feed.makeLive('BTC');
    const { id, api } = await desk.account('demo');
    await postJson(`${desk.url}/info`, { type: 'l4BookSnapshot', coin: 'BTC' }, bearer(api));
    const keys = (await desk.store.listCredentials()).length;
    await prepareDemo(desk.store, desk.now());
    expect([(await desk.store.usageSums(id, window)).days.length, (await desk.store.listCredentials()).length]).toEqual(
      [1, keys],
    );
    expect((await signedIn()).state.simulatedUsage).toBeUndefined();
  });
});

/** Credits of 2026-11-19, a Thursday. */
const LAST_DAY = 22_324;
