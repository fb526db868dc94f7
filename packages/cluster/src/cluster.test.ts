import { L4Book } from '@l4desk/book';
import { type EarlierBlocks, type EarlierQuery, NO_TEXTS_WANTED } from '@l4desk/feed/core';
import { messagesOf, publishes } from '@l4desk/feed/test-support';
import { systemClock } from '@l4desk/runtime/node';
import { generatedCapture, KeptLog, PlainReplay, realCapture, until } from '@l4desk/testkit';
import { connect } from '@nats-io/transport-node';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { ClusterSequencer } from './cluster-sequencer.ts';
import { readFrame } from './frame.ts';
import { LEASE_TIMES } from './lease.ts';
import { SNAPSHOT_SUBJECT } from './nats-link.ts';
import { CapturedFeed } from './test-support/captured-feed.ts';
import { ClusterRig, handedOut, holes, live, type RigGateway, told } from './test-support/cluster-rig.ts';

const ALL = { statuses: 'all', deflate: false } as const;

const open: AsyncDisposable[] = [];

afterEach(async () => {
  for (const rig of open.splice(0)) await rig[Symbol.asyncDispose]();
});

async function startRig(coins?: readonly string[], payloadMax?: number): Promise<ClusterRig> {
  const rig = await ClusterRig.start(coins, payloadMax);
  open.push(rig);
  return rig;
}

async function expectExact(rig: ClusterRig, gateway: RigGateway, coin: string): Promise<void> {
  const { served, truth } = await rig.books(gateway, coin);
  expect(served).toEqual(truth);
}

