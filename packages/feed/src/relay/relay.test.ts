import { type RelayedQuery, type RelayedType, readRelayed } from '@l4desk/protocol';
import { FakeClock, KeptLog, until, wallet } from '@l4desk/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { FakeChannels } from '../test-support/fake-channels.ts';
import { PacedSender } from './paced-sender.ts';
import { ExchangeRelay, type RelaySettings } from './relay.ts';

const open: AsyncDisposable[] = [];

afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each[Symbol.asyncDispose]();
});

const queryOf = (type: RelayedType, fields: object = {}): RelayedQuery => {
  const query = readRelayed(type, { type, ...fields });
  if ('problem' in query) throw new Error(query.problem);
  return query;
};

const fillsOf = (of: number) => queryOf('userFills', { user: wallet(of) });

async function connected(settings: Partial<RelaySettings> = {}) {
  const exchange = await FakeChannels.start();
  const time = new FakeClock();
  const log = new KeptLog();
  const relay = new ExchangeRelay(
    { url: exchange.url, reconnect: { firstMs: 10, longestMs: 10 }, ...settings },
    log,
    time,
  );
  open.push(exchange, relay);
  const told: string[] = [];
  const accepted: string[] = [];
  relay.listen({
    message: ({ identity }, text) => told.push(`${identity}: ${text}`),
    refused: ({ identity }, reason) => told.push(`refused ${identity}: ${reason}`),
    interrupted: ({ identity }) => told.push(`interrupted ${identity}`),
    accepted: ({ identity }) => accepted.push(identity),
  });
  await until('it is connected', () => relay.isConnected);
  /** Cuts the connection and waits for the next one. */
  const reconnect = async () => {
    const { connects } = relay.health();
    exchange.cut();
    await until('it is lost', () => !relay.isConnected);
    await until('it is connected again', () => {
      time.advance(10);
      return relay.health().connects > connects && relay.isConnected;
    });
  };
  return { exchange, relay, time, log, told, accepted, reconnect };
}

test('subscribes once and unsubscribes once', async () => {
  const { exchange, relay, told } = await connected();
  const lease = relay.hold(fillsOf(1));
  await exchange.sees(1);
  exchange.send('userFills', { isSnapshot: true, user: wallet(1), fills: [] });
  exchange.send('userFills', { user: wallet(2), fills: [] });
  await until('it is told', () => told.length > 0);
  expect(told).toHaveLength(1);
  expect(told[0]).toBe(
    `userFills ${wallet(1)}: ${JSON.stringify({ channel: 'userFills', data: { isSnapshot: true, user: wallet(1), fills: [] } })}`,
  );
  lease.release();
  lease.release();
  await exchange.sees(2);
  expect(exchange.asked).toEqual(['subscribe userFills', 'unsubscribe userFills']);
  expect(exchange.said[0]?.subscription).toEqual({ type: 'userFills', user: wallet(1) });
});

test.each([
  ['webData3', { user: wallet(7), ignorePortfolioMargin: true }],
  ['activeAssetCtx', { coin: 'BTC', fast: true }],
  ['spotAssetCtxs', { dex: 'xyz' }],
  ['userFills', { user: wallet(7), aggregateByTime: true, nested: { b: [1, null], a: 'x' } }],
] as const)(
  '[WS-60] passes every field of %s %j on, and does not share it with one that has other fields',
  async (type, fields) => {
    const { exchange, relay } = await connected();
    relay.hold(queryOf(type, { ...fields, absent: null, ...('dex' in fields ? {} : { dex: '' }) }));
    await exchange.sees(1);
    expect(exchange.said[0]?.subscription).toEqual({ type, ...fields });
    const { user, coin } = { user: undefined, coin: undefined, ...fields };
    const plain = queryOf(type, JSON.parse(JSON.stringify({ user, coin })));
    expect(relay.problem(plain)).toContain('could not be distinguished');
    expect(relay.problem(queryOf(type, Object.fromEntries(Object.entries(fields).toReversed())))).toBeUndefined();
  },
);

test.each([
  ['userFills', { user: wallet(7) }, { aggregateByTime: false }],
  ['spotState', { user: wallet(7) }, { ignorePortfolioMargin: false }],
  ['l2Book', { coin: '@107' }, { fast: false }],
] as const)(
  '[WS-60] passes on what the exchange assumes too, and shares %s with clients that leave it out',
  async (type, fields, assumed) => {
    const { exchange, relay } = await connected();
    relay.hold(queryOf(type, { ...fields, ...assumed, nSigFigs: null, dex: '' }));
    await exchange.sees(1);
    expect(exchange.said[0]?.subscription).toEqual({ type, ...fields, ...assumed });
    expect(relay.problem(queryOf(type, fields))).toBeUndefined();
    expect(relay.problem(queryOf(type, { ...fields, unknown: false }))).toContain('could not be distinguished');
  },
);

