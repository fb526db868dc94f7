import { FakeClock, respondError, until } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { Following } from '../test-support/following.ts';

describe('verify', () => {
  it('compares the book with a fresh snapshot, order by order', async () => {
    await using following = await Following.start({ coins: ['BTC'] });
    const { service, follower, events } = following;
    await following.live('BTC');
    service.block();
    await following.live('BTC');
    const verification = await follower.verify('BTC');
    expect(verification).toMatchObject({ kind: 'equal', height: service.height, seq: 1 });
    expect(follower.coin('BTC')?.verifiedAt).toBe(verification.kind === 'equal' ? verification.at : undefined);
    expect(events.seen.at(-1)).toEqual({ kind: 'verified', coin: 'BTC', verification });
  });

  it('waits for the blocks by which the snapshot is ahead', async () => {
    await using following = await Following.start({ coins: ['BTC'] });
    const { service, follower, events } = following;
    await following.live('BTC');
    const late = service.make(['BTC']);
    const verification = follower.verify('BTC');
    await service.sees(() => service.snapshotRequests.length === 2);
    service.send(late);
    expect(await verification).toMatchObject({ kind: 'equal', seq: 1 });
    expect(events.seen.filter((event) => event.kind === 'state')).toHaveLength(2);
  });

  it('rebuilds the coin after a difference', async () => {
    await using following = await Following.start({ coins: ['BTC'] });
    const { service, follower, events } = following;
    await following.live('BTC');
    const held = following.holdSnapshot('BTC');
    const verification = follower.verify('BTC');
    await held.asked;
    held.respond((snapshot) => ({ ...snapshot, levels: [snapshot.levels[0].slice(1), snapshot.levels[1]] }));
    expect(await verification).toMatchObject({ kind: 'different', detail: expect.stringMatching(/./) });
    await events.until(() => following.statesOf('BTC').length === 4);
    expect(following.statesOf('BTC').slice(2)).toEqual(['rebuilding', 'live']);
    await following.live('BTC');
    expect(follower.coin('BTC')).toMatchObject({ verifiedAt: undefined, gaps: 0 });
    expect(service.snapshotRequests).toHaveLength(3);
  });

  it('[L4-6] treats what the caller reports as missed as a gap, and rebuilds the book', async () => {
    await using following = await Following.start({ coins: ['BTC'] });
    const { service, follower, events } = following;
    await following.live('BTC');
    service.block(['BTC'], { losing: ['BTC'] });
    follower.missed('BTC', 'upstream-gap', 'the service is at seq 1');
    follower.missed('BTC', 'upstream-gap', 'said twice, counted once');
    await events.until(() => following.statesOf('BTC').length === 4);
    await following.live('BTC');
    expect(follower.coin('BTC')).toMatchObject({ gaps: 1, lastGap: { detail: 'the service is at seq 1' }, seq: 1 });
    expect(service.snapshotRequests).toHaveLength(2);
    service.block();
    await following.live('BTC');
    expect(follower.coin('BTC')).toMatchObject({ gaps: 1, seq: 2 });
  });

  it('treats a stream that stays behind the snapshot as a difference, because a loss may leave no trace', async () => {
    const clock = new FakeClock();
    await using following = await Following.start({
      coins: ['BTC'],
      clock,
      settings: { aheadMs: 1_000, pingMs: 1e9, deadAfterMs: 1e9 },
    });
    const { service, follower } = following;
    await following.live('BTC');
    service.block(['BTC'], { losing: ['BTC'] });
    const verification = follower.verify('BTC');
    await until('the wait for later blocks', () => clock.waiting.includes(1_000));
    clock.advance(1_000);
    expect(await verification).toMatchObject({
      kind: 'different',
      detail: 'the service is at seq 1, the stream stayed behind it',
    });
    clock.advance(10);
    await following.live('BTC');
  });

  it('is abandoned if the book is not live, or stops being live', async () => {
    await using following = await Following.start({ coins: ['BTC'] });
    const { service, follower } = following;
    expect(await follower.verify('BTC')).toMatchObject({ kind: 'abandoned' });
    await following.live('BTC');
    const held = following.holdSnapshot('BTC');
    const verification = follower.verify('BTC');
    await held.asked;
    service.cut();
    expect(await verification).toMatchObject({
      kind: 'abandoned',
      state: { kind: 'stale', reason: 'disconnected' },
    });
  });

  it('rejects like the query, and with the reason of its signal', async () => {
    await using following = await Following.start({ coins: ['BTC'] });
    const { service, follower } = following;
    await following.live('BTC');
    service.snapshotScript.push((_, response) => respondError(response, 'book_not_ready', 'not now'));
    await expect(follower.verify('BTC')).rejects.toMatchObject({ code: 'book_not_ready' });
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    service.snapshotScript.push(() => controller.abort(reason));
    await expect(follower.verify('BTC', { signal: controller.signal })).rejects.toBe(reason);
    await expect(follower.verify('BTC', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(follower.verify('ETH')).rejects.toThrow(RangeError);
    expect(follower.coin('BTC')?.state.kind).toBe('live');
  });
});
