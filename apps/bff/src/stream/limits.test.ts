import type { Socket } from 'node:net';
import { UpgradeRefused, until } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import type { StreamLimits } from './limits.ts';
import { type StreamClient, StreamServer } from './test-support/stream-server.ts';

const start = (limits: Partial<StreamLimits>) => StreamServer.start({ resumeMs: 0, ...limits });

const heights = (client: StreamClient) =>
  client.texts
    .map((text) => JSON.parse(text))
    .flatMap((message) => (message.channel === 'l4BookUpdates' ? [message.data.Updates.block_height] : []));

/** A client that reads nothing from now on. Everything written to it stays in the memory of the service. */
async function stalled(server: StreamServer, path?: string): Promise<{ client: StreamClient; socket: Socket }> {
  const client = await server.connect(path);
  await client.settled();
  const socket = server.sockets.at(-1);
  if (socket === undefined) throw new Error('no connection');
  socket.cork();
  return { client, socket };
}

/** A subscription that is refused, so that it is not charged, and is echoed in full in the response. */
const refused = (bytes: number) => ({ coin: 'NOPE', note: 'x'.repeat(bytes) });

describe('a consumer that does not read', () => {
  test('[WS-23, WS-24] is closed with 1013, and no block is skipped before', async () => {
    await using server = await start({ unsentBytesMax: 1_000_000 });
    const slow = await server.connect();
    const quick = await server.connect();
    for (const client of [slow, quick]) {
      client.subscribe({ coin: 'BTC' });
      await client.messages(1);
    }
    slow.socket.pause();
    let published = 0;
    while (server.stream.health().connections === 2 && slow.closed === null) {
      server.feed.publish(['BTC'], 200_000);
      published += 1;
      await quick.until(() => heights(quick).length === published);
      if (server.held.get('BTC') === 1) break;
    }
    slow.socket.resume();
    expect(await slow.until(() => slow.closed)).toEqual({ code: 1013, reason: 'slow consumer' });
    expect(heights(slow)).toEqual(Array.from({ length: published }, (_, at) => 101 + at));
    await quick.settled();
    expect(server.stream.health().closedByCode).toEqual({ 1013: 1 });
  });

  test('[WS-23, WS-35] is closed for unread responses as well as for unread batches', async () => {
    await using server = await start({ unsentBytesMax: 300_000 });
    const { client, socket } = await stalled(server);
    client.subscribe({ coin: 'BTC' });
    await until('the coin is held', () => server.held.has('BTC'));
    for (let count = 0; count < 20; count += 1) client.subscribe(refused(50_000));
    await until('the coin is let go', () => !server.held.has('BTC'));
    expect(socket.writableLength).toBeGreaterThan(300_000);
    expect(socket.writableLength).toBeLessThan(360_000);
  });

  test('is terminated a second later, and counted and logged under its close code', async () => {
    await using server = await start({ unsentBytesMax: 100_000 });
    const { client, socket } = await stalled(server);
    client.subscribe({ coin: 'BTC' });
    for (let count = 0; count < 4; count += 1) client.subscribe(refused(40_000));
    await until('it is closed', () => socket.writableLength > 100_000 && !server.held.has('BTC'));
    server.time.advance(999);
    expect(socket.destroyed).toBe(false);
    server.time.advance(1);
    expect(socket.destroyed).toBe(true);
    await until('it is gone', () => server.stream.health().connections === 0);
    expect(server.stream.health()).toMatchObject({ closedByCode: { 1013: 1 }, unsentBytes: 0 });
    expect(server.log.lines.at(-1)).toMatch(/^info stream closed .*"code":1013,/);
  });
});

test('[WS-35] many consumers that do not read stay within the limits if they provoke errors on 150 connections, and others are served', async () => {
  const totalMax = 1_000_000;
  await using server = await start({ unsentBytesTotalMax: totalMax });
  const hostile = await Promise.all(
    Array.from({ length: 150 }, (_, place) => server.connect(`/ws?key=good${place}@account${place % 5}`)),
  );
  for (const socket of server.sockets) socket.cork();
  const good = await server.connect('/ws?key=good@customer');
  const unsent = () =>
    server.sockets.reduce((bytes, socket) => bytes + (socket.destroyed ? 0 : socket.writableLength), 0);
  let mostUnsent = 0;
  const cut = () => {
    mostUnsent = Math.max(mostUnsent, unsent());
    return server.stream.health().closedByCode[1013] ?? 0;
  };
  for (let round = 0; round < 4; round += 1) {
    for (const client of hostile) if (client.closed === null) client.subscribe(refused(20_000));
    await good.settled();
    cut();
  }
  // Each remaining connection has provoked four responses of 20 kB, so at most twelve remain.
  await until('the others are cut', () => cut() >= 138);
  expect(mostUnsent).toBeGreaterThan(totalMax / 2);
  expect(mostUnsent).toBeLessThanOrEqual(totalMax);
  expect(server.stream.health().unsentBytes).toBe(unsent());
  expect(Object.keys(server.stream.health().closedByCode)).toEqual(['1013']);
  expect(good.closed).toBeNull();
});

describe('connections of one key', () => {
  test('get 429 above the limit, without affecting other keys, until one closes', async () => {
    await using server = await start({ connectionsPerKeyMax: 2 });
    const two = [await server.connect('/ws?key=good1'), await server.connect('/ws?key=good1')];
    const refusal = await server.connect('/ws?key=good1').then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(refusal instanceof UpgradeRefused)) throw new Error('the upgrade was not refused');
    expect(refusal.status).toBe(429);
    expect(refusal.response).toMatch(/^retry-after: \d+\r$/im);
    expect(JSON.parse(refusal.response.slice(refusal.response.indexOf('\r\n\r\n') + 4))).toMatchObject({
      error: 'too_many_requests',
      message: 'This key already has 2 open stream connections; close one first.',
    });
    await server.connect('/ws?key=good2');
    for (const { socket } of two) socket.destroy();
    await until('they are gone', () => server.stream.health().connections === 1);
    for (let count = 0; count < 2; count += 1) await server.connect('/ws?key=good1');
    expect(server.stream.health()).toMatchObject({ connections: 3, connectionsOpened: 5, upgradesRefused: 1 });
  });

  test('do not exceed the limit if upgrades arrive concurrently', async () => {
    await using server = await start({ connectionsPerKeyMax: 3 });
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => server.connect('/ws?key=good')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(server.stream.health().connections).toBe(3);
  });
});
