import type { FeedHealth } from '@l4desk/feed';
import type { Readiness } from '@l4desk/protocol';
import { FakeFeed } from '@l4desk/testkit/service';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ReadinessDeps, readReadiness, readSequencerReadiness } from './readiness.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

const CLASSES: Readonly<Record<string, ReturnType<ReadinessDeps['universe']['classify']>>> = {
  BTC: 'served',
  'PURR/USDC': 'unsupported',
  'xyz:GOLD': 'not-loaded',
};

const fine = () => Promise.resolve();

function read(
  { spool, ...meter }: ReadinessDeps['meter'] & Partial<Pick<ReadinessDeps, 'spool'>>,
  database = fine,
  pinnedCoins: readonly string[] = [],
  health: FeedHealth = new FakeFeed().health(),
  recordings?: ReadinessDeps['recordings'],
): Promise<Readiness> {
  return readReadiness({
    store: { ping: database },
    meter,
    spool,
    databaseName: 'the database',
    universe: {
      problem: null,
      classify: (coin) => CLASSES[coin] ?? 'unknown',
      isDelisted: (coin) => coin === 'OLD',
    },
    upstreamLag: () => Promise.resolve(null),
    notServed: () => [],
    feed: { health: () => health },
    recordings,
    pinnedCoins,
    isClosing: () => false,
  });
}

it('names NATS and the missing sequencer for a gateway, and a standby sequencer is ready without a leader', async () => {
  const feed = new FakeFeed();
  const cluster: NonNullable<FeedHealth['cluster']> = {
    role: 'gateway',
    natsProblem: 'the connection was closed',
    leaderProblem: 'the sequencer is silent',
    lagMs: 0,
    pendingBytes: 0,
    terms: 1,
    gaps: 0,
    gateways: 0,
  };
  feed.connected = false;
  const own = feed.health();
  const lost = { ...own, cluster };
  expect(await read({ ping: fine }, fine, [], lost)).toMatchObject({
    status: 'not_ready',
    nats: { status: 'failed', problem: 'the connection was closed' },
    sequencer: { status: 'failed', problem: 'the sequencer is silent' },
  });
  const standby: FeedHealth = {
    ...own,
    upstreamConnected: true,
    cluster: { ...cluster, role: 'standby', natsProblem: null },
  };
  expect(readSequencerReadiness(standby, false)).toMatchObject({ status: 'ready', role: 'standby' });
  expect(readSequencerReadiness(lost, false)).toMatchObject({ status: 'not_ready', nats: { status: 'failed' } });
  expect(readSequencerReadiness(standby, true).status).toBe('shutting_down');
});

it('responds in time even if a part hangs', async () => {
  const failed = { status: 'not_ready', ledger: { status: 'failed', problem: 'charges cannot be written' } };
  for (const hung of ['ping', 'spool']) {
    let respond = () => {};
    const hang = () => new Promise<undefined>((resolve) => (respond = () => resolve(undefined)));
    const state = read({ ping: fine, [hung]: hang });
    await vi.advanceTimersByTimeAsync(2_000);
    respond();
    expect(await state).toMatchObject(failed);
  }
});

it('[OPS-50] repeats what the source of the books warns about, in every role, and stays ready', async () => {
  const warnings = ['NODE_DATA_DIR holds no node_fills_by_block: start the node with --write-fills --batch-by-block'];
  const health = { ...new FakeFeed().health(), warnings };
  expect(await read({ ping: fine }, fine, [], health)).toMatchObject({ status: 'ready', warnings });
  expect(readSequencerReadiness(health, false)).toMatchObject({ warnings });
});

it('[OPS-12] warns about a delisted pinned coin and stays ready, but is not ready if a pinned coin has no book', async () => {
  expect(await read({ ping: fine }, fine, ['OLD'])).toMatchObject({
    status: 'ready',
    warnings: ['L4_PINNED_COINS: OLD is delisted and has no book'],
  });
  expect(await read({ ping: fine }, fine, ['OLD', 'BTC'])).toMatchObject({ status: 'not_ready' });
  expect(await read({ ping: fine }, fine, ['BTC', 'btc'])).toMatchObject({
    status: 'not_ready',
    warnings: ['L4_PINNED_COINS: the exchange has no perp btc; names are case-sensitive'],
  });
  expect(await read({ ping: fine }, fine, ['PURR/USDC'])).toMatchObject({
    warnings: ['L4_PINNED_COINS: the exchange has no perp PURR/USDC; names are case-sensitive'],
  });
  // Its dex may have it.
  expect((await read({ ping: fine }, fine, ['xyz:GOLD'])).warnings).toEqual([]);
  expect((await read({ ping: fine })).warnings).toEqual([]);
});

it('warns about a recorded coin that the exchange does not have', async () => {
  const waiting = { coin: 'btc', state: 'waiting', since: 0, height: null, file: null, problem: null } as const;
  const recordings = { health: () => ({ coins: [waiting], files: 0, fileBytes: 0, counters: {} as never }) };
  expect(await read({ ping: fine }, fine, [], undefined, recordings)).toMatchObject({
    status: 'ready',
    warnings: ['RECORD_COINS: the exchange has no perp btc; names are case-sensitive'],
  });
});

it('stays ready without the database while charges are spooled, and names the database', async () => {
  const gone = () => Promise.reject(new Error('gone'));
  const health = { lostForMs: 3200, problem: null, waiting: 1, spooled: 1, replayed: 0 };
  const spool = () => Promise.resolve(health);
  expect(await read({ ping: fine, spool }, gone)).toMatchObject({
    status: 'ready',
    database: { status: 'failed', problem: 'the database does not respond' },
    warnings: ['the database has been away for 3 s; charges are spooled'],
  });
  expect(await read({ ping: gone, spool }, gone)).toMatchObject({ status: 'not_ready', warnings: [] });
  expect(await read({ ping: fine }, gone)).toMatchObject({ status: 'not_ready' });
});
