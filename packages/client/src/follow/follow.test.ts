import { describe, expect, it } from 'vitest';
import { Following } from '../test-support/following.ts';

describe('a follower', () => {
  it('[WS-6] adds and removes coins over one socket', async () => {
    await using following = await Following.start({ coins: ['A', 'B', 'C', 'D'], follow: ['A', 'B'] });
    const { service, follower } = following;
    await Promise.all([following.live('A'), following.live('B')]);
    follower.add(['C', 'B', 'C']);
    await following.live('C');
    follower.remove(['A']);
    await service.sees(() => service.subscribed.join() === 'C,B');
    expect(follower.coins).toEqual(['B', 'C']);
    expect(follower.coin('A')).toBeUndefined();
    service.block(['A', 'B', 'C']);
    await Promise.all([following.live('B'), following.live('C')]);
    expect(follower.coin('B')?.gaps).toBe(0);
    expect(service.upgrades).toHaveLength(1);
  });

  it('restarts a coin that was removed and added again', async () => {
    await using following = await Following.start({ coins: ['A', 'B'] });
    const { service, follower } = following;
    await following.live('A');
    follower.remove(['A']);
    service.block(['A']);
    follower.add(['A']);
    expect(follower.coin('A')).toMatchObject({ book: undefined, state: { kind: 'waiting', reason: null } });
    await following.live('A');
  });

  it('removes a coin while its snapshot is in flight', async () => {
    await using following = await Following.start({ coins: ['A', 'B'], settings: { snapshotsAtOnce: 1 } });
    const { follower } = following;
    const held = following.holdSnapshot('A');
    await held.asked;
    follower.remove(['A']);
    await following.live('B');
    expect(following.events.seen.some((event) => event.kind === 'book' && event.coin === 'A')).toBe(false);
  });

  it('may be called by its listener, which receives one event at a time', async () => {
    let depth = 0;
    let deepest = 0;
    await using following = await Following.start({
      coins: ['A', 'B', 'C'],
      follow: ['A'],
      onEvent: (event, follower) => {
        depth += 1;
        deepest = Math.max(deepest, depth);
        if (event.kind === 'state' && event.state.kind === 'building') {
          if (event.coin === 'A') follower().add(['B', 'C']);
          follower().remove([event.coin]);
        }
        if (event.kind === 'connection' && event.connection.kind === 'open') follower().add(['B']);
        depth -= 1;
      },
    });
    const { events, follower } = following;
    await events.until(() => follower.coins.length === 0);
    expect(deepest).toBe(1);
    expect(events.seen.some((event) => event.kind === 'book')).toBe(false);
  });

  it('closes its socket and its coins, and stays closed', async () => {
    await using following = await Following.start({ coins: ['A'] });
    const { service, follower } = following;
    await following.live('A');
    follower.close();
    await service.sees(() => service.connections === 0);
    expect(follower.connection).toMatchObject({ kind: 'stopped', reason: { kind: 'closed' } });
    expect(follower.coin('A')?.state).toMatchObject({ kind: 'stale', reason: 'stopped' });
    const heard = following.events.seen.length;
    follower.add(['B']);
    follower.close();
    expect(follower.coins).toEqual(['A']);
    expect(following.events.seen).toHaveLength(heard);
  });

  it('[L4-31] requests only the statuses of the book, unless told to request all', async () => {
    await using quiet = await Following.start({ coins: ['A'] });
    await quiet.live('A');
    expect(quiet.service.said[0]?.subscription).toEqual({
      type: 'l4BookUpdates',
      coin: 'A',
      statuses: 'book',
      checksum: true,
    });
    await using full = await Following.start({ coins: ['A'], statuses: 'all' });
    await full.live('A');
    expect(full.service.said[0]?.subscription).toEqual({ type: 'l4BookUpdates', coin: 'A', checksum: true });
  });
});

it('[L4-39] with the option `status`, requests the state of the service’s books and emits it for followed coins', async () => {
  await using following = await Following.start({ coins: ['BTC'], status: true });
  const { service, events } = following;
  await following.live('BTC');
  expect(service.said.flatMap(({ subscription }) => (subscription === undefined ? [] : [subscription]))).toEqual([
    { type: 'l4BookUpdates', coin: 'BTC', status: true, statuses: 'book', checksum: true },
  ]);
  const status = { coin: 'BTC', state: 'rebuilding', since: 7, upstreamAgeMs: 3, reason: 'audit' } as const;
  for (const data of [{ ...status, coin: 'ETH' }, status])
    service.sendText(JSON.stringify({ channel: 'l4BookStatus', data }));
  const told = () => events.seen.filter(({ kind }) => kind === 'bookStatus');
  await events.until(() => told().length === 2);
  expect(told()).toEqual([
    { kind: 'bookStatus', coin: 'BTC', status: expect.objectContaining({ state: 'live' }) },
    { kind: 'bookStatus', coin: 'BTC', status },
  ]);
});

it('with the option `upstream`, emits the service’s reports on its upstream', async () => {
  await using following = await Following.start({ coins: ['BTC'], upstream: true });
  await following.live('BTC');
  expect(following.service.said[0]?.subscription).toMatchObject({ upstream: true, statuses: 'book' });
  const upstream = { time: 1_778_002_753_024, connected: true, ageMs: 12, blocks: null };
  following.service.sendText(JSON.stringify({ channel: 'l4Upstream', data: upstream }));
  const event = await following.events.when(({ kind }) => kind === 'upstream');
  expect(event).toEqual({ kind: 'upstream', upstream });
});