describe('gateways of one sequencer', () => {
  test('serve its blocks with its epoch and sequences and exact books, and a coin is followed upstream once', async () => {
    const rig = await startRig();
    await rig.sequencer();
    const gateways = await Promise.all([rig.gateway(), rig.gateway(), rig.gateway()]);
    for (const { feed } of gateways) feed.acquire('BTC');
    gateways[0]?.feed.acquire('ETH');
    for (const gateway of gateways) await live(gateway, 'BTC');
    const [first, second, third] = gateways;
    if (first === undefined || second === undefined || third === undefined) throw new Error('three gateways');
    await live(first, 'ETH');
    for (let count = 0; count < 20; count += 1) {
      await rig.step(gateways);
      await expectExact(rig, first, 'BTC');
    }
    for (const gateway of gateways) await expectExact(rig, gateway, 'BTC');
    await expectExact(rig, first, 'ETH');
    expect(handedOut(first, 'BTC')).toHaveLength(20);
    expect(handedOut(second, 'BTC')).toEqual(handedOut(first, 'BTC'));
    expect(handedOut(third, 'BTC')).toEqual(handedOut(first, 'BTC'));
    expect(handedOut(second, 'ETH')).toEqual([]);
    expect(new Set(first.blocks.map(({ epoch }) => epoch)).size).toBe(1);
    expect([rig.upstream.connectionsOpened, rig.upstream.subscribers('BTC'), rig.upstream.subscribers('ETH')]).toEqual([
      1, 1, 1,
    ]);
    // The sequencer reports its health once a second.
    await told(first, 'the upstream connected', () => first.feed.health().upstreamConnected);
    expect(first.feed.health()).toMatchObject({
      upstreamConnected: true,
      height: rig.upstream.height,
      cluster: { role: 'gateway', natsProblem: null, leaderProblem: null, gaps: 0, terms: 1 },
    });
  });

  test('receive blocks and snapshots larger than the server’s maximum message in parts', async () => {
    const rig = await startRig(['BTC']);
    const book = rig.upstream.book('BTC');
    await rig.sequencer();
    const gateway = await rig.gateway();
    gateway.feed.acquire('BTC', ALL);
    await live(gateway, 'BTC');
    await expectExact(rig, gateway, 'BTC');
    // A block of more than a megabyte: statuses of refused orders, of which the exchange has many.
    const block = rig.upstream.make();
    const updates = block.updates.get('BTC');
    const [status] = updates?.order_statuses ?? [];
    if (updates === undefined || status === undefined) throw new Error('a block with a status');
    const { order, ...rest } = status as { readonly order: object };
    const padding = Array.from({ length: 4_000 }, (_, at) => ({
      ...rest,
      status: 'rejected',
      order: { ...order, oid: at },
    }));
    rig.upstream.sendUpdates('BTC', { ...updates, order_statuses: [...updates.order_statuses, ...padding] });
    await told(gateway, 'the block', () => gateway.blocks.some(({ height }) => height === block.height));
    expect(gateway.blocks[0]?.entries[0]?.all?.plain.length).toBeGreaterThan(1_100_000);
    expect(gateway.blocks[0]?.entries[0]?.book.plain.length).toBeLessThan(100_000);
    await expectExact(rig, gateway, 'BTC');
    await rig.step([gateway]);
    expect(holes(gateway, 'BTC')).toEqual([]);
    expect(book.levels()[0].length).toBeGreaterThan(0);
  });

  test('receive all statuses of a coin only while one reads them, with a snapshot that those blocks continue', async () => {
    const rig = await startRig(['BTC']);
    await rig.sequencer();
    const gateways = [await rig.gateway(), await rig.gateway()] as const;
    const [reads, other] = gateways;
    for (const { feed } of gateways) feed.acquire('BTC');
    for (const gateway of gateways) await live(gateway, 'BTC');
    const carried = async () => {
      await rig.step(gateways);
      return gateways.map(({ blocks }) => blocks.at(-1)?.entries[0]?.all !== null);
    };
    expect(await carried()).toEqual([false, false]);
    const all = reads.feed.acquire('BTC', ALL);
    await expectExact(rig, reads, 'BTC');
    expect(await carried()).toEqual([true, true]);
    await expectExact(rig, other, 'BTC');
    all.release();
    await told(reads, 'a block without them', async () => (await carried()).join() === 'false,false');
    expect(handedOut(other, 'BTC')).toEqual(handedOut(reads, 'BTC'));
  });

  test('[L4-8] serve the blocks of a recording and end with its exact book', async () => {
    const rig = await startRig([]);
    const capture = realCapture() ?? generatedCapture();
    const publish = publishes(L4Book.build('BTC', capture.levels).book, {
      sumsUp: true,
      wanted: { ...NO_TEXTS_WANTED, all: true },
    });
    const blocks = messagesOf(capture).map(publish);
    const [first] = blocks;
    if (first === undefined) throw new Error('no blocks');
    const leader = new CapturedFeed(capture, first);
    const cluster = { url: rig.nats.url, id: 'recording', replicas: 1 };
    const sequencer = new ClusterSequencer(cluster, () => leader, new KeptLog());
    open.push(sequencer);
    const gateway = await rig.gateway();
    gateway.feed.acquire('BTC', ALL);
    await live(gateway, 'BTC');
    for (const block of blocks) {
      leader.hand(block);
      await told(gateway, 'the block', () => gateway.blocks.at(-1)?.height === block.height);
    }
    const replay = new PlainReplay(capture.levels);
    for (const batch of capture.batches) replay.apply(batch);
    const { bytes } = await gateway.feed.snapshot('BTC', 'identity', AbortSignal.timeout(120_000));
    // Not `toEqual`: the difference of two texts of 16 MB is unreadable.
    expect(JSON.stringify(JSON.parse(Buffer.from(bytes).toString()).levels) === JSON.stringify(replay.levels())).toBe(
      true,
    );
    expect(gateway.blocks).toHaveLength(blocks.length);
    expect(holes(gateway, 'BTC')).toEqual([]);
    expect(gateway.feed.health().coins.map(({ rebuilds }) => rebuilds)).toEqual([0]);
  });

  test('cause the coins of one that leaves to be left upstream', async () => {
    const rig = await startRig(['BTC', 'ETH', 'SOL']);
    const { sequencer } = await rig.sequencer(undefined, 0);
    // Pinned, so that the gateway's first report of its interest contains the coin.
    const [stays, leaves] = [await rig.gateway({ pinnedCoins: ['BTC'] }), await rig.gateway({ pinnedCoins: ['BTC'] })];
    await until('both are heard', () => sequencer.health().cluster?.gateways === 2);
    const released = leaves.feed.acquire('SOL');
    leaves.feed.acquire('ETH');
    await live(leaves, 'SOL', 'ETH', 'BTC');
    released.release();
    await rig.upstream.sees(() => rig.upstream.subscribers('SOL') === 0);
    await until('the others stay', () => rig.upstream.subscribers('ETH') === 1);
    await leaves.feed[Symbol.asyncDispose]();
    await rig.upstream.sees(() => rig.upstream.subscribers('ETH') === 0);
    await live(stays, 'BTC');
    await until('the book', () =>
      sequencer.health().coins.some(({ coin, state }) => coin === 'BTC' && state === 'live'),
    );
    await rig.step([stays]);
    expect(rig.upstream.subscribers('BTC')).toBe(1);
    await live(stays, 'BTC');
  });

  test('[L4-27] all rebuild a book that the sequencer rebuilds, with a gap in that coin only', async () => {
    const rig = await startRig();
    await rig.sequencer();
    const gateways = [await rig.gateway(), await rig.gateway()];
    for (const { feed } of gateways) for (const coin of ['BTC', 'ETH']) feed.acquire(coin);
    for (const gateway of gateways) await live(gateway, 'BTC', 'ETH');
    for (let count = 0; count < 3; count += 1) await rig.step(gateways);
    const { updates } = rig.upstream.make(['BTC']);
    const block = updates.get('BTC');
    const [diff] = block?.book_diffs ?? [];
    // A block that contradicts the book.
    rig.upstream.sendUpdates('BTC', {
      ...block,
      book_diffs: [{ ...(diff as object), oid: 1, raw_book_diff: 'remove' }],
    });
    for (const gateway of gateways) {
      await told(gateway, 'the loss', () =>
        gateway.feed.health().coins.some(({ coin, rebuilds }) => coin === 'BTC' && rebuilds === 1),
      );
    }
    for (const gateway of gateways) await live(gateway, 'BTC');
    await rig.step(gateways);
    for (const gateway of gateways) {
      await expectExact(rig, gateway, 'BTC');
      expect(holes(gateway, 'BTC').length).toBeGreaterThan(0);
      expect(holes(gateway, 'ETH')).toEqual([]);
    }
  });
});

