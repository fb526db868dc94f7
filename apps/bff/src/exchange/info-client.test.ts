import { until } from '@l4desk/testkit';
import { FakeExchange, type FakeResponse } from '@l4desk/testkit/service';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../log/log.ts';
import type { InfoClient } from './info-client.ts';
import { testInfoClient } from './test-support/test-info-client.ts';
import { UpstreamError } from './upstream-error.ts';

let exchange: FakeExchange;
let client: InfoClient;

beforeEach(async () => {
  exchange = await FakeExchange.start();
  client = testInfoClient(exchange);
});

afterEach(async () => {
  vi.useRealTimers();
  await client[Symbol.asyncDispose]();
  await exchange[Symbol.asyncDispose]();
});

async function failure(call: Promise<unknown>): Promise<UpstreamError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof UpstreamError) return error;
  throw new Error('no UpstreamError', { cause: error });
}

describe('[INFO-7] a failure is reported in one sentence without a host', () => {
  it.each<[string, FakeResponse, string]>([
    ['a cut connection', 'cut', 'upstream cannot be reached (UND_ERR_SOCKET)'],
    ['a broken response', 'break', 'upstream cannot be reached (UND_ERR_SOCKET)'],
    ['HTTP 500', { status: 500, text: 'null' }, 'upstream returned HTTP 500'],
    ['a redirect', { status: 302, text: '' }, 'upstream returned HTTP 302'],
  ])('%s', async (_, response, message) => {
    exchange.responses.set('meta', response);
    expect(await failure(client.ask({ type: 'meta' }))).toMatchObject({ message });
  });

  it('[UP-2] no response within the deadline', async () => {
    exchange.responses.set('meta', 'hang');
    expect(await failure(client.ask({ type: 'meta' }, { timeoutMs: 50 }))).toMatchObject({
      message: 'upstream did not respond within 50 ms',
    });
  });
});

describe('retries', () => {
  it('[UP-1] retries once after a connection reset before any byte of a response', async () => {
    exchange.responses.set('meta', (_, count) => (count === 1 ? 'cut' : { json: 'well' }));
    expect((await client.ask({ type: 'meta' })).json()).toBe('well');
    expect(exchange.countOf('meta')).toBe(2);
  });

  it('[UP-1] does not retry a second time', async () => {
    exchange.responses.set('meta', 'cut');
    await failure(client.ask({ type: 'meta' }));
    expect(exchange.countOf('meta')).toBe(2);
  });

  it.each<[string, FakeResponse]>([
    ['a truncated response', 'break'],
    ['HTTP 500', { status: 500, text: '' }],
    ['HTTP 502', { status: 502, text: '' }],
  ])('[UP-1] does not retry after %s', async (_, response) => {
    exchange.responses.set('meta', response);
    await failure(client.ask({ type: 'meta' }));
    expect(exchange.countOf('meta')).toBe(1);
  });
});

