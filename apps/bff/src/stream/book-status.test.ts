import { FakeFeed } from '@l4desk/testkit/service';
import { afterEach, describe, expect, test } from 'vitest';
import { type StreamClient, StreamServer } from './test-support/stream-server.ts';

const started: StreamServer[] = [];

async function start(): Promise<StreamServer> {
  const server = await StreamServer.start();
  started.push(server);
  return server;
}

afterEach(async () => {
  for (const server of started.splice(0)) await server[Symbol.asyncDispose]();
});

/** The messages of a client in short form: `ack`, `BTC live null`, `block BTC,ETH` or the text of an error. */
function told({ texts }: StreamClient): string[] {
  return texts.map((text) => {
    const { channel, data } = JSON.parse(text);
    switch (channel) {
      case 'subscriptionResponse':
        return data.method === 'subscribe' ? 'ack' : 'left';
      case 'l4BookStatus':
        return `${data.coin} ${data.state} ${data.reason}`;
      case 'l4BookUpdates':
        return `block ${data.Updates.book_diffs.map((entry: { coin: string }) => entry.coin).join()}`;
      default:
        return String(data);
    }
  });
}

describe('a subscription with "status": true', () => {
  test('[L4-39] gets the state of each coin after the acknowledgement, and each change, in order with the blocks', async () => {
    const server = await start();
    server.feed.become('ETH', 'building');
    const client = await server.connect();
    client.subscribe({ coin: ['BTC', 'ETH'], status: true });
    await client.messages(3);
    server.feed.publish(['BTC']);
    server.feed.become('BTC', 'rebuilding', 'late-block');
    server.feed.become('SOL', 'rebuilding', 'audit');
    server.feed.become('ETH', 'live');
    server.feed.publish(['ETH']);
    server.feed.become('BTC', 'live');
    await client.settled();
    expect(told(client)).toEqual([
      'ack',
      'BTC live null',
      'ETH building null',
      'block BTC',
      'BTC rebuilding late-block',
      'ETH live null',
      'block ETH',
      'BTC live null',
    ]);
    expect(JSON.parse(client.texts[4] ?? '')).toEqual({
      channel: 'l4BookStatus',
      data: { coin: 'BTC', state: 'rebuilding', since: 1_778_002_754_000, upstreamAgeMs: 5, reason: 'late-block' },
    });
  });

  test('[L4-39] gets each state once per connection, until the last such subscription is removed', async () => {
    const server = await start();
    const client = await server.connect();
    client.subscribe({ coin: 'BTC', status: true });
    client.subscribe({ coin: ['BTC'], status: true });
    client.subscribe({ coin: 'BTC' });
    await client.messages(5);
    const leave = (coin: unknown) =>
      client.send({ method: 'unsubscribe', subscription: { type: 'l4BookUpdates', coin, status: true } });
    leave('BTC');
    await client.settled();
    server.feed.become('BTC', 'stale', 'feed-silent');
    leave(['BTC']);
    await client.settled();
    server.feed.become('BTC', 'live');
    await client.settled();
    expect(told(client).slice(5)).toEqual(['left', 'BTC stale feed-silent', 'left']);
  });
});

describe('a coin that is not available upstream', () => {
  const sentence = (body: string) => `Invalid subscription ${body}: BTC is not available upstream`;

  test('[WS-33, WS-17] is reported once to each subscription that names it, with its body as sent', async () => {
    const server = await start();
    const [client, other] = [await server.connect(), await server.connect()];
    const bodies = [
      '{ "coin" : "BTC","type":"l4BookUpdates"}',
      '{"type":"l4BookUpdates","coin":["ETH","BTC"],"status":true}',
    ];
    for (const body of bodies) client.send(`{"method":"subscribe","subscription":${body}}`);
    other.subscribe({ coin: 'ETH' });
    await Promise.all([client.messages(4), other.messages(1)]);
    server.feed.become('BTC', 'unavailable', 'no-snapshot');
    server.feed.become('BTC', 'unavailable', 'finding');
    await Promise.all([client.settled(), other.settled()]);
    expect(told(client).slice(4)).toEqual([
      'BTC unavailable no-snapshot',
      ...bodies.map(sentence),
      'BTC unavailable finding',
    ]);
    expect(told(other)).toEqual(['ack']);
  });

  test('[WS-33] is reported after the acknowledgement of a later subscription, which stays and gets blocks later', async () => {
    const server = await start();
    server.feed.become('BTC', 'unavailable', 'refused');
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    await client.settled();
    const said = sentence('{"type":"l4BookUpdates","coin":"BTC"}');
    expect(told(client)).toEqual(['ack', said]);
    server.feed.become('BTC', 'live');
    server.feed.publish(['BTC']);
    await client.settled();
    expect(told(client).slice(2)).toEqual(['block BTC']);
    server.feed.become('BTC', 'rebuilding', 'audit');
    server.feed.become('BTC', 'unavailable', 'audit');
    await client.settled();
    expect(told(client).slice(3)).toEqual([said]);
  });
});

describe('a subscription with "upstream": true', () => {
  const blocks = { ageMs: 41, usualMs: 72, suspectAfterMs: 1_000 };
  const reports = ({ texts }: StreamClient) => texts.filter((text) => text.includes('"l4Upstream"'));

  test('gets the state of the upstream after the acknowledgement and every second, until it is removed', async () => {
    const server = await start();
    server.feed.reported = { ...new FakeFeed().health(), ageMs: 3, upstreamAgeMs: 12, upstreamBlocks: blocks };
    const client = await server.connect();
    client.subscribe({ coin: ['BTC', 'ETH'], upstream: true });
    await client.messages(2);
    server.time.advance(1_000);
    await client.messages(3);
    expect(told(client)[0]).toBe('ack');
    for (const text of reports(client)) {
      const { data } = JSON.parse(text);
      expect(data).toEqual({ time: expect.any(Number), connected: true, ageMs: 15, blocks });
    }
    client.send({
      method: 'unsubscribe',
      subscription: { type: 'l4BookUpdates', coin: ['BTC', 'ETH'], upstream: true },
    });
    await client.settled();
    server.time.advance(3_000);
    await client.settled();
    expect(reports(client)).toHaveLength(2);
  });

  test('is required to get the state of the upstream, and any value but a boolean is refused', async () => {
    const server = await start();
    const client = await server.connect();
    client.subscribe({ coin: 'BTC', status: true });
    client.subscribe({ coin: 'ETH', upstream: 'yes' });
    await client.messages(3);
    server.time.advance(5_000);
    await client.settled();
    expect(reports(client)).toEqual([]);
    expect(client.texts.at(-1)).toContain('upstream must be true or false');
  });
});
