import { compareWithLevels, L4Book } from '@l4desk/book';
import { decodeL4BookSnapshot, decodeUpdates } from '@l4desk/protocol';
import { bundleProgram, Chance, KeptLog, until } from '@l4desk/testkit';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { L4Feed, PublishedBlock } from '../api.ts';
import type { L4FeedSettings } from '../settings.ts';
import { FakeUpstream } from '../test-support/fake-upstream.ts';
import { startL4Feed } from './feed.ts';

let workerUrl: URL;

beforeAll(async () => {
  workerUrl = await bundleProgram('packages/feed/src/thread/worker.ts', 'bff/dist/l4-worker');
});

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const patience = () => AbortSignal.timeout(120_000);

const NOWHERE = { dialect: 'l4Book', url: 'ws://127.0.0.1:1/' } as const;

interface Rig {
  readonly upstream: FakeUpstream;
  readonly feed: L4Feed;
  readonly blocks: PublishedBlock[];
  readonly log: KeptLog;
}

/** Starts a feed in a real worker thread, with a fake upstream. */
async function start(settings: Partial<L4FeedSettings> = {}): Promise<Rig> {
  const upstream = await FakeUpstream.start(['BTC', 'ETH'], new Chance(17));
  ends.push(() => upstream[Symbol.asyncDispose]());
  const log = new KeptLog();
  const feed = startL4Feed(
    {
      upstream: { dialect: 'l4Book', url: upstream.url },
      pinnedCoins: [],
      lingerMs: 0,
      auditMs: 0,
      reorderMs: 10_000,
      rebuildMaxMs: 30_000,
      ...settings,
    },
    log,
    { workerUrl },
  );
  ends.push(() => feed[Symbol.asyncDispose]());
  const blocks: PublishedBlock[] = [];
  feed.onBlock((block) => blocks.push(block));
  return { upstream, feed, blocks, log };
}

async function snapshotOf(feed: L4Feed, coin: string) {
  const { bytes } = await feed.snapshot(coin, 'identity', patience());
  return decodeL4BookSnapshot(JSON.parse(Buffer.from(bytes).toString()), coin);
}

