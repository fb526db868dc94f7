import { diff, FakeClock, order, orderStatus, respondError, until } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { Following } from '../test-support/following.ts';

describe('resync', () => {
  it('[L4-6, L4-7] rebuilds only the coin whose message was lost', async () => {
    await using following = await Following.start({ coins: ['BTC', 'ETH'] });
    const { service, follower } = following;
    await Promise.all([following.live('BTC'), following.live('ETH')]);
    service.block(['BTC', 'ETH'], { losing: ['BTC'] });
    await following.live('ETH');
    expect(follower.coin('BTC')).toMatchObject({ state: { kind: 'live' }, gaps: 0 });
    service.block(['BTC', 'ETH']);
    await following.live('BTC');
    expect(following.statesOf('BTC').slice(2)).toEqual(['rebuilding', 'live']);
    expect(following.statesOf('ETH')).toHaveLength(2);
    expect(follower.coin('BTC')).toMatchObject({ gaps: 1, lastGap: { reason: 'upstream-gap' } });
    expect(follower.coin('ETH')).toMatchObject({ gaps: 0, lastGap: undefined });
    for (const coin of ['BTC', 'ETH']) expect(following.difference(coin)).toBeUndefined();
  });

  it('[L4-4] counts a new epoch as a gap of every coin, and rebuilds the books', async () => {
    await using following = await Following.start({ coins: ['BTC', 'ETH'] });
    const { service, follower } = following;
    await Promise.all([following.live('BTC'), following.live('ETH')]);
    service.flipEpoch();
    service.block(['BTC', 'ETH']);
    for (const coin of ['BTC', 'ETH']) {
      await following.live(coin);
      expect(follower.coin(coin)).toMatchObject({ gaps: 1, lastGap: { reason: 'upstream-epoch' } });
      expect(following.difference(coin)).toBeUndefined();
    }
  });

  it('reports a block that contradicts the book, and rebuilds the book', async () => {
    await using following = await Following.start({ coins: ['BTC'] });
    const { service, events, follower } = following;
    await following.live('BTC');
    const updates = service.make(['BTC']);
    const wrong = diff.remove({ coin: 'BTC', oid: 99_000_001 });
    service.send({ ...updates, book_diffs: updates.book_diffs.map((entry) => ({ ...entry, book_diffs: [wrong] })) });
    const told = await events.when((event) => event.kind === 'findings');
    expect(told).toMatchObject({ coin: 'BTC', findings: [{ kind: 'unknown-oid', oid: 99_000_001 }] });
    await events.until(() => following.statesOf('BTC').filter((kind) => kind === 'live').length === 2);
    expect(following.difference('BTC')).toBeUndefined();
    expect(follower.coin('BTC')?.gaps).toBe(0);
  });

  it('[L4-5] applies no buffered block to a snapshot that cannot be built', async () => {
    await using following = await Following.start({ coins: ['BTC'] });
    const { service, events, follower } = following;
    const held = following.holdSnapshot('BTC');
    await held.asked;
    service.block();
    service.block();
    await until('a buffered block', () => follower.coin('BTC')?.lastBlockAt !== undefined);
    const [bids, asks] = service.snapshot('BTC').levels;
    held.respond((snapshot) => ({ ...snapshot, levels: [bids.toReversed(), asks] }));
    const told = await events.when((event) => event.kind === 'findings');
    expect(told).toMatchObject({
      coin: 'BTC',
      findings: expect.arrayContaining([expect.objectContaining({ kind: 'misplaced' })]),
    });
    expect(follower.coin('BTC')).toMatchObject({ book: undefined, seq: undefined, state: { reason: 'finding' } });
    await following.live('BTC');
    expect(following.difference('BTC')).toBeUndefined();
    expect(following.statesOf('BTC').filter((kind) => kind === 'live')).toHaveLength(1);
  });

  it.each([
    ['an entry without an order', { time: 'x', user: '0x0', status: 'open' }],
    ['an entry that is not an object', 7],
    ['a status that is not a string', null],
  ])('reports a block with malformed statuses, and rebuilds the book: %s', async (_, malformed) => {
    await using following = await Following.start({ coins: ['BTC'], statuses: 'all' });
    const { service, events } = following;
    await following.live('BTC');
    const updates = service.make(['BTC']);
    const entries = updates.book_diffs.map((entry) => ({
      ...entry,
      order_statuses: [...entry.order_statuses, malformed ?? { ...orderStatus(order({ coin: 'BTC' })), status: 7 }],
    }));
    service.sendText(
      JSON.stringify({ channel: 'l4BookUpdates', data: { Updates: { ...updates, book_diffs: entries } } }),
    );
    const told = await events.when((event) => event.kind === 'findings');
    expect(told).toMatchObject({ coin: 'BTC', findings: [{ kind: 'unreadable-statuses' }] });
    await events.until(() => following.statesOf('BTC').filter((kind) => kind === 'live').length === 2);
    expect(following.difference('BTC')).toBeUndefined();
  });

  it('[L4-15] keeps books stale after a lost connection until they are rebuilt', async () => {
    await using following = await Following.start({ coins: ['BTC', 'ETH'] });
    const { service, follower, events } = following;
    await Promise.all([following.live('BTC'), following.live('ETH')]);
    const book = follower.coin('BTC')?.book;
    const from = events.seen.length;
    service.cut();
    await events.when((event) => event.kind === 'connection' && event.connection.kind === 'waiting', from);
    expect(events.seen.slice(from).map((event) => event.kind)).toEqual(['connection', 'state', 'state']);
    expect(follower.coin('BTC')).toMatchObject({ book, state: { kind: 'stale', reason: 'disconnected' } });
    service.block();
    await Promise.all([following.live('BTC'), following.live('ETH')]);
    for (const coin of ['BTC', 'ETH']) expect(following.difference(coin)).toBeUndefined();
    expect(follower.coin('BTC')?.gaps).toBe(0);
  });

  it('doubles the wait after every failed snapshot, or waits longer if the service asks to; the state keeps the time of the first failure', async () => {
    const clock = new FakeClock();
    const failures = [
      { code: 'upstream_error', headers: {} },
      { code: 'upstream_error', headers: {} },
      { code: 'book_not_ready', headers: { 'Retry-After': '7' } },
      { code: 'upstream_error', headers: {} },
    ] as const;
    await using following = await Following.start({
      coins: ['BTC'],
      clock,
      settings: { rebuild: { firstMs: 100, longestMs: 500 }, pingMs: 1e9, deadAfterMs: 1e9, acknowledgeMs: 1e9 },
      prepare: (service) => {
        for (const { code, headers } of failures) {
          service.snapshotScript.push((_, response) => respondError(response, code, `${code} again`, { headers }));
        }
      },
    });
    const { service, follower } = following;
    const began = clock.now();
    const waits: number[] = [];
    for (let count = 1; count <= failures.length; count += 1) {
      await until('a wait', () => service.snapshotRequests.length === count && clock.waiting.some((ms) => ms < 30_000));
      const [wait = 0] = clock.waiting;
      waits.push(wait);
      expect(follower.coin('BTC')?.state).toMatchObject({ kind: 'building', reason: 'no-snapshot', since: began });
      clock.advance(wait);
    }
    await following.live('BTC');
    expect(waits[0]).toBeLessThanOrEqual(100);
    expect(waits[1]).toBeGreaterThan(100);
    expect(waits[2]).toBe(7_000);
    expect(waits[3]).toBeLessThanOrEqual(500);
  });

  it('gives up a snapshot that does not come, and requests it again', async () => {
    const clock = new FakeClock();
    await using following = await Following.start({
      coins: ['BTC'],
      clock,
      settings: { pingMs: 1e9, deadAfterMs: 1e9, acknowledgeMs: 1e9, snapshotMs: 30_000 },
      prepare: (service) => service.snapshotScript.push(() => {}),
    });
    const { service, events, follower } = following;
    await service.sees(() => service.snapshotRequests.length === 1);
    clock.advance(30_000);
    await events.until(() => follower.coin('BTC')?.state.reason === 'no-snapshot');
    expect(follower.coin('BTC')?.state.detail).toContain('no snapshot of BTC within 30000 ms');
    clock.advance(5);
    await following.live('BTC');
  });

  it('stops the stream if the credential is refused for snapshots', async () => {
    await using following = await Following.start({
      coins: ['BTC', 'ETH'],
      prepare: (service) =>
        service.snapshotScript.push((_, response) => respondError(response, 'unauthorized', 'the key is revoked')),
    });
    const { events, follower, service } = following;
    await events.when((event) => event.kind === 'connection' && event.connection.kind === 'stopped');
    const reason = { kind: 'credential', code: 'unauthorized', message: 'the key is revoked' };
    expect(follower.connection).toMatchObject({ kind: 'stopped', reason });
    expect(follower.coin('BTC')?.state).toMatchObject({
      kind: 'unavailable',
      reason: 'stopped',
      detail: 'the key is revoked',
    });
    await service.sees(() => service.connections === 0);
  });

  it('reports a coin that the service refuses for good, without affecting others', async () => {
    await using following = await Following.start({
      coins: ['BTC', 'ETH'],
      follow: ['BTC', '@107', 'ETH'],
      prepare: (service) => service.refusedCoins.set('@107', 'spot coins are not served: @107'),
    });
    const { events, follower } = following;
    const refusal = await events.when((event) => event.kind === 'refused');
    expect(refusal).toMatchObject({ coins: ['@107'], message: expect.stringContaining('spot coins are not served') });
    expect(follower.coin('@107')?.state).toMatchObject({ kind: 'unavailable', reason: 'refused' });
    await Promise.all([following.live('BTC'), following.live('ETH')]);
  });
});
