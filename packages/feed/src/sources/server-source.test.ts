import { Chance, FakeClock, FaultProxy, KeptLog, until } from '@l4desk/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { FakeUpstream } from '../test-support/fake-upstream.ts';
import { ServerSource, type ServerSourceSettings } from './server-source.ts';

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function upstreamOf(...coins: string[]): Promise<FakeUpstream> {
  const upstream = await FakeUpstream.start(coins, new Chance(3));
  ends.push(() => upstream[Symbol.asyncDispose]());
  return upstream;
}

/** A source whose events are recorded as short lines. */
class Rig {
  readonly lines: string[] = [];
  readonly time = new FakeClock();
  readonly log = new KeptLog();
  readonly source: ServerSource;
  #onChange: () => void = () => {};

  constructor(url: string, settings: Partial<ServerSourceSettings> = {}) {
    const say = (line: string) => {
      this.lines.push(line);
      this.#onChange();
    };
    this.source = new ServerSource(
      {
        url,
        pingAfterMs: 3_000,
        pongWithinMs: 3_000,
        silentAfterMs: 4_000,
        reorderMs: 100,
        ...settings,
      },
      {
        connected: () => say('connected'),
        disconnected: (problem) => say(`disconnected ${problem}`),
        snapshot: (coin, { height, levels }) => say(`snapshot ${coin} ${height} ${levels.flat().length}`),
        blocks: (blocks) => {
          for (const { coin, height } of blocks) say(`block ${coin} ${height}`);
        },
        trades: () => say('trades'),
        completeThrough: () => {},
        silenceIsQuiet: () => say('silence'),
        unchanged: () => say('unchanged'),
        doubted: () => say('doubted'),
        lost: (coin, reason, detail) =>
          say(reason === 'malformed' ? `malformed ${coin}` : `${reason} ${coin} ${detail}`),
        receiving: () => {},
        silent: () => say('silent'),
        snapshotsDoubted: () => say('doubted'),
        standsStill: (since) => say(`still ${since}`),
      },
      { clock: this.time, random: () => 0, log: this.log, readsAll: () => true },
    );
    ends.push(() => this.source.close());
    this.source.start();
  }

  /** Waits for this many lines and returns the last one. */
  async line(count: number): Promise<string | undefined> {
    while (this.lines.length < count) {
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    }
    return this.lines[count - 1];
  }
}