test('gives a later subscriber the snapshot and all later messages, or the last state, or nothing for events', async () => {
  const { exchange, relay, told } = await connected();
  const candle = queryOf('candle', { coin: 'BTC', interval: '1m' });
  const orders = queryOf('orderUpdates', { user: wallet(1) });
  const leases = [fillsOf(1), candle, orders].map((query) => relay.hold(query));
  await exchange.sees(3);
  exchange.send('userFills', { isSnapshot: true, user: wallet(1), fills: [1] });
  exchange.send('userFills', { user: wallet(1), fills: [2] });
  exchange.send('candle', { s: 'BTC', i: '1m', c: '1' });
  exchange.send('candle', { s: 'BTC', i: '1m', c: '2' });
  exchange.send('candle', { s: 'BTC', i: '5m', c: '3' });
  exchange.send('orderUpdates', [{ status: 'open' }]);
  await until('all came', () => told.length === 5);
  const sofar = leases.map((lease) => lease.sofar.map((text) => JSON.parse(text).data));
  expect(sofar).toMatchObject([[{ fills: [1] }, { fills: [2] }], [{ c: '2' }], []]);
});

test('gives a later subscriber of a channel without marked snapshots its first message and all later ones', async () => {
  const { exchange, relay, told, reconnect } = await connected();
  const mids = queryOf('fastAssetCtxs');
  const lease = relay.hold(mids);
  await exchange.sees(1);
  // Base64 of compressed JSON, as the exchange sends it.
  for (const data of ['q1YqLVKyUkosSlXSUcpJLC5RsopWSk5WitUBAA==', 'q1YqLVKyUkosSg=='])
    exchange.send('fastAssetCtxs', data);
  await until('both came', () => told.length === 2);
  const sofar = () => lease.sofar.map((text) => JSON.parse(text).data);
  expect(sofar()).toEqual(['q1YqLVKyUkosSlXSUcpJLC5RsopWSk5WitUBAA==', 'q1YqLVKyUkosSg==']);
  await reconnect();
  await exchange.sees(2);
  expect(sofar()).toEqual([]);
  for (const data of ['q1YqLVKyAA==', 'q1YqTA==']) exchange.send('fastAssetCtxs', data);
  await until('both came', () => told.length === 4);
  expect(sofar()).toEqual(['q1YqLVKyAA==', 'q1YqTA==']);
});

test('[CHAN-32] distinguishes the mids of several dexes', async () => {
  const { exchange, relay, told } = await connected();
  const dexs = ['unit', 'hbhb', 'ALL_DEXS'].map((dex) => queryOf('allMids', { dex }));
  const leases = dexs.map((query) => relay.hold(query));
  await exchange.sees(3);
  const sent = [
    { dex: 'hbhb', mids: { 'hbhb:BTC': '1' } },
    { dex: 'ALL_DEXS', mids: { BTC: '2', 'hbhb:BTC': '1' } },
    { dex: 'volmex', mids: {} },
    { mids: { BTC: '2' } },
    { dex: 'unit', mids: { 'unit:GOLD': '3' } },
  ];
  for (const data of sent) exchange.send('allMids', data);
  await until('they came', () => told.length === 3);
  const text = (data: object) => JSON.stringify({ channel: 'allMids', data });
  expect(told).toEqual([sent[0], sent[1], sent[4]].map((data) => `allMids ${data?.dex}: ${text(data ?? {})}`));
  expect(leases.map(({ sofar }) => sofar.length)).toEqual([1, 1, 1]);
});

test('[CHAN-32] distinguishes the books and executions of several coins', async () => {
  const { exchange, relay, told } = await connected();
  const coins = ['@107', 'PURR/USDC'];
  for (const coin of coins)
    for (const type of ['l2Book', 'bbo', 'trades'] as const) relay.hold(queryOf(type, { coin }));
  await exchange.sees(6);
  const trade = { side: 'B', px: '0.5', sz: '10.0', hash: '0x0', time: 1, tid: 1, users: [wallet(1), wallet(2)] };
  exchange.send('trades', []);
  for (const coin of ['@1', ...coins]) {
    exchange.send('l2Book', { coin, time: 1, levels: [[], []] });
    exchange.send('bbo', { coin, time: 1, bbo: [null, null] });
    exchange.send('trades', [
      { ...trade, coin },
      { ...trade, coin },
    ]);
  }
  await until('they came', () => told.length === 6);
  expect(told.map((each) => each.slice(0, each.indexOf(':')))).toEqual(
    coins.flatMap((coin) => [`l2Book ${coin}`, `bbo ${coin}`, `trades ${coin}`]),
  );
});

