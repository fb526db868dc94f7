import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeAnswer, FakeExchange } from '../test-support/fake-exchange.ts';
import { createInfoClient, type InfoClient, UpstreamError } from './info-client.ts';

let exchange: FakeExchange;
let client: InfoClient;

beforeEach(async () => {
  exchange = await FakeExchange.start();
  client = createInfoClient(exchange.infoUrl, 10_000);
});

afterEach(async () => {
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

it('answers what the exchange says', async () => {
  expect(await client.query({ type: 'perpDexs' })).toEqual([null, { name: 'xyz' }]);
  expect(exchange.asked).toEqual([{ type: 'perpDexs' }]);
});

describe('[INFO-7] a failure is one sentence without a host', () => {
  it.each<[string, FakeAnswer, string, string]>([
    ['a cut connection', 'cut', 'upstream_error', 'upstream cannot be reached (UND_ERR_SOCKET)'],
    ['HTTP 500', { status: 500, text: 'null' }, 'upstream_error', 'upstream returned HTTP 500'],
    ['HTTP 429', { status: 429, text: '' }, 'upstream_error', 'upstream returned HTTP 429'],
    ['a redirect', { status: 302, text: '' }, 'upstream_error', 'upstream returned HTTP 302'],
    ['text', { status: 200, text: '<html>' }, 'upstream_error', 'upstream sent an answer that is not JSON'],
    ['nothing', { status: 200, text: '' }, 'upstream_error', 'upstream sent an answer that is not JSON'],
  ])('%s', async (_, answer, code, message) => {
    exchange.answers.set('meta', answer);
    expect(await failure(client.query({ type: 'meta' }))).toMatchObject({ code, message, retryable: true });
  });

  it('a refused connection', async () => {
    const { infoUrl } = exchange;
    await exchange[Symbol.asyncDispose]();
    await using late = createInfoClient(infoUrl, 10_000);
    expect((await failure(late.query({ type: 'meta' }))).message).toBe('upstream cannot be reached (ECONNREFUSED)');
    exchange = await FakeExchange.start();
  });

  it('no answer within the deadline', async () => {
    exchange.answers.set('meta', 'hang');
    await using hasty = createInfoClient(exchange.infoUrl, 50);
    expect(await failure(hasty.query({ type: 'meta' }))).toMatchObject({
      code: 'upstream_timeout',
      message: 'upstream did not answer within 50 ms',
    });
  });
});

it('a caller that gives up hears its own reason', async () => {
  exchange.answers.set('meta', 'hang');
  const giveUp = new AbortController();
  const call = client.query({ type: 'meta' }, giveUp.signal);
  giveUp.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
});
