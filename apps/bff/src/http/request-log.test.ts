import { createKey } from '@l4desk/ledger';
import { until } from '@l4desk/testkit';
import { bearer, http, postJson, startTestService } from '@l4desk/testkit/service';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { demoSignInLink } from '../demo.ts';
import { cookieOf } from '../test-support/shared-service.ts';

const snapshot = { type: 'l4BookSnapshot', coin: 'BTC' };

it('[OPS-4] writes JSON lines with a request id, which the response carries too', async () => {
  await using rig = await startTestService();
  const team = await rig.account('team');
  rig.feed.makeLive('BTC');
  const response = await postJson(`${rig.url}/info?x=1`, snapshot, bearer(team.api));
  const refused = await postJson(`${rig.url}/info`, { type: 'l4BookSnapshot' }, bearer(team.api));
  const lines = () => rig.logs.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  await until('both are logged', () => lines().filter((line) => line.path === '/info').length === 2);
  const [first, second] = lines().filter((line) => line.path === '/info');
  expect(first).toMatchObject({
    level: 'info',
    reqId: response.headers['x-request-id'],
    method: 'POST',
    status: 200,
    kind: 'l4BookSnapshot',
    account: team.id,
    via: 'bearer',
    address: '127.0.0.1',
  });
  expect(second).toMatchObject({
    level: 'warn',
    reqId: refused.headers['x-request-id'],
    error: 'invalid_request',
    at: 'coin',
  });
  expect(first?.reqId).not.toBe(second?.reqId);
});

it('requests without a valid credential write no line above the level debug, and are counted', async () => {
  await using rig = await startTestService({ env: { LOG_LEVEL: 'info' } });
  const team = await rig.account('team');
  for (let n = 0; n < 130; n += 1) await http(`${rig.url}/nowhere`);
  for (let n = 0; n < 7; n += 1) await postJson(`${rig.url}/info`, snapshot);
  for (let n = 0; n < 5; n += 1) await postJson(`${rig.url}/healthz`, {});
  await postJson(`${rig.url}/info`, { type: 'nonsense' }, bearer(team.api));
  const { text } = await http(`${rig.url}/metrics`);
  expect(text).toContain('l4desk_http_requests_total{route="other",status="404"} 130');
  expect(text).toContain('l4desk_http_requests_total{route="/info",status="401"} 7');
  const lines = rig.logs.map((line) => JSON.parse(line) as { readonly path?: string });
  expect(lines.filter(({ path }) => path !== undefined)).toMatchObject([{ status: 400, account: team.id }]);
});

it('[OPS-4, AUTH-12, AUTH-21] never logs a key, cookie, token or query string during a whole session', async () => {
  await using rig = await startTestService();
  const team = await rig.account('team');
  rig.feed.makeLive('BTC');
  const origin = rig.url;
  const wrong = createKey('api').key;
  const token = (await demoSignInLink(rig.store, rig.url, rig.now(), 60_000)).split('token=')[1] ?? '';

  const signedIn = await postJson(`${rig.url}/session`, { token }, { origin });
  const cookie = cookieOf(signedIn);
  await postJson(`${rig.url}/session`, { apiKey: team.api, serviceKey: team.service }, { origin });
  await postJson(`${rig.url}/session`, { apiKey: wrong }, { origin });
  await postJson(`${rig.url}/info?secret=${team.api}`, snapshot, { origin, cookie });
  await postJson(`${rig.url}/info`, snapshot, bearer(team.api));
  await postJson(`${rig.url}/info`, snapshot, bearer(wrong));
  await postJson(`${rig.url}/info`, { type: team.api }, bearer(team.api));
  await postJson(`${rig.url}/info`, { ...snapshot, coin: team.api }, bearer(team.api));
  await http(`${rig.url}/info`, {
    method: 'POST',
    body: `{"${team.api}`,
    headers: { ...bearer(team.api), 'content-type': 'application/json' },
  });
  const encoded = team.api.replaceAll(/[^]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  await http(`${rig.url}/ws/${team.api}`);
  await http(`${rig.url}/ws/${team.api.replace('_', '%5F')}`);
  await http(`${rig.url}/ws/${encoded}`);
  await http(`${rig.url}/ws/${encoded.replaceAll('%', '%25').slice(0, 390)}`);
  await http(`${rig.url}/ws%3Fkey=${encoded}`);
  await http(`${rig.url}/ws%253Ftoken=${token}`);
  await http(`${rig.url}/sign-in%23token=${token}`);
  await http(`${rig.url}/sign-in?token=${token}`);
  await http(`${rig.url}/session`, { method: 'DELETE', headers: { origin, cookie } });
  const refusedStream = new WebSocket(`${rig.url.replace('http', 'ws')}/ws?key=${wrong}`);
  await new Promise((resolve) => refusedStream.once('error', resolve));
  const stream = new WebSocket(`${rig.url.replace('http', 'ws')}/ws?key=${team.api}`);
  await new Promise((resolve) => stream.once('open', resolve));
  const closed = new Promise((resolve) => stream.once('close', resolve));
  await rig.service.close(0);
  await closed;

  const log = rig.logs.join('');
  expect(log).toContain('"/session"');
  for (const secret of [
    team.api,
    team.service,
    wrong,
    token,
    cookie,
    cookie.split('=')[1] ?? '',
    'secret=',
    'key=',
    'token=',
  ]) {
    expect(secret.length).toBeGreaterThan(3);
    expect(log).not.toContain(secret);
  }
  for (const key of [team.api, team.service, wrong]) expect(log).not.toContain(key.slice(4, 20));
  expect(log.toLowerCase()).not.toContain(encoded.slice(9, 30).toLowerCase());
  expect(log.toLowerCase()).not.toContain(encoded.slice(9, 30).replaceAll('%', '%25').toLowerCase());
});
