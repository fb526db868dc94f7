import { createKey, DatabaseError, Ledger } from '@l4desk/ledger';
import { type HttpErrorCode, STREAM_ERROR_CATALOGUE } from '@l4desk/protocol';
import { KeptLog, UpgradeRefused, until } from '@l4desk/testkit';
import { http, startTestService } from '@l4desk/testkit/service';
import { beforeAll, describe, expect, it } from 'vitest';
import { StreamClient, StreamServer } from '../../stream/test-support/stream-server.ts';
import { cookieOf, sharedService } from '../../test-support/shared-service.ts';
import { STREAM_MESSAGES, STREAM_REFUSALS } from './asyncapi.ts';

interface Refused {
  readonly status: number;
  readonly error: string;
  readonly message: string;
  readonly retryAfter: boolean;
}

/** Opens the stream and returns the refusal. Throws if it is not refused. */
async function refusalOf(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Refused> {
  const outcome: unknown = await StreamClient.open(url, headers).catch((error: unknown) => error);
  if (!(outcome instanceof UpgradeRefused)) throw new Error('the upgrade was not refused');
  const { status, response } = outcome;
  const { error, message } = JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4));
  return { status, error, message, retryAfter: /^retry-after: \d+\r$/im.test(response) };
}

/** Sends a plain request that must be refused, and returns the refusal. */
async function refusalOfRequest(url: string, method: string, headers: Readonly<Record<string, string>>) {
  const response = await http(url, { method, headers });
  const { error, message } = response.json() as { readonly error: string; readonly message: string };
  return { status: response.status, error, message, retryAfter: response.headers['retry-after'] !== undefined };
}

/** Masks numbers and times, so that messages that differ only in those compare equal. */
const withoutNumbers = (sentence: string) => sentence.replaceAll(/\d[\d:.TZ-]*\d|\d/g, '#');

const rig = sharedService({ env: { AUTH_FAILURES_PER_MINUTE_MAX: '1', STREAM_CONNECTIONS_PER_KEY_MAX: '1' } });

beforeAll(() => until('the coins are known', () => rig.logs.some((line) => line.includes('list of coins loaded'))));

/** Provokes each documented refusal. */
const PROVOKED: Partial<Readonly<Record<HttpErrorCode, () => Promise<Refused>>>> = {
  async invalid_request() {
    const { api } = await rig.account('handshake');
    const upgrade = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
    return refusalOfRequest(`${rig.url}/ws?key=${api}`, 'GET', { ...upgrade, 'sec-websocket-version': '7' });
  },
  unauthorized: () => {
    rig.pass(60_000);
    return refusalOf(`${stream()}?key=${createKey('api').key}`);
  },
  async too_many_attempts() {
    const open = () => refusalOf(`${stream()}?key=${createKey('api').key}`);
    await open();
    return open();
  },
  async too_many_requests() {
    const { api } = await rig.account('busy');
    const client = await StreamClient.open(`${stream()}?key=${api}`);
    await client.settled();
    return refusalOf(`${stream()}?key=${api}`);
  },
  async wrong_credential() {
    const { service } = await rig.account('service');
    return refusalOf(`${stream()}?key=${service}`);
  },
  async forbidden_origin() {
    const { api } = await rig.account('browser');
    const body = JSON.stringify({ apiKey: api });
    const headers = { 'content-type': 'application/json' };
    const signedIn = await http(`${rig.url}/session`, { method: 'POST', headers, body });
    return refusalOf(stream(), { Cookie: cookieOf(signedIn) });
  },
  async credits_exhausted() {
    const { api } = await rig.account('poor');
    await rig.store.setPlan('poor', { maxCredits: 0, flexLimit: 0 });
    return refusalOf(`${stream()}?key=${api}`);
  },
  method_not_allowed: () =>
    refusalOfRequest(`${rig.url}/ws`, 'POST', { connection: 'upgrade', upgrade: 'websocket', 'content-length': '0' }),
  upgrade_required: () => refusalOfRequest(`${rig.url}/ws`, 'GET', {}),
  async book_not_ready() {
    await using server = await StreamServer.start();
    server.universe.isLoaded = false;
    return await refusalOf(server.url());
  },
  async shutting_down() {
    await using server = await StreamServer.start();
    await server.stream.close();
    return await refusalOf(server.url());
  },
  async ledger_unavailable() {
    const gone = () => Promise.reject(new Error('gone'));
    const table = { commit: gone, monthUsage: gone, ping: gone, close: () => Promise.resolve() };
    await using broken = await startTestService({ meter: new Ledger({ table, now: Date.now, log: new KeptLog() }) });
    const { api } = await broken.account('team');
    return await refusalOf(`${broken.url.replace('http', 'ws')}/ws?key=${api}`);
  },
  async database_unavailable() {
    const full = () => Promise.reject(new DatabaseError('unwritable', 'the disk is full'));
    await using server = await StreamServer.start({}, { authorise: full, stillValid: () => Promise.resolve(true) });
    return await refusalOf(server.url());
  },
  async internal_error() {
    await using server = await StreamServer.start(
      {},
      { authorise: () => Promise.reject(new Error('a fault')), stillValid: () => Promise.resolve(true) },
    );
    return await refusalOf(server.url());
  },
};

