import type { BookViewQuery } from '@l4desk/protocol';
import { FakeFeed } from '@l4desk/testkit/service';
import { expect, test } from 'vitest';
import { type StreamClient, StreamServer } from './test-support/stream-server.ts';

const BBO: BookViewQuery = { channel: 'bbo', coin: 'BTC' };

/** The messages of a client: the channel, and its data as text. */
const told = ({ texts }: StreamClient) =>
  texts.map((text) => {
    const { channel, data } = JSON.parse(text);
    return channel === 'subscriptionResponse' ? data.method : `${channel} ${JSON.stringify(data)}`;
  });

const leave = (client: StreamClient, subscription: object) => client.send({ method: 'unsubscribe', subscription });

test('watches a channel once for all subscribers, and sends new ones the last message first', async () => {
  await using server = await StreamServer.start();
  const { feed } = server;
  const [first, second] = [await server.connect(), await server.connect()];
  first.subscribe({ type: 'bbo', coin: 'BTC' });
  await first.settled();
  expect(feed.watched).toEqual([JSON.stringify(BBO)]);
  expect([...feed.held.keys()]).toEqual(['BTC']);
  feed.show(BBO, { n: 1 });
  second.subscribe({ type: 'bbo', coin: 'BTC', note: 'another body' });
  await second.settled();
  expect(feed.watched).toHaveLength(1);
  feed.show(BBO, { n: 2 });
  feed.publish(['BTC']);
  for (const client of [first, second]) {
    await client.settled();
    expect(told(client)).toEqual(['subscribe', 'bbo {"n":1}', 'bbo {"n":2}']);
  }
  leave(first, { type: 'bbo', coin: 'BTC' });
  await first.settled();
  feed.show(BBO, { n: 3 });
  await first.settled();
  expect(told(first).at(-1)).toBe('unsubscribe');
  await second.settled();
  expect(told(second).at(-1)).toBe('bbo {"n":3}');
  second.socket.close();
  await expect.poll(() => [feed.watched.length, feed.held.size]).toEqual([0, 0]);
});

test('keeps a channel until the last subscription of a connection to it ends', async () => {
  await using server = await StreamServer.start();
  const { feed } = server;
  const client = await server.connect();
  const [one, other] = [
    { type: 'bbo', coin: 'BTC' },
    { type: 'bbo', coin: 'BTC', note: 'another body' },
  ];
  client.subscribe(one);
  client.subscribe(other);
  leave(client, one);
  await client.settled();
  feed.show(BBO, { n: 1 });
  await client.settled();
  leave(client, other);
  await client.settled();
  expect(told(client)).toEqual(['subscribe', 'subscribe', 'unsubscribe', 'bbo {"n":1}', 'unsubscribe']);
  expect(feed.watched).toEqual([]);
});

test.each([
  [
    { type: 'l2Book', coin: 'BTC' },
    { channel: 'l2Book', coin: 'BTC', nSigFigs: null, mantissa: null, levels: 20 },
  ],
  [{ type: 'bbo', coin: 'BTC' }, BBO],
  [{ type: 'allMids' }, { channel: 'allMids' }],
] as const)(
  '[CHAN-31] sends the present state of %j also if somebody else already watches that view',
  async (body, query) => {
    await using server = await StreamServer.start();
    const { feed } = server;
    const other = await server.connect();
    other.subscribe({ ...body, note: 'another body' });
    await other.settled();
    feed.show(query, { n: 1 });
    const client = await server.connect();
    client.subscribe(body);
    await client.settled();
    expect(told(client)).toEqual(['subscribe', `${body.type} {"n":1}`]);
  },
);

test('does not send the last message of a book that is no longer live', async () => {
  await using server = await StreamServer.start();
  const [first, second] = [await server.connect(), await server.connect()];
  first.subscribe({ type: 'bbo', coin: 'BTC' });
  await first.settled();
  server.feed.show(BBO, { n: 1 });
  server.feed.become('BTC', 'rebuilding', 'audit');
  second.subscribe({ type: 'bbo', coin: 'BTC' });
  await second.settled();
  expect(told(second)).toEqual(['subscribe']);
});

test('[NODE-22] sends trades only if the source knows executions exactly, and otherwise refuses the channel', async () => {
  await using server = await StreamServer.start();
  const client = await server.connect();
  const health = new FakeFeed().health();
  server.feed.reported = health;
  client.subscribe({ type: 'trades', coin: 'BTC' });
  await client.settled();
  expect(told(client)[0]).toContain('the source of this service does not know executions');
  const executionsProblem = 'NODE_DATA_DIR holds no node_fills_by_block: start the node with --write-fills';
  server.feed.reported = { ...health, executionsProblem };
  client.subscribe({ type: 'trades', coin: 'BTC' });
  await client.settled();
  expect(told(client)[1]).toContain(`does not know executions: ${executionsProblem}`);
  server.feed.reported = { ...health, executions: 'exact' };
  client.subscribe({ type: 'trades', coin: 'BTC' });
  await client.settled();
  const trade = {
    coin: 'BTC',
    side: 'B',
    px: '1.0',
    sz: '2.0',
    hash: '0x',
    time: 3,
    tid: 4,
    users: ['0x1', '0x2'],
  } as const;
  server.feed.trade({ coin: 'ETH', height: 1, time: 3, trades: [{ ...trade, coin: 'ETH' }] });
  server.feed.trade({ coin: 'BTC', height: 1, time: 3, trades: [trade] });
  await client.settled();
  expect(told(client).slice(2)).toEqual(['subscribe', `trades ${JSON.stringify([trade])}`]);
});

test('reports missing trades to their subscribers in a message that public clients ignore', async () => {
  await using server = await StreamServer.start();
  const [reads, other] = [await server.connect(), await server.connect()];
  server.feed.reported = { ...new FakeFeed().health(), executions: 'exact' };
  reads.subscribe({ type: 'trades', coin: 'BTC' });
  other.subscribe({ type: 'bbo', coin: 'BTC' });
  for (const client of [reads, other]) await client.settled();
  const missing = 'the fills of block 7 are missing from node_fills_by_block';
  server.feed.trade({ coin: 'ETH', height: 7, time: 3, trades: [], missing });
  server.feed.trade({ coin: 'BTC', height: 7, time: 3, trades: [], missing });
  for (const client of [reads, other]) await client.settled();
  const data = { channel: 'trades', coin: 'BTC', height: 7, time: 3, detail: missing };
  expect(told(reads)).toEqual(['subscribe', `l4Missing ${JSON.stringify(data)}`]);
  expect(told(other)).toEqual(['subscribe']);
});

test('charges a coin once per connection and minute, however many of its channels are subscribed', async () => {
  await using server = await StreamServer.start();
  const client = await server.connect();
  client.subscribe({ coin: 'BTC' });
  client.subscribe({ type: 'bbo', coin: 'BTC' });
  client.subscribe({ type: 'l2Book', coin: 'BTC' });
  client.subscribe({ type: 'allMids' });
  await client.settled();
  expect(told(client)).toEqual(Array(4).fill('subscribe'));
  expect(server.purse.charged).toBe(1);
  client.subscribe({ type: 'bbo', coin: 'ETH' });
  await client.settled();
  expect(server.purse.charged).toBe(2);
});
