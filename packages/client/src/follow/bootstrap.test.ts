import { diff, FakeClock, until } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { Following } from '../test-support/following.ts';

describe('bootstrap', () => {
  it('[L4-1, L4-2, L4-5] buffers blocks while the snapshot is being fetched and joins them to it', async () => {
    await using following = await Following.start({ coins: ['BTC'] });
    const { service, follower } = following;
    const held = following.holdSnapshot('BTC');
    await held.asked;
    service.block();
    service.block();
    await until('a buffered block', () => follower.coin('BTC')?.lastBlockAt !== undefined);
    expect(follower.coin('BTC')).toMatchObject({
      state: { kind: 'building', reason: null },
      book: undefined,
      seq: undefined,
    });
    held.respond();
    await following.live('BTC');
    expect(following.difference('BTC')).toBeUndefined();
    expect(following.statesOf('BTC')).toEqual(['building', 'live']);
  });

  it('[L4-1, L4-2] starts without acknowledgements, which not every service sends, and is live from the first block on', async () => {
    await using following = await Following.start({
      coins: ['BTC'],
      settings: { acknowledgeMs: 1 },
      prepare: (service) => {
        service.acknowledges = false;
      },
    });
    const { service, follower, events } = following;
    await events.when((event) => event.kind === 'book');
    expect(follower.coin('BTC')?.state).toMatchObject({ kind: 'stale', reason: 'unacknowledged' });
    expect(following.difference('BTC')).toBeUndefined();
    service.block();
    await following.live('BTC');
    expect(following.difference('BTC')).toBeUndefined();
    expect(service.snapshotRequests).toHaveLength(1);
    expect(follower.coin('BTC')?.gaps).toBe(0);
  });

  it('[L4-2] refetches the snapshot after a late acknowledgement, and nothing is live before that', async () => {
    const clock = new FakeClock();
    await using following = await Following.start({
      coins: ['BTC'],
      clock,
      settings: { acknowledgeMs: 5_000, pingMs: 1e9, deadAfterMs: 1e9 },
      prepare: (service) => {
        service.holdsSubscribes = true;
      },
    });
    const { service, follower, events } = following;
    await service.sees(() => service.said.length === 1);
    clock.advance(5_000);
    await events.when((event) => event.kind === 'book');
    service.block();
    expect(follower.coin('BTC')).toMatchObject({ seq: 0, state: { kind: 'stale', reason: 'unacknowledged' } });
    service.takeHeld();
    await following.live('BTC');
    expect(follower.coin('BTC')).toMatchObject({ seq: 1, gaps: 0 });
    expect(following.difference('BTC')).toBeUndefined();
    expect(following.statesOf('BTC').filter((kind) => kind === 'live')).toHaveLength(1);
    expect(service.snapshotRequests).toHaveLength(2);
  });

  it('fetches no more snapshots at once than allowed', async () => {
    const coins = ['A', 'B', 'C', 'D', 'E'];
    /** Coins in the order in which they were requested, each with a function that sends its response. */
    const asked: { readonly coin: string; readonly respond: () => void }[] = [];
    await using following = await Following.start({
      coins,
      settings: { snapshotsAtOnce: 2 },
      prepare: (service) => {
        for (const _ of coins) {
          service.snapshotScript.push((snapshot, response) => {
            asked.push({ coin: snapshot.coin, respond: () => response.end(JSON.stringify(snapshot)) });
          });
        }
      },
    });
    const { service, follower } = following;
    const kinds = () => coins.map((coin) => follower.coin(coin)?.state.kind);
    await service.sees(() => asked.length === 2);
    expect(kinds()).toEqual(coins.map(() => 'building'));
    asked[0]?.respond();
    await service.sees(() => asked.length === 3);
    expect(kinds()).toEqual(coins.map((coin) => (coin === asked[0]?.coin ? 'live' : 'building')));
    for (let next = 1; next < coins.length; next += 1) {
      await service.sees(() => asked.length > next);
      asked[next]?.respond();
    }
    await Promise.all(coins.map((coin) => following.live(coin)));
  });

  it('reports when a block came and how old the transport is', async () => {
    const clock = new FakeClock();
    await using following = await Following.start({ coins: ['BTC', 'ETH'], clock });
    const { service, follower, events } = following;
    await Promise.all([following.live('BTC'), following.live('ETH')]);
    const before = follower.coin('ETH');
    clock.advance(1_000);
    const { time } = service.block(['BTC']);
    await events.when((event) => event.kind === 'block');
    const btc = follower.coin('BTC');
    expect(btc).toMatchObject({ blockTime: time, lastBlockAt: clock.now(), lastMessageAt: clock.now() });
    expect(follower.coin('ETH')).toEqual({ ...before, lastMessageAt: clock.now() });
  });

  it('[L4-5] reports a block once it is applied to the book', async () => {
    const sizes: [string, number | undefined][] = [];
    await using following = await Following.start({
      coins: ['BTC'],
      onEvent: (event, follower) => {
        if (event.kind === 'book') sizes.push(['book', event.book.orderCount]);
        if (event.kind === 'block') sizes.push(['block', follower().coin('BTC')?.book?.orderCount]);
      },
    });
    const { service, follower } = following;
    await following.live('BTC');
    const start = follower.coin('BTC')?.book?.orderCount ?? 0;
    const updates = service.make(['BTC']);
    const fresh = { coin: 'BTC', oid: 99_000_001, px: '1.0' } as const;
    service.send({
      ...updates,
      book_diffs: updates.book_diffs.map((entry) => ({ ...entry, book_diffs: [diff.insert('1.0', fresh)] })),
    });
    await following.events.when((event) => event.kind === 'block');
    expect(sizes).toEqual([
      ['book', start],
      ['block', start + 1],
    ]);
  });
});
