import { getEventListeners } from 'node:events';
import { FakeFeed } from '@l4desk/testkit/service';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Universe } from '../exchange/universe.ts';
import { l4BookSnapshot } from './l4BookSnapshot.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

// A running timer would retain each call, with its response, until the deadline.
it('[SNAP-18] the wait for a book leaves neither timer nor listener, whether the book was live or did not come', async () => {
  const feed = new FakeFeed();
  feed.makeLive('BTC');
  const universe = { classify: () => 'served' } as unknown as Universe;
  const kind = l4BookSnapshot({ feed, universe, readyTimeoutMs: 5_000 });
  const clientGone = new AbortController().signal;
  const principal = { accountId: 'a', credentialId: 'k', kind: 'api', via: 'bearer' } as const;
  const call = { principal, encoding: 'identity', clientGone } as const;
  const snapshotOf = async (coin: string) => kind.fetch(await kind.decode({ type: kind.type, coin }, call), call);

  await snapshotOf('BTC');
  expect([vi.getTimerCount(), getEventListeners(clientGone, 'abort')]).toEqual([0, []]);
  const advance = async () => {
    await vi.advanceTimersByTimeAsync(4_999);
    expect([vi.getTimerCount(), feed.waiting]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(1);
  };
  await Promise.all([expect(snapshotOf('ETH')).rejects.toMatchObject({ code: 'book_not_ready' }), advance()]);
  expect([vi.getTimerCount(), getEventListeners(clientGone, 'abort')]).toEqual([0, []]);
});
