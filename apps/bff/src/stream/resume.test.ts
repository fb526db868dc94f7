import { type Updates } from '@l4desk/protocol';
import { describe, expect, test } from 'vitest';
import { type StreamClient, StreamServer } from './test-support/stream-server.ts';

type Said = { readonly channel: string; readonly data: { readonly Updates: Updates } };

const said = ({ texts }: StreamClient): readonly Said[] => texts.map((text) => JSON.parse(text));

/** The received messages: `ack`, or each entry as `height:coin seq statuses`. */
const told = (client: StreamClient) =>
  said(client).flatMap(({ channel, data }) =>
    channel === 'l4BookUpdates'
      ? data.Updates.book_diffs.map(
          ({ coin, seq, order_statuses }) => `${data.Updates.block_height}:${coin} ${seq} ${order_statuses.length}`,
        )
      : [channel === 'subscriptionResponse' ? 'ack' : channel],
  );

const outcome = (client: StreamClient) => JSON.parse(client.texts[0] ?? '').data.resume;

/** Reads BTC and ETH with all their statuses for two blocks, then disconnects. */
async function readAndLeave(server: StreamServer, fields: object = {}): Promise<void> {
  const client = await server.connect();
  client.subscribe({ coin: ['BTC', 'ETH'], ...fields });
  await client.messages(1);
  server.feed.publish(['BTC', 'ETH']);
  server.feed.publish(['BTC']);
  await client.messages(3);
  client.socket.close();
  await expect.poll(() => server.stream.health().connections).toBe(0);
}

const resumeOf = ({ feed }: StreamServer, seq: object) => ({ resume: { epoch: feed.epoch, seq } });

describe('a subscription that resumes', () => {
  test('[WS-8] gets missed entries as ordinary batches between the acknowledgement and the next block', async () => {
    await using server = await StreamServer.start();
    await readAndLeave(server);
    for (const coins of [['BTC'], ['ETH'], ['BTC', 'ETH']]) server.feed.publish(coins);
    const client = await server.connect();
    client.subscribe({ coin: ['BTC', 'ETH'], ...resumeOf(server, { BTC: 2, ETH: 1 }) });
    await client.settled();
    server.feed.publish(['BTC']);
    await client.settled();
    expect(told(client)).toEqual(['ack', '103:BTC 3 1', '104:ETH 2 1', '105:BTC 4 1', '105:ETH 3 1', '106:BTC 5 1']);
    expect(outcome(client)).toEqual({ resumed: { BTC: 4, ETH: 3 }, refused: {} });
    // The body is acknowledged as sent, and unsubscribed by the same body.
    client.send({ method: 'unsubscribe', subscription: JSON.parse(client.texts[0] ?? '').data.subscription });
    await client.settled();
    expect(told(client).at(-1)).toBe('ack');
  });

  test('starts an unnamed coin normally and gets nothing for a coin that missed nothing', async () => {
    await using server = await StreamServer.start();
    await readAndLeave(server);
    const client = await server.connect();
    client.subscribe({ coin: ['BTC', 'ETH'], ...resumeOf(server, { ETH: 1 }) });
    await client.settled();
    expect(told(client)).toEqual(['ack']);
    expect(outcome(client)).toEqual({ resumed: { ETH: 1 }, refused: {} });
  });

  test('finds all statuses kept as long as its entries are, and its coin let go then', async () => {
    await using server = await StreamServer.start();
    const book = await server.connect();
    book.subscribe({ coin: 'ETH', statuses: 'book' });
    await book.settled();
    book.socket.close();
    await readAndLeave(server);
    expect([...server.feed.held]).toEqual([
      ['BTC', 1],
      ['ETH', 1],
    ]);
    server.time.advance(29_999);
    server.feed.publish(['BTC']);
    const client = await server.connect();
    client.subscribe({ coin: 'BTC', ...resumeOf(server, { BTC: 2 }) });
    await client.settled();
    expect(told(client)).toEqual(['ack', '103:BTC 3 1']);
    server.time.advance(1);
    expect([...server.feed.held]).toEqual([['BTC', 1]]);
  });

  test('[L4-31] gets missed entries in its own form: book statuses, and the checksum', async () => {
    await using server = await StreamServer.start();
    await readAndLeave(server, { statuses: 'book' });
    const block = server.feed.publish(['BTC']);
    const entries = block.entries.map((entry) => ({ ...entry, seq: 4, prevSeq: 3, checksum: '00112233aabbccdd' }));
    server.feed.hand({ ...block, height: block.height + 1, entries });
    const client = await server.connect();
    client.subscribe({ coin: 'BTC', statuses: 'book', checksum: true, ...resumeOf(server, { BTC: 3 }) });
    await client.settled();
    expect(said(client).at(-1)?.data.Updates.book_diffs).toMatchObject([{ checksum: '00112233aabbccdd' }]);
    expect(server.stream.health().resumeBytes).toBeGreaterThan(0);
  });
});