describe('a gateway whose NATS fails', () => {
  test('reports it, serves no snapshots meanwhile, and continues without a gap', async () => {
    const rig = await startRig();
    await rig.sequencer();
    // The cut-off gateway's clock stands still while its timers run, so it cannot detect that its leader is silent.
    const clock = { ...systemClock, now: () => 0 };
    const [cut, other] = [await rig.gateway({}, { clock }), await rig.gateway()];
    for (const { feed } of [cut, other]) feed.acquire('BTC');
    await live(cut, 'BTC');
    await live(other, 'BTC');
    await rig.step([cut, other]);
    const toldLiveAt: (number | null)[] = [];
    cut.feed.onBookStatus(({ state }) => {
      if (state === 'live') toldLiveAt.push(cut.feed.health().height);
    });
    cut.way.refuse();
    cut.way.cut();
    await told(cut, 'stale', () => cut.feed.bookStatus('BTC').state === 'stale');
    expect(cut.feed.bookStatus('BTC').reason).toBe('disconnected');
    expect(cut.feed.health()).toMatchObject({
      upstreamConnected: false,
      upstreamProblem: expect.stringMatching(/^NATS: /),
    });
    for (let count = 0; count < 5; count += 1) await rig.step([other]);
    await expect(cut.feed.snapshot('BTC', 'identity', AbortSignal.timeout(50))).rejects.toThrow();
    cut.way.accept();
    await live(cut, 'BTC');
    // Not before everything published meanwhile is read.
    expect(toldLiveAt).toEqual([rig.upstream.height]);
    await expectExact(rig, cut, 'BTC');
    expect(handedOut(cut, 'BTC')).toEqual(handedOut(other, 'BTC'));
    expect(cut.feed.health().cluster).toMatchObject({ gaps: 0, natsProblem: null });
  });

  test('loses no block when the server restarts, cleanly or not', async () => {
    const rig = await startRig();
    const { sequencer } = await rig.sequencer();
    const gateway = await rig.gateway();
    gateway.feed.acquire('BTC');
    await live(gateway, 'BTC');
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await rig.step([gateway]);
      await rig.nats.end(signal);
      await told(gateway, 'stale', () => gateway.feed.bookStatus('BTC').state === 'stale');
      for (let count = 0; count < 3; count += 1) rig.upstream.step();
      await rig.nats.launch();
      await live(gateway, 'BTC');
      await rig.step([gateway]);
      await expectExact(rig, gateway, 'BTC');
    }
    expect(sequencer.leads).toBe(true);
    const epochs = new Set(gateway.blocks.map(({ epoch }) => epoch)).size;
    expect(sequencer.health().cluster?.terms).toBe(epochs);
    // A killed server may lose acknowledged messages; then a new epoch begins.
    expect(epochs === 1 ? handedOut(gateway, 'BTC').length : 10).toBe(10);
    expect(holes(gateway, 'BTC')).toEqual([]);
  });

  test('rebuilds every book, counts it and hides no gap if the stream no longer has what it missed', async () => {
    const rig = await startRig();
    await rig.sequencer();
    const [cut, other] = [await rig.gateway(), await rig.gateway()];
    for (const { feed } of [cut, other]) for (const coin of ['BTC', 'ETH']) feed.acquire(coin);
    for (const gateway of [cut, other]) await live(gateway, 'BTC', 'ETH');
    await rig.step([cut, other]);
    cut.way.refuse();
    cut.way.cut();
    await told(cut, 'stale', () => cut.feed.bookStatus('BTC').state === 'stale');
    for (let count = 0; count < 4; count += 1) await rig.step([other], ['BTC']);
    await rig.forgetStream();
    cut.way.accept();
    await told(cut, 'the gap', () => cut.feed.health().cluster?.gaps === 1);
    // ETH was quiet meanwhile, which the gateway cannot know.
    const rebuilds = () => cut.feed.health().coins.map(({ rebuilds: count, lastLoss }) => `${count} ${lastLoss}`);
    await told(cut, 'the rebuilds', () => rebuilds().join() === '1 cluster-gap,1 cluster-gap');
    await live(cut, 'BTC', 'ETH');
    await rig.step([cut, other]);
    for (const coin of ['BTC', 'ETH']) await expectExact(rig, cut, coin);
    expect(holes(cut, 'BTC')).toHaveLength(1);
    expect(holes(other, 'BTC')).toEqual([]);
  });

  test('includes in a snapshot every block that another gateway published before the request', async () => {
    const rig = await startRig();
    await rig.sequencer();
    const [slow, other] = [await rig.gateway(), await rig.gateway()];
    for (const { feed } of [slow, other]) feed.acquire('BTC');
    await live(slow, 'BTC');
    await live(other, 'BTC');
    slow.way.delay(150);
    for (let count = 0; count < 5; count += 1) {
      await rig.step([other]);
      await expectExact(rig, slow, 'BTC');
    }
    expect(slow.feed.health().cluster?.gaps).toBe(0);
  });
});

