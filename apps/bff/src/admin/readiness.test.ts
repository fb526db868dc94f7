import type { Readiness } from '@l4desk/protocol';
import { FakeFeed } from '@l4desk/testkit/service';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readReadiness } from './readiness.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

const fine = () => Promise.resolve();

function read(
  meter: { ping?: () => Promise<void> },
  database = fine,
  pinnedCoins: readonly string[] = [],
): Promise<Readiness> {
  return readReadiness({
    store: { ping: database },
    meter,
    universe: { health: () => ({ problem: null, coins: 0 }), isDelisted: (coin) => coin === 'OLD' },
    feed: new FakeFeed(),
    pinnedCoins,
    isClosing: () => false,
  });
}

it('[OPS-2] the ledger has a thread of its own, and is named when it does not answer', async () => {
  expect(await read({ ping: fine })).toMatchObject({ status: 'ready', ledger: { status: 'ok' } });
  expect(await read({ ping: () => Promise.reject(new Error('gone')) })).toMatchObject({
    status: 'not_ready',
    database: { status: 'ok' },
    ledger: { status: 'failed', problem: 'charges cannot be written' },
  });
  expect(vi.getTimerCount()).toBe(0);
});

it('[OPS-2] a part that hangs does not make whoever asks hang', async () => {
  const state = read({ ping: () => new Promise(() => {}) });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await state).toMatchObject({ status: 'not_ready', ledger: { status: 'failed' } });
});

it('[OPS-12] a pinned coin that is delisted is a warning; one whose book is not there is not', async () => {
  expect(await read({ ping: fine }, fine, ['OLD'])).toMatchObject({
    status: 'ready',
    warnings: ['L4_PINNED_COINS: OLD is delisted and has no book'],
  });
  expect(await read({ ping: fine }, fine, ['OLD', 'BTC'])).toMatchObject({ status: 'not_ready' });
  expect((await read({ ping: fine })).warnings).toEqual([]);
});
