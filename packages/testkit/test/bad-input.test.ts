import { once } from 'node:events';
import { connect } from 'node:net';
import { fuzzRuns, type SpecClient, StreamProbe } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Served } from './support/served.ts';

/** Another connected client, which nothing below may affect. */
const COINS = ['BTC', 'ETH', 'SOL'];

let served: Served;
let bystander: SpecClient;
beforeAll(async () => {
  served = await Served.start({
    // The limits have tests of their own. Here a client may send as much as it likes.
    CLIENT_MESSAGES_PER_SECOND_MAX: '100000',
    AUTH_FAILURES_PER_MINUTE_MAX: '1000000',
  });
  bystander = served.specClient(COINS);
  await bystander.until(() => COINS.every((coin) => bystander.book(coin) !== undefined));
});
afterAll(async () => {
  await bystander[Symbol.asyncDispose]();
  await served[Symbol.asyncDispose]();
});

/** After every test the process is still the same, and the other client continues without receiving an error. */
afterEach(async () => {
  const seen = bystander.batches;
  await served.stack.venue.step(2);
  await bystander.until(() => bystander.batches > seen);
  const { violations, gaps } = bystander;
  const { status } = await fetch(`${served.stack.url}/healthz`);
  if (violations.length > 0 || gaps.length > 0 || status !== 200) {
    throw new Error(`the bystander suffered: ${JSON.stringify({ violations, gaps, status })}`);
  }
});

interface Refusal {
  readonly status: number;
  readonly error: unknown;
  readonly path: unknown;
}

