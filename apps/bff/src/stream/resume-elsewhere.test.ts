// Subscriptions that resume at a gateway that did not publish the entries they missed.
import type { EarlierBlocks, EarlierQuery, PublishedBlock } from '@l4desk/feed';
import type { Updates } from '@l4desk/protocol';
import { until } from '@l4desk/testkit';
import { expect, test } from 'vitest';
import { type StreamClient, StreamServer } from './test-support/stream-server.ts';

/** The retained blocks of a cluster, which the gateway reads when the test allows it. */
class Carrier {
  readonly #server: StreamServer;
  readonly blocks: PublishedBlock[] = [];
  readonly queries: EarlierQuery[] = [];
  #letRead: () => void = () => {};
  /** Reads wait for this; null means they return at once. */
  gate: Promise<void> | null = null;

  constructor(server: StreamServer) {
    this.#server = server;
    server.feed.makesAll = true;
    server.feed.earlier = async (query, signal) => {
      this.queries.push(query);
      await Promise.race([this.gate, aborted(signal)]);
      return this.#found(query);
    };
  }

  /** Adds a block that another gateway publishes and this one does not. */
  publishElsewhere(coins: readonly string[], statusBytes?: number): void {
    this.blocks.push(this.#server.feed.make(coins, statusBytes));
  }

  /** Publishes a block at this gateway. */
  publish(coins: readonly string[], statusBytes?: number): void {
    this.blocks.push(this.#server.feed.publish(coins, statusBytes));
  }

  close(): void {
    this.gate = new Promise((resolve) => {
      this.#letRead = resolve;
    });
  }

  open(): void {
    this.#letRead();
    this.gate = null;
  }

  #found({ coins }: EarlierQuery): EarlierBlocks {
    const seqs: Record<string, number> = {};
    const blocks = this.blocks.flatMap((block, place) => {
      const entries = block.entries.filter(({ coin }) => coins.includes(coin));
      for (const { coin, seq } of entries) seqs[coin] = seq;
      return entries.length === 0 ? [] : [{ ageMs: this.blocks.length - place, block: { ...block, entries } }];
    });
    return { epoch: this.#server.feed.epoch, blocks, seqs };
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
}

type Message = { readonly channel: string; readonly data?: { readonly Updates?: Updates; readonly resume?: unknown } };
const messagesOf = ({ texts }: StreamClient): readonly Message[] => texts.map((text) => JSON.parse(text));
const outcome = (client: StreamClient) => messagesOf(client)[0]?.data?.resume;
/** The received entries, as `height:coin prev>seq`. */
const entriesOf = (client: StreamClient): readonly string[] =>
  messagesOf(client).flatMap(({ data }) =>
    (data?.Updates?.book_diffs ?? []).map(
      ({ coin, seq, prev_seq }) => `${data?.Updates?.block_height}:${coin} ${prev_seq}>${seq}`,
    ),
  );

function resume(server: StreamServer, client: StreamClient, seq: Readonly<Record<string, number>>, more: object = {}) {
  client.subscribe({ coin: Object.keys(seq), statuses: 'book', resume: { epoch: server.feed.epoch, seq }, ...more });
}

test('sends entries of another gateway, then those published meanwhile, then new ones, without a gap', async () => {
  await using server = await StreamServer.start();
  const carrier = new Carrier(server);
  server.feed.become('BTC', 'waiting');
  for (const coins of [['BTC'], ['BTC', 'ETH'], ['BTC'], ['BTC', 'ETH']]) carrier.publishElsewhere(coins);
  carrier.close();
  const client = await server.connect();
  resume(server, client, { BTC: 1, ETH: 1 });
  client.send({ method: 'ping' });
  await until('its coins are held', () => server.feed.held.get('BTC') === 1);
  expect(carrier.queries).toEqual([]);
  server.feed.become('BTC', 'live');
  await until('the reading', () => carrier.queries.length === 1);
  carrier.publish(['BTC']);
  carrier.publish(['ETH']);
  expect(client.texts).toEqual([]);
  carrier.open();
  await client.until(() => client.texts.at(-1) === '{"channel":"pong"}');
  server.feed.publish(['BTC', 'ETH']);
  await client.settled();
  expect(outcome(client)).toEqual({ resumed: { BTC: 5, ETH: 3 }, refused: {} });
  expect(entriesOf(client)).toEqual([
    '102:BTC 1>2',
    '103:BTC 2>3',
    '104:BTC 3>4',
    '104:ETH 1>2',
    '105:BTC 4>5',
    '106:ETH 2>3',
    '107:BTC 5>6',
    '107:ETH 3>4',
  ]);
  expect([server.feed.held.get('BTC'), server.feed.held.get('ETH')]).toEqual([1, 1]);
  expect(server.purse.charged).toBe(2);
});

test('gives up after 5 s if the cluster does not respond, and starts the coin normally', async () => {
  await using server = await StreamServer.start();
  const carrier = new Carrier(server);
  carrier.publishElsewhere(['BTC']);
  carrier.close();
  const client = await server.connect();
  resume(server, client, { BTC: 0 });
  await until('the reading', () => carrier.queries.length === 1);
  server.time.advance(5_000);
  await client.settled();
  expect(outcome(client)).toEqual({ resumed: {}, refused: { BTC: 'unread' } });
  server.feed.publish(['BTC']);
  await client.settled();
  expect(entriesOf(client)).toEqual(['102:BTC 1>2']);
  expect(server.feed.held.get('BTC')).toBe(1);
  carrier.open();
});

test('does not resume a book that is not live in time or is lost during the read', async () => {
  await using server = await StreamServer.start();
  const carrier = new Carrier(server);
  carrier.publishElsewhere(['BTC', 'ETH']);
  carrier.close();
  server.feed.become('BTC', 'waiting');
  const [slow, lost] = [await server.connect(), await server.connect()];
  resume(server, lost, { ETH: 0 });
  resume(server, slow, { BTC: 0 });
  await until('the reading', () => carrier.queries.length === 1 && server.feed.held.get('BTC') === 1);
  server.feed.become('ETH', 'rebuilding', 'audit');
  server.feed.become('ETH', 'live');
  carrier.open();
  await lost.settled();
  expect(outcome(lost)).toEqual({ resumed: {}, refused: { ETH: 'expired' } });
  server.time.advance(5_000);
  await slow.settled();
  expect(outcome(slow)).toEqual({ resumed: {}, refused: { BTC: 'not-live' } });
  expect([entriesOf(slow), entriesOf(lost)]).toEqual([[], []]);
});

test('resumes a client that is ahead of this gateway once the gateway has caught up', async () => {
  await using server = await StreamServer.start();
  const carrier = new Carrier(server);
  for (let count = 0; count < 3; count += 1) carrier.publish(['BTC']);
  carrier.close();
  const client = await server.connect();
  resume(server, client, { BTC: 4 });
  await until('the reading', () => carrier.queries.length === 1);
  expect(carrier.queries[0]?.coins).toEqual([]);
  carrier.publish(['BTC']);
  carrier.publish(['BTC']);
  carrier.open();
  await client.settled();
  expect(outcome(client)).toEqual({ resumed: { BTC: 5 }, refused: {} });
  expect(entriesOf(client)).toEqual(['105:BTC 4>5']);
});

test('[L4-31] reads statuses from the cluster that had no reader at this gateway', async () => {
  await using server = await StreamServer.start();
  const carrier = new Carrier(server);
  for (let count = 0; count < 4; count += 1) carrier.publish(['BTC']);
  const client = await server.connect();
  resume(server, client, { BTC: 1 }, { statuses: 'all' });
  await client.settled();
  expect(outcome(client)).toEqual({ resumed: { BTC: 4 }, refused: {} });
  const statuses = messagesOf(client).flatMap(
    ({ data }) => data?.Updates?.book_diffs.map((one) => one.order_statuses) ?? [],
  );
  expect(statuses).toEqual([['xxxxxxxxxx'], ['xxxxxxxxxx'], ['xxxxxxxxxx']]);
  expect(carrier.queries.map(({ all }) => all)).toEqual([['BTC']]);
});

test('[L4-31] does not resume all statuses from entries that were read from the cluster without them', async () => {
  await using server = await StreamServer.start({ resumeBytesMax: 10_000 });
  const carrier = new Carrier(server);
  const reader = await server.connect();
  reader.subscribe({ coin: ['BTC'], statuses: 'all' });
  await reader.settled();
  // More than is kept.
  for (let count = 0; count < 8; count += 1) carrier.publish(['BTC'], 2_000);
  const kept = server.stream.health().resumeBytes;
  const [book, all] = [await server.connect(), await server.connect()];
  resume(server, book, { BTC: 1 });
  await book.settled();
  expect(outcome(book)).toEqual({ resumed: { BTC: 8 }, refused: {} });
  expect(server.stream.health().resumeBytes).toBeGreaterThan(kept);
  carrier.blocks.length = 0;
  resume(server, all, { BTC: 1 }, { statuses: 'all' });
  await all.settled();
  expect(outcome(all)).toEqual({ resumed: {}, refused: { BTC: 'statuses' } });
  expect(all.closed).toBeNull();
});

test('joins the entries of another gateway with those of other coins at the same heights', async () => {
  await using server = await StreamServer.start();
  const carrier = new Carrier(server);
  // This gateway publishes ETH only, of the same blocks.
  for (let count = 0; count < 4; count += 1) {
    carrier.publishElsewhere(['BTC', 'ETH']);
    const [block] = carrier.blocks.slice(-1);
    if (block !== undefined)
      server.feed.hand({ ...block, entries: block.entries.filter(({ coin }) => coin === 'ETH') });
  }
  const [btc, eth] = [await server.connect(), await server.connect()];
  resume(server, btc, { BTC: 0 });
  await btc.settled();
  resume(server, eth, { ETH: 1 });
  await eth.settled();
  expect(entriesOf(btc)).toEqual(['101:BTC 0>1', '102:BTC 1>2', '103:BTC 2>3', '104:BTC 3>4']);
  expect(entriesOf(eth)).toEqual(['102:ETH 1>2', '103:ETH 2>3', '104:ETH 3>4']);
  expect(carrier.queries.map(({ coins }) => coins)).toEqual([['BTC']]);
});

test('resumes in an epoch of which only another gateway has published entries', async () => {
  await using server = await StreamServer.start();
  const carrier = new Carrier(server);
  server.feed.hand({ ...server.feed.make(['BTC']), epoch: '00000000-0000-4000-8000-000000000000' });
  carrier.publishElsewhere(['BTC']);
  carrier.publishElsewhere(['BTC']);
  const client = await server.connect();
  resume(server, client, { BTC: 2 });
  await client.settled();
  expect(outcome(client)).toEqual({ resumed: { BTC: 3 }, refused: {} });
  expect(entriesOf(client)).toEqual(['103:BTC 2>3']);
});

test('does not resume from before a gap in the entries of another gateway', async () => {
  await using server = await StreamServer.start();
  const carrier = new Carrier(server);
  for (let count = 0; count < 4; count += 1) carrier.publishElsewhere(['BTC']);
  carrier.blocks.splice(1, 1);
  const [before, after] = [await server.connect(), await server.connect()];
  resume(server, before, { BTC: 1 });
  resume(server, after, { BTC: 2 });
  await before.settled();
  await after.settled();
  expect(outcome(before)).toEqual({ resumed: {}, refused: { BTC: 'expired' } });
  expect(outcome(after)).toEqual({ resumed: { BTC: 4 }, refused: {} });
  expect([entriesOf(before), entriesOf(after)]).toEqual([[], ['103:BTC 2>3', '104:BTC 3>4']]);
});