describe('the l4Book dialect', () => {
  test('[UP-13] reports a joined coin’s snapshot and then its blocks, with one subscription per coin', async () => {
    const upstream = await upstreamOf('BTC', 'ETH');
    const rig = new Rig(upstream.url);
    await rig.line(1);
    rig.source.join('BTC');
    expect(await rig.line(2)).toBe(`snapshot BTC ${upstream.height} 20`);
    const { height } = upstream.step();
    await rig.line(3);
    rig.source.join('ETH');
    await rig.line(4);
    upstream.step();
    await rig.line(6);
    expect(rig.lines[2]).toBe(`block BTC ${height}`);
    expect(rig.lines[3]).toMatch(new RegExp(`^snapshot ETH ${height} `));
    expect(rig.lines.slice(4)).toEqual([`block BTC ${height + 1}`, `block ETH ${height + 1}`]);
    rig.source.leave('BTC');
    await upstream.sees(() => upstream.subscribers('BTC') === 0);
    expect(upstream.asked).toEqual(['subscribe BTC', 'subscribe ETH', 'unsubscribe BTC']);
    expect(upstream.connectionsOpened).toBe(1);
  });

  test('[UP-13] dates a fetched snapshot that has no time with its arrival', async () => {
    const upstream = await upstreamOf('BTC');
    upstream.falsify.set('BTC', (snapshot) => ({ ...snapshot, time: undefined }));
    const rig = new Rig(upstream.url);
    const { time } = await rig.source.fetchSnapshot('BTC', new AbortController().signal, () => {});
    expect(time).toBe(rig.time.wallNow());
  });

  test('[WS-33] takes a server that has no books yet for a lost connection, and one that has no snapshot for a late one', async () => {
    const upstream = await upstreamOf('BTC');
    upstream.refusals.set('BTC', 'Unable to grab order book snapshot: Snapshot Failed');
    const rig = new Rig(upstream.url);
    await rig.line(1);
    rig.source.join('BTC');
    expect(await rig.line(2)).toBe('no-snapshot BTC Unable to grab order book snapshot: Snapshot Failed');
    upstream.refusals.set('BTC', 'Order book not ready for streaming (waiting for snapshot)');
    rig.source.join('BTC');
    expect(await rig.line(3)).toBe('disconnected the server has no books yet');
  });

  test('reports a refusal for the requested coin', async () => {
    const upstream = await upstreamOf('BTC', 'ETH');
    upstream.refusals.set('ETH', 'no such book');
    const rig = new Rig(upstream.url);
    await rig.line(1);
    rig.source.join('BTC');
    rig.source.join('ETH');
    await rig.line(3);
    expect(rig.lines.slice(1)).toEqual([`snapshot BTC ${upstream.height} 20`, 'refused ETH no such book']);
  });

  test('logs the first two plain texts of a connection, without secrets', async () => {
    const upstream = await upstreamOf('BTC');
    const rig = new Rig(upstream.url);
    await rig.line(1);
    rig.source.join('BTC');
    await rig.line(2);
    for (const text of ['Welcome', 'Authorization: abc', 'rate limited', '{"channel":']) upstream.sendText('BTC', text);
    await rig.line(3);
    rig.time.advance(250);
    await rig.line(4);
    rig.source.join('BTC');
    await rig.line(5);
    upstream.sendText('BTC', 'x'.repeat(1_000));
    const texts = () => rig.log.lines.filter((line) => line.includes('sent plain text'));
    await until('the long text is read', () => texts().length === 3);
    expect(texts()).toEqual(
      ['Welcome', 'Authorization: [secret]', 'x'.repeat(200)].map(
        (text) => `info upstream L4 sent plain text ${JSON.stringify({ text })}`,
      ),
    );
  });

  test('[UP-15] reports a malformed message for the coins that it names', async () => {
    const upstream = await upstreamOf('BTC');
    const rig = new Rig(upstream.url);
    await rig.line(1);
    rig.source.join('BTC');
    await rig.line(2);
    const [block] = upstream.make().updates.values();
    upstream.sendUpdates('BTC', { ...block, height: 'soon' });
    expect(await rig.line(3)).toBe('malformed BTC');
    expect(rig.source.connection.connected).toBe(true);
  });

  test('[UP-15] ignores a malformed message about a coin that was just left, but later drops the connection', async () => {
    const upstream = await upstreamOf('BTC', 'ETH');
    const never = Number.MAX_SAFE_INTEGER;
    const rig = new Rig(upstream.url, { pingAfterMs: never, silentAfterMs: never });
    await rig.line(1);
    for (const [at, coin] of ['BTC', 'ETH'].entries()) {
      rig.source.join(coin);
      await rig.line(2 + at);
    }
    rig.source.leave('BTC');
    const sendBroken = () => {
      const block = upstream.make();
      upstream.sendUpdates('ETH', { ...block.updates.get('BTC'), height: 'soon' });
      upstream.send(block, ['ETH']);
    };
    sendBroken();
    expect(await rig.line(4)).toBe(`block ETH ${upstream.height}`);
    rig.time.advance(1_000);
    sendBroken();
    expect(await rig.line(5)).toBe(`block ETH ${upstream.height}`);
    rig.time.advance(9_001);
    sendBroken();
    expect(await rig.line(6)).toBe('disconnected invalid message');
  });

  test('[UP-15] drops the connection after a malformed message that names no coin, and reconnects', async () => {
    const upstream = await upstreamOf('BTC');
    const rig = new Rig(upstream.url);
    await rig.line(1);
    rig.source.join('BTC');
    await rig.line(2);
    upstream.sendText('BTC', '{"channel":"l4Bo');
    expect(await rig.line(3)).toBe('disconnected invalid message');
    rig.time.advance(250);
    expect(await rig.line(4)).toBe('connected');
  });
});