/** Sends a body and checks that the response, if it is a refusal, has every property of our refusals. */
async function ask(body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Promise<Refusal> {
  const response = await fetch(served.infoUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${served.apiKey}`, ...headers },
    body,
  });
  const text = await response.text();
  if (response.status === 200) return { status: 200, error: undefined, path: undefined };
  const json = JSON.parse(text) as Readonly<Record<string, unknown>>;
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(json).toMatchObject({ error: expect.any(String), code: response.status, msg: json.message });
  expect(text).not.toMatch(/\bat .+:\d+:\d+|node:|node_modules|127\.0\.0\.1|l4k_/);
  return { status: response.status, error: json.error, path: json.path };
}

const snapshotOf = (coin: unknown) => JSON.stringify({ type: 'l4BookSnapshot', coin });

describe('bad input at /info', () => {
  it.each<[string, string | Buffer, number, string, string?]>([
    ['nothing', '', 400, 'invalid_json'],
    ['half an object', '{"type":', 400, 'invalid_json'],
    ['two objects', '{}{}', 400, 'invalid_json'],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 400, 'invalid_json'],
    ['null', 'null', 400, 'invalid_request'],
    ['an array', '[{"type":"l4BookSnapshot","coin":"BTC"}]', 400, 'invalid_request'],
    ['a string', '"l4BookSnapshot"', 400, 'invalid_request'],
    ['a number', '7', 400, 'invalid_request'],
    ['a boolean', 'true', 400, 'invalid_request'],
    ['an array nested 30,000 deep', '['.repeat(30_000) + ']'.repeat(30_000), 400, 'invalid_request'],
    ['no type', '{}', 400, 'invalid_request', 'type'],
    ['a type that is a number', '{"type":7}', 400, 'invalid_request', 'type'],
    ['a type that is null', '{"type":null}', 400, 'invalid_request', 'type'],
    ['an unknown type', '{"type":"nope"}', 400, 'unsupported_type'],
    ['a type named like a member of every object', '{"type":"__proto__"}', 400, 'unsupported_type'],
    ['a type named like a method of every object', '{"type":"constructor"}', 400, 'unsupported_type'],
    ['no coin', '{"type":"l4BookSnapshot"}', 400, 'invalid_request', 'coin'],
    ['a coin that is null', snapshotOf(null), 400, 'invalid_request', 'coin'],
    ['a coin that is a number', snapshotOf(7), 400, 'invalid_request', 'coin'],
    ['a list of coins', snapshotOf(['BTC']), 400, 'invalid_request', 'coin'],
    ['a coin that is an object', snapshotOf({}), 400, 'invalid_request', 'coin'],
    ['the empty coin', snapshotOf(''), 400, 'invalid_request', 'coin'],
    ['a coin of 1,000 letters', snapshotOf('B'.repeat(1_000)), 400, 'invalid_request', 'coin'],
    ['a coin in the wrong case', snapshotOf('btc'), 400, 'unknown_coin', 'coin'],
    ['a coin with a space', snapshotOf(' BTC'), 400, 'unknown_coin', 'coin'],
    ['a coin with a zero byte', snapshotOf('BTC\u0000'), 400, 'unknown_coin', 'coin'],
    ['a coin with markup', snapshotOf('<script>'), 400, 'unknown_coin', 'coin'],
    ['a spot coin', snapshotOf('@107'), 400, 'unsupported_coin', 'coin'],
    ['an outcome', snapshotOf('#12'), 400, 'unsupported_coin', 'coin'],
  ])(
    '[INFO-4, INFO-7, INFO-10, INFO-11, INFO-15, INFO-17] refuses %s as decided',
    async (_, body, status, error, path) => {
      expect(await ask(body)).toEqual({ status, error, path });
    },
  );

  it.each<[string, Record<string, string>, number]>([
    ['text', { 'Content-Type': 'text/plain' }, 415],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    ['something that begins like JSON', { 'Content-Type': 'application/jsonp' }, 415],
  ])('[INFO-13] rejects a body declared to be %s with 415', async (_, headers, status) => {
    expect(await ask(snapshotOf('BTC'), headers)).toMatchObject({ status, error: 'unsupported_media_type' });
  });

  it('[INFO-12] reads a body of exactly 64 KiB, and rejects one byte more with 413', async () => {
    const padded = (size: number) => {
      const empty = JSON.stringify({ type: 'nope', x: '' });
      return JSON.stringify({ type: 'nope', x: 'x'.repeat(size - empty.length) });
    };
    expect(await ask(padded(65_536))).toMatchObject({ status: 400, error: 'unsupported_type' });
    expect(await ask(padded(65_537))).toMatchObject({ status: 413, error: 'body_too_large' });
  });

  it.each([
    ['bytes that are not HTTP', 'nonsense\r\n\r\n'],
    ['a request that ends in its head', 'POST /info HTTP/1.1\r\nHost: x\r\nContent-Le'],
    [
      'a body that ends early',
      'POST /info HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ],
    ['a chunk with an invalid size', 'POST /info HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('[INFO-7] closes only the connection that sends %s on the bare socket', async (_, bytes) => {
    const { port } = new URL(served.stack.url);
    const socket = connect(Number(port), '127.0.0.1');
    let response = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      response += text;
    });
    await once(socket, 'connect');
    socket.end(bytes);
    await new Promise<void>((resolve) => {
      socket.once('error', () => resolve()).once('close', () => resolve());
    });
    expect(response).not.toMatch(/^HTTP\/1\.1 [25]/);
  });

  const anyBody = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.json(),
    fc
      .record({ type: fc.oneof(fc.constant('l4BookSnapshot'), fc.string(), fc.jsonValue()), coin: fc.jsonValue() })
      .map((body) => JSON.stringify(body)),
    fc.string({ unit: 'binary' }).map(snapshotOf),
  );

  it('[INFO-4, INFO-5, INFO-7, INFO-17] responds to any body with a refusal of ours', async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, async (body) => {
        const { status, error } = await ask(body);
        expect([400, 413]).toContain(status);
        expect(error).toMatch(
          /^(invalid_json|invalid_request|unsupported_type|unknown_coin|unsupported_coin|body_too_large)$/,
        );
      }),
      fuzzRuns(300),
    );
  });
});

describe('bad input at /ws', () => {
  const open = () => StreamProbe.open(`${served.streamUrl}?key=${served.apiKey}`);

  /** The only allowed responses to a message. */
  const RESPONSES = [
    /^\{"channel":"pong"\}$/,
    /^\{"channel":"subscriptionResponse","data":\{"method":"(un)?subscribe","subscription":/,
    /^\{"channel":"error","data":"(Already subscribed: |Already unsubscribed: |Invalid subscription \{|Error parsing JSON into valid websocket request: )/,
  ];

  const near = fc.record(
    {
      method: fc.oneof(fc.constantFrom('subscribe', 'unsubscribe', 'ping', 'post'), fc.jsonValue()),
      subscription: fc.oneof(
        fc.jsonValue(),
        fc.record(
          {
            type: fc.oneof(fc.constant('l4BookUpdates'), fc.string()),
            coin: fc.oneof(
              fc.constantFrom(...COINS, '@1', '#1', 'NOPE'),
              fc.array(fc.constantFrom(...COINS)),
              fc.jsonValue(),
            ),
            statuses: fc.oneof(fc.constantFrom('all', 'book'), fc.jsonValue()),
            extra: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  );
  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.json(),
    near.map((message) => JSON.stringify(message)),
  );

  it('[WS-12, WS-15, WS-16, WS-22] responds to every message with one message of the protocol, and keeps the connection open', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 12 }), async (texts) => {
        await using probe = await open();
        for (const text of texts) {
          const response = await probe.ask(text);
          expect(
            RESPONSES.some((form) => form.test(response.text)),
            `${text} → ${response.text}`,
          ).toBe(true);
          // A valid message between two invalid ones: only endless garbage closes the connection (WS-18).
          expect((await probe.ask({ method: 'ping' })).channel).toBe('pong');
        }
      }),
      fuzzRuns(100),
    );
  });

  /** A frame as RFC 6455 specifies it, masked with zeros. */
  const frame = (first: number, payload: Buffer, masked = true) => {
    const size = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 0xff];
    size[0] = (size[0] ?? 0) | (masked ? 0x80 : 0);
    return Buffer.concat([Buffer.from([first, ...size]), Buffer.alloc(masked ? 4 : 0), payload]);
  };

  it.each<[string, Buffer, number]>([
    ['an unmasked frame', frame(0x81, Buffer.from('{"method":"ping"}'), false), 1002],
    ['a reserved bit', frame(0xc1, Buffer.from('{"method":"ping"}')), 1002],
    ['a reserved opcode', frame(0x83, Buffer.from('x')), 1002],
    ['a continuation of nothing', frame(0x80, Buffer.from('x')), 1002],
    ['a ping in parts', frame(0x09, Buffer.from('x')), 1002],
    ['a ping that is too long', frame(0x89, Buffer.alloc(126)), 1002],
    ['text that is not UTF-8', frame(0x81, Buffer.from([0xff, 0xfe])), 1007],
    ['a close with a code that does not exist', frame(0x88, Buffer.from([0x03, 0xe7])), 1002],
  ])('[WS-1] closes the connection on %s with the code of the protocol', async (_, bytes, code) => {
    await using probe = await open();
    probe.socket.sendBytes(bytes);
    expect(await probe.closed()).toMatchObject({ code });
  });

  it('[WS-26] reads a frame of 64 KiB and closes the connection with 1009 on a larger one', async () => {
    await using probe = await open();
    const text = (size: number) => `"${'x'.repeat(size - 2)}"`;
    expect((await probe.ask(text(65_536))).channel).toBe('error');
    probe.say(text(65_537));
    expect(await probe.closed()).toMatchObject({ code: 1009 });
  });

  it('[WS-16, WS-12] reports a binary frame, and keeps the connection open', async () => {
    await using probe = await open();
    probe.socket.sendBinary(Buffer.from('{"method":"ping"}'));
    expect((await probe.respond()).channel).toBe('error');
    expect((await probe.ask({ method: 'ping' })).channel).toBe('pong');
  });
});
