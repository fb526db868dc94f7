import { afterEach, describe, expect, test } from 'vitest';
import { endRigs, FeedRig, TUNING } from '../test-support/feed-rig.ts';

afterEach(endRigs);

function named(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `C${index}`);
}

/** Without audits, tests may advance time freely. */
const UNAUDITED = { auditMs: 0 };

const PINGING = { auditMs: 0, tuning: { ...TUNING, pingAfterMs: 3_000, pongWithinMs: 3_000 } };

describe('joins of many coins', () => {
  test('are sent one at a time, also after a reconnect, and health counts the waiting ones', async () => {
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
    // Coins that were never subscribed are not lost.
    expect(['C2', 'C3', 'C4'].map((coin) => rig.coin(coin)?.rebuilds)).toEqual([1, 0, 0]);
    rig.time.advance(250);
    await rig.until(() => rig.feed.health().upstreamConnected);
    expect(rig.feed.health().joins).toEqual({ waiting: 4, outstanding: 1 });
    // The response to the closed connection.
    rig.upstream.release();
    for (const coin of coins) {
      await rig.release();
      await rig.until(() => rig.coin(coin)?.state === 'live');
    }
    expect(rig.upstream.asked.slice(3)).toEqual(coins.map((coin) => `subscribe ${coin}`));
    expect(rig.feed.health().joins).toEqual({ waiting: 0, outstanding: 0 });
  });

  test('never cause a reconnect if the upstream is slow but steady', async () => {
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
      // A slow snapshot is followed by a pause of a second.
      expect(rig.feed.health().joins.outstanding).toBe(0);
      rig.time.advance(1_000);
    }
    expect(rig.upstream.connectionsOpened).toBe(1);
    expect(rig.feed.health().counters.lossesByReason).toEqual({});
  });

  test('wait for a slow snapshot while parts of it arrive', async () => {
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

  test('tolerate missing pongs while the upstream makes a snapshot, but not afterwards', async () => {
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

  test('reconnect if the upstream sends pongs but acknowledges no subscription', async () => {
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

  test('put coins with a snapshot request before held ones, and held ones before pinned ones', async () => {
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
    await expect(abandoned).rejects.toBe(gaveUp.signal.reason);
    for (let count = 0; count < 7; count += 1) await rig.release();
    await Promise.all(asked);
    await rig.upstream.sees(() => rig.upstream.held === 1);
    const order = rig.upstream.asked.map((request) => request.replace('subscribe ', ''));
    expect(order).toEqual(['C0', 'XRP', 'SOL', 'C150', 'BTC', 'ETH', 'C1', 'C2']);
  });

  test('take precedence over audits, which begin once no join is waiting', async () => {
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
    // The pause after a join does not apply to audits; this one is overdue.
    rig.time.advance(0);
    await rig.release();
    await rig.until(() => rig.feed.health().counters.auditsPassed === 1);
    expect(rig.upstream.asked).toEqual(['subscribe BTC', 'subscribe ETH', 'subscribe BTC']);
  });
});
