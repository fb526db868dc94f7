import { until, wallet } from '@l4desk/testkit';
import { FakeFeed } from '@l4desk/testkit/service';
import { expect, test } from 'vitest';
import { FakeRelay } from './test-support/fake-relay.ts';
import { type StreamClient, StreamServer } from './test-support/stream-server.ts';

const FILLS = { type: 'userFills', user: wallet(1) };
const IDENTITY = `userFills ${wallet(1)}`;

async function relaying() {
  const relay = new FakeRelay();
  // The clock is advanced in jumps, within which no pong can arrive.
  const server = await StreamServer.start({ pingMs: 100_000_000 }, undefined, relay);
  return { relay, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** The messages of a client: the method of an acknowledgement, the text of an error, or the message itself. */
const told = ({ texts }: StreamClient) =>
  texts.map((text) => {
    const { channel, data } = JSON.parse(text);
    return channel === 'subscriptionResponse' ? data.method : channel === 'error' ? data : text;
  });

test('relays messages unchanged to all subscribers, and sends later ones the messages so far', async () => {
  await using rig = await relaying();
  const { relay, server } = rig;
  const [first, second] = [await server.connect(), await server.connect()];
  first.subscribe(FILLS);
  await first.settled();
  const message = { channel: 'userFills', data: { isSnapshot: true, user: wallet(1), fills: [] } };
  relay.say(IDENTITY, message);
  second.subscribe({ user: FILLS.user, dex: null, type: FILLS.type });
  await second.settled();
  await first.settled();
  for (const client of [first, second]) expect(told(client)).toEqual(['subscribe', JSON.stringify(message)]);
  expect(relay.held.size).toBe(1);
  first.send({ method: 'unsubscribe', subscription: FILLS });
  await first.settled();
  expect(told(first).at(-1)).toBe('unsubscribe');
  relay.say(IDENTITY, { channel: 'userFills', data: {} });
  await second.settled();
  expect([told(first).length, told(second).length]).toEqual([3, 3]);
  second.socket.close();
  await expect.poll(() => relay.held.size).toBe(0);
});

test.each([
  [{ type: 'userFills' }, 'user must be a wallet address'],
  [{ type: 'orderUpdates', user: `${wallet(1)}0` }, 'but has 41 digits after 0x, not 40'],
  [{ type: 'userEvents', user: wallet(1).replace('0', 'о') }, 'but does not start with 0x'],
  [{ type: 'candle', coin: 'BTC' }, 'interval is missing'],
  [{ type: 'openOrders', user: wallet(1), dex: 7 }, 'dex must be a string'],
  [{ type: 'activeAssetCtx', coin: 'NOPE' }, 'unknown coin'],
])('[WS-15] refuses %j with its reason', async (body, reason) => {
  await using rig = await relaying();
  const client = await rig.server.connect();
  client.subscribe(body);
  await client.settled();
  expect(told(client)[0]).toContain(reason);
  expect([rig.relay.held.size, rig.server.purse.charged]).toEqual([0, 0]);
});

test('[WS-60, INFO-45] passes on a wallet in lower case, without the invisible characters around it', async () => {
  await using rig = await relaying();
  const client = await rig.server.connect();
  for (const user of [wallet(1).toUpperCase(), `\u200e${wallet(1)}\u200b`, ` ${wallet(1)}\n`])
    client.subscribe({ type: 'userFills', user });
  await client.settled();
  expect(told(client)).toEqual(['subscribe', 'subscribe', 'subscribe']);
  expect([...rig.relay.held.values()].map(({ query }) => query.text)).toEqual([
    `{"type":"userFills","user":"${wallet(1)}"}`,
  ]);
});

test.each(['@107', 'PURR/USDC', '#12'])(
  '[CHAN-32] relays the channels of %s, which has no book here, and serves those of perps itself',
  async (coin) => {
    await using rig = await relaying();
    const { relay, server } = rig;
    const client = await server.connect();
    for (const type of ['l2Book', 'bbo']) client.subscribe({ type, coin: 'BTC' });
    client.subscribe({ type: 'l4BookUpdates', coin });
    await client.settled();
    expect([told(client).slice(0, 2), relay.held.size]).toEqual([['subscribe', 'subscribe'], 0]);
    expect(told(client)[2]).toContain('is not a perp');
    const grouped = { type: 'l2Book', coin, nSigFigs: 5, mantissa: 2 };
    for (const body of [grouped, { type: 'bbo', coin }, { type: 'trades', coin }]) client.subscribe(body);
    await client.settled();
    expect(told(client).slice(3)).toEqual(['subscribe', 'subscribe', 'subscribe']);
    expect([...relay.held.values()].map(({ query }) => query.text)).toEqual([
      `{"coin":"${coin}","mantissa":2,"nSigFigs":5,"type":"l2Book"}`,
      `{"coin":"${coin}","type":"bbo"}`,
      `{"coin":"${coin}","type":"trades"}`,
    ]);
    const message = { channel: 'bbo', data: { coin, time: 1, bbo: [null, null] } };
    relay.say(`bbo ${coin}`, message);
    await client.settled();
    expect(told(client).at(-1)).toBe(JSON.stringify(message));
  },
);

test('[CHAN-32] relays trades of perps only if the source does not know executions', async () => {
  await using rig = await relaying();
  const { relay, server } = rig;
  const health = new FakeFeed().health();
  server.feed.reported = { ...health, executions: 'exact' };
  const [client, later] = [await server.connect(), await server.connect()];
  client.subscribe({ type: 'trades', coin: 'BTC' });
  await client.settled();
  expect([told(client), relay.held.size]).toEqual([['subscribe'], 0]);
  server.feed.reported = health;
  later.subscribe({ type: 'trades', coin: 'BTC' });
  later.subscribe({ type: 'trades', coin: 'NOPE' });
  await later.settled();
  expect([...relay.held.keys()]).toEqual(['trades BTC']);
  expect(told(later).find((each) => each !== 'subscribe')).toContain('unknown coin "NOPE"');
});

test('refuses a subscription that the relay cannot accept, with the reason and without a charge', async () => {
  await using rig = await relaying();
  rig.relay.refusal = 'the exchange allows 10 wallets at a time, all are taken';
  const client = await rig.server.connect();
  client.subscribe(FILLS);
  await client.settled();
  expect(told(client)[0]).toBe(`Invalid subscription ${JSON.stringify(FILLS)}: ${rig.relay.refusal}`);
  expect(rig.server.purse.charged).toBe(0);
});

test('charges a credit per subscription and started minute in which the exchange is connected', async () => {
  await using rig = await relaying();
  const { relay, server } = rig;
  const client = await server.connect();
  client.subscribe(FILLS);
  client.subscribe({ type: 'candle', coin: 'BTC', interval: '1m' });
  await client.settled();
  const charged = async (credits: number) => {
    await expect
      .poll(() => {
        server.time.advance(1_000);
        return server.purse.charged;
      })
      .toBe(credits);
  };
  await charged(2);
  server.time.advance(60_000);
  await charged(4);
  relay.isConnected = false;
  server.time.advance(60_000);
  server.time.advance(60_000);
  await client.settled();
  expect(server.purse.charged).toBe(4);
  relay.connect();
  await charged(6);
});

test('[BILL-13] charges subscriptions of one connection that get the same messages once', async () => {
  await using rig = await relaying();
  const { relay, server } = rig;
  const client = await server.connect();
  const orders = { type: 'openOrders', user: wallet(1) };
  const bodies = [orders, { ...orders, dex: '' }, { ...orders, user: wallet(1).toUpperCase().replace('0X', '0x') }];
  for (const body of bodies) client.subscribe(body);
  client.subscribe({ type: 'candle', coin: 'BTC', interval: '1m' });
  await client.settled();
  server.time.advance(1_000);
  await until('the first minute is charged', () => server.purse.charged > 0);
  expect(server.purse.charged).toBe(2);
  client.send({ method: 'unsubscribe', subscription: orders });
  await client.settled();
  expect(relay.held.size).toBe(2);
  server.time.advance(60_000);
  await until('the second minute is charged', () => server.purse.charged > 2);
  expect(server.purse.charged).toBe(4);
  for (const body of bodies.slice(1)) client.send({ method: 'unsubscribe', subscription: body });
  await client.settled();
  expect([...relay.held.keys()]).toEqual(['candle BTC 1m']);
  server.time.advance(60_000);
  await until('the third minute is charged', () => server.purse.charged > 4);
  expect(server.purse.charged).toBe(5);
});

test('charges nothing for a subscription whose first messages end the connection', async () => {
  const relay = new FakeRelay();
  await using server = await StreamServer.start({ unsentBytesMax: 100_000 }, undefined, relay);
  const [follower, slow] = [await server.connect(), await server.connect()];
  follower.subscribe(FILLS);
  await follower.settled();
  relay.say(IDENTITY, { channel: 'userFills', data: {} });
  const held = relay.held.get(IDENTITY);
  if (held !== undefined) held.sofar = ['x'.repeat(200_000)];
  server.time.advance(1_500);
  await until('the minute of the follower', () => server.purse.charged === 1);
  server.sockets.at(-1)?.cork();
  slow.subscribe(FILLS);
  await until('its first message waits', () => server.stream.health().unsentBytes > 200_000);
  // A tick, before the connection is cut.
  server.time.advance(999);
  await follower.settled();
  expect([server.stream.health().connections, server.purse.charged]).toEqual([2, 1]);
  server.sockets.at(-1)?.uncork();
  await slow.until(() => slow.closed !== null);
  expect(slow.closed?.code).toBe(1013);
});

test('does not charge a subscription that the exchange refuses, and charges an accepted one as `relayed`', async () => {
  await using rig = await relaying();
  const { relay, server } = rig;
  relay.accepts = false;
  const client = await server.connect();
  client.subscribe(FILLS);
  client.subscribe({ type: 'activeAssetCtx', coin: 'BTC' });
  await client.settled();
  server.time.advance(60_000);
  await client.settled();
  relay.refuse(IDENTITY);
  relay.accept('activeAssetCtx BTC');
  client.subscribe({ coin: 'BTC' });
  await client.settled();
  const charged = async (operations: readonly string[]) => {
    await expect
      .poll(() => {
        server.time.advance(1_000);
        return server.purse.operations.toSorted();
      })
      .toEqual(operations);
  };
  await charged(['l4BookUpdates', 'relayed']);
  server.time.advance(60_000);
  await charged(['l4BookUpdates', 'l4BookUpdates', 'relayed', 'relayed']);
  expect(server.purse.charged).toBe(4);
});

test('sends nothing to the exchange without a credit for the first minute', async () => {
  await using rig = await relaying();
  const payer = await rig.server.connect();
  rig.server.purse.left = 0;
  payer.subscribe(FILLS);
  await payer.settled();
  expect(told(payer)[0]).toContain('credits exhausted');
  expect(rig.relay.held.size).toBe(0);
});

test('[CHAN-15] keeps part of the exchange’s wallets and subscriptions for other accounts, and says so in the refusal', async () => {
  const relay = new FakeRelay();
  relay.limits = { users: 5, subscriptions: 7, messagesPerMinute: 2_000 };
  await using server = await StreamServer.start({}, undefined, relay);
  const [one, again, other] = await Promise.all(
    ['good@a', 'good2@a', 'good3@b'].map((key) => server.connect(`/ws?key=${key}`)),
  );
  const fills = (of: number) => ({ type: 'userFills', user: wallet(of) });
  const last = async (client: StreamClient | undefined, subscription: object) => {
    client?.subscribe(subscription);
    await client?.settled();
    return client === undefined ? '' : String(told(client).at(-1));
  };
  for (const of of [1, 2, 3]) expect(await last(one, fills(of))).toBe('subscribe');
  expect(await last(again, fills(4))).toBe('subscribe');
  const refusal = 'this account follows 4 of the 5 wallets that the exchange allows at a time';
  for (const client of [one, again]) expect(await last(client, fills(5))).toContain(refusal);
  // A channel that is already relayed is never refused, nor is another channel of such a wallet.
  expect(await last(one, fills(4))).toBe('subscribe');
  expect(await last(other, fills(1))).toBe('subscribe');
  expect(await last(one, { type: 'openOrders', user: wallet(1) })).toBe('subscribe');
  expect(await last(one, { type: 'spotAssetCtxs' })).toContain('this account has 5 of the 7 subscriptions');
  one?.send({ method: 'unsubscribe', subscription: { type: 'openOrders', user: wallet(1) } });
  one?.send({ method: 'unsubscribe', subscription: fills(3) });
  await one?.settled();
  expect(await last(one, fills(5))).toBe('subscribe');
  expect(await last(other, fills(6))).toContain('this account follows 1 of the 5 wallets');
});

test.each<{ readonly dex?: string | null }>([{}, { dex: '' }, { dex: null }, { dex: 'xyz' }, { dex: 'ALL_DEXS' }])(
  '[CHAN-32] relays the mids of every coin, and of a dex: %j',
  async (fields) => {
    await using rig = await relaying();
    const { relay, server } = rig;
    const client = await server.connect();
    client.subscribe({ type: 'allMids', ...fields });
    await client.settled();
    const message = { channel: 'allMids', data: { ...(fields.dex ? fields : {}), mids: { '@107': '412.5' } } };
    relay.say(`allMids ${fields.dex ?? ''}`, message);
    await client.settled();
    expect(told(client)).toEqual(['subscribe', JSON.stringify(message)]);
    client.subscribe({ type: 'allMids', dex: 7 });
    await client.settled();
    expect(told(client).at(-1)).toContain('dex must be a string');
  },
);

test('[CHAN-32] serves the mids of followed coins itself while the stream of the exchange is not connected', async () => {
  await using rig = await relaying();
  rig.relay.isConnected = false;
  const client = await rig.server.connect();
  client.subscribe({ type: 'allMids' });
  await client.settled();
  expect([told(client)[0], rig.relay.held.size]).toEqual(['subscribe', 0]);
});

test('[WS-31] refuses an unknown type with a list of all types, including relayed channels', async () => {
  await using rig = await relaying();
  const client = await rig.server.connect();
  client.subscribe({ type: 'candles' });
  await client.settled();
  expect(told(client)[0]).toMatch(
    /type must be l4BookUpdates, l2Book, bbo, trades, allMids, activeAssetCtx, .*candle, .*webData3$/,
  );
});

test('reports interruptions and refusals by the exchange to subscribers', async () => {
  await using rig = await relaying();
  const { relay, server } = rig;
  const client = await server.connect();
  client.subscribe(FILLS);
  await client.settled();
  relay.interrupt(IDENTITY);
  relay.refuse(IDENTITY);
  await client.settled();
  const sentence = `Invalid subscription ${JSON.stringify(FILLS)}: `;
  expect(told(client).slice(1)).toEqual([
    `${sentence}the stream of the exchange was interrupted, messages may have been missed`,
    `${sentence}the exchange refused it`,
  ]);
  client.send({ method: 'unsubscribe', subscription: FILLS });
  await client.settled();
  expect(told(client).at(-1)).toContain('Already unsubscribed');
  expect(relay.held.size).toBe(0);
});

test('[WS-61] reports the exchange’s sentence to all who wait for it, and asks again when one of them subscribes again', async () => {
  await using rig = await relaying();
  const { relay, server } = rig;
  relay.accepts = false;
  const [client, other] = [await server.connect(), await server.connect()];
  for (const each of [client, other]) {
    each.subscribe(FILLS);
    await each.settled();
  }
  relay.refuse(IDENTITY, 'Cannot track more than 10 total users.');
  const refusal = `Invalid subscription ${JSON.stringify(FILLS)}: Cannot track more than 10 total users.`;
  for (const each of [client, other]) {
    await each.settled();
    expect(told(each)).toEqual([refusal]);
  }
  expect([relay.held.size, server.purse.charged]).toEqual([0, 0]);
  relay.accepts = true;
  other.subscribe(FILLS);
  await other.settled();
  expect(told(other).at(-1)).toBe('subscribe');
});

test('[CHAN-16, WS-8] acknowledges a subscription once the exchange has accepted it, before its first message', async () => {
  await using rig = await relaying();
  const { relay, server } = rig;
  relay.accepts = false;
  const [client, other] = [await server.connect(), await server.connect()];
  const candles = { type: 'candle', coin: 'BTC', interval: '1m' };
  client.subscribe(FILLS);
  client.subscribe(candles);
  other.subscribe({ ...FILLS, dex: '' });
  await client.settled();
  await other.settled();
  expect([told(client), told(other)]).toEqual([[], []]);
  // It was not accepted on this connection, and will be requested again on the next one.
  relay.interrupt(IDENTITY);
  relay.accept(IDENTITY);
  const message = { channel: 'userFills', data: { isSnapshot: true, user: wallet(1), fills: [] } };
  relay.say(IDENTITY, message);
  relay.refuse('candle BTC 1m');
  for (const each of [client, other]) await each.settled();
  const refusal = `Invalid subscription ${JSON.stringify(candles)}: the exchange refused it`;
  expect(told(client)).toEqual(['subscribe', JSON.stringify(message), refusal]);
  expect(told(other)).toEqual(['subscribe', JSON.stringify(message)]);
  // A later acceptance of a new connection confirms nothing again.
  relay.accept(IDENTITY);
  await client.settled();
  expect(told(client)).toHaveLength(3);
});

test('[CHAN-16, WS-13] an unsubscribe that the exchange has not decided about yet is acknowledged alone', async () => {
  await using rig = await relaying();
  const { relay, server } = rig;
  relay.accepts = false;
  const client = await server.connect();
  client.subscribe(FILLS);
  client.send({ method: 'unsubscribe', subscription: FILLS });
  await client.settled();
  relay.accept(IDENTITY);
  await client.settled();
  expect(told(client)).toEqual(['unsubscribe']);
  expect(relay.held.size).toBe(0);
});

test('[WS-23] closes a slow consumer of relayed messages', async () => {
  const relay = new FakeRelay();
  await using server = await StreamServer.start({ unsentBytesMax: 100_000 }, undefined, relay);
  const slow = await server.connect();
  slow.subscribe(FILLS);
  await slow.settled();
  server.sockets.at(-1)?.cork();
  for (let count = 0; count < 2; count += 1) relay.say(IDENTITY, { filler: 'x'.repeat(50_000) });
  expect(relay.held.size).toBe(0);
});
