import { afterEach, describe, expect, test } from 'vitest';
import { endRigs, FeedRig, TUNING } from '../test-support/feed-rig.ts';

afterEach(endRigs);

function named(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `C${index}`);
}

/** Without an audit a time may leap as it likes. */
const UNAUDITED = { auditMs: 0 };

const PINGING = { auditMs: 0, tuning: { ...TUNING, pingAfterMs: 3_000, pongWithinMs: 3_000 } };

describe('joins of many coins', () => {
  test('[UP-26] go out one at a time, also after a reconnect, and health says how many wait', async () => {
    const coins = named(5);
    const rig = await FeedRig.start(coins, UNAUDITED);
    await rig.until(() => rig.feed.health().upstreamConnected);
    rig.upstream.slow = true;
    for (const coin of coins) rig.feed.acquire(coin);
    expect(rig.feed.health().joins).toEqual({ waiting: 4, outstanding: 1 });
    for (const coin of coins.slice(0, 2)) {
      await rig.release();
      await rig.live(coin);
    }
    await rig.upstream.sees(() => rig.upstream.held === 1);
    expect(rig.upstream.asked).toEqual(['C0', 'C1', 'C2'].map((coin) => `subscribe ${coin}`));
    rig.upstream.cut();
    await rig.until(() => !rig.feed.health().upstreamConnected);
    expect(rig.feed.health().joins).toEqual({ waiting: 0, outstanding: 0 });
    // What was never asked for is not lost either.
    expect(['C2', 'C3', 'C4'].map((coin) => rig.coin(coin)?.rebuilds)).toEqual([1, 0, 0]);
    rig.time.advance(250);
    await rig.until(() => rig.feed.health().upstreamConnected);
    expect(rig.feed.health().joins).toEqual({ waiting: 4, outstanding: 1 });
    // The response to the connection that is gone.
    rig.upstream.release();
    for (const coin of coins) {
      await rig.release();
      await rig.until(() => rig.coin(coin)?.state === 'live');
    }
    expect(rig.upstream.asked.slice(3)).toEqual(coins.map((coin) => `subscribe ${coin}`));
    expect(rig.feed.health().joins).toEqual({ waiting: 0, outstanding: 0 });
  });

  test('[UP-26, UP-12] at an upstream that is slow but steady are never a reason to reconnect', async () => {
    const coins = named(5);
    const rig = await FeedRig.start(coins, UNAUDITED);
    await rig.until(() => rig.feed.health().upstreamConnected);
    rig.upstream.slow = true;
    for (const coin of coins) rig.feed.acquire(coin);
    for (const coin of coins) {
      await rig.upstream.sees(() => rig.upstream.held === 1);
      rig.time.advance(14_000);
      rig.upstream.release();
      await rig.live(coin);
      rig.time.advance(1_000);
    }
    expect(rig.upstream.connectionsOpened).toBe(1);
    expect(rig.feed.health().counters.lossesByReason).toEqual({});
  });

  test('[UP-26] a snapshot that takes long to arrive is waited for while parts of it come', async () => {
    const rig = await FeedRig.start(['BTC'], UNAUDITED);
    await rig.until(() => rig.feed.health().upstreamConnected);
    rig.upstream.slow = true;
    rig.upstream.snapshotPieces = 4;
    rig.feed.acquire('BTC');
    for (let piece = 0; piece < 4; piece += 1) {
      await rig.upstream.sees(() => rig.upstream.held === 4 - piece);
      rig.time.advance(14_000);
      rig.upstream.release();
      if (piece < 3) await rig.until(() => rig.feed.health().upstreamAgeMs === 0);
    }
    await rig.live('BTC');
    expect(rig.upstream.connectionsOpened).toBe(1);
  });

  test('[UP-26] an upstream that sends no pong while it makes a snapshot is waited for, and not afterwards', async () => {
    const rig = await FeedRig.start(['BTC'], PINGING);
    await rig.until(() => rig.feed.health().upstreamConnected);
    rig.upstream.slow = true;
    rig.upstream.sendsPongs = false;
    rig.feed.acquire('BTC');
    await rig.upstream.sees(() => rig.upstream.held === 1);
    rig.time.advance(14_000);
    await rig.upstream.sees(() => rig.upstream.pings === 1);
    expect(rig.feed.health().upstreamConnected).toBe(true);
    rig.upstream.release();
    await rig.live('BTC');
    rig.time.advance(8_000);
    expect(rig.feed.health()).toMatchObject({ upstreamConnected: false, upstreamProblem: 'no response to a ping' });
  });

  test('[UP-26, UP-12] an upstream that sends pongs but acknowledges no subscription is left all the same', async () => {
    const rig = await FeedRig.start(['BTC'], PINGING);
    await rig.until(() => rig.feed.health().upstreamConnected);
    rig.upstream.deaf = true;
    rig.feed.acquire('BTC');
    await rig.upstream.sees(() => rig.upstream.asked.length === 1);
    for (const pings of [1, 2, 3]) {
      rig.time.advance(4_000);
      await rig.upstream.sees(() => rig.upstream.pings === pings);
      await rig.until(() => rig.feed.health().upstreamAgeMs === 0);
    }
    expect(rig.feed.health().upstreamConnected).toBe(true);
    rig.time.advance(3_000);
    expect(rig.feed.health()).toMatchObject({ upstreamProblem: 'no response to a subscription' });
  });

  test('[UP-26] a coin somebody asks for goes before those that are followed, and these before pinned ones', async () => {
    const pinned = named(200);
    const rig = await FeedRig.start([...pinned, 'BTC', 'ETH', 'SOL', 'XRP'], { ...UNAUDITED, pinnedCoins: pinned });
    rig.upstream.slow = true;
    await rig.upstream.sees(() => rig.upstream.held === 1);
    for (const coin of ['BTC', 'ETH']) rig.feed.acquire(coin);
    rig.feed.acquire('C150');
    const patience = AbortSignal.timeout(120_000);
    const asked = [rig.feed.snapshot('SOL', 'identity', patience), rig.feed.snapshot('XRP', 'identity', patience)];
    const gaveUp = new AbortController();
    const abandoned = rig.feed.snapshot('C199', 'identity', gaveUp.signal);
    gaveUp.abort();
    await expect(abandoned).rejects.toThrow('not ready');
    for (let count = 0; count < 7; count += 1) await rig.release();
    await Promise.all(asked);
    await rig.upstream.sees(() => rig.upstream.held === 1);
    const order = rig.upstream.asked.map((request) => request.replace('subscribe ', ''));
    expect(order).toEqual(['C0', 'XRP', 'SOL', 'C150', 'BTC', 'ETH', 'C1', 'C2']);
  });

  test('[UP-26] go before audits, which begin when no join waits any more', async () => {
    const rig = await FeedRig.start(['BTC', 'ETH'], { auditMs: 10_000 });
    await rig.hold('BTC');
    rig.upstream.slow = true;
    rig.feed.acquire('ETH');
    await rig.upstream.sees(() => rig.upstream.held === 1);
    rig.time.advance(12_000);
    await rig.step(['BTC']);
    rig.upstream.release();
    await rig.live('ETH');
    expect(rig.upstream.asked).toHaveLength(2);
    // The pause after a join does not concern audits; this one is overdue.
    rig.time.advance(0);
    await rig.release();
    await rig.until(() => rig.feed.health().counters.auditsPassed === 1);
    expect(rig.upstream.asked).toEqual(['subscribe BTC', 'subscribe ETH', 'subscribe BTC']);
  });
});
