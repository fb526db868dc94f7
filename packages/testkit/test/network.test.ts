import { createClient, type FollowEvent, follow } from '@l4desk/client';
import { FaultProxy, StreamProbe, until } from '@l4desk/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Served } from './support/served.ts';

const COINS = ['BTC', 'ETH'];

let served: Served;
beforeAll(async () => {
  // More than the system's own buffers hold for a client that does not read.
  served = await Served.start({ UNSENT_BYTES_MAX: '16777216', VENUE_STATUS_RATE: '6' });
});
afterAll(() => served[Symbol.asyncDispose]());

describe('our client behind a bad network', () => {
  let proxy: FaultProxy;
  let events: FollowEvent[];
  let follower: ReturnType<typeof follow>;
  beforeEach(async () => {
    proxy = await FaultProxy.start(Number(new URL(served.stack.url).port));
    events = [];
  });
  afterEach(async () => {
    follower.close();
    await proxy[Symbol.asyncDispose]();
  });

  /** Follows the books until they are exact. A connection that is silent for `deadAfterMs` is given up. */
  async function following(deadAfterMs = 600_000): Promise<void> {
    const client = createClient({ baseUrl: `http://127.0.0.1:${proxy.port}`, apiKey: served.apiKey, WebSocket });
    follower = follow({
      client,
      coins: COINS,
      onEvent: (event) => events.push(event),
      settings: { pingMs: 100, deadAfterMs, snapshotMs: deadAfterMs, reconnect: { firstMs: 10, longestMs: 100 } },
    });
    await exact();
  }

  /** Waits until every book is exact at the exchange's last block. */
  async function exact(): Promise<void> {
    for (const coin of COINS) {
      const { height } = await served.stack.venue.book(coin);
      await until(`${coin} to be exact at ${height}`, async () => {
        if (follower.coin(coin)?.state.kind !== 'live') return false;
        return (await follower.verify(coin)).kind === 'equal';
      });
    }
  }

  function waits(from: number) {
    return events
      .slice(from)
      .flatMap((event) =>
        event.kind === 'connection' && event.connection.kind === 'waiting' ? [event.connection.reason.kind] : [],
      );
  }

  it('[L4-15] is exact again after the connection was cut', async () => {
    await following();
    const from = events.length;
    proxy.cut();
    await until('the loss to be seen', () => waits(from).length > 0);
    await served.stack.venue.step(10);
    await exact();
    expect(follower.coin('BTC')).toMatchObject({ state: { kind: 'live' }, gaps: 0 });
  });

  it('replaces a silent connection', async () => {
    // On a machine that responds more slowly, it is replaced more than once before.
    await following(1_000);
    const from = events.length;
    proxy.stall();
    await until('the silence to be seen', () => waits(from).includes('silent'));
    expect(follower.coin('BTC')?.state).toMatchObject({ kind: 'stale', reason: 'disconnected' });
    await served.stack.venue.step(10);
    proxy.resume();
    await exact();
  });
});

describe('a client that does not read', () => {
  it('[WS-23, WS-24, L4-18] is closed with 1013 and destroyed a second later: it sees 1006, and misses nothing before that', async () => {
    await until('earlier clients to have gone', async () => (await served.metric('l4desk_stream_connections')) === 0);
    const closed = await served.metric('l4desk_stream_closed_total');
    await using probe = await StreamProbe.open(`${served.streamUrl}?key=${served.apiKey}`);
    await probe.ask({ method: 'subscribe', subscription: { type: 'l4BookUpdates', coin: 'BTC' } });
    await served.stack.venue.step(2);
    await probe.next(({ channel }) => channel === 'l4BookUpdates');
    probe.socket.pause();
    await until('the service to give up', async () => {
      await served.stack.venue.step(30);
      return (await served.metric('l4desk_stream_closed_total', 'code="1013"')) === 1;
    });
    expect(await served.metric('l4desk_stream_closed_total')).toBe(closed + 1);
    expect(await served.metric('l4desk_stream_unsent_bytes')).toBe(0);
    probe.socket.resume();
    // The metric counts the socket when it is destroyed, a second after the close. The close frame is behind more bytes than the
    // system's buffers hold. A client that reads during that second gets 1013, which is tested with a stopped clock.
    expect(await probe.closed()).toEqual({ code: 1006, reason: '' });
    const entries = probe.heard
      .filter(({ channel }) => channel === 'l4BookUpdates')
      .map(
        ({ data }) => (data as { Updates: { book_diffs: { seq: number; prev_seq: number }[] } }).Updates.book_diffs[0],
      );
    expect(entries.length).toBeGreaterThan(3);
    expect(entries.every((entry, index) => index === 0 || entry?.prev_seq === entries[index - 1]?.seq)).toBe(true);
  });
});