/** Messages with filled-in values that replace those of the catalogue. */
const WITH_FACTS: Partial<Readonly<Record<HttpErrorCode, string>>> = {
  invalid_request: 'Bad WebSocket handshake: Missing or invalid Sec-WebSocket-Version header.',
  credits_exhausted: '1 credit is needed and 8 of 8 are used this month; they reset at 2026-12-01T00:00:00.000Z.',
  wrong_credential: 'This requires an API key; a ServiceKey was given.',
  forbidden_origin: 'A session requires the Origin header that browsers send; other clients need a key.',
  method_not_allowed: 'This path supports GET only.',
  too_many_attempts: 'Too many unknown credentials from this address; try again in 42 s.',
  too_many_requests: 'This key already has 100 open stream connections; close one first.',
};

const stream = () => `${rig.url.replace('http', 'ws')}/ws`;

describe('the documented refusals of an upgrade', () => {
  it.each(STREAM_REFUSALS)('[AUTH-27] $status $code is sent as documented', async ({ code, status, message }) => {
    const refused = await PROVOKED[code]?.();
    expect(refused).toMatchObject({ status, error: code });
    expect(withoutNumbers(refused?.message ?? '')).toBe(withoutNumbers(WITH_FACTS[code] ?? message));
    expect(refused?.retryAfter).toBe(status === 429 || status === 503);
  });

  it('[AUTH-27] are listed in the AsyncAPI document', async () => {
    const document: unknown = (await http(`${rig.url}/asyncapi.json`)).json();
    const refusals = Object.fromEntries(
      STREAM_REFUSALS.map(({ code, status, retryable, meaning, remedy }) => [
        code,
        { status, retryable, meaning, remedy },
      ]),
    );
    expect(document).toMatchObject({
      channels: { stream: { 'x-upgrade-refusals': refusals } },
      info: { description: expect.stringMatching(/429 .* 503 .*Retry-After/) },
    });
    expect(refusals).toMatchObject({ too_many_attempts: { status: 429 }, book_not_ready: { status: 503 } });
  });
});

describe('the documented errors of the stream', () => {
  it('[WS-12] have an example that equals the sent message', async () => {
    await using server = await StreamServer.start();
    const client = await server.connect();
    client.subscribe({ coin: 'NOPE' });
    const { example } = STREAM_MESSAGES.find(({ name }) => name === 'error') ?? {};
    expect(await client.messages(1)).toEqual([example]);
  });

  it('[WS-13, WS-15, WS-16] are all sent in the documented form', async () => {
    await using server = await StreamServer.start();
    const client = await server.connect();
    const body = '{"type":"l4BookUpdates","coin":"BTC"}';
    const [garbage, bad] = ['{"method":"trade"}', '{"type":"l4BookUpdates","coin":[]}'];
    client.send(`{"method":"unsubscribe","subscription":${body}}`);
    for (const subscription of [body, body, bad]) client.send(`{"method":"subscribe","subscription":${subscription}}`);
    client.send(garbage);
    const sent = (await client.messages(5)).flatMap((message) => {
      const { channel, data } = message as { readonly channel: string; readonly data: string };
      return channel === 'error' ? [data] : [];
    });
    const forms = sent.map((sentence) =>
      sentence
        .replace(bad, '{json}')
        .replace(body, '{json}')
        .replace(garbage, '{text}')
        .replace(/(?<=^Invalid subscription \{json\}: ).*/, '{reason}'),
    );
    const documented = STREAM_ERROR_CATALOGUE.map(({ sentence }) => sentence).filter((one) => !one.includes('{coin}'));
    expect(forms.toSorted()).toEqual(documented.toSorted());
  });
});