describe('a connection that is lost', () => {
  test('is reopened without limit, with growing pauses that start over after a good connection', async () => {
    const upstream = await upstreamOf('BTC');
    const proxy = await FaultProxy.start(Number(new URL(upstream.url).port));
    ends.push(() => proxy[Symbol.asyncDispose]());
    proxy.refuse();
    const rig = new Rig(`ws://127.0.0.1:${proxy.port}/ws`);
    for (const [turn, waitMs] of [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000].entries()) {
      await rig.line(turn + 1);
      expect(rig.lines[turn]).toMatch(/^disconnected (ECONNRESET|socket hang up)$/);
      rig.time.advance(waitMs - 1);
      expect(rig.lines).toHaveLength(turn + 1);
      if (turn === 7) proxy.accept();
      rig.time.advance(1);
    }
    expect(await rig.line(9)).toBe('connected');
    rig.time.advance(20_000);
    proxy.cut();
    expect(await rig.line(10)).toMatch(/^disconnected /);
    rig.time.advance(250);
    expect(await rig.line(11)).toBe('connected');
  });

  test('[INFO-7] is reported without any host name', async () => {
    const rig = new Rig('ws://127.0.0.1:1/ws');
    expect(await rig.line(1)).toBe('disconnected ECONNREFUSED');
  });
});

describe('silence', () => {
  test('of a peer that sends pongs is reported once, until it sends a message again', async () => {
    const upstream = await upstreamOf('BTC');
    const rig = new Rig(upstream.url);
    await rig.line(1);
    // Nothing is joined, so nothing is expected.
    rig.time.advance(20_000);
    rig.source.join('BTC');
    await rig.line(2);
    rig.time.advance(4_000);
    expect(await rig.line(3)).toBe('silent');
    expect(rig.source.connection.isSilent).toBe(true);
    upstream.step();
    await rig.line(4);
    expect(rig.source.connection.isSilent).toBe(false);
    rig.time.advance(2_000);
    expect(rig.lines).toHaveLength(4);
  });

  test('[UP-13] causes a WebSocket ping, never a JSON one', async () => {
    const upstream = await upstreamOf('BTC');
    const rig = new Rig(upstream.url);
    await rig.line(1);
    rig.source.join('BTC');
    await rig.line(2);
    rig.time.advance(3_000);
    await upstream.sees(() => upstream.pings === 1);
    rig.source.leave('BTC');
    // Everything sent before has arrived once this has.
    await upstream.sees(() => upstream.asked.includes('unsubscribe BTC'));
    expect(upstream.asked).toEqual(['subscribe BTC', 'unsubscribe BTC']);
  });

  test('[UP-22] does not drop the connection if a pong arrived while the thread was descheduled', async () => {
    const upstream = await upstreamOf('BTC');
    const rig = new Rig(upstream.url);
    await rig.line(1);
    rig.source.join('BTC');
    await rig.line(2);
    const waiting: (() => void)[] = [];
    // The ping is sent, answered and overdue before anything is read.
    rig.time.advance(3_000);
    rig.time.afterInput = (run) => {
      waiting.push(run);
    };
    rig.time.advance(3_000);
    expect(waiting).toHaveLength(1);
    const { aliveAt } = rig.source.connection;
    await until('the response is read', () => rig.source.connection.aliveAt !== aliveAt);
    for (const run of waiting) run();
    expect(rig.lines.slice(2)).toEqual(['silent']);
    expect(rig.source.connection.connected).toBe(true);
  });

  test('of a peer that sends no pong drops the connection', async () => {
    const upstream = await upstreamOf('BTC');
    const proxy = await FaultProxy.start(Number(new URL(upstream.url).port));
    ends.push(() => proxy[Symbol.asyncDispose]());
    const rig = new Rig(`ws://127.0.0.1:${proxy.port}/ws`);
    await rig.line(1);
    rig.source.join('BTC');
    await rig.line(2);
    proxy.stall();
    rig.time.advance(7_000);
    expect(rig.lines.slice(2)).toEqual(['silent', 'disconnected no response to a ping']);
    proxy.resume();
    rig.time.advance(100);
    expect(await rig.line(5)).toBe('connected');
  });
});
