import { beforeAll, describe, expect, it } from 'vitest';
import { SpecClient } from '../spec-client/spec-client.ts';
import { checkBatch } from '../spec-client/wire-checks.ts';
import { type Heard, StreamProbe } from '../stream-probe.ts';
import { type ConformanceTarget } from './target.ts';

let target: ConformanceTarget;

function open(): Promise<StreamProbe> {
  return StreamProbe.open(`${target.streamUrl}?key=${target.apiKey}`);
}

function on(coin: unknown, more: object = {}) {
  return { type: 'l4BookUpdates', coin, ...more };
}

const subscribe = (subscription: unknown) => ({ method: 'subscribe', subscription });
const unsubscribe = (subscription: unknown) => ({ method: 'unsubscribe', subscription });

function acknowledged(method: string, subscription: unknown) {
  return { channel: 'subscriptionResponse', data: { method, subscription } };
}

function batchOf({ data }: Heard) {
  const problems: string[] = [];
  const batch = checkBatch((data as { Updates: unknown }).Updates, (problem) => problems.push(problem));
  if (batch === undefined || problems.length > 0) throw new Error(problems.join('; '));
  return batch;
}

async function batches(probe: StreamProbe, count: number) {
  const found = [];
  while (found.length < count) found.push(batchOf(await probe.next(({ channel }) => channel === 'l4BookUpdates')));
  return found;
}

