import { FakeFeed } from '@l4desk/testkit/service';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CoinClass, Universe } from '../exchange/universe.ts';
import { l4BookSnapshot } from './l4BookSnapshot.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CALL = { account: 'a', encoding: 'identity', clientGone: new AbortController().signal } as const;
const BODY = { type: 'l4BookSnapshot', coin: 'BTC' };

function kindOver(feed: FakeFeed, found: CoinClass = 'served') {
  const universe = { classifyWhenLoaded: () => Promise.resolve(found) } as unknown as Universe;
  return l4BookSnapshot({ feed, universe, readyTimeoutMs: 5_000 });
}

it('a call that is over leaves no timer: thousands a second would keep their memory until their deadlines', async () => {
  const feed = new FakeFeed();
  feed.makeLive('BTC');
  const kind = kindOver(feed);
  const query = await kind.decode(BODY, CALL);
  expect(vi.getTimerCount()).toBe(1);
  await kind.fetch(query, CALL);
  expect(vi.getTimerCount()).toBe(0);

  await expect(kindOver(feed, 'unknown').decode(BODY, CALL)).rejects.toMatchObject({ code: 'unknown_coin' });
  expect(vi.getTimerCount()).toBe(0);
});

it('[SNAP-18] a book that is not ready at the deadline is refused', async () => {
  const kind = kindOver(new FakeFeed());
  const fetched = Promise.resolve(kind.fetch(await kind.decode(BODY, CALL), CALL));
  await Promise.all([
    expect(fetched).rejects.toMatchObject({ code: 'book_not_ready' }),
    vi.advanceTimersByTimeAsync(5_000),
  ]);
  expect(vi.getTimerCount()).toBe(0);
});