describe('blocks from before a gateway held a coin', () => {
  const query = (coins: readonly string[], more: Partial<EarlierQuery> = {}): EarlierQuery => {
    return { coins, all: coins, keepMs: 60_000, bytesMax: 100_000_000, ...more };
  };
  const patience = () => AbortSignal.timeout(120_000);
  const blocksOf = ({ blocks }: EarlierBlocks) => ({ blocks: blocks.map(({ block }) => block) });

  test('are those that another gateway published, up to its own first, within the bounds', async () => {
    const rig = await startRig();
    await rig.sequencer();
    const other = await rig.gateway();
    for (const coin of ['BTC', 'ETH']) other.feed.acquire(coin);
    await live(other, 'BTC', 'ETH');
    for (let count = 0; count < 10; count += 1) await rig.step([other]);
    const fresh = await rig.gateway();
    fresh.feed.acquire('BTC');
    await live(fresh, 'BTC');
    await rig.step([other, fresh]);
    const earlier = await fresh.feed.earlier(query(['BTC']), patience());
    await rig.step([other, fresh]);
    const joined = new Set([...handedOut(blocksOf(earlier), 'BTC'), ...handedOut(fresh, 'BTC')]);
    expect([...joined]).toEqual(handedOut(other, 'BTC'));
    expect(handedOut(blocksOf(earlier), 'ETH')).toEqual([]);
    expect([earlier.epoch, earlier.seqs]).toEqual([other.blocks[0]?.epoch, { BTC: 11 }]);
    expect(earlier.blocks.every(({ ageMs }) => ageMs >= 0)).toBe(true);
    const bytesIn = ({ blocks }: EarlierBlocks) =>
      blocks.reduce((sum, { block }) => sum + (block.entries[0]?.book.plain.length ?? 0), 0);
    const bytesMax = Math.floor(bytesIn(earlier) / 2);
    const some = await fresh.feed.earlier(query(['BTC'], { all: [], bytesMax }), patience());
    expect(bytesIn(some)).toBeLessThanOrEqual(bytesMax);
    expect(some.blocks.length).toBeGreaterThan(0);
    const heights = blocksOf(some).blocks.map(({ height }) => height);
    expect(heights).toEqual(heights.map((_, place) => rig.upstream.height - heights.length + 1 + place));
    fresh.way.delay(100);
    await rig.step([other]);
    expect((await fresh.feed.earlier(query([]), patience())).blocks).toEqual([]);
    expect(fresh.blocks.at(-1)?.height).toBe(rig.upstream.height);
    const nothing = await fresh.feed.earlier(query([]), patience());
    expect(nothing).toEqual({ epoch: earlier.epoch, blocks: [], seqs: {} });
  });

  test('do not reach across a gap or a takeover, and cannot be read while NATS is disconnected', async () => {
    const rig = await startRig(['BTC']);
    const first = await rig.sequencer();
    const gateway = await rig.gateway();
    gateway.feed.acquire('BTC');
    await live(gateway, 'BTC');
    await rig.step([gateway]);
    await rig.forgetStream();
    for (let count = 0; count < 2; count += 1) await rig.step([gateway]);
    const heights = async () =>
      blocksOf(await gateway.feed.earlier(query(['BTC']), patience())).blocks.map(({ height }) => height);
    expect(await heights()).toEqual([rig.upstream.height - 1, rig.upstream.height]);
    gateway.way.refuse();
    gateway.way.cut();
    await told(gateway, 'stale', () => gateway.feed.bookStatus('BTC').state === 'stale');
    await expect(gateway.feed.earlier(query(['BTC']), AbortSignal.timeout(20))).rejects.toThrow();
    gateway.way.accept();
    await live(gateway, 'BTC');
    expect(await heights()).toHaveLength(2);
    const second = await rig.sequencer();
    await first.sequencer[Symbol.asyncDispose]();
    await told(second, 'the takeover', () => second.sequencer.leads);
    await told(gateway, 'another term', () => gateway.feed.health().cluster?.terms === 2);
    await live(gateway, 'BTC');
    await rig.step([gateway]);
    expect(await heights()).toEqual([rig.upstream.height]);
  });
});

