import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVenue, type Venue } from '../server.ts';
import { type DiffData, L4Client } from '../test-support/l4-client.ts';

const QUIET = { coins: ['XRP', 'DOGE', 'xyz:TSLA'], size: 0.02, statusRate: 0.2, rate: 4, pace: 0 } as const;

function follow(coin: string): string {
  return JSON.stringify({ method: 'subscribe', subscription: { type: 'l4Book', coin } });
}

function sentences(client: L4Client): readonly string[] {
  return client.received.flatMap((each) => (each.kind === 'error' ? [each.sentence] : []));
}

describe('subscribing', () => {
  it('[UP-13] is acknowledged, followed by the snapshot of the current height and every block after it', async () => {
    await using venue = await startVenue(QUIET);
    const height = await venue.step(5);
    await using client = await L4Client.open(venue.l4Url);
    const snapshot = await client.subscribe('XRP');
    expect(client.received.map(({ kind }) => kind)).toEqual(['acknowledgement', 'snapshot']);
    expect(client.received[0]?.text).toBe(
      '{"channel":"subscriptionResponse","data":{"method":"subscribe","subscription":{"type":"l4Book","coin":"XRP"}}}',
    );
    expect(snapshot).toMatchObject({ coin: 'XRP', height, levels: venue.book('XRP')?.levels });
    await venue.step(3);
    await client.settled();
    expect(client.heights('XRP')).toEqual([height + 1, height + 2, height + 3]);
  });

  it('stops the blocks of one coin only when unsubscribed', async () => {
    await using venue = await startVenue(QUIET);
    await using client = await L4Client.open(venue.l4Url);
    await client.subscribe('XRP');
    await client.subscribe('DOGE');
    client.send({ method: 'unsubscribe', subscription: { type: 'l4Book', coin: 'XRP' } });
    await client.settled();
    await venue.step(10);
    await client.settled();
    expect(client.heights('XRP')).toEqual([]);
    expect(client.heights('DOGE').length).toBeGreaterThan(5);
    expect(venue.state().subscriptions).toEqual({ DOGE: 1 });
  });
});

describe('blocks', () => {
  it('send the messages of one block to a client together, in the order of its subscriptions', async () => {
    await using venue = await startVenue(QUIET);
    await using client = await L4Client.open(venue.l4Url);
    for (const coin of ['xyz:TSLA', 'XRP', 'DOGE']) await client.subscribe(coin);
    client.received.length = 0;
    await venue.step(30);
    await client.settled();
    const order = client.received.flatMap((each) =>
      each.kind === 'updates' ? [[each.updates.height, each.coin]] : [],
    );
    const places = ['xyz:TSLA', 'XRP', 'DOGE'];
    const sorted = order.toSorted(
      ([a, x], [b, y]) => Number(a) - Number(b) || places.indexOf(String(x)) - places.indexOf(String(y)),
    );
    expect(order).toEqual(sorted);
  });

  it('are sent when the coin has diffs or statuses; other heights are skipped', async () => {
    await using venue = await startVenue({ ...QUIET, rate: 0.3, statusRate: 0.005 });
    await using client = await L4Client.open(venue.l4Url);
    await client.subscribe('xyz:TSLA');
    await venue.step(200);
    await client.settled();
    const updates = client.updates();
    expect(updates.length).toBeLessThan(190);
    expect(updates.every(({ book_diffs, order_statuses }) => book_diffs.length + order_statuses.length > 0)).toBe(true);
    expect(updates.some(({ book_diffs }) => book_diffs.length === 0)).toBe(true);
  });

  it.each([
    [false, ['user', 'oid', 'px', 'coin', 'raw_book_diff']],
    [true, ['user', 'oid', 'side', 'px', 'coin', 'raw_book_diff']],
  ] as const)('[UP-14] with diffSide %s a diff has the fields %j', async (diffSide, fields) => {
    await using venue = await startVenue({ ...QUIET, diffSide });
    await using client = await L4Client.open(venue.l4Url);
    await client.subscribe('XRP');
    await venue.step(20);
    await client.settled();
    const diffs: readonly DiffData[] = client.updates().flatMap(({ book_diffs }) => book_diffs);
    expect(diffs.length).toBeGreaterThan(20);
    for (const diff of diffs) expect(Object.keys(diff)).toEqual(fields);
  });

  it('[L4-20] have status times with nanoseconds and no zone, and no owner in the order of a status', async () => {
    await using venue = await startVenue(QUIET);
    await using client = await L4Client.open(venue.l4Url);
    await client.subscribe('XRP');
    await venue.step(5);
    await client.settled();
    const { time, order_statuses: statuses } = client.updates()[0] ?? { time: 0, order_statuses: [] };
    expect(statuses[0]?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}$/);
    expect(Date.parse(`${statuses[0]?.time.slice(0, 23)}Z`)).toBe(time);
    expect(statuses.every(({ order }) => order.user === null)).toBe(true);
  });

  it('follow a snapshot without trailing zeros if set, like that of the order-level server', async () => {
    await using venue = await startVenue({ ...QUIET, coins: ['BTC'], size: 0.001, trimSnapshot: true });
    await using client = await L4Client.open(venue.l4Url);
    const { levels } = await client.subscribe('BTC');
    const texts = levels.flat().flatMap(({ limitPx, sz }) => [limitPx, sz]);
    expect(texts.filter((text) => /\.\d*0$/.test(text))).toEqual([]);
    expect(texts.some((text) => /^\d+0$/.test(text))).toBe(true);
  });
});

