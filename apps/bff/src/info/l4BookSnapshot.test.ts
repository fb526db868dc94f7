import { getEventListeners } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Meter } from '@l4desk/ledger';
import { ApiError } from '@l4desk/protocol';
import { KeptLog } from '@l4desk/testkit';
import { FakeFeed } from '@l4desk/testkit/service';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CoinClass, Universe } from '../exchange/universe.ts';
import type { Principal } from '../http/auth/principal.ts';
import { PendingResponses } from '../http/pending-responses.ts';
import type { InfoKind } from './kind.ts';
import { l4BookSnapshot } from './l4BookSnapshot.ts';
import { infoHandler } from './route.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CALL = { account: 'a', encoding: 'identity', clientGone: new AbortController().signal } as const;
const PRINCIPAL: Principal = { accountId: 'a', credentialId: 'c', kind: 'api', via: 'bearer' };
const BODY = { type: 'l4BookSnapshot', coin: 'BTC' };

function kindOver(feed: FakeFeed, found: CoinClass = 'served', readyTimeoutMs = 5_000) {
  const universe = { classifyWhenLoaded: () => Promise.resolve(found) } as unknown as Universe;
  return l4BookSnapshot({ feed, universe, readyTimeoutMs });
}

it('leaves no timer after a call, which would retain its memory until the deadline', async () => {
  const feed = new FakeFeed();
  feed.makeLive('BTC');
  const kind = kindOver(feed);
  const query = await kind.decode(BODY, CALL);
  expect(vi.getTimerCount()).toBe(1);
  await kind.fetch(query, CALL);
  kind.end?.(query);
  expect(vi.getTimerCount()).toBe(0);

  await expect(kindOver(feed, 'unknown').decode(BODY, CALL)).rejects.toMatchObject({ code: 'unknown_coin' });
  expect(vi.getTimerCount()).toBe(0);
});

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

it('[SNAP-18] refuses a book that is not ready at the deadline', async () => {
  const kind = kindOver(new FakeFeed());
  const query = await kind.decode(BODY, CALL);
  const fetched = kind.fetch(query, CALL);
  await Promise.all([
    expect(fetched).rejects.toMatchObject({ code: 'book_not_ready' }),
    vi.advanceTimersByTimeAsync(5_000),
  ]);
  kind.end?.(query);
  expect(vi.getTimerCount()).toBe(0);
});

it.each<[string, number, Meter['reserve']]>([
  ['refused', 402, () => new ApiError('credits_exhausted', { credits: { needed: 1, used: 1, limit: 1, resetsAt: 0 } })],
  ['broken', 500, () => Promise.reject(new Error('the database is away'))],
  ['served', 200, () => ({ charge: () => Promise.resolve(), release() {} })],
])('leaves no timer or listener after a call whose reservation is %s, with status %i', async (_, status, reserve) => {
  const feed = new FakeFeed();
  feed.makeLive('BTC');
  const kind = kindOver(feed);
  const started: number[] = [];
  let clientGone = new AbortController().signal;
  const listeners = () => getEventListeners(clientGone, 'abort').length;
  const watched: InfoKind = {
    ...kind,
    async decode(body, call) {
      clientGone = call.clientGone;
      const query = await kind.decode(body, call);
      started.push(vi.getTimerCount(), listeners());
      return query;
    },
  };
  const handle = infoHandler({
    authoriser: { authorise: () => Promise.resolve(PRINCIPAL), stillValid: () => Promise.resolve(true) },
    meter: { reserve },
    kinds: [watched],
    bodyBytesMax: 1_000,
    pending: new PendingResponses({ bytesMax: 1_000_000, stallMs: 1_000, log: new KeptLog() }),
  });
  const request = new IncomingMessage(new Socket());
  request.method = 'POST';
  request.headers['content-type'] = 'application/json';
  request.push(JSON.stringify(BODY));
  request.push(null);
  const response = new ServerResponse(request);
  await handle(request, response);
  expect([response.statusCode, ...started]).toEqual([status, 1, 1]);
  expect([vi.getTimerCount(), listeners()]).toEqual([0, 0]);
});