/** Declares the tests. Call it inside a describe block; `opened` returns the target once it is open. */
export function streamSuite(opened: () => ConformanceTarget): void {
  beforeAll(() => {
    target = opened();
  });

  describe('subscriptions', () => {
    it('[WS-2, WS-7, WS-8, L4-9] acknowledge with the echo, then send batches and nothing else', async () => {
      await using probe = await open();
      const body = on(target.coins[0]);
      probe.say(subscribe(body));
      const first = await probe.next();
      expect(JSON.parse(first.text)).toEqual(acknowledged('subscribe', body));
      await batches(probe, 5);
      for (const { channel, data } of probe.heard.slice(1)) {
        expect({ channel, keys: Object.keys(data as object) }).toEqual({ channel: 'l4BookUpdates', keys: ['Updates'] });
      }
    });

    it('[WS-2, WS-5, WS-9] end with their exact body, in any key order', async () => {
      await using probe = await open();
      const [coin] = target.coins;
      const array = on([coin]);
      await probe.ask(subscribe(array));
      expect(await probe.ask(unsubscribe(on(coin)))).toMatchObject({
        channel: 'error',
        data: `Already unsubscribed: ${JSON.stringify(on(coin))}`,
      });
      const turned = { coin: [coin], type: 'l4BookUpdates' };
      expect(JSON.parse((await probe.ask(unsubscribe(turned))).text)).toEqual(acknowledged('unsubscribe', array));
      // Anything in flight comes before the response to a later request.
      const after = probe.heard.length;
      await probe.ask({ method: 'ping' });
      expect(probe.heard.slice(after).map(({ channel }) => channel)).toEqual(['pong']);
    });

    it('[WS-4, L4-16, L4-7] for an array send the entries of its coins and of no other', async () => {
      await using probe = await open();
      const [first, second] = target.coins;
      await probe.ask(subscribe(on([first, second])));
      const coins = (await batches(probe, 20)).flatMap(({ book_diffs: entries }) => entries.map(({ coin }) => coin));
      expect([...new Set(coins)].toSorted()).toEqual([first, second].toSorted());
    });

    it('[WS-6, L4-33] that overlap send one batch per block and one entry per coin, until both have ended', async () => {
      await using probe = await open();
      const [first, second] = target.coins;
      await probe.ask(subscribe(on([first, second])));
      await probe.ask(subscribe(on(first)));
      const together = await batches(probe, 10);
      const heights = together.map(({ block_height: height }) => height);
      expect(heights).toEqual([...new Set(heights)].toSorted((a, b) => a - b));
      await probe.ask(unsubscribe(on([first, second])));
      const left = await batches(probe, 5);
      expect(new Set(left.flatMap(({ book_diffs: entries }) => entries.map(({ coin }) => coin)))).toEqual(
        new Set([first]),
      );
    });

    it('[L4-30, L4-31, L4-32] send all statuses of a block, or only those of orders in its diffs; if two overlap, the fuller form is sent', async () => {
      await using probe = await open();
      const [coin] = target.coins;
      const book = on(coin, { statuses: 'book' });
      const strangers = (list: Awaited<ReturnType<typeof batches>>) =>
        list.flatMap(({ book_diffs: entries }) =>
          entries.flatMap(({ order_statuses: statuses, book_diffs: diffs }) => {
            const oids = new Set(diffs.map(({ oid }) => oid));
            return statuses.filter(({ order }) => !oids.has(order.oid));
          }),
        ).length;
      await probe.ask(subscribe(book));
      expect(strangers(await batches(probe, 10))).toBe(0);
      await probe.ask(subscribe(on(coin)));
      expect(strangers(await batches(probe, 20))).toBeGreaterThan(0);
    });

    it('[L4-15, WS-9] with a cursor are accepted, acknowledged with their echo, and receive nothing from before', async () => {
      await using earlier = await open();
      const [coin] = target.coins;
      await earlier.ask(subscribe(on(coin)));
      const [first] = await batches(earlier, 1);
      const last = (await batches(earlier, 4)).at(-1);
      await using probe = await open();
      const body = on(coin, { cursor: first?.cursor });
      expect(JSON.parse((await probe.ask(subscribe(body))).text)).toEqual(acknowledged('subscribe', body));
      const [next] = await batches(probe, 1);
      expect(next?.block_height).toBeGreaterThan(last?.block_height ?? Number.POSITIVE_INFINITY);
    });

    it('[WS-1, WS-10] respond to a ping with a pong', async () => {
      await using probe = await open();
      expect(JSON.parse((await probe.ask({ method: 'ping' })).text)).toEqual({ channel: 'pong' });
    });
  });

  describe('refusals', () => {
    it('[WS-13, WS-12, WS-17] report a repeated equal subscribe, with the body as it was sent', async () => {
      await using probe = await open();
      const [coin] = target.coins;
      await probe.ask(subscribe(on(coin)));
      const text = `{ "coin": "${coin}",  "type":"l4BookUpdates" }`;
      const { channel, data } = await probe.ask(`{"method":"subscribe","subscription":${text}}`);
      expect(channel).toBe('error');
      expect(String(data).replaceAll(/\s/g, '')).toBe(`Alreadysubscribed:${text.replaceAll(/\s/g, '')}`);
    });

    it.each([
      ['an unknown coin', on('NOPE'), 'NOPE'],
      ['a spot coin', on('@107'), '@107'],
      ['a spot coin by name', on('PURR/USDC'), 'PURR/USDC'],
      ['an outcome', on('#12'), '#12'],
      ['an empty array', on([]), ''],
      ['more than 64 coins', on(Array.from({ length: 65 }, (_, index) => `C${index}`)), '64'],
      ['no coin', { type: 'l4BookUpdates' }, 'coin'],
      ['a coin that is a number', on(7), 'coin'],
      ['an array with a number', on(['BTC', 7]), 'coin'],
      ['an unknown statuses value', on('BTC', { statuses: 'some' }), 'statuses'],
      ['another channel', { type: 'candles', coin: 'BTC' }, ''],
    ])('[WS-15, WS-17, WS-19, WS-21, WS-31] report %s as an invalid subscription', async (_, body, named) => {
      await using probe = await open();
      const { channel, data } = await probe.ask(subscribe(body));
      const start = `Invalid subscription ${JSON.stringify(body)}`;
      expect(channel).toBe('error');
      expect(String(data).slice(0, start.length)).toBe(start);
      const reason = String(data).slice(start.length);
      expect(reason).toContain(named);
      expect(reason).toMatch(/^[^{}]+$/);
    });

    it('[WS-21, WS-22] name a repeated coin, and apply no part of a refused array', async () => {
      await using probe = await open();
      const [first, second] = target.coins;
      const { data } = await probe.ask(subscribe(on([first, second, first])));
      expect(data).toContain(first);
      await probe.ask(subscribe(on([first, 'NOPE'])));
      expect((await probe.ask(subscribe(on(second)))).channel).toBe('subscriptionResponse');
      const coins = (await batches(probe, 5)).flatMap(({ book_diffs: entries }) => entries.map(({ coin }) => coin));
      expect(new Set(coins)).toEqual(new Set([second]));
    });

    it.each([
      ['no JSON', 'nonsense'],
      ['an array', '[]'],
      ['no method', '{}'],
      ['an unknown method', '{"method":"dance"}'],
      ['a subscribe without subscription', '{"method":"subscribe"}'],
    ])('[WS-16, WS-12] report %s as it came, and keep the connection open', async (_, text) => {
      await using probe = await open();
      const { channel, data } = await probe.ask(text);
      expect({ channel, data }).toEqual({
        channel: 'error',
        data: `Error parsing JSON into valid websocket request: ${text}`,
      });
      expect((await probe.ask({ method: 'ping' })).channel).toBe('pong');
    });

    it('[WS-18] close endless garbage with 1008', async () => {
      await using probe = await open();
      for (let count = 0; count < 50; count += 1) probe.say('nonsense');
      expect(await probe.closed()).toMatchObject({ code: 1008 });
    });
  });

  describe('the content of the stream', () => {
    it('[L4-8, L4-12, L4-13, L4-17, L4-18, L4-20, L4-21, L4-22, L4-23, L4-24, L4-25] is as specified for 100 blocks of three coins', async () => {
      const { infoUrl, streamUrl, apiKey: key, coins } = target;
      await using spec = new SpecClient({ infoUrl, streamUrl, key, coins });
      spec.start();
      await spec.until(() => spec.batches >= 100 && coins.every((coin) => spec.book(coin) !== undefined));
      expect(spec.violations).toEqual([]);
    });
  });
}
