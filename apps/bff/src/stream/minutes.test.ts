import { until } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import { type StreamClient, StreamServer } from './test-support/stream-server.ts';

const start = () => StreamServer.start({ recheckMs: 10_000, pingMs: 1_000_000_000, resumeMs: 0 });

/** Advances the clock and waits until the resulting charges are made. */
async function pass(server: StreamServer, ms: number, charged: number): Promise<void> {
  server.time.advance(ms);
  await until(
    () => `${charged} credits charged; they are ${server.purse.charged}`,
    () => server.purse.charged === charged,
  );
}

/** Advances the clock second by second until the service closes the connection. */
const closed = (server: StreamServer, client: StreamClient) =>
  until(
    'the close',
    () => {
      server.time.advance(1_000);
      return client.closed !== null;
    },
    { longestPauseMs: 4 },
  );

const acks = (client: StreamClient) => client.texts.filter((text) => text.includes('subscriptionResponse')).length;
const errors = (client: StreamClient) =>
  client.texts
    .map((text) => JSON.parse(text))
    .flatMap((message) => (message.channel === 'error' ? [message.data] : []));

describe('the charge of a stream', () => {
  test('[BILL-3, BILL-15] is a credit per coin at subscribe, then one per started 60 s of that coin', async () => {
    await using server = await start();
    const client = await server.connect();
    client.subscribe({ coin: ['BTC', 'ETH'] });
    await client.settled();
    expect(server.purse.charges).toEqual([{ credentialId: 'good', credits: 2 }]);
    server.time.advance(30_000);
    client.subscribe({ coin: 'SOL' });
    await client.settled();
    expect(server.purse.charged).toBe(3);
    server.time.advance(29_999);
    await client.settled();
    expect(server.purse.charged).toBe(3);
    await pass(server, 1, 5);
    await pass(server, 30_000, 6);
    await pass(server, 30_000, 8);
  });

  test('[BILL-16] does not increase if a client unsubscribes and resubscribes within a paid minute', async () => {
    await using server = await start();
    const client = await server.connect();
    for (let round = 0; round < 3; round += 1) {
      client.subscribe({ coin: 'BTC' });
      client.send({ method: 'unsubscribe', subscription: { type: 'l4BookUpdates', coin: 'BTC' } });
      await client.settled();
      server.time.advance(10_000);
    }
    client.subscribe({ coin: ['BTC'] });
    await client.settled();
    expect([server.purse.charged, acks(client), errors(client)]).toEqual([1, 7, []]);
    await pass(server, 30_000, 2);
    client.send({ method: 'unsubscribe', subscription: { type: 'l4BookUpdates', coin: ['BTC'] } });
    await client.settled();
    server.time.advance(120_000);
    await client.settled();
    expect(server.purse.charged).toBe(2);
    client.subscribe({ coin: 'BTC' });
    await client.settled();
    expect(server.purse.charged).toBe(3);
  });

  test('[BILL-15] precedes the acknowledgement, and messages sent meanwhile are handled after it, in order', async () => {
    await using server = await start();
    const gate = gateOf();
    server.purse.left = 10;
    server.purse.gate = gate.opened;
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    client.subscribe({ coin: 'BTC' });
    client.subscribe({ coin: 'ETH' });
    client.send({ method: 'ping' });
    client.send({ method: 'unsubscribe', subscription: { type: 'l4BookUpdates', coin: 'BTC' } });
    await until('the charge under way', () => server.purse.left === 9);
    server.feed.publish(['BTC']);
    expect(client.texts).toEqual([]);
    gate.open();
    await client.until(() => client.texts.length === 5);
    expect(client.texts.map((text) => JSON.parse(text).data?.method ?? text.slice(0, 40))).toEqual([
      'subscribe',
      '{"channel":"error","data":"Already subsc',
      'subscribe',
      '{"channel":"pong"}',
      'unsubscribe',
    ]);
  });

  test('leaves nothing behind if the connection closes during it', async () => {
    await using server = await start();
    const gate = gateOf();
    server.purse.left = 10;
    server.purse.gate = gate.opened;
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    await until('the charge under way', () => server.purse.left === 9);
    client.socket.destroy();
    await until('the connection gone', () => server.stream.health().connections === 0);
    gate.open();
    await until('the charge', () => server.purse.charged === 1);
    server.time.advance(600_000);
    expect([server.purse.charged, server.held.size]).toEqual([1, 0]);
  });
});

const leave = (client: StreamClient, coin: unknown) =>
  client.send({ method: 'unsubscribe', subscription: { type: 'l4BookUpdates', coin } });

