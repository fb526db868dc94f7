import { once } from 'node:events';
import { UpgradeRefused, until } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { StreamLimits } from './limits.ts';
import { StreamClient, StreamServer } from './test-support/stream-server.ts';

/** A server that lets coins go at once, and keeps none for clients that resume. */
const start = (limits: Partial<StreamLimits> = {}) => StreamServer.start({ resumeMs: 0, ...limits });

const batches = (client: StreamClient) =>
  client.texts
    .map((text) => JSON.parse(text))
    .filter((message) => message.channel === 'l4BookUpdates')
    .map((message) => message.data.Updates);

/** A masked frame without content, by its first byte: the opcode, and 0x80 for the last frame of a message. */
const emptyFrame = (head: number) => Buffer.from([head, 0x80, 0, 0, 0, 0]);

/** A masked frame of fewer than 126 bytes, by its first byte. */
const frame = (head: number, text: string) =>
  Buffer.concat([Buffer.from([head, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

const PING_MESSAGE = frame(0x81, '{"method":"ping"}');

async function refusal(
  path: string,
  server: StreamServer,
): Promise<{ status: number; body: unknown; response: string }> {
  try {
    const client = await StreamClient.open(server.url(path));
    client.socket.destroy();
    throw new Error('the upgrade was not refused');
  } catch (error) {
    if (!(error instanceof UpgradeRefused)) throw error;
    const { status, response } = error;
    return { status, response, body: JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4)) };
  }
}

describe('an upgrade', () => {
  test('is refused with 503 before the coin lists are loaded, because no subscription could be checked', async () => {
    await using server = await start();
    server.universe.isLoaded = false;
    const refused = await refusal('/ws?key=good', server);
    expect(refused).toMatchObject({ status: 503, body: { error: 'book_not_ready' } });
    expect(refused.response).toMatch(/^retry-after: 1\r$/im);
    // Credentials are checked first.
    expect(await refusal('/ws?key=bad', server)).toMatchObject({ status: 401 });
    server.universe.isLoaded = true;
    const client = await server.connect();
    client.subscribe({ coin: 'xyz:GOLD' });
    expect(await client.messages(1)).toMatchObject([{ channel: 'subscriptionResponse' }]);
  });
});

describe('the log', () => {
  test('[OPS-4] has a line when a connection opens and closes, with its account, credential and code', async () => {
    await using server = await start();
    const client = await server.connect();
    await client.settled();
    server.time.advance(1_234);
    server.keys.revoked.add('good');
    await server.stream.recheck();
    await client.until(() => client.closed);
    await until('the end is logged', () => server.log.lines.length === 2);
    const [opened, closed] = server.log.lines;
    const who = '{"reqId":"[0-9a-f-]{36}","account":"a","credential":"good","via":"query"';
    expect(opened).toMatch(new RegExp(`^info stream opened ${who},"deflate":false}$`));
    expect(closed).toMatch(new RegExp(`^info stream closed ${who},"code":4401,"ms":1234}$`));
  });

  test('[OPS-4] has the response’s request id for a refused upgrade, and neither its query nor a key in its path', async () => {
    await using server = await start();
    const { response } = await refusal('/ws/l4k_secret?key=secret', server);
    const id = /^X-Request-Id: (.+)\r$/m.exec(response)?.[1];
    expect(server.log.lines).toEqual([
      `debug upgrade refused {"reqId":"${id}","path":"/ws/***","status":404,"error":"not_found"}`,
    ]);
  });
});

describe('subscribing', () => {
  test('[WS-7, WS-17] is acknowledged with the body exactly as sent', async () => {
    await using server = await start();
    const client = await server.connect();
    const body = '{ "coin" : ["BTC", "ETH"],"type":"l4BookUpdates", "note": 1.0 }';
    client.send(`{"method":"subscribe","subscription":${body}}`);
    await client.messages(1);
    client.send(`{"method":"unsubscribe","subscription":${body}}`);
    await client.messages(2);
    expect(client.texts).toEqual([
      `{"channel":"subscriptionResponse","data":{"method":"subscribe","subscription":${body}}}`,
      `{"channel":"subscriptionResponse","data":{"method":"unsubscribe","subscription":${body}}}`,
    ]);
  });

  test('[WS-25, WS-22] to more than the maximum of distinct coins per connection is refused entirely', async () => {
    await using server = await start({ connectionCoinsMax: 70 });
    const client = await server.connect();
    const coins = (from: number, count: number) => Array.from({ length: count }, (_, at) => `C${from + at}`);
    client.subscribe({ coin: coins(0, 64) });
    client.subscribe({ coin: coins(60, 11) });
    client.subscribe({ coin: coins(60, 10) });
    const messages = (await client.messages(3)) as { channel: string; data: unknown }[];
    expect(messages.map(({ channel }) => channel)).toEqual(['subscriptionResponse', 'error', 'subscriptionResponse']);
    expect(messages[1]?.data).toMatch(/: more than 70 distinct coins on one connection$/);
    expect(server.held.size).toBe(70);
  });
});

describe('the memory of a connection', () => {
  test('is bounded for subscription texts: above the limit one is refused until another is removed', async () => {
    await using server = await start({ messagesPerSecondMax: 1_000 });
    const client = await server.connect();
    const body = (name: string) => ({ type: 'l4BookUpdates', coin: 'BTC', note: name.repeat(50_000) });
    for (const name of 'abcdef') client.send({ method: 'subscribe', subscription: body(name) });
    const channels = (await client.messages(6)).map((message) => (message as { channel: string }).channel);
    expect(channels).toEqual([...Array<string>(5).fill('subscriptionResponse'), 'error']);
    expect(client.texts[5]).toContain(': more than 262144 characters of subscriptions on one connection');
    client.send({ method: 'unsubscribe', subscription: body('a') });
    client.send({ method: 'subscribe', subscription: body('f') });
    expect(await client.messages(8)).toMatchObject([{}, {}, {}, {}, {}, {}, { data: { method: 'unsubscribe' } }, {}]);
    expect(JSON.parse(client.texts[7] ?? '')).toMatchObject({ data: { method: 'subscribe' } });
  });

  test('excludes messages sent while a subscription is charged, which stay in the socket until handled', async () => {
    await using server = await start({ messagesPerSecondMax: 1_000_000 });
    let open = () => {};
    server.purse.gate = new Promise((resolve) => {
      open = resolve;
    });
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    for (let count = 0; count < 100; count += 1) client.subscribe({ coin: 'NOPE', note: 'x'.repeat(60_000) });
    client.send({ method: 'ping' });
    const other = await server.connect();
    await other.settled();
    expect(server.sockets[0]?.bytesRead).toBeLessThan(1_000_000);
    open();
    await client.messages(102);
    expect(client.texts[0]).toContain('subscriptionResponse');
    expect(client.texts[101]).toBe('{"channel":"pong"}');
  });
});

describe('client messages', () => {
  test('[WS-12, WS-16] that are not requests are echoed in an error, and the connection stays open', async () => {
    await using server = await start();
    const client = await server.connect();
    client.send('{"method":"trade"}');
    client.socket.sendBinary(Buffer.from('{"method":"ping"}'));
    expect(await client.messages(2)).toEqual([
      { channel: 'error', data: 'Error parsing JSON into valid websocket request: {"method":"trade"}' },
      { channel: 'error', data: 'Error parsing JSON into valid websocket request: a binary message' },
    ]);
    await client.settled();
  });

  test('[WS-18] do not close the connection if garbage is only occasional', async () => {
    await using server = await start({ messagesPerSecondMax: 1_000 });
    const client = await server.connect();
    for (let count = 0; count < 30; count += 1) {
      client.send('garbage');
      client.send({ method: 'ping' });
    }
    await client.messages(60);
    await client.settled();
    expect(client.closed).toBeNull();
  });

  test('[WS-30] above 100 in a second are read later, and none is lost', async () => {
    await using server = await start();
    const client = await server.connect();
    for (let count = 0; count < 100; count += 1) client.send({ method: 'ping' });
    await client.messages(100);
    server.time.advance(500);
    for (let count = 0; count < 51; count += 1) client.send({ method: 'ping' });
    await client.messages(151);
    const [socket] = server.sockets;
    await until('nothing more is read', () => socket?.isPaused());
    client.subscribe({ coin: 'BTC' });
    client.send({ method: 'ping' });
    server.time.advance(9);
    expect(socket?.isPaused()).toBe(true);
    expect(client.texts).toHaveLength(151);
    server.time.advance(1);
    await until('it is read again, up to the limit', () => client.texts.length > 151 && socket?.isPaused());
    server.time.advance(1_000);
    expect((await client.messages(153)).slice(-2)).toMatchObject([
      { channel: 'subscriptionResponse' },
      { channel: 'pong' },
    ]);
    expect(client.closed).toBeNull();
  });

  test('[WS-30] of a client that subscribes to 400 channels at once are all handled', async () => {
    await using server = await start();
    const client = await server.connect();
    for (let count = 0; count < 400; count += 1)
      client.send({ method: 'subscribe', subscription: { type: 'bbo', coin: `C${count % 200}`, count } });
    await until('all are subscribed', () => {
      server.time.advance(100);
      return server.stream.health().subscriptions === 400;
    });
    expect(client.closed).toBeNull();
  });

  test('[WS-30] are handled in order and within the limit if many are read at once', async () => {
    await using server = await start();
    const client = await server.connect();
    // The coin is paid for, so that none of the others waits for a charge.
    client.subscribe({ type: 'bbo', coin: 'BTC' });
    await client.settled();
    const subscribes = Array.from({ length: 200 }, (_, n) =>
      frame(0x81, `{"method":"subscribe","subscription":{"type":"bbo","coin":"BTC","n":${n}}}`),
    );
    client.socket.sendBytes(Buffer.concat([...subscribes, frame(0x82, 'x'), PING_MESSAGE]));
    const subscribed = () => server.stream.health().subscriptions;
    await until('it is held back', () => server.sockets[0]?.isPaused());
    expect(subscribed()).toBe(100);
    server.time.advance(505);
    expect(subscribed()).toBe(150);
    server.time.advance(1_000);
    expect((await client.messages(203)).slice(-3)).toMatchObject([
      { channel: 'subscriptionResponse', data: { subscription: { n: 199 } } },
      { channel: 'error' },
      { channel: 'pong' },
    ]);
    expect(client.closed).toBeNull();
  });

  test('[WS-18, WS-30] close the connection after ten invalid ones, however many were read with them', async () => {
    await using server = await start({ messagesPerSecondMax: 5 });
    const client = await server.connect();
    client.socket.sendBytes(Buffer.concat(Array.from({ length: 50 }, (_, n) => frame(n % 2 === 0 ? 0x81 : 0x82, 'x'))));
    await until('it is held back', () => server.sockets[0]?.isPaused());
    server.time.advance(1_000);
    expect(await client.until(() => client.closed)).toEqual({ code: 1008, reason: 'too many invalid messages' });
    expect(client.texts).toHaveLength(10);
  });

  test('[WS-11, WS-30] above the limit do not hide the pongs of a client', async () => {
    await using server = await start({ messagesPerSecondMax: 1, pingMs: 1_000 });
    const client = await server.connect();
    client.socket.sendBytes(Buffer.concat(Array.from({ length: 30 }, () => PING_MESSAGE)));
    await until('it is held back', () => server.sockets[0]?.isPaused());
    // In jumps, within which no pong can arrive.
    for (const seconds of [9, 9, 9]) server.time.advance(seconds * 1_000);
    await client.messages(29);
    expect(client.closed).toBeNull();
  });

  test('[WS-30] above the limit leave no timer behind', async () => {
    await using server = await start({ messagesPerSecondMax: 1 });
    const before = server.time.waiting.length;
    const flood = Buffer.concat(Array.from({ length: 30 }, () => emptyFrame(0x8a)));
    const revoked = await server.connect('/ws?key=good1');
    const gone = await server.connect('/ws?key=good2');
    for (const [at, client] of [revoked, gone].entries()) {
      client.socket.sendBytes(flood);
      await until('it is held back', () => server.sockets[at]?.isPaused());
    }
    server.sockets[1]?.destroy();
    server.keys.revoked.add('good1');
    await server.stream.recheck();
    await until('both are gone', () => server.stream.health().connections === 0);
    expect(server.time.waiting).toHaveLength(before);
  });

  test('[WS-30] count with pings and pongs that the service did not ask for', async () => {
    await using server = await start();
    for (const head of [0x89, 0x8a]) {
      const client = await server.connect();
      const socket = server.sockets.at(-1);
      // One at a time: ws itself terminates a client with many unanswered pings.
      for (let count = 0; count < 50; count += 1) {
        client.socket.sendBytes(emptyFrame(head));
        await client.settled();
      }
      expect(socket?.isPaused()).toBe(false);
      client.socket.sendBytes(emptyFrame(head));
      await until('nothing more is read', () => socket?.isPaused());
    }
  });

  test('[WS-30] are not read any more if they go on after the connection was closed', async () => {
    await using server = await start();
    const client = await server.connect();
    const [socket] = server.sockets;
    const flood = () => client.socket.sendBytes(Buffer.concat(Array.from({ length: 102 }, () => emptyFrame(0x8a))));
    flood();
    await until('it is not read', () => socket?.isPaused());
    client.socket.pause();
    server.keys.revoked.add('good');
    await server.stream.recheck();
    expect(socket?.isPaused()).toBe(false);
    flood();
    await until('it is not read', () => socket?.isPaused());
    server.time.advance(1_000);
    expect(socket?.destroyed).toBe(true);
    await until('it is gone', () => server.stream.health().closedByCode[4401] === 1);
  });

  test('[WS-30] have at most 256 frames', async () => {
    await using server = await start();
    const client = await server.connect();
    const message = (frames: number) => {
      const middle = Array.from({ length: frames - 2 }, () => emptyFrame(0x00));
      return Buffer.concat([emptyFrame(0x01), ...middle, emptyFrame(0x80)]);
    };
    client.socket.sendBytes(message(256));
    expect(await client.messages(1)).toMatchObject([{ channel: 'error' }]);
    client.socket.sendBytes(message(257));
    expect(await client.until(() => client.closed)).toMatchObject({ code: 1008 });
  });

  test('[WS-26] may have 64 KiB, and a larger frame closes the connection', async () => {
    await using server = await start();
    const client = await server.connect();
    const padded = (bytes: number) => `{"method":"ping"${' '.repeat(bytes - 17)}}`;
    client.send(padded(65_536));
    expect(await client.messages(1)).toEqual([{ channel: 'pong' }]);
    client.send(padded(65_537));
    expect(await client.until(() => client.closed)).toMatchObject({ code: 1009 });
  });
});

describe('an open connection', () => {
  test('[WS-11] is pinged, and terminated if it misses two pings', async () => {
    await using server = await start({ pingMs: 1_000 });
    const deaf = new WebSocket(server.url(), { autoPong: false });
    const hearing = new WebSocket(server.url());
    const opened = (socket: WebSocket) => new Promise((resolve) => socket.once('open', resolve));
    await Promise.all([opened(deaf), opened(hearing)]);
    let pings = 0;
    const closed = new Promise<number>((resolve) => deaf.on('close', resolve));
    for (const round of [1, 2]) {
      const pinged = [deaf, hearing].map((socket) => new Promise((resolve) => socket.once('ping', resolve)));
      server.time.advance(1_000);
      await Promise.all(pinged);
      pings = round;
      // The server has read the pong once it responds to what was sent after it.
      const responded = new Promise((resolve) => hearing.once('message', resolve));
      hearing.send('{"method":"ping"}');
      await responded;
    }
    expect(pings).toBe(2);
    server.time.advance(1_000);
    expect(await closed).toBe(1006);
    expect(hearing.readyState).toBe(WebSocket.OPEN);
    hearing.terminate();
  });

  test('[AUTH-9] stays open while the database is unreachable', async () => {
    await using server = await start();
    const client = await server.connect();
    server.keys.broken = true;
    await server.stream.recheck();
    await client.settled();
    server.keys.broken = false;
    server.keys.revoked.add('good');
    await server.stream.recheck();
    expect(await client.until(() => client.closed)).toMatchObject({ code: 4401 });
  });

  test('[AUTH-9] of a revoked credential does not stay open because another credential cannot be rechecked', async () => {
    await using server = await start();
    const [stuck, revoked] = await Promise.all([server.connect('/ws?key=good1'), server.connect('/ws?key=good2')]);
    server.keys.stuck.add('good1');
    server.keys.revoked.add('good2');
    void server.stream.recheck();
    expect(await revoked.until(() => revoked.closed)).toMatchObject({ code: 4401 });
    await stuck.settled();
    expect(stuck.closed).toBeNull();
  });

  test('is closed with 1001 at shutdown, and new upgrades are refused with 503', async () => {
    await using server = await start();
    const client = await server.connect();
    const silent = await server.connect();
    silent.socket.pause();
    const ended = server.stream.close();
    expect(await client.until(() => client.closed)).toEqual({ code: 1001, reason: 'shutting down' });
    expect(await refusal('/ws?key=good', server)).toMatchObject({ status: 503, body: { error: 'shutting_down' } });
    // A client that does not respond to the close is terminated.
    server.time.advance(1_000);
    await ended;
    expect(server.stream.health().connections).toBe(0);
  });

  test('[L4-12] ends at a restart even without a subscription, because it could subscribe again at lower heights', async () => {
    await using server = await start();
    const [client, fresh] = [await server.connect(), await server.connect()];
    client.subscribe({ coin: 'BTC' });
    await client.messages(1);
    server.feed.publish(['BTC']);
    client.send({ method: 'unsubscribe', subscription: { type: 'l4BookUpdates', coin: 'BTC' } });
    await client.settled();
    server.feed.height = 50;
    server.feed.publish(['BTC']);
    expect(await client.until(() => client.closed)).toMatchObject({ code: 1001 });
    // A client that was never sent a block is not affected.
    await fresh.settled();
    expect(fresh.closed).toBeNull();
  });

  test('[L4-12, L4-6] ends when the stream restarts at an earlier block', async () => {
    await using server = await start();
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    await client.messages(1);
    server.feed.publish(['BTC']);
    server.feed.height = 50;
    server.feed.publish(['BTC']);
    expect(await client.until(() => client.closed)).toMatchObject({ code: 1001 });
    expect(batches(client).map((batch) => batch.block_height)).toEqual([101]);
  });
});

async function compressing(
  server: StreamServer,
  perMessageDeflate: WebSocket.ClientOptions['perMessageDeflate'] = true,
): Promise<{ socket: WebSocket; extensions: string; texts: string[] }> {
  const texts: string[] = [];
  const socket = new WebSocket(server.url(), { perMessageDeflate });
  socket.on('message', (data: Buffer) => texts.push(data.toString()));
  const extensions = await new Promise<string>((resolve, reject) => {
    socket.on('upgrade', (response) => resolve(response.headers['sec-websocket-extensions'] ?? ''));
    socket.on('error', reject);
  });
  return { socket, extensions, texts };
}

test('[L4-9] compression is negotiated without context takeover and shared, and the text is the same', async () => {
  await using server = await start();
  const { socket, extensions, texts } = await compressing(server);
  const plain = await server.connect();
  expect(extensions).toMatch(/server_no_context_takeover/);
  const next = () => new Promise((resolve) => socket.once('message', resolve));
  const acknowledged = next();
  socket.send('{"method":"subscribe","subscription":{"type":"l4BookUpdates","coin":"BTC"}}');
  await acknowledged;
  plain.subscribe({ coin: 'BTC' });
  await plain.messages(1);
  expect(server.feed.readers.get('BTC')).toEqual([
    { statuses: 'all', deflate: true },
    { statuses: 'all', deflate: false },
  ]);
  for (let count = 0; count < 3; count += 1) {
    const arrived = next();
    server.feed.publish(['BTC'], 50_000);
    await arrived;
  }
  await plain.messages(4);
  expect(texts.slice(1)).toEqual(plain.texts.slice(1));
  const { bytesSent, framesBuilt } = server.stream.health();
  expect(framesBuilt).toBe(6);
  expect(bytesSent).toBeLessThan(160_000);
  socket.terminate();
});

test('[L4-9] a client may compress its messages with the context of earlier ones', async () => {
  await using server = await start();
  const { socket, extensions, texts } = await compressing(server, { threshold: 0 });
  expect(extensions).toBe('permessage-deflate; server_no_context_takeover');
  for (let count = 0; count < 2; count += 1) {
    socket.send('{"method":"ping"}');
    await once(socket, 'message');
  }
  expect(texts).toEqual(['{"channel":"pong"}', '{"channel":"pong"}']);
  socket.terminate();
});

test('[L4-9] compression is not used for a client whose window is too small for the shared frames', async () => {
  await using server = await start();
  const { socket, extensions, texts } = await compressing(server, { serverMaxWindowBits: 9 });
  expect(extensions).toMatch(/server_max_window_bits=9/);
  socket.send('{"method":"subscribe","subscription":{"type":"l4BookUpdates","coin":"BTC"}}');
  await once(socket, 'message');
  expect(server.feed.readers.get('BTC')).toEqual([{ statuses: 'all', deflate: false }]);
  server.feed.publish(['BTC'], 50_000);
  await once(socket, 'message');
  expect(texts[1]).toMatch(/^{"channel":"l4BookUpdates"/);
  socket.terminate();
});