describe('unsupported input', () => {
  let venue: Venue;

  beforeAll(async () => {
    venue = await startVenue(QUIET);
  });

  afterAll(() => venue[Symbol.asyncDispose]());

  it.each([
    ['{"method":"ping"}', 'Error parsing JSON into valid websocket request: {"method":"ping"}'],
    ['hello', 'Error parsing JSON into valid websocket request: hello'],
    ['[]', 'Error parsing JSON into valid websocket request: []'],
    [
      '{"method":"subscribe","subscription":{"type":"trades","coin":"XRP"}}',
      'Error parsing JSON into valid websocket request: {"method":"subscribe","subscription":{"type":"trades","coin":"XRP"}}',
    ],
    [
      '{"method":"subscribe","subscription":{"type":"l4Book","coin":["XRP"]}}',
      'Error parsing JSON into valid websocket request: {"method":"subscribe","subscription":{"type":"l4Book","coin":["XRP"]}}',
    ],
    [follow('NOPE'), 'Invalid subscription: {"type":"l4Book","coin":"NOPE"}'],
    [follow('@107'), 'Invalid subscription: {"type":"l4Book","coin":"@107"}'],
    [
      '{"subscription":{"coin":"NOPE","extra":1,"type":"l4Book"},"method":"unsubscribe"}',
      'Invalid subscription: {"type":"l4Book","coin":"NOPE"}',
    ],
    [
      '{"method":"unsubscribe","subscription":{"type":"l4Book","coin":"XRP"}}',
      'Already unsubscribed: {"type":"l4Book","coin":"XRP"}',
    ],
  ])('%s gets the sentence of the order-level server', async (text, sentence) => {
    await using client = await L4Client.open(venue.l4Url);
    client.send(text);
    await client.until(() => client.received.length > 0, 'a response');
    expect(sentences(client)).toEqual([sentence]);
    expect(client.isClosed).toBe(false);
  });

  it('reports a second subscription of the same coin as an error and changes nothing', async () => {
    await using client = await L4Client.open(venue.l4Url);
    await client.subscribe('XRP');
    client.send(follow('XRP'));
    await client.until(() => sentences(client).length > 0, 'a response');
    expect(sentences(client)).toEqual(['Already subscribed: {"type":"l4Book","coin":"XRP"}']);
    expect(client.snapshots.length).toBe(1);
  });

  it('ignores binary frames and closes the connection after a frame that is too large', async () => {
    await using venue = await startVenue(QUIET);
    await using client = await L4Client.open(venue.l4Url);
    client.socket.send(Buffer.from(follow('XRP')), { binary: true });
    await client.settled();
    expect(client.received).toEqual([]);
    client.send('x'.repeat(1_100_000));
    await client.until(() => client.isClosed, 'the end of the connection');
    expect(venue.state().clients).toBe(0);
  });
});

it('a client that lags is dropped once it has too many unsent bytes; others are not', async () => {
  await using venue = await startVenue({ ...QUIET, statusRate: 50, maxUnsentBytes: 100_000 });
  await using quick = await L4Client.open(venue.l4Url);
  await using slow = await L4Client.open(venue.l4Url);
  await quick.subscribe('XRP');
  await slow.subscribe('XRP');
  slow.socket.pause();
  // The system's own buffers fill up first.
  for (let steps = 0; venue.state().counts.laggardsDropped === 0 && steps < 2_000; steps += 1) {
    await venue.step(1);
    await quick.settled();
  }
  expect(venue.state()).toMatchObject({ clients: 1, counts: { laggardsDropped: 1 } });
  expect(quick.isClosed).toBe(false);
  slow.socket.resume();
  await slow.until(() => slow.isClosed, 'the end of the connection');
});