test('requests a new snapshot once too many messages have followed it', async () => {
  const { exchange, relay, told } = await connected();
  const lease = relay.hold(fillsOf(1));
  await exchange.sees(1);
  exchange.send('userFills', { isSnapshot: true, user: wallet(1), fills: [] });
  exchange.send('userFills', { user: wallet(1), fills: ['x'.repeat(1_100_000)] });
  await until('all came', () => told.length === 2);
  await exchange.sees(3);
  expect(exchange.asked).toEqual(['subscribe userFills', 'unsubscribe userFills', 'subscribe userFills']);
  const sofar = () => lease.sofar.map((text) => JSON.parse(text).data.fills);
  expect(sofar()).toEqual([]);
  // Changes that arrive before the new snapshot are part of it.
  exchange.send('userFills', { user: wallet(1), fills: [1] });
  await until('it came', () => told.length === 3);
  expect(sofar()).toEqual([]);
  exchange.send('userFills', { isSnapshot: true, user: wallet(1), fills: [1] });
  exchange.send('userFills', { user: wallet(1), fills: [2] });
  await until('both came', () => told.length === 5);
  expect(sofar()).toEqual([[1], [2]]);
});

test.each([
  ['webData3', { user: wallet(7) }, { userState: { user: wallet(7) } }],
  ['userEvents', { user: wallet(7) }, { fills: [] }, 'user'],
  ['activeAssetCtx', { coin: '@107' }, { coin: '@107', ctx: {} }, 'activeSpotAssetCtx'],
  ['activeAssetData', { user: wallet(7), coin: 'BTC' }, { user: wallet(7), coin: 'BTC' }],
  ['openOrders', { user: wallet(7) }, { user: wallet(7), dex: '', orders: [] }],
  ['spotAssetCtxs', {}, []],
  ['notification', { user: wallet(7) }, { notification: 'x' }],
  ['userTwapSliceFills', { user: wallet(7) }, { user: wallet(7), isSnapshot: true }],
] as const)('recognises %s of %j by its messages', async (type, fields, data, channel: string = type) => {
  const { exchange, relay, told } = await connected();
  relay.hold(queryOf(type, fields));
  await exchange.sees(1);
  exchange.send(channel, data);
  await until('it is told', () => told.length > 0);
  expect(told).toHaveLength(1);
});

test('reports a subscription as live once the exchange accepts it, anew on each connection, and never if it is refused', async () => {
  const { exchange, relay, accepted, told, reconnect } = await connected();
  exchange.refuses.add('candle');
  const candle = queryOf('candle', { coin: 'BTC', interval: '7m' });
  for (const query of [fillsOf(1), candle]) {
    relay.hold(query);
    expect(relay.isLive(query)).toBe(false);
  }
  await until('both have responses', () => accepted.length + told.length === 2);
  expect([accepted, told]).toEqual([[fillsOf(1).identity], [`refused ${candle.identity}: the exchange refused it`]]);
  expect([relay.isLive(fillsOf(1)), relay.isLive(candle)]).toEqual([true, false]);
  await reconnect();
  await until('it is taken again', () => accepted.length === 2);
  exchange.cut();
  await until('it is lost', () => !relay.isConnected);
  expect(relay.isLive(fillsOf(1))).toBe(false);
});

test('treats a message as acceptance, whatever the acknowledgement looks like', async () => {
  const { exchange, relay, accepted } = await connected();
  exchange.acknowledges = false;
  relay.hold(fillsOf(1));
  await exchange.sees(1);
  exchange.send('subscriptionResponse', { method: 'subscribe', subscription: 'userFills' });
  exchange.send('userFills', { isSnapshot: true, user: wallet(1), fills: [] });
  await until('it is taken', () => accepted.length === 1);
  expect(relay.isLive(fillsOf(1))).toBe(true);
});