describe('[UP-3] 429', () => {
  const busy: FakeResponse = { status: 429, text: '', headers: { 'retry-after': '0' } };

  it('is waited out and retried', async () => {
    exchange.responses.set('meta', (_, count) => (count < 3 ? busy : { json: 'well' }));
    expect((await client.ask({ type: 'meta' })).json()).toBe('well');
    expect(exchange.countOf('meta')).toBe(3);
  });

  it('is waited out without Retry-After', async () => {
    exchange.responses.set('meta', (_, count) => (count === 1 ? { status: 429, text: '' } : { json: 'well' }));
    expect((await client.ask({ type: 'meta' })).json()).toBe('well');
  });

  it('is never retried without a pause, even if Retry-After is 0', async () => {
    await using patient = testInfoClient(exchange, { now: () => 0 });
    exchange.responses.set('meta', (_, count) => (count === 1 ? busy : { json: 'well' }));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    expect(await failure(patient.ask({ type: 'meta' }, { timeoutMs: 200 }))).toMatchObject({
      failure: { retryAfterMs: 250, reason: 'upstream' },
    });
    expect(exchange.countOf('meta')).toBe(1);
  });

  it('fails at once with the time to wait if that exceeds the deadline', async () => {
    exchange.responses.set('meta', { ...busy, headers: { 'retry-after': '60' } });
    // The deadline is longer than the test may take: if the client waited for it, the test would time out.
    expect(await failure(client.ask({ type: 'meta' }, { timeoutMs: 59_000 }))).toMatchObject({
      failure: { retryAfterMs: 60_000, reason: 'upstream' },
    });
    expect(exchange.countOf('meta')).toBe(1);
  });

  it('is waited out for at most one minute, whatever Retry-After says', async () => {
    await using counted = testInfoClient(exchange, { weightPerMinute: 1200 });
    exchange.responses.set('meta', { ...busy, headers: { 'retry-after': '86400' } });
    expect(await failure(counted.ask({ type: 'meta' }))).toMatchObject({ failure: { retryAfterMs: 60_000 } });
    const { failure: others } = await failure(counted.ask({ type: 'perpDexs' }));
    expect(others).toMatchObject({ kind: 'busy' });
    expect(others.kind === 'busy' && others.retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  it('is retried until the deadline and then reported to the caller', async () => {
    exchange.responses.set('meta', busy);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const call = failure(client.ask({ type: 'meta' }, { timeoutMs: 59_000 }));
    await until('it is asked again', () => exchange.countOf('meta') > 1);
    vi.advanceTimersByTime(59_000);
    expect((await call).failure.kind).toBe('busy');
  });

  it('delays all calls if the limit is counted', async () => {
    await using counted = testInfoClient(exchange, { weightPerMinute: 1200 });
    exchange.responses.set('meta', { ...busy, headers: { 'retry-after': '60' } });
    await failure(counted.ask({ type: 'meta' }));
    expect(await failure(counted.ask({ type: 'perpDexs' }))).toMatchObject({ failure: { kind: 'busy' } });
    expect(exchange.countOf('perpDexs')).toBe(0);
  });
});

describe('[UP-4] the limiter', () => {
  it('counts the exchange’s weights, including those of responses', async () => {
    await using counted = testInfoClient(exchange, { weightPerMinute: 100 });
    exchange.responses.set('fundingHistory', { json: Array.from({ length: 41 }, () => ({})) });
    exchange.responses.set('allMids', { json: {} });
    await counted.ask({ type: 'fundingHistory' });
    // 20, then 3 for 41 items. The remaining 77 are enough for 38 light calls.
    expect(counted.health().weightUsed).toBe(23);
    for (let n = 0; n < 38; n += 1) await counted.ask({ type: 'allMids', n });
    expect(await failure(counted.ask({ type: 'allMids', n: 39 }))).toMatchObject({
      failure: { reason: 'limit' },
    });
    expect(exchange.countOf('allMids')).toBe(38);
  });

  it('[UP-24] reserves the maximum weight of responses to calls in flight', async () => {
    await using counted = testInfoClient(exchange, { weightPerMinute: 250 });
    const open = exchange.holdBack('historicalOrders');
    const calls = [1, 2].map((user) => counted.ask({ type: 'historicalOrders', user }));
    // Each weighs 20, and its response up to 100.
    expect(await failure(counted.ask({ type: 'historicalOrders', user: 3 }))).toMatchObject({
      failure: { reason: 'limit' },
    });
    open({ json: [{}] });
    await Promise.all(calls);
    expect(counted.health().weightUsed).toBe(42);
    expect(exchange.countOf('historicalOrders')).toBe(2);
  });
});

describe('[INFO-23] identical queries in flight', () => {
  it('do not share a call once there is a response, or with another query', async () => {
    exchange.responses.set('meta', (_, count) => ({ json: count }));
    const first = (await client.ask({ type: 'meta' })).json();
    const [second, other] = await Promise.all([client.ask({ type: 'meta' }), client.ask({ type: 'meta', dex: 'xyz' })]);
    expect([first, second.json()]).toEqual([1, 2]);
    expect(other.json()).not.toBe(2);
  });

  it('reject only the caller that aborts, with its own reason', async () => {
    const open = exchange.holdBack('meta');
    const giveUp = new AbortController();
    const [left, stayed] = [client.ask({ type: 'meta' }, { signal: giveUp.signal }), client.ask({ type: 'meta' })];
    giveUp.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    open({ json: 'there' });
    expect((await stayed).json()).toBe('there');
  });

  it('do not share a call with callers of another deadline', async () => {
    const open = exchange.holdBack('meta');
    const [hasty, patient] = [client.ask({ type: 'meta' }, { timeoutMs: 30 }), client.ask({ type: 'meta' })];
    expect((await failure(hasty)).message).toBe('upstream did not respond within 30 ms');
    open({ json: 'there' });
    expect((await patient).json()).toBe('there');
  });

  it('more than a second after the first are another call, so that a hanging one does not delay them', async () => {
    let time = 0;
    await using patient = testInfoClient(exchange, { now: () => time });
    const open = exchange.holdBack('meta');
    const first = patient.ask({ type: 'meta' });
    await until('it is sent', () => exchange.countOf('meta') === 1);
    exchange.responses.set('meta', { json: 'there' });
    time = 1_001;
    expect((await patient.ask({ type: 'meta' })).json()).toBe('there');
    open({ json: 'late' });
    expect((await first).json()).toBe('late');
  });

  it('[BILL-23] drop a caller that left while a 429 is waited out', async () => {
    exchange.responses.set('meta', { status: 429, text: '' });
    const giveUp = new AbortController();
    const call = client.ask({ type: 'meta' }, { account: 'a', signal: giveUp.signal });
    await until('it is asked', () => exchange.countOf('meta') > 0);
    giveUp.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(client.health()).toMatchObject({ waiting: 0, inFlight: 0 });
  });

  it('end their call when the last caller has left', async () => {
    exchange.responses.set('meta', 'hang');
    const giveUp = new AbortController();
    const call = client.ask({ type: 'meta' }, { signal: giveUp.signal });
    await until('the exchange is asked', () => exchange.open === 1);
    giveUp.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await until('the connection is closed', () => exchange.open === 0);
    exchange.responses.set('meta', { json: 'again' });
    expect((await client.ask({ type: 'meta' })).json()).toBe('again');
  });
});

it('bounds connections and queues further calls', async () => {
  await using narrow = testInfoClient(exchange, { connectionsMax: 3 });
  exchange.responses.set('meta', { json: {}, delayMs: 5 });
  await Promise.all(Array.from({ length: 12 }, (_, n) => narrow.ask({ type: 'meta', n })));
  expect(exchange.countOf('meta')).toBe(12);
  expect(exchange.openMax).toBe(3);
});

it('ends a call that waits for a connection at its deadline, without sending it', async () => {
  await using narrow = testInfoClient(exchange, { connectionsMax: 1 });
  const open = exchange.holdBack('meta');
  const first = narrow.ask({ type: 'meta' });
  await until('the only connection is taken', () => exchange.open === 1);
  expect((await failure(narrow.ask({ type: 'perpDexs' }, { timeoutMs: 20 }))).failure.kind).toBe('timeout');
  open({ json: 'done' });
  await first;
  expect((await narrow.ask({ type: 'meta' })).json()).toBe('done');
  expect(exchange.countOf('perpDexs')).toBe(0);
});

describe('another instance of this service as upstream', () => {
  it('gets the API key, while an exchange gets none', async () => {
    await using service = testInfoClient(exchange, { dialect: 'service', apiKey: 'l4k_secret' });
    await service.ask({ type: 'perpDexs' });
    await client.ask({ type: 'perpDexs' });
    expect(exchange.keys).toEqual(['Bearer l4k_secret', undefined]);
  });

  it.each([
    [401, 'rejects UPSTREAM_API_KEY'],
    [403, 'rejects UPSTREAM_API_KEY'],
    [402, 'UPSTREAM_API_KEY has no credits left'],
  ])('reports HTTP %i in the log, without the key', async (status, words) => {
    const logs: string[] = [];
    const log = createLog('info', { write: (line) => void logs.push(line) });
    await using service = testInfoClient(exchange, { dialect: 'service', apiKey: 'l4k_secret', log });
    exchange.responses.set('meta', { status, text: '{}' });
    expect((await failure(service.ask({ type: 'meta' }))).failure.kind).toBe('status');
    expect(logs.join('')).toContain(words);
    expect(logs.join('')).not.toContain('l4k_secret');
  });
});

describe('reading a response', () => {
  it('[UP-1] asks for no encoding, because it reads none', async () => {
    await client.ask({ type: 'perpDexs' });
    expect(exchange.encodings).toEqual(['identity']);
  });

  it('fails as busy if there is no memory for the response', async () => {
    await using small = testInfoClient(exchange, { responsesBytesMax: 15_000 });
    exchange.responses.set('meta', { status: 200, text: `"${'x'.repeat(20_000)}"` });
    exchange.responses.set('allMids', { status: 200, text: `"${'x'.repeat(10_000)}"` });
    expect(await failure(small.ask({ type: 'meta' }))).toMatchObject({
      failure: { kind: 'busy' },
      message: 'too many responses of the exchange are being read',
    });
    expect(small.health().responseBytes).toBe(0);
    expect((await small.ask({ type: 'allMids' })).bytes.length).toBe(10_002);
  });
});
