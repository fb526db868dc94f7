import { getEventListeners } from 'node:events';
import { LedgerError, type Meter } from '@l4desk/ledger';
import { ApiError } from '@l4desk/protocol';
import { FakeFeed } from '@l4desk/testkit/service';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CoinClass, Universe } from '../exchange/universe.ts';
import type { Principal } from '../http/auth/principal.ts';
import { createInfoService } from './info-service.ts';
import type { InfoKind } from './kind.ts';
import { l4BookSnapshot } from './l4BookSnapshot.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CALL = {
  principal: { accountId: 'a', credentialId: 'k', kind: 'api', via: 'bearer' },
  encoding: 'identity',
  clientGone: new AbortController().signal,
} as const;
const PRINCIPAL: Principal = { accountId: 'a', credentialId: 'c', kind: 'api', via: 'bearer' };
const BODY = { type: 'l4BookSnapshot', coin: 'BTC' };

function kindOver(feed: FakeFeed, found: CoinClass = 'served', readyTimeoutMs = 5_000) {
  const universe = { classifyWhenLoaded: () => Promise.resolve(found) } as unknown as Universe;
  return l4BookSnapshot({ feed, universe, readyTimeoutMs });
}

it('[SNAP-17] the time for books that are not ready does not refuse one that is live', async () => {
  const feed = new FakeFeed();
  feed.makeLive('BTC');
  const kind = kindOver(feed, 'served', 0);
  const [live, waiting] = await Promise.all([kind.decode(BODY, CALL), kind.decode({ ...BODY, coin: 'ETH' }, CALL)]);
  await vi.advanceTimersByTimeAsync(1);
  expect([live.deadline.signal.aborted, waiting.deadline.signal.aborted]).toEqual([false, true]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(live.deadline.signal.aborted).toBe(true);
});

it.each<[string, string, Meter['reserve']]>([
  [
    'refused',
    'credits_exhausted',
    () => new LedgerError('credits_exhausted', 'none left', { credits: { needed: 1, used: 1, limit: 1, resetsAt: 0 } }),
  ],
  ['broken', 'internal_error', () => Promise.reject(new Error('the database is away'))],
  ['served', 'a response', () => ({ charge: () => Promise.resolve(), release() {} })],
])('leaves no timer or listener after a call whose reservation is %s, with %s', async (_, outcome, reserve) => {
  const feed = new FakeFeed();
  feed.makeLive('BTC');
  const kind = kindOver(feed);
  const started: number[] = [];
  const gone = new AbortController().signal;
  const listeners = () => getEventListeners(gone, 'abort').length;
  const watched: InfoKind = {
    ...kind,
    async decode(body, call) {
      const query = await kind.decode(body, call);
      started.push(vi.getTimerCount(), listeners());
      return query;
    },
  };
  const info = createInfoService({ reserve }, [watched]);
  const served = await info.serve(watched, BODY, { principal: PRINCIPAL, encoding: 'identity', clientGone: gone }).then(
    () => 'a response',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  );
  expect([served, ...started]).toEqual([outcome, 1, 1]);
  expect([vi.getTimerCount(), listeners()]).toEqual([0, 0]);
});