describe('limits', () => {
  test('refuses wallets and subscriptions past the exchange’s limits until one is released', async () => {
    const { relay } = await connected({ limits: { users: 2, subscriptions: 3, messagesPerMinute: 100 } });
    const leases = [1, 2].map((of) => relay.hold(fillsOf(of)));
    expect(relay.problem(fillsOf(3))).toBe('the exchange allows 2 wallets at a time, all are taken');
    expect(relay.problem(queryOf('openOrders', { user: wallet(1) }))).toBeUndefined();
    relay.hold(queryOf('spotAssetCtxs'));
    expect(relay.problem(queryOf('allDexsAssetCtxs'))).toBe('the exchange allows 3 subscriptions, all are taken');
    expect(relay.problem(fillsOf(2))).toBeUndefined();
    leases[0]?.release();
    expect(relay.problem(fillsOf(3))).toBeUndefined();
    expect(relay.health()).toMatchObject({ connected: true, subscriptions: 2, users: 1 });
  });

  test('relays subscriptions with indistinguishable messages one at a time', async () => {
    const { relay } = await connected();
    const of = (user: number) => queryOf('orderUpdates', { user: wallet(user) });
    const lease = relay.hold(of(1));
    expect(relay.problem(of(1))).toBeUndefined();
    expect(relay.problem(of(2))).toContain('could not be distinguished from those of another orderUpdates');
    lease.release();
    expect(relay.problem(of(2))).toBeUndefined();
  });

  test('sends no more messages than allowed in any minute, all in order', () => {
    const time = new FakeClock();
    const sent: { readonly at: number; readonly text: string }[] = [];
    const sender = new PacedSender(200, time, (text) => sent.push({ at: time.now(), text }));
    for (let count = 0; count < 1_000; count += 1) sender.send(String(count));
    for (let second = 0; second < 700; second += 1) time.advance(1_000);
    expect(sent.map(({ text }) => text)).toEqual(Array.from({ length: 1_000 }, (_, count) => String(count)));
    for (const { at } of sent)
      expect(sent.filter((other) => other.at >= at && other.at < at + 60_000).length).toBeLessThanOrEqual(200);
  });
});