describe('a coin that is not live', () => {
  test('[BILL-22, BILL-15] costs nothing until it becomes live, and its minutes start then', async () => {
    await using server = await start();
    server.feed.become('BTC', 'waiting');
    const client = await server.connect();
    client.subscribe({ coin: ['BTC', 'ETH'] });
    await client.settled();
    expect([acks(client), server.purse.charged]).toEqual([1, 1]);
    await pass(server, 60_000, 2);
    server.time.advance(20_000);
    server.feed.become('BTC', 'live');
    await pass(server, 1_000, 3);
    await pass(server, 39_000, 4);
    await pass(server, 20_000, 5);
  });

  test('[BILL-22] is never charged if the upstream never delivers it, however long it is subscribed', async () => {
    await using server = await start();
    server.feed.become('BTC', 'unavailable', 'refused');
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    await client.settled();
    for (const state of ['building', 'unavailable', 'rebuilding', 'stale'] as const) {
      server.time.advance(3_600_000);
      server.feed.become('BTC', state);
    }
    await client.settled();
    expect([acks(client), server.purse.charges]).toEqual([1, []]);
  });

  test('[BILL-22] at the start of a minute is charged once when it is live again, and a started minute runs to its end', async () => {
    await using server = await start();
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    await client.settled();
    server.feed.become('BTC', 'rebuilding', 'audit');
    server.feed.become('BTC', 'live');
    server.feed.become('BTC', 'rebuilding', 'audit');
    server.time.advance(60_000);
    server.time.advance(30_000);
    await client.settled();
    expect(server.purse.charged).toBe(1);
    server.feed.become('BTC', 'live');
    server.feed.become('BTC', 'rebuilding', 'audit');
    server.feed.become('BTC', 'live');
    await pass(server, 1_000, 2);
    server.time.advance(58_000);
    await client.settled();
    expect(server.purse.charged).toBe(2);
    await pass(server, 1_000, 3);
  });

  test('[BILL-22] is charged if it becomes live while its subscription is being charged', async () => {
    await using server = await start();
    const gate = gateOf();
    server.purse.left = 10;
    server.purse.gate = gate.opened;
    server.feed.become('BTC', 'building');
    const client = await server.connect();
    client.subscribe({ coin: ['BTC', 'ETH'] });
    await until('the charge under way', () => server.purse.left === 8);
    server.feed.become('BTC', 'live');
    gate.open();
    await client.until(() => acks(client) === 1);
    await pass(server, 1_000, 2);
    expect(server.purse.charges.map(({ credits }) => credits)).toEqual([1, 1]);
  });

  test('[BILL-30] has its first credit reserved, so that of three subscribes that cost all credits one is acknowledged', async () => {
    await using server = await start();
    server.purse.left = 10;
    const coins = (from: number) => Array.from({ length: 10 }, (_, place) => `C${from + place}`);
    for (const coin of coins(0).concat(coins(10), coins(20))) server.feed.become(coin, 'building');
    const client = await server.connect();
    for (const from of [0, 10, 20]) client.subscribe({ coin: coins(from) });
    await client.settled();
    expect([acks(client), errors(client).length, server.purse.left, server.purse.charged]).toEqual([1, 2, 0, 0]);
    for (const coin of coins(0)) server.feed.become(coin, 'live');
    await pass(server, 1_000, 10);
    await client.settled();
    expect(client.closed).toBeNull();
  });

  test.each([
    ['unsubscribed', (client: StreamClient) => leave(client, 'BTC'), 1],
    ['unavailable', (_: StreamClient, server: StreamServer) => server.feed.become('BTC', 'unavailable', 'refused'), 1],
    ['closed', (client: StreamClient) => client.socket.destroy(), 1],
    ['still followed by another subscription', (client: StreamClient) => leave(client, ['BTC']), 0],
  ])('[BILL-30] gives the reserved credit back once it is %s', async (_, change, left) => {
    await using server = await start();
    server.purse.left = 1;
    server.feed.become('BTC', 'building');
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    client.subscribe({ coin: ['BTC'] });
    await client.settled();
    expect([acks(client), server.purse.left]).toEqual([2, 0]);
    if (left === 1) leave(client, ['BTC']);
    await client.settled();
    change(client, server);
    await until('it is so', () => server.purse.left === left);
    expect(server.purse.charges).toEqual([]);
  });

  test('[BILL-30, BILL-14] holds no credit while it is unavailable, but needs one to be subscribed', async () => {
    await using server = await start();
    server.purse.left = 1;
    for (const coin of ['BTC', 'ETH']) server.feed.become(coin, 'unavailable', 'refused');
    const client = await server.connect();
    client.subscribe({ coin: ['BTC', 'ETH'] });
    client.subscribe({ coin: 'BTC' });
    await client.settled();
    expect([acks(client), server.purse.left]).toEqual([1, 1]);
    server.feed.become('BTC', 'live');
    await pass(server, 1_000, 1);
  });
});