describe('sequencers', () => {
  test('depose a leader that is cut off: the standby begins a new epoch, and the stream refuses what the old one sends later', async () => {
    const rig = await startRig();
    const first = await rig.sequencer();
    await told(first, 'a leader', () => first.sequencer.leads);
    const second = await rig.sequencer();
    const gateway = await rig.gateway();
    gateway.feed.acquire('BTC');
    await live(gateway, 'BTC');
    await rig.step([gateway]);
    const epoch = gateway.blocks[0]?.epoch;
    expect(second.sequencer.leads).toBe(false);
    first.way.stall();
    // What the stalled leader publishes from now on is delayed.
    rig.upstream.step();
    await told(second, 'the takeover', () => second.sequencer.leads);
    await told(gateway, 'another epoch', async () => {
      rig.upstream.step();
      await new Promise((resolve) => setTimeout(resolve, 20));
      return gateway.blocks.at(-1)?.epoch !== epoch;
    });
    const before = gateway.blocks.length;
    first.way.resume();
    await told(first, 'it steps down', () => !first.sequencer.leads);
    for (let count = 0; count < 3; count += 1) await rig.step([gateway]);
    expect(gateway.blocks.slice(before).filter((block) => block.epoch === epoch)).toEqual([]);
    await live(gateway, 'BTC');
    await expectExact(rig, gateway, 'BTC');
    expect(holes(gateway, 'BTC')).toEqual([]);
    expect(gateway.feed.health().cluster?.terms).toBe(2);
  });

  test('receive the requests for books from the moment their term can be read, whoever else is still subscribed', async () => {
    const rig = await startRig(['BTC']);
    const dial = async () => {
      const connection = await connect({ servers: `127.0.0.1:${rig.nats.port}` });
      onTestFinished(() => connection.close());
      return connection;
    };
    // A deposed leader that hangs: it is subscribed and never responds.
    const hanging = await dial();
    hanging.subscribe(SNAPSHOT_SUBJECT, { callback: () => {} });
    await hanging.flush();
    const gateway = await dial();
    const terms: unknown[] = [];
    const asked = new Promise<Uint8Array>((resolve, reject) => {
      gateway.subscribe('l4desk.>', {
        max: 1,
        callback: (_, { data }) => {
          terms.push(readFrame(data)?.term);
          gateway
            .request(SNAPSHOT_SUBJECT, 'BTC', { timeout: 120_000 })
            .then((response) => resolve(response.data), reject);
        },
      });
    });
    await gateway.flush();
    await rig.sequencer();
    terms.push(readFrame(await asked)?.term);
    expect(terms[0]).toBeTypeOf('string');
    expect(terms[1]).toBe(terms[0]);
  });

  test('take over 50 times in a row, each time with one new epoch, no hidden gap and exact books at every gateway', async () => {
    const rig = await startRig(['BTC']);
    const gateways = await Promise.all([rig.gateway(), rig.gateway()]);
    for (const { feed } of gateways) feed.acquire('BTC');
    let leader = await rig.sequencer();
    for (let term = 1; term <= 50; term += 1) {
      for (const gateway of gateways) {
        // A gateway that has not heard from the new leader still has the previous one's book, live.
        await told(gateway, 'the new term', () => gateway.feed.health().cluster?.terms === term);
        await live(gateway, 'BTC');
      }
      for (let block = 0; block < 3; block += 1) await rig.step(gateways);
      for (const gateway of gateways) {
        expect(new Set(gateway.blocks.map(({ epoch }) => epoch)).size).toBe(term);
        expect(holes(gateway, 'BTC')).toEqual([]);
        await expectExact(rig, gateway, 'BTC');
      }
      const standby = await rig.sequencer();
      await leader.sequencer[Symbol.asyncDispose]();
      await told(standby, 'the takeover', () => standby.sequencer.leads);
      leader = standby;
    }
  });

  test('report that NATS cannot keep the requested replicas', async () => {
    const rig = await startRig(['BTC']);
    const { sequencer } = await rig.sequencer(undefined, undefined, 3);
    await until('the problem', () => /replicas/.test(sequencer.health().cluster?.natsProblem ?? ''));
    expect(sequencer.leads).toBe(false);
  });

  test('hand over at once when stopped, and take over from a vanished leader after the lease expires', async () => {
    const rig = await startRig();
    const first = await rig.sequencer(LEASE_TIMES);
    await told(first, 'a leader', () => first.sequencer.leads);
    const second = await rig.sequencer(LEASE_TIMES);
    await first.sequencer[Symbol.asyncDispose]();
    await told(second, 'the takeover', () => second.sequencer.leads);
    const { renewMs, checkMs, expiresMs } = LEASE_TIMES;
    // Within 5 s, with time left for beginning a term; and a leader that misses two renewals keeps its lease.
    expect(expiresMs + 2 * checkMs).toBeLessThanOrEqual(3_500);
    expect(expiresMs).toBeGreaterThan(3 * renewMs);
  });
});
