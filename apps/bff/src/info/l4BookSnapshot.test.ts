import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { LedgerError, type Meter } from '@l4desk/ledger';
import { ApiError } from '@l4desk/protocol';
import { collectGarbage } from '@l4desk/testkit';
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
  const universe = { classify: () => found } as unknown as Universe;
  return l4BookSnapshot({ feed, universe, readyTimeoutMs });
}

it('[SNAP-17] the time for books that are not ready does not refuse one that is live', async () => {
  const feed = new FakeFeed();
  feed.makeLive('BTC');
  const kind = kindOver(feed, 'served', 0);
  const [live, waiting] = await Promise.all([kind.decode(BODY, CALL), kind.decode({ ...BODY, coin: 'ETH' }, CALL)]);
  await Promise.all([
    expect(kind.fetch(waiting, CALL)).rejects.toMatchObject({ code: 'book_not_ready' }),
    vi.advanceTimersByTimeAsync(1),
  ]);
  expect(await kind.fetch(live, CALL)).toMatchObject({ coin: 'BTC' });
});

it('[SNAP-17] refuses it even if garbage was collected while it waited', async () => {
  vi.useRealTimers();
  const kind = kindOver(new FakeFeed(), 'served', 200);
  const fetched = kind.fetch(await kind.decode(BODY, CALL), CALL);
  const collecting = async () => {
    for (let count = 0; count < 3; count += 1) {
      collectGarbage();
      await turn();
    }
  };
  await Promise.all([expect(fetched).rejects.toMatchObject({ code: 'book_not_ready' }), collecting()]);
});

it('waits no longer once its client has disconnected', async () => {
  const gone = new AbortController();
  const kind = kindOver(new FakeFeed());
  const call = { ...CALL, clientGone: gone.signal };
  const fetched = kind.fetch(await kind.decode(BODY, call), call);
  gone.abort();
  await expect(fetched).rejects.toBeInstanceOf(ApiError);
  expect(vi.getTimerCount()).toBe(0);
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
  const gone = new AbortController().signal;
  const info = createInfoService({ reserve }, [kind]);
  const served = await info
    .serve(kind as InfoKind, BODY, { principal: PRINCIPAL, encoding: 'identity', clientGone: gone })
    .then(
      () => 'a response',
      (error: unknown) => (error instanceof ApiError ? error.code : error),
    );
  expect(served).toBe(outcome);
  expect([vi.getTimerCount(), getEventListeners(gone, 'abort').length]).toEqual([0, 0]);
});