describe('credits that run out', () => {
  test('[BILL-14, WS-22] refuse a subscribe that costs more, with the reason and without any effect', async () => {
    await using server = await start();
    server.purse.left = 2;
    for (const coin of ['ETH', 'SOL']) server.feed.become(coin, 'waiting');
    const client = await server.connect();
    client.subscribe({ coin: ['BTC', 'ETH', 'SOL'] });
    await client.settled();
    const body = '{"type":"l4BookUpdates","coin":["BTC","ETH","SOL"]}';
    expect(errors(client)).toEqual([`Invalid subscription ${body}: credits exhausted: 3 needed.`]);
    expect([server.purse.left, server.held.size, server.stream.health().subscriptions]).toEqual([2, 0, 0]);
    client.subscribe({ coin: ['BTC', 'ETH'] });
    await client.settled();
    expect([acks(client), server.purse.left]).toEqual([1, 0]);
  });

  test('[BILL-12] close a stream with 4402 within 60 s when its next minute cannot be paid', async () => {
    await using server = await start();
    const client = await server.connect();
    client.subscribe({ coin: ['BTC', 'ETH'] });
    await client.settled();
    server.purse.left = 1;
    server.time.advance(59_999);
    await client.settled();
    expect(client.closed).toBeNull();
    server.time.advance(1);
    await client.until(() => client.closed);
    expect(client.closed).toEqual({ code: 4402, reason: 'credits exhausted' });
    expect([server.purse.charged, server.held.size]).toEqual([2, 0]);
  });

  test('[BILL-12] close a connection without a subscription at the next recheck', async () => {
    await using server = await start();
    const [idle, paid] = [await server.connect(), await server.connect()];
    paid.subscribe({ coin: 'BTC' });
    await paid.settled();
    server.purse.left = 0;
    server.time.advance(10_000);
    await idle.until(() => idle.closed);
    expect(idle.closed?.code).toBe(4402);
    await paid.settled();
    expect(paid.closed).toBeNull();
  });
});

describe('credits held by calls in flight', () => {
  test('[BILL-12] do not close a stream: its minute is charged once they are released', async () => {
    await using server = await start();
    server.purse.left = 5;
    const [idle, client] = [await server.connect(), await server.connect()];
    client.subscribe({ coin: 'BTC' });
    await client.settled();
    server.purse.held = 4;
    server.time.advance(60_000);
    await until('a word in the log', () => server.log.lines.some((line) => line.includes('not charged')));
    await idle.settled();
    expect([idle.closed, client.closed]).toEqual([null, null]);
    server.purse.held = 0;
    await pass(server, 1_000, 2);
    expect(server.purse.left).toBe(3);
  });

  test('[BILL-12] close it with 4402 if they are held for a whole minute', async () => {
    await using server = await start();
    server.purse.left = 5;
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    await client.settled();
    server.purse.held = 4;
    await closed(server, client);
    expect(client.closed?.code).toBe(4402);
  });

  test('[BILL-11] refuse a subscribe but not an upgrade, which costs nothing', async () => {
    await using server = await start();
    server.purse.left = 1;
    server.purse.held = 1;
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    await client.settled();
    expect(errors(client)[0]).toContain('credits exhausted');
    expect(client.closed).toBeNull();
  });
});

describe('a database that cannot be charged', () => {
  test('refuses a subscribe temporarily', async () => {
    await using server = await start();
    server.purse.broken = true;
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    await client.settled();
    expect(errors(client)[0]).toContain('credits cannot be charged now, try again shortly');
    server.purse.broken = false;
    client.subscribe({ coin: 'BTC' });
    await client.settled();
    expect([acks(client), server.purse.charged]).toEqual([1, 1]);
  });

  test('does not end a stream if it recovers within a minute, which is then charged', async () => {
    await using server = await start();
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    await client.settled();
    server.purse.broken = true;
    server.time.advance(60_000);
    await until('a word in the log', () => server.log.lines.some((line) => line.includes('not charged')));
    server.time.advance(1_000);
    server.purse.broken = false;
    await pass(server, 30_000, 2);
    // The minute started when the previous one ended.
    await pass(server, 29_000, 3);
    expect(client.closed).toBeNull();
  });

  test('ends a stream if it cannot be charged for a whole minute', async () => {
    await using server = await start();
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    await client.settled();
    server.purse.broken = true;
    await closed(server, client);
    expect(client.closed?.code).toBe(1011);
  });
});

test('[BILL-3] does not charge minutes in which the process was suspended, and starts the next one when it resumes', async () => {
  await using server = await start();
  const client = await server.connect();
  client.subscribe({ coin: 'BTC' });
  await client.settled();
  await pass(server, 300_000, 2);
  server.time.advance(59_999);
  await client.settled();
  expect(server.purse.charged).toBe(2);
  await pass(server, 1, 3);
});

function gateOf(): { readonly opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
