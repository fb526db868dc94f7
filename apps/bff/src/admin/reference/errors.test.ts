import type { HttpErrorCode } from '@l4desk/protocol';
import { until } from '@l4desk/testkit';
import { bearer, type FakeResponse, http, postJson, type RawResponse, startTestService } from '@l4desk/testkit/service';
import { beforeAll, expect, it } from 'vitest';
import { walletOf } from '../../info/test-support/info-rig.ts';
import { sharedService } from '../../test-support/shared-service.ts';
import { REFERENCE_ERRORS } from './errors.ts';

const service = sharedService({ env: { AUTH_FAILURES_PER_MINUTE_MAX: '1', BOOK_READY_TIMEOUT_MS: '1000' } });

beforeAll(async () => {
  // `unknown_coin` requires that the list of coins is loaded.
  await until('the coins are known', () => service.logs.some((line) => line.includes('list of coins loaded')));
  await service.store.setPlan('team', { maxCredits: 20, flexLimit: 0 });
  service.exchange.responses.set('allMids', { json: {} });
  service.exchange.responses.set('openOrders', { status: 500, text: '' });
});

const documented = (code: HttpErrorCode) => REFERENCE_ERRORS.find((error) => error.code === code)?.body;

const post = (query: object, key = service.team.api) => postJson(`${service.url}/info`, query, bearer(key));
const send = (body: string, headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' }) =>
  http(`${service.url}/info`, { method: 'POST', headers: { ...bearer(service.team.api), ...headers }, body });
const user = walletOf(1);

/** Queries a service with this upstream timeout, whose exchange sends the given response. */
async function askHasty(response: FakeResponse, timeoutMs: number): Promise<RawResponse> {
  await using hasty = await startTestService({ env: { UPSTREAM_TIMEOUT_MS: String(timeoutMs) } });
  hasty.exchange.responses.set('maxMarketOrderNtls', response);
  const { api } = await hasty.account('team');
  return await postJson(`${hasty.url}/info`, { type: 'maxMarketOrderNtls' }, bearer(api));
}

/** Provokes each error. The order matters, because some calls make a later one fail. */
const MET: readonly (readonly [HttpErrorCode, () => Promise<RawResponse>])[] = [
  ['method_not_allowed', () => http(`${service.url}/info`, { method: 'PUT' })],
  ['not_found', () => http(`${service.url}/nowhere`, { method: 'POST' })],
  ['unauthorized', () => post({}, 'l4k_nobody')],
  ['too_many_attempts', () => post({}, 'l4k_nobody')],
  ['wrong_credential', () => post({}, service.team.service)],
  ['body_too_large', () => send('x'.repeat(70_000))],
  ['unsupported_media_type', () => send('{}', {})],
  ['invalid_json', () => send('{')],
  [
    'invalid_request',
    () => post({ type: 'batchSpotClearinghouseState', users: [user, walletOf(2), walletOf(3), '0x1'] }),
  ],
  ['unsupported_type', () => post({ type: 'openorders' })],
  ['unknown_coin', () => post({ type: 'l4BookSnapshot', coin: 'NOPE' })],
  ['unsupported_coin', () => post({ type: 'l4BookSnapshot', coin: '@107' })],
  ['upstream_error', () => post({ type: 'openOrders', user })],
  ['upstream_timeout', () => askHasty('hang', 1_000)],
  ['upstream_busy', () => askHasty({ status: 429, text: '', headers: { 'retry-after': '9' } }, 8_000)],
  ['book_not_ready', () => post({ type: 'l4BookSnapshot', coin: 'BTC' })],
  ['upgrade_required', () => http(`${service.url}/ws`)],
  ['unmet_expectation', () => http(`${service.url}/info`, { method: 'POST', headers: { expect: 'more' } })],
  ['headers_too_large', () => http(`${service.url}/info`, { headers: { cookie: 'x'.repeat(20_000) } })],
  [
    'credits_exhausted',
    async () => {
      expect((await post({ type: 'allMids' })).status).toBe(200);
      return post({ type: 'batchSpotClearinghouseState', users: [user] });
    },
  ],
];

it.each(MET)('[INFO-5] the error body in the reference equals the sent one %s', async (code, meet) => {
  expect((await meet()).json()).toEqual(documented(code));
});