describe('a coin that cannot be resumed', () => {
  test.each([
    ['epoch', () => ({ resume: { epoch: '00000000-0000-4000-8000-000000000000', seq: { BTC: 2 } } })],
    ['future', (server: StreamServer) => resumeOf(server, { BTC: 4 })],
    [
      'expired',
      (server: StreamServer) => {
        server.time.advance(30_001);
        return resumeOf(server, { BTC: 2 });
      },
    ],
    [
      'not-live',
      (server: StreamServer) => {
        server.feed.become('BTC', 'rebuilding', 'audit');
        return resumeOf(server, { BTC: 3 });
      },
    ],
    [
      'expired',
      (server: StreamServer) => {
        server.feed.become('BTC', 'rebuilding', 'audit');
        server.feed.become('BTC', 'live');
        return resumeOf(server, { BTC: 3 });
      },
    ],
  ])('is reported as %s and starts normally', async (reason, make) => {
    await using server = await StreamServer.start();
    await readAndLeave(server);
    server.feed.publish(['BTC']);
    const body = make(server);
    const client = await server.connect();
    client.subscribe({ coin: 'BTC', ...body });
    await client.settled();
    expect(outcome(client)).toEqual({ resumed: {}, refused: { BTC: reason } });
    expect(told(client)).toEqual(['ack']);
    server.feed.publish(['BTC']);
    await client.settled();
    expect(told(client)).toHaveLength(2);
  });

  test('is reported as expired by a service that has published nothing yet', async () => {
    await using server = await StreamServer.start();
    const client = await server.connect();
    client.subscribe({ coin: 'BTC', ...resumeOf(server, { BTC: 2 }) });
    await client.settled();
    expect(outcome(client)).toEqual({ resumed: {}, refused: { BTC: 'expired' } });
  });

  test('is reported as statuses if not all of them were kept', async () => {
    await using server = await StreamServer.start();
    await readAndLeave(server, { statuses: 'book' });
    server.feed.publish(['BTC']);
    const [all, book] = [await server.connect(), await server.connect()];
    all.subscribe({ coin: 'BTC', ...resumeOf(server, { BTC: 2 }) });
    await all.settled();
    expect(outcome(all).refused).toEqual({ BTC: 'statuses' });
    book.subscribe({ coin: 'BTC', statuses: 'book', ...resumeOf(server, { BTC: 2 }) });
    await book.settled();
    expect(told(book)).toEqual(['ack', '103:BTC 3 0']);
  });

  test('is reported as followed if the connection already receives the coin', async () => {
    await using server = await StreamServer.start();
    await readAndLeave(server);
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    client.subscribe({ coin: ['BTC', 'ETH'], ...resumeOf(server, { BTC: 2, ETH: 1 }) });
    await client.settled();
    expect(JSON.parse(client.texts[1] ?? '').data.resume).toEqual({
      resumed: { ETH: 1 },
      refused: { BTC: 'followed' },
    });
  });

  test('is reported as expired if the sequence has a gap', async () => {
    await using server = await StreamServer.start();
    await readAndLeave(server);
    const block = server.feed.publish(['BTC']);
    server.feed.hand({
      ...block,
      height: block.height + 1,
      entries: block.entries.map((entry) => ({ ...entry, seq: 5, prevSeq: 4 })),
    });
    const client = await server.connect();
    client.subscribe({ coin: 'BTC', ...resumeOf(server, { BTC: 2 }) });
    await client.settled();
    expect(outcome(client).refused).toEqual({ BTC: 'expired' });
  });
});

test('limits the bytes of kept entries and drops the oldest first', async () => {
  await using server = await StreamServer.start({ resumeBytesMax: 3_000 });
  await readAndLeave(server);
  for (let count = 0; count < 10; count += 1) server.feed.publish(['BTC'], 1_000);
  expect(server.stream.health().resumeBytes).toBeLessThanOrEqual(3_000);
  const [old, fresh] = [await server.connect(), await server.connect()];
  old.subscribe({ coin: 'BTC', ...resumeOf(server, { BTC: 9 }) });
  fresh.subscribe({ coin: 'BTC', ...resumeOf(server, { BTC: 10 }) });
  await old.settled();
  await fresh.settled();
  expect([outcome(old).refused, outcome(fresh).resumed]).toEqual([{ BTC: 'expired' }, { BTC: 12 }]);
});

const POINT = { epoch: '00000000-0000-4000-8000-000000000000', seq: { BTC: 1 } };

