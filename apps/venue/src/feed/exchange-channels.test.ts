import { once } from 'node:events';
import { StreamProbe, until } from '@l4desk/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startVenue, type Venue } from '../server.ts';

let venue: Venue;
let client: StreamProbe;

beforeEach(async () => {
  venue = await startVenue({ seed: '4', pace: 0, coins: ['BTC', 'xyz:TSLA'], rate: 4 });
  client = await StreamProbe.open(venue.channelsUrl);
});

afterEach(async () => {
  await client[Symbol.asyncDispose]();
  await venue[Symbol.asyncDispose]();
});

const subscribe = (subscription: object) => client.say({ method: 'subscribe', subscription });

function heard(channel: string) {
  const messages = client.heard.filter((message) => message.channel === channel);
  return messages as readonly { readonly data: Readonly<Record<string, unknown>> }[];
}

/** Waits for `count` messages of a channel. */
async function has(channel: string, count: number) {
  const facts = () => `${count} of ${channel}: ${JSON.stringify(client.heard).slice(0, 400)}`;
  await until(facts, () => heard(channel).length >= count);
  return heard(channel);
}

interface Trade {
  readonly tid: number;
  readonly users: readonly [buyer: string, seller: string];
}

/** A wallet that trades constantly. */
const maker = () => venue.wallets()[0]?.address ?? '';

describe('the exchange’s own stream', () => {
  test('sends states at once and after each block in which they change', async () => {
    subscribe({ type: 'activeAssetCtx', coin: 'BTC' });
    subscribe({ type: 'openOrders', user: maker() });
    await has('activeAssetCtx', 1);
    await has('openOrders', 1);
    await venue.step(20);
    const contexts = await has('activeAssetCtx', 2);
    expect(contexts[0]?.data).toMatchObject({ coin: 'BTC', ctx: { markPx: expect.any(String) } });
    const texts = contexts.map((message) => JSON.stringify(message));
    expect(texts.some((text, place) => text === texts[place - 1])).toBe(false);
    expect(heard('openOrders')[0]?.data).toMatchObject({ user: maker(), dex: '' });
  });

  test('starts a history with its snapshot, and order updates with the next event', async () => {
    subscribe({ type: 'userHistoricalOrders', user: maker() });
    subscribe({ type: 'orderUpdates', user: maker().toUpperCase().replace('0X', '0x') });
    await has('userHistoricalOrders', 1);
    await venue.step(60);
    const [first, next] = await has('userHistoricalOrders', 2);
    expect(first?.data.isSnapshot).toBe(true);
    expect(next?.data).not.toHaveProperty('isSnapshot');
    const [update] = await has('orderUpdates', 1);
    expect(update?.data[0]).toMatchObject({ order: { coin: expect.any(String) }, status: expect.any(String) });
  });

  test('sends the mids of all coins, the trades of one, and the fills of a wallet after their snapshot', async () => {
    for (const dex of [null, 'xyz', 'nope']) subscribe({ type: 'allMids', dex });
    subscribe({ type: 'trades', coin: 'BTC' });
    await has('error', 1);
    const [mids, ofDex] = await has('allMids', 2);
    expect(mids?.data).toEqual({
      mids: expect.objectContaining({ BTC: expect.any(String), '@107': expect.any(String) }),
    });
    expect(ofDex?.data).toMatchObject({ dex: 'xyz', mids: { 'xyz:TSLA': expect.any(String) } });
    await venue.step(60);
    const [trade] = (await has('trades', 1)).flatMap(({ data }) => data as unknown as readonly Trade[]);
    const [buyer = '', seller = ''] = trade?.users ?? [];
    expect(trade).toMatchObject({ coin: 'BTC', side: expect.stringMatching(/^[AB]$/), px: expect.any(String) });
    // Both sides of the trade are among the fills of their wallets.
    for (const user of [buyer, seller]) subscribe({ type: 'userFills', user });
    const snapshots = await has('userFills', 2);
    expect(snapshots.map(({ data }) => data)).toEqual([
      {
        isSnapshot: true,
        user: buyer,
        fills: expect.arrayContaining([expect.objectContaining({ tid: trade?.tid, side: 'B' })]),
      },
      {
        isSnapshot: true,
        user: seller,
        fills: expect.arrayContaining([expect.objectContaining({ tid: trade?.tid, side: 'A' })]),
      },
    ]);
    await venue.step(60);
    const [, , news] = await has('userFills', 3);
    expect(news?.data).not.toHaveProperty('isSnapshot');
  });

  test('acknowledges, refuses unknown subscriptions, and responds to pings', async () => {
    const body = { type: 'activeAssetCtx', coin: 'BTC' };
    subscribe(body);
    subscribe(body);
    subscribe({ type: 'candle', coin: 'BTC', interval: '1m' });
    client.say({ method: 'unsubscribe', subscription: body });
    client.say('[');
    client.say({ method: 'ping' });
    await has('pong', 1);
    expect(heard('subscriptionResponse').map(({ data }) => data.method)).toEqual(['subscribe', 'unsubscribe']);
    expect(heard('error').map(({ data }) => data)).toEqual([
      'Already subscribed: {"type":"activeAssetCtx","coin":"BTC"}',
      'Invalid subscription {"type":"candle","coin":"BTC","interval":"1m"}',
      'Error parsing JSON into valid websocket request: [',
    ]);
    const before = client.heard.length;
    await venue.step(5);
    client.say({ method: 'ping' });
    await has('pong', 2);
    expect(client.heard).toHaveLength(before + 1);
  });

  test('is affected by cut, silent and refuse like the order-level stream', async () => {
    subscribe({ type: 'activeAssetCtx', coin: 'BTC' });
    await has('activeAssetCtx', 1);
    venue.applyFault({ kind: 'silent', ms: 60_000 });
    await venue.step(10);
    venue.applyFault({ kind: 'refuse', ms: 60_000 });
    venue.applyFault({ kind: 'cut' });
    await client.closed();
    expect(heard('activeAssetCtx')).toHaveLength(1);
    await once(new WebSocket(venue.channelsUrl), 'error');
    venue.applyFault({ kind: 'clear' });
    client = await StreamProbe.open(venue.channelsUrl);
  });
});
