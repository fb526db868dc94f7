import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { CLOSE_CODES, serverMessage } from '@l4desk/protocol';
import { fuzzRuns, until } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { sharedService } from '../test-support/shared-service.ts';

const rig = sharedService({
  env: { CLIENT_MESSAGES_PER_SECOND_MAX: '100000', AUTH_FAILURES_PER_MINUTE_MAX: '1000000' },
});
/** A client that sends nothing odd. */
let bystander: WebSocket;

beforeAll(async () => {
  rig.feed.makeLive('BTC');
  await until('the lists of coins', async () => (await rig.service.readiness()).status === 'ready');
  bystander = new WebSocket(`${streamUrl()}?key=${rig.team.api}`);
  await once(bystander, 'open');
});

afterAll(() => bystander.terminate());

afterEach(async () => {
  const received = once(bystander, 'message');
  bystander.send('{"method":"ping"}');
  const text = String((await received)[0]);
  if (text !== '{"channel":"pong"}') throw new Error(`another client received ${text}`);
});

const streamUrl = () => `${rig.url.replace('http', 'ws')}/ws`;

const coin = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('BTC', 'ETH', '@1', 'A/B', '#1', 'xyz:GOLD', '__proto__', 'constructor', ''),
  },
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.jsonValue({ maxDepth: 1 }),
);

const subscription = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      {
        type: fc.oneof(fc.constant('l4BookUpdates'), fc.jsonValue({ maxDepth: 0 })),
        coin: fc.oneof(coin, fc.array(coin, { maxLength: 70 })),
        statuses: fc.oneof(fc.constantFrom('all', 'book'), fc.jsonValue({ maxDepth: 0 })),
        more: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: [] },
    ),
  },
  fc.jsonValue(),
);

/** A frame of any kind, with valid, invalid or missing fields. */
const frame = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record(
        { method: fc.oneof(fc.constantFrom('subscribe', 'unsubscribe', 'ping', 'post'), fc.jsonValue()), subscription },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  },
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);

/** Sends frames and then a ping. Resolves with everything received until its pong or the close. */
async function converse(frames: readonly (string | Buffer)[]) {
  const socket = new WebSocket(`${streamUrl()}?key=${rig.team.api}`);
  const heard: string[] = [];
  await once(socket, 'open');
  const closed = once(socket, 'close') as Promise<[code: number, reason: Buffer]>;
  const ponged = new Promise<void>((resolve) => {
    let pongs = 0;
    const wanted = frames.filter((text) => isPing(text)).length + 1;
    socket.on('message', (data: Buffer) => {
      heard.push(data.toString());
      if (data.toString() === '{"channel":"pong"}' && (pongs += 1) === wanted) resolve();
    });
  });
  for (const text of frames) socket.send(text);
  socket.send('{"method":"ping"}');
  const end = await Promise.race([ponged.then(() => undefined), closed]);
  socket.terminate();
  return { heard, code: end?.[0], reason: end?.[1].toString() ?? '' };
}

function isPing(text: string | Buffer): boolean {
  try {
    const value: unknown = JSON.parse(text.toString());
    return (
      typeof text === 'string' &&
      typeof value === 'object' &&
      value !== null &&
      'method' in value &&
      value.method === 'ping'
    );
  } catch {
    return false;
  }
}

function check(text: string): void {
  expect(text).not.toContain(rig.team.api.slice(4));
  expect(text).not.toContain(rig.team.service.slice(4));
  expect(text).not.toMatch(/node_modules|\n {4}at |apps\/bff|SQLITE/);
}

describe('arbitrary input', () => {
  it('[WS-12, WS-15, WS-16, WS-18, INFO-7] to the stream gets a specified response or close code', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 4 }), async (frames) => {
        const { heard, code, reason } = await converse(frames);
        for (const text of heard) {
          check(text);
          expect(serverMessage.safeParse(JSON.parse(text)).error).toBeUndefined();
        }
        check(reason);
        expect([undefined, CLOSE_CODES.policyViolation, CLOSE_CODES.messageTooBig, 1003, 1007]).toContain(code);
      }),
      {
        ...fuzzRuns(200),
        examples: [[['{"method":"subscribe","subscription":{"type":"l4BookUpdates","coin":"BTC","statuses":null}}']]],
      },
    );
    expect(rig.logs.join('')).not.toMatch(/"level":"(?:error|fatal)"/);
  });

  it('[AUTH-4, INFO-4, INFO-7] in an upgrade never opens a connection without a key', async () => {
    const text = fc.stringMatching(/^[!-~]{0,60}$/).map((part) => part.replaceAll('#', ''));
    const query = fc.oneof(
      text,
      text.map((part) => `key=${part}`),
      text.map((part) => `key=l4k_${part}`),
    );
    await fc.assert(
      fc.asyncProperty(query, text, async (search, credential) => {
        const headers = {
          Authorization: `Bearer ${credential}`,
          Cookie: `l4desk_${rig.port}=${encodeURIComponent(credential)}`,
        };
        const socket = new WebSocket(`${streamUrl()}?${search}`, { headers });
        const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
        const body = (await response.toArray()).join('');
        socket.on('error', () => {});
        socket.terminate();
        check(body);
        expect(response.statusCode).toBe(401);
        expect(JSON.parse(body)).toMatchObject({ error: 'unauthorized', code: 401 });
      }),
      fuzzRuns(80),
    );
  });
});