describe('faults', () => {
  test('resubscribes everything after a cut, and reports that events may have been missed', async () => {
    const { exchange, relay, told, reconnect } = await connected();
    const lease = relay.hold(fillsOf(1));
    relay.hold(queryOf('orderUpdates', { user: wallet(1) }));
    await exchange.sees(2);
    exchange.send('userFills', { isSnapshot: true, user: wallet(1), fills: [1] });
    await until('it came', () => told.length === 1);
    await reconnect();
    await exchange.sees(4);
    expect(exchange.asked.slice(2)).toEqual(['subscribe userFills', 'subscribe orderUpdates']);
    expect(told.slice(1)).toEqual(['interrupted orderUpdates']);
    // The old snapshot dates from before the cut.
    expect(lease.sofar).toEqual([]);
  });

  test('replaces a connection on which nothing arrives', async () => {
    const { exchange, relay, time } = await connected();
    exchange.sendsPongs = false;
    for (let count = 0; count < 3; count += 1) {
      time.advance(20_000);
    }
    await until('another one is made', () => {
      time.advance(10);
      return relay.health().connects === 2;
    });
    expect(exchange.said.map(({ method }) => method)).toContain('ping');
  });

  test('[WS-61] logs an error that is about no held subscription', async () => {
    const { exchange, relay, log, told, accepted } = await connected();
    relay.hold(fillsOf(1));
    await until('it is accepted', () => accepted.length === 1);
    const sentences = [
      `Invalid subscription ${JSON.stringify({ type: 'candle', coin: 'BTC', interval: '7m' })}`,
      'Error parsing JSON into valid websocket request: {"method":"ping"}',
      `Already unsubscribed: ${JSON.stringify({ type: 'userFills', user: wallet(2) })}`,
      'Cannot track more than 10 total users.',
    ];
    for (const sentence of sentences) exchange.send('error', sentence);
    await until('all are logged', () => log.lines.length === sentences.length);
    expect([told, relay.health().subscriptions]).toEqual([[], 1]);
  });

  test.each([
    'Cannot track more than 10 total users.',
    'Cannot subscribe to more than 1000 channels.',
    'Invalid subscription',
  ])('[WS-61] an error without a subscription (%s) refuses the oldest undecided request', async (sentence) => {
    const { exchange, relay, told, accepted } = await connected();
    const [decided, other] = [queryOf('spotAssetCtxs'), queryOf('candle', { coin: 'BTC', interval: '1m' })];
    relay.hold(decided);
    await until('it is accepted', () => accepted.length === 1);
    exchange.acknowledges = false;
    for (const query of [fillsOf(1), other]) relay.hold(query);
    await exchange.sees(3);
    exchange.send('error', sentence);
    await until('it is refused', () => told.length === 1);
    expect(told).toEqual([`refused userFills ${wallet(1)}: ${sentence}`]);
    exchange.acknowledges = true;
    relay.hold(fillsOf(1));
    await until('it is accepted now', () => accepted.length === 2);
    expect(exchange.asked.at(-1)).toBe('subscribe userFills');
    expect(relay.health().subscriptions).toBe(3);
  });

  test.each([
    ['Already subscribed: ', '', ['accepted']],
    ['Invalid subscription ', '', ['the exchange refused it']],
    ['Invalid subscription ', ': unknown {interval}', ['unknown ?interval?']],
    [
      'Error parsing JSON into valid websocket request: {"method":"subscribe","subscription":',
      '}',
      ['Error parsing JSON into valid websocket request'],
    ],
    ['Error parsing JSON into valid websocket request: {"method":"unsubscribe","subscription":', '}', []],
  ])(
    '[WS-61] an error that quotes a subscription (%s…%s) decides about that one only',
    async (before, after, outcome) => {
      const { exchange, relay, told, accepted, log } = await connected();
      exchange.acknowledges = false;
      relay.hold(fillsOf(1));
      relay.hold(fillsOf(2));
      await exchange.sees(2);
      exchange.send(
        'error',
        `${before}${JSON.stringify({ aggregateByTime: null, user: wallet(2), type: 'userFills' })}${after}`,
      );
      await until('it came', () => told.length + accepted.length + log.lines.length === 1);
      const said = [
        ...told.map((text) => text.replace(`refused userFills ${wallet(2)}: `, '')),
        ...accepted.map(() => 'accepted'),
      ];
      expect(said).toEqual(outcome);
      expect([relay.isLive(fillsOf(1)), relay.isLive(fillsOf(2))]).toEqual([false, outcome[0] === 'accepted']);
    },
  );

  test('[WS-62] refuses a request that the exchange does not decide about within 10 s, and asks again for the next holder', async () => {
    const { exchange, relay, time, told, accepted } = await connected();
    exchange.acknowledges = false;
    relay.hold(fillsOf(1));
    await exchange.sees(1);
    time.advance(9_000);
    relay.hold(fillsOf(2));
    await exchange.sees(2);
    time.advance(999);
    expect(told).toEqual([]);
    time.advance(1);
    expect(told).toEqual([`refused userFills ${wallet(1)}: the exchange did not respond within 10 s`]);
    exchange.acknowledges = true;
    relay.hold(fillsOf(1));
    await until('it is accepted', () => accepted.length === 1);
    expect(exchange.asked).toEqual([
      'subscribe userFills',
      'subscribe userFills',
      'unsubscribe userFills',
      'subscribe userFills',
    ]);
    time.advance(10_000);
    expect(told.slice(1)).toEqual([`refused userFills ${wallet(2)}: the exchange did not respond within 10 s`]);
    expect(relay.isLive(fillsOf(1))).toBe(true);
  });

  test('[WS-62] asks an undecided request again on the next connection, and refuses it when that ends too', async () => {
    const { exchange, relay, told, accepted, reconnect } = await connected();
    relay.hold(fillsOf(1));
    await until('it is accepted', () => accepted.length === 1);
    exchange.acknowledges = false;
    relay.hold(fillsOf(2));
    await exchange.sees(2);
    await reconnect();
    await exchange.sees(4);
    expect(told).toEqual([]);
    await reconnect();
    expect(told).toEqual([`refused userFills ${wallet(2)}: the exchange closed the connection instead of a response`]);
    exchange.acknowledges = true;
    await reconnect();
    await until('the accepted one is accepted again', () => accepted.length === 2);
    expect(relay.health().subscriptions).toBe(1);
  });

  test('[WS-62] blames a connection that ends on the oldest request without a response, not on those behind it', async () => {
    const { exchange, relay, accepted, told, reconnect } = await connected();
    exchange.acknowledges = false;
    const [crashes, innocent] = ['@666', '@1'].map((coin) => queryOf('bbo', { coin }));
    for (const query of [crashes, innocent]) if (query !== undefined) relay.hold(query);
    await exchange.sees(2);
    await reconnect();
    await exchange.sees(4);
    exchange.cut();
    await until('one is refused', () => told.length > 0);
    expect(told).toEqual(['refused bbo @666: the exchange closed the connection instead of a response']);
    exchange.acknowledges = true;
    await reconnect();
    await until('the other one is accepted', () => accepted.length === 1);
    expect([accepted, told.length]).toEqual([['bbo @1'], 1]);
  });

  test('refuses to relay while the exchange is disconnected, with the reason', async () => {
    const { exchange, relay } = await connected();
    exchange.cut();
    await until('it is lost', () => !relay.isConnected);
    expect(relay.problem(fillsOf(1))).toBe('the stream of the exchange is not connected, try again shortly');
  });
});
