import { compareWithLevels } from '@l4desk/book';
import { describe, expect, it } from 'vitest';
import { Following, type FollowingOptions } from '../test-support/following.ts';

/** A follower of a service that resends missed entries. Scripted services do not compute checksums. */
function resuming(options: Partial<FollowingOptions> = {}): Promise<Following> {
  return Following.start({
    coins: ['A', 'B'],
    checksum: false,
    prepare: (service) => {
      service.resumeField = 'sent';
    },
    ...options,
  });
}

const bothLive = (following: Following) => Promise.all([following.live('A'), following.live('B')]);

function expectExact({ follower, service }: Following): void {
  for (const coin of ['A', 'B']) {
    const { book } = follower.coin(coin) ?? {};
    expect(book && compareWithLevels(service.snapshot(coin).levels, book)).toBeUndefined();
  }
}

/** Cuts the connection and makes this many blocks of these coins before the follower reconnects. */
async function away({ service, follower, events }: Following, blocks: number, coins = ['A', 'B']): Promise<void> {
  const opened = () => events.seen.filter((event) => event.kind === 'connection' && event.connection.kind === 'open');
  const before = opened().length;
  service.cut();
  await events.until(() => follower.connection.kind !== 'open' || opened().length > before);
  for (let count = 0; count < blocks; count += 1) service.make(coins);
}

describe('after a disconnect', () => {
  it('resumes books where they were: applies every missed block and requests no snapshot', async () => {
    await using following = await resuming();
    const { service, events } = following;
    await bothLive(following);
    for (let count = 0; count < 5; count += 1) service.block();
    await bothLive(following);
    const asked = service.snapshotRequests.length;
    const seen = events.seen.length;
    service.holdsSubscribes = true;
    await away(following, 12);
    await service.sees(() => service.said.filter(({ method }) => method === 'subscribe').length === 2);
    service.takeHeld();
    service.block(['A']);
    await bothLive(following);
    expectExact(following);
    expect(service.snapshotRequests).toHaveLength(asked);
    const since = events.seen.slice(seen);
    expect(since.filter(({ kind }) => kind === 'resumed' || kind === 'notResumed')).toEqual([
      { kind: 'resumed', coin: 'A', missed: 12 },
      { kind: 'resumed', coin: 'B', missed: 12 },
    ]);
    expect(since.filter((event) => event.kind === 'block' && event.coin === 'A')).toHaveLength(13);
    // Stale until the last missed block, with no state in between.
    expect(following.statesOf('A').slice(-2)).toEqual(['stale', 'live']);
    expect(following.follower.coin('A')?.gaps).toBe(0);
  });

  it('sends the epoch and the last seq of each resumable book in the body, once', async () => {
    await using following = await resuming({ prepare: () => {} });
    const { service } = following;
    await bothLive(following);
    service.block(['A']);
    await following.live('A');
    const { epoch } = service;
    await away(following, 0);
    await bothLive(following);
    const bodies = service.said.filter(({ method }) => method === 'subscribe').map(({ subscription }) => subscription);
    const plain = { type: 'l4BookUpdates', coin: ['A', 'B'], statuses: 'book' };
    expect(bodies).toEqual([plain, { ...plain, resume: { epoch, seq: { A: 1, B: 0 } } }]);
  });

  it.each([
    ['expired', 'a service that has dropped them', ({ service }: Following) => (service.keepsEntries = 2)],
    ['epoch', 'a service that started again', ({ service }: Following) => service.flipEpoch()],
  ])('%s: refetches the book from %s, and reports why', async (reason, _what, happen) => {
    await using following = await resuming();
    const { service, events } = following;
    await bothLive(following);
    service.holdsSubscribes = true;
    await away(following, 3);
    happen(following);
    service.takeHeld();
    await service.sees(() => service.said.filter(({ method }) => method === 'subscribe').length === 2);
    service.takeHeld();
    await bothLive(following);
    expectExact(following);
    const told = events.seen.filter(({ kind }) => kind === 'resumed' || kind === 'notResumed');
    expect(told).toEqual([
      { kind: 'notResumed', coin: 'A', reason },
      { kind: 'notResumed', coin: 'B', reason },
    ]);
    expect(service.snapshotRequests).toHaveLength(4);
  });

  it('treats a hole in the resent entries as a gap, whatever the acknowledgement said', async () => {
    await using following = await resuming();
    const { service, follower } = following;
    await bothLive(following);
    service.holdsSubscribes = true;
    await away(following, 3);
    await service.sees(() => service.said.filter(({ method }) => method === 'subscribe').length === 2);
    // As if the first missed block had never been made.
    service.loseMade(1);
    service.takeHeld();
    await bothLive(following);
    expectExact(following);
    expect(follower.coin('A')?.lastGap).toMatchObject({ reason: 'upstream-gap' });
    expect(service.snapshotRequests).toHaveLength(4);
  });

  it.each(['ignored', 'refused'] as const)('follows a service as usual when the resume field is %s', async (how) => {
    await using following = await resuming({
      prepare: (service) => {
        service.resumeField = how;
      },
    });
    const { service } = following;
    await bothLive(following);
    await away(following, 3);
    await bothLive(following);
    expectExact(following);
    expect(service.snapshotRequests).toHaveLength(4);
  });

  it('is not requested if switched off', async () => {
    await using following = await resuming({ resume: false });
    await bothLive(following);
    await away(following, 1);
    await bothLive(following);
    expect(following.service.said.at(-1)?.subscription).not.toHaveProperty('resume');
  });
});
