import { once } from 'node:events';
import { StreamProbe, until } from '@l4desk/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startVenue, type Venue } from '../server.ts';

let venue: Venue;
let client: StreamProbe;

beforeEach(async () => {
  venue = await startVenue({ seed: '4', pace: 0, coins: ['BTC'], rate: 4 });
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
