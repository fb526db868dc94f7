import { sessionState, usage } from '@l4desk/protocol';
import { bearer, http, postJson, startTestService, type TestService } from '@l4desk/testkit/service';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoSignInLink, prepareDemo } from './demo.ts';
import { cookieOf } from './test-support/shared-service.ts';

let rig: TestService;

beforeEach(async () => {
  rig = await startTestService();
  return () => rig[Symbol.asyncDispose]();
});

const window = { from: '2026-08-01', to: '2026-11-20' };

async function signedIn() {
  const link = await demoSignInLink(rig.store, rig.url, rig.now(), 60_000);
  const response = await postJson(`${rig.url}/session`, { token: link.split('token=')[1] }, { origin: rig.url });
  const cookie = cookieOf(response);
  return { state: sessionState.parse(response.json()), headers: { cookie, 'sec-fetch-site': 'same-origin' } };
}

describe('the demo account', () => {
  it('has ninety days of simulated usage by four keys, the same on every machine, and reports the simulated window', async () => {
    const account = await prepareDemo(rig.store, rig.now());
    const { days, credentials } = await rig.store.usageSums(account.id, window);
    expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([90, '2026-08-22', '2026-11-19']);
    expect(credentials).toHaveLength(4);
    expect(days.at(-1)).toEqual({ day: '2026-11-19', free: 0, premium: LAST_DAY });
    const month = days.filter(({ day }) => day >= '2026-11-01').reduce((sum, day) => sum + day.free + day.premium, 0);
    expect(month).toBeLessThan(0.4 * account.maxCredits);
    const keys = await rig.store.listCredentials();
    for (const { createdAt, revokedAt } of keys) expect(createdAt).toBeLessThan(revokedAt ?? Number.POSITIVE_INFINITY);
    const labels = keys.map(({ label, revokedAt }) => [label, revokedAt !== null]);
    expect(labels.filter(([label]) => String(label).startsWith('simulated: '))).toHaveLength(4);
    expect(labels.filter(([, isRevoked]) => isRevoked)).toEqual([['simulated: former desk', true]]);
    const { state } = await signedIn();
    expect(state.simulatedUsage).toEqual({ from: '2026-08-22', to: '2026-11-19' });
  });

  it('is created once: a later start adds nothing, and real usage is charged in addition', async () => {
    const account = await prepareDemo(rig.store, rig.now());
    const before = [await rig.store.usageSums(account.id, window), (await rig.store.listCredentials()).length];
    await prepareDemo(rig.store, rig.now() + 86_400_000);
    expect([await rig.store.usageSums(account.id, window), (await rig.store.listCredentials()).length]).toEqual(before);
    rig.feed.makeLive('BTC');
    const { key } = await rig.key(account.id, 'api');
    expect((await postJson(`${rig.url}/info`, { type: 'l4BookSnapshot', coin: 'BTC' }, bearer(key))).status).toBe(200);
    const { headers } = await signedIn();
    const { data } = usage.parse((await http(`${rig.url}/platform/usage/`, { headers })).json());
    expect(data.by_day.at(-1)).toEqual({ date: '2026-11-20', premium_credits: 1, free_credits: 0 });
    expect(data.aggregate.plan).toBe('demo');
  });

  it('gets no simulated usage if the account was used before', async () => {
    rig.feed.makeLive('BTC');
    const { id, api } = await rig.account('demo');
    await postJson(`${rig.url}/info`, { type: 'l4BookSnapshot', coin: 'BTC' }, bearer(api));
    const keys = (await rig.store.listCredentials()).length;
    await prepareDemo(rig.store, rig.now());
    expect([(await rig.store.usageSums(id, window)).days.length, (await rig.store.listCredentials()).length]).toEqual([
      1,
      keys,
    ]);
    expect((await signedIn()).state.simulatedUsage).toBeUndefined();
  });
});

/** Credits used on 2026-11-19, a Thursday. */
const LAST_DAY = 22_324;