test.each([
  [true, 'must have an epoch'],
  [{ ...POINT, epoch: 'now' }, 'must have an epoch'],
  [{ epoch: POINT.epoch }, 'must have an epoch'],
  [{ ...POINT, seq: { BTC: -1 } }, 'must have an epoch'],
  [{ ...POINT, seq: { BTC: 1.5 } }, 'must have an epoch'],
  [{ ...POINT, seq: [1] }, 'must have an epoch'],
  [{ ...POINT, seq: { ETH: 1 } }, 'names "ETH", which the subscription does not'],
])('[WS-15, WS-22] refuses a subscription with resume %j', async (resume, reason) => {
  await using server = await StreamServer.start();
  const client = await server.connect();
  client.subscribe({ coin: 'BTC', resume });
  await client.settled();
  expect(client.texts[0]).toMatch(/^\{"channel":"error","data":"Invalid subscription /);
  expect(client.texts[0]).toContain(`: resume ${reason.replaceAll('"', String.raw`\"`)}`);
  expect([server.purse.charged, server.feed.held.size]).toEqual([0, 0]);
});

/** A client that resumes after 200 large entries and reads nothing for now. */
async function resumeUnread(server: StreamServer): Promise<StreamClient> {
  await readAndLeave(server);
  for (let count = 0; count < 200; count += 1) server.feed.publish(['BTC'], 60_000);
  const client = await server.connect();
  await client.settled();
  client.socket.pause();
  client.subscribe({ coin: 'BTC', ...resumeOf(server, { BTC: 2 }) });
  return client;
}

test('sends missed entries as fast as the client reads, and blocks published meanwhile in order', async () => {
  await using server = await StreamServer.start({ unsentBytesMax: 400_000 });
  const client = await resumeUnread(server);
  client.send({ method: 'ping' });
  await expect.poll(() => server.stream.health().unsentBytes).toBeGreaterThan(200_000);
  expect(server.stream.health().unsentBytes).toBeLessThan(400_000);
  for (let count = 0; count < 5; count += 1) server.feed.publish(['BTC'], 60_000);
  client.socket.resume();
  await client.until(() => client.texts.at(-1) === '{"channel":"pong"}');
  server.feed.publish(['BTC']);
  await client.until(() => client.texts.at(-1) !== '{"channel":"pong"}');
  const seqs = said(client).flatMap(({ data }) => data?.Updates?.book_diffs.map(({ seq }) => seq) ?? []);
  expect(seqs).toEqual(Array.from({ length: 206 }, (_, index) => index + 3));
  expect(client.closed).toBeNull();
});

test('sends all missed entries if the unsent bytes never reach the high-water mark of the socket', async () => {
  const highWaterMark = 65_536;
  await using server = await StreamServer.start({ unsentBytesMax: 100_000 }, undefined, undefined, highWaterMark);
  await readAndLeave(server);
  for (let count = 0; count < 100; count += 1) server.feed.publish(['BTC'], 1_000);
  const client = await server.connect();
  await client.settled();
  const socket = server.sockets.at(-1);
  // Everything that is written stays in the socket's memory.
  socket?.cork();
  client.subscribe({ coin: 'BTC', ...resumeOf(server, { BTC: 2 }) });
  await expect.poll(() => socket?.writableLength).toBeGreaterThan(50_000);
  expect(socket?.writableHighWaterMark).toBe(highWaterMark);
  expect(socket?.writableNeedDrain).toBe(false);
  socket?.uncork();
  await client.messages(101);
  expect(told(client).at(-1)).toBe('202:BTC 102 1');
});

test('a client that reads so slowly that entries it missed are dropped is closed as a slow consumer', async () => {
  await using server = await StreamServer.start({ unsentBytesMax: 400_000 });
  const client = await resumeUnread(server);
  await expect.poll(() => server.stream.health().unsentBytes).toBeGreaterThan(200_000);
  server.time.advance(30_001);
  server.feed.publish(['BTC']);
  client.socket.resume();
  await client.until(() => client.closed !== null);
  expect(client.closed).toEqual({ code: 1013, reason: 'slow consumer' });
});

test('[L4-12] a client whose missed entries are being sent is closed if the stream restarts, before heights fall', async () => {
  await using server = await StreamServer.start({ unsentBytesMax: 400_000 });
  const client = await resumeUnread(server);
  await expect.poll(() => server.stream.health().unsentBytes).toBeGreaterThan(200_000);
  const epoch = '00000000-0000-4000-8000-000000000000';
  server.feed.height = 50;
  for (let count = 0; count < 2; count += 1) server.feed.hand({ ...server.feed.make(['BTC']), epoch });
  client.send({ method: 'ping' });
  client.socket.resume();
  await client.until(() => client.closed !== null || client.texts.at(-1) === '{"channel":"pong"}');
  const heights = said(client).flatMap(({ data }) => data?.Updates?.block_height ?? []);
  expect(heights.length).toBeGreaterThan(0);
  expect(heights).toEqual(heights.map((_, index) => 103 + index));
  expect(client.closed).toEqual({ code: 1001, reason: 'the stream restarted at an earlier block' });
});