describe('the feed in its worker thread', () => {
  test('[L4-8, SNAP-19] publishes blocks that continue its snapshots', async () => {
    const { upstream, feed, blocks } = await start();
    const leases = [feed.acquire('BTC'), feed.acquire('BTC'), feed.acquire('ETH')];
    for (const coin of ['BTC', 'ETH']) await snapshotOf(feed, coin);
    upstream.step();
    await until('a block', () => blocks.length === 1);
    const snapshot = await snapshotOf(feed, 'BTC');
    expect(snapshot).toMatchObject({ height: upstream.height, seq: 1, epoch: blocks[0]?.epoch });
    const { book } = L4Book.build('BTC', snapshot.levels);
    for (let count = 0; count < 20; count += 1) upstream.step();
    await until('all blocks', () => blocks.length === 21);
    let { seq } = snapshot;
    for (const { epoch, height, time, entries } of blocks.slice(1)) {
      const book_diffs = entries.map(({ book: text }) => JSON.parse(Buffer.from(text.plain).toString()));
      const batch = decodeUpdates({ epoch, block_height: height, time, cursor: '', book_diffs });
      const btc = batch.coins.find(({ coin }) => coin === 'BTC');
      if (btc === undefined) throw new Error('no entry');
      expect(btc.prevSeq).toBe(seq);
      seq = btc.seq;
      expect(book.apply(btc.changes, btc.statuses, time)).toEqual([]);
    }
    expect(compareWithLevels(upstream.book('BTC').levels(), book)).toBeUndefined();
    expect(upstream.asked).toEqual(['subscribe BTC', 'subscribe ETH']);
    for (const lease of leases) lease.release();
    await upstream.sees(() => upstream.subscribers('BTC') + upstream.subscribers('ETH') === 0);
  });

  test('[SNAP-18] rejects a snapshot if the signal aborts', async () => {
    const { upstream, feed } = await start();
    upstream.deaf = true;
    await expect(feed.snapshot('BTC', 'identity', AbortSignal.timeout(50))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await expect(feed.snapshot('BTC', 'identity', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('sends texts only while they have a reader', async () => {
    const { upstream, feed, blocks } = await start();
    feed.acquire('BTC');
    await snapshotOf(feed, 'BTC');
    const last = async (count: number) => {
      await until('a block', () => blocks.length === count);
      return blocks[count - 1]?.entries[0];
    };
    upstream.step(['BTC']);
    expect(await last(1)).toMatchObject({ all: null, book: { deflated: null } });
    const reads = feed.acquire('BTC', { statuses: 'all', deflate: true });
    // Sent after it, so its response shows that the worker has processed that.
    await feed.snapshot('BTC', 'identity', patience());
    upstream.step(['BTC']);
    const entry = await last(2);
    expect(entry?.all?.deflated?.length).toBeLessThan(entry?.all?.plain.length ?? 0);
    reads.release();
    await feed.snapshot('BTC', 'identity', patience());
    upstream.step(['BTC']);
    expect(await last(3)).toMatchObject({ all: null });
  });

  test('[OPS-4] reports its health and forwards its log', async () => {
    const { upstream, feed, log } = await start({ pinnedCoins: ['BTC'] });
    expect(feed.health()).toMatchObject({ upstreamConnected: false, upstreamProblem: 'not connected yet' });
    // A state change is reported at once, the height with the next health report.
    await until('the report of a live coin', () => feed.health().coins[0]?.height === upstream.height);
    expect(feed.health()).toMatchObject({ upstreamConnected: true, coins: [{ coin: 'BTC', state: 'live' }] });
    upstream.cut();
    const told: string[] = [];
    feed.onBookStatus(({ coin, state, reason }) => told.push(`${coin} ${state} ${reason}`));
    await until('the loss', () => !feed.health().upstreamConnected);
    await until('its end', () => feed.health().upstreamConnected && feed.health().coins[0]?.rebuilds === 1);
    await until('the news of it', () => told.length === 2);
    expect(told).toEqual(['BTC rebuilding disconnected', 'BTC live null']);
    expect(feed.bookStatus('BTC').upstreamAgeMs).toBeLessThan(10_000);
    expect(log.lines.some((line) => line.startsWith('warn book lost {"coin":"BTC"'))).toBe(true);
  });
});

test('a closed feed rejects snapshot requests at once', async () => {
  const { feed } = await start();
  const closing = feed[Symbol.asyncDispose]();
  const never = new AbortController().signal;
  await expect(feed.snapshot('BTC', 'identity', never)).rejects.toThrow('the L4 feed was closed');
  await closing;
  await expect(feed.snapshot('BTC', 'identity', never)).rejects.toThrow('the L4 feed was closed');
});

test('[L4-40] a worker that hangs is detected by the age of its last report', async () => {
  const url = new URL(
    `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from 'node:worker_threads';
        const status = { state: 'live', since: 5, reason: null };
        const coins = [{ coin: 'BTC', ...status }];
        parentPort.postMessage({ kind: 'health', health: { upstreamConnected: true, upstreamAgeMs: 3, coins } });
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      `)}`,
  );
  const feed = startL4Feed(
    { upstream: NOWHERE, pinnedCoins: [], lingerMs: 0, auditMs: 0, reorderMs: 0, rebuildMaxMs: 30_000 },
    new KeptLog(),
    { workerUrl: url },
  );
  ends.push(() => feed[Symbol.asyncDispose]());
  await until('the report', () => feed.health().upstreamConnected);
  expect(feed.bookStatus('BTC')).toMatchObject({ coin: 'BTC', state: 'live', since: 5, reason: null });
  await until('its age', () => feed.health().ageMs > 1_500);
  expect(feed.health().upstreamConnected).toBe(true);
  // A book is not live while its worker is silent.
  const told: unknown[] = [];
  feed.onBookStatus(({ coin, state, reason }) => told.push([coin, state, reason]));
  await until('the silence', () => told.length > 0);
  expect(told).toEqual([['BTC', 'stale', 'feed-silent']]);
  expect(feed.health().coins[0]).toMatchObject({ state: 'stale', reason: 'feed-silent' });
  expect(feed.bookStatus('BTC').upstreamAgeMs).toBeGreaterThan(4_000);
});

describe('a worker that exits unexpectedly', () => {
  test('[L4-19] is restarted with all of its state, in a new epoch', async () => {
    // A program that fails on its first request the first time it runs, and runs the real worker from then on.
    const frail = `
      import { workerData, parentPort } from 'node:worker_threads';
      const runs = new Int32Array(workerData.runs);
      if (Atomics.add(runs, 0, 1) > 0) await import(${JSON.stringify(workerUrl.href)});
      else {
        const status = { state: 'live', since: 5, reason: null };
        parentPort.postMessage({ kind: 'status', coin: 'BTC', status, upstreamAgeMs: 0 });
        const health = { executions: 'exact', height: 7, upstreamAgeMs: 0, coins: [] };
        parentPort.postMessage({ kind: 'health', health });
        parentPort.on('message', ({ kind }) => { if (kind === 'call') throw new Error('worn out'); });
      }
    `;
    const upstream = await FakeUpstream.start(['BTC'], new Chance(19));
    ends.push(() => upstream[Symbol.asyncDispose]());
    const log = new KeptLog();
    const settings = {
      upstream: { dialect: 'l4Book' as const, url: upstream.url },
      pinnedCoins: [],
      lingerMs: 0,
      auditMs: 0,
      reorderMs: 50,
      rebuildMaxMs: 30_000,
      runs: new SharedArrayBuffer(4),
    };
    const url = new URL(`data:text/javascript,${encodeURIComponent(frail)}`);
    const feed = startL4Feed(settings, log, { workerUrl: url });
    ends.push(() => feed[Symbol.asyncDispose]());
    feed.acquire('BTC', { statuses: 'all', deflate: true });
    const blocks: PublishedBlock[] = [];
    feed.onBlock((block) => blocks.push(block));
    const told: string[] = [];
    feed.onBookStatus(({ state, reason }) => told.push(`${state} ${reason}`));
    const missing: unknown[] = [];
    feed.onTrades((trades) => missing.push(trades));
    const snapshot = await snapshotOf(feed, 'BTC');
    expect(snapshot.height).toBe(upstream.height);
    expect(told).toEqual([
      'live null',
      'rebuilding feed-restarted',
      'waiting disconnected',
      'building disconnected',
      'live null',
    ]);
    // What was executed meanwhile is not reported later.
    expect(missing).toMatchObject([{ coin: 'BTC', height: 7, trades: [], missing: 'the feed was restarted' }]);
    upstream.step();
    await until('a block', () => blocks.length === 1);
    expect(blocks[0]?.entries[0]?.all?.deflated).toBeInstanceOf(Uint8Array);
    expect(log.lines.join('\n')).toMatch(/worn out[\s\S]*L4 worker exited, restarting/);
  });

  test('can be closed while it is down', async () => {
    const url = new URL('data:text/javascript,process.exit(3)');
    const log = new KeptLog();
    const feed = startL4Feed(
      { upstream: NOWHERE, pinnedCoins: [], lingerMs: 0, auditMs: 0, reorderMs: 0, rebuildMaxMs: 30_000 },
      log,
      {
        workerUrl: url,
      },
    );
    await until('its end', () => log.lines.some((line) => line.includes('L4 worker exited')));
    const [waiting] = await Promise.allSettled([feed.snapshot('BTC', 'br', patience()), feed[Symbol.asyncDispose]()]);
    expect(waiting).toMatchObject({ status: 'rejected', reason: { message: 'the L4 feed was closed' } });
  });
});
