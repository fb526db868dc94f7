import { once } from 'node:events';
import { until } from '@l4desk/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startVenue, type Venue } from '../server.ts';

interface Message {
  readonly channel: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A client of the exchange's stream that keeps all messages it receives. */
class Client {
  readonly told: Message[] = [];
  readonly socket: WebSocket;

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.socket.on('message', (data: Buffer) => this.told.push(JSON.parse(data.toString())));
  }

  static async open(url: string): Promise<Client> {
    const client = new Client(url);
    await once(client.socket, 'open');
    return client;
  }

  ask(method: string, subscription?: object): void {
    this.socket.send(JSON.stringify({ method, subscription }));
  }

  of(channel: string): readonly Message[] {
    return this.told.filter((message) => message.channel === channel);
  }

  /** Waits for `count` messages of a channel. */
  async has(channel: string, count: number): Promise<readonly Message[]> {
    await until(
      () => `${count} of ${channel}: ${JSON.stringify(this.told).slice(0, 400)}`,
      () => this.of(channel).length >= count,
    );
    return this.of(channel);
  }
}

let venue: Venue;
let client: Client;

beforeEach(async () => {
  venue = await startVenue({ seed: '4', pace: 0, coins: ['BTC'], rate: 4 });
  client = await Client.open(venue.channelsUrl);
});

afterEach(async () => {
  client.socket.terminate();
  await venue[Symbol.asyncDispose]();
});

/** A wallet that trades constantly. */
const maker = () => venue.wallets()[0]?.address ?? '';

describe('the exchange’s own stream', () => {
  test('sends states at once and after each block in which they change', async () => {
    client.ask('subscribe', { type: 'activeAssetCtx', coin: 'BTC' });
    client.ask('subscribe', { type: 'openOrders', user: maker() });
    await client.has('activeAssetCtx', 1);
    await client.has('openOrders', 1);
    await venue.step(20);
    const contexts = await client.has('activeAssetCtx', 2);
    expect(contexts[0]?.data).toMatchObject({ coin: 'BTC', ctx: { markPx: expect.any(String) } });
    const texts = contexts.map((message) => JSON.stringify(message));
    expect(texts.some((text, place) => text === texts[place - 1])).toBe(false);
    expect(client.of('openOrders')[0]?.data).toMatchObject({ user: maker(), dex: '' });
  });

  test('starts a history with its snapshot, and order updates with the next event', async () => {
    client.ask('subscribe', { type: 'userHistoricalOrders', user: maker() });
    client.ask('subscribe', { type: 'orderUpdates', user: maker().toUpperCase().replace('0X', '0x') });
    await client.has('userHistoricalOrders', 1);
    await venue.step(60);
    const [first, next] = await client.has('userHistoricalOrders', 2);
    expect(first?.data.isSnapshot).toBe(true);
    expect(next?.data).not.toHaveProperty('isSnapshot');
    const [update] = await client.has('orderUpdates', 1);
    expect(update?.data[0]).toMatchObject({ order: { coin: expect.any(String) }, status: expect.any(String) });
  });

  test('acknowledges, refuses unknown subscriptions, and responds to pings', async () => {
    const body = { type: 'activeAssetCtx', coin: 'BTC' };
    client.ask('subscribe', body);
    client.ask('subscribe', body);
    client.ask('subscribe', { type: 'candle', coin: 'BTC', interval: '1m' });
    client.ask('unsubscribe', body);
    client.socket.send('[');
    client.ask('ping');
    await client.has('pong', 1);
    expect(client.of('subscriptionResponse').map(({ data }) => data.method)).toEqual(['subscribe', 'unsubscribe']);
    expect(client.of('error').map(({ data }) => data)).toEqual([
      'Already subscribed: {"type":"activeAssetCtx","coin":"BTC"}',
      'Invalid subscription {"type":"candle","coin":"BTC","interval":"1m"}',
      'Error parsing JSON into valid websocket request: [',
    ]);
    const before = client.told.length;
    await venue.step(5);
    client.ask('ping');
    await client.has('pong', 2);
    expect(client.told).toHaveLength(before + 1);
  });

  test('is affected by cut, silent and refuse like the order-level stream', async () => {
    client.ask('subscribe', { type: 'activeAssetCtx', coin: 'BTC' });
    await client.has('activeAssetCtx', 1);
    venue.applyFault({ kind: 'silent', ms: 60_000 });
    await venue.step(10);
    venue.applyFault({ kind: 'refuse', ms: 60_000 });
    venue.applyFault({ kind: 'cut' });
    await once(client.socket, 'close');
    expect(client.of('activeAssetCtx')).toHaveLength(1);
    await once(new WebSocket(venue.channelsUrl), 'error');
    venue.applyFault({ kind: 'clear' });
    client = await Client.open(venue.channelsUrl);
  });
});
