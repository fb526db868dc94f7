import { L4Book } from '@l4desk/book';
import { wallet } from '@l4desk/testkit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LADDER_REQUEST } from '../../test-support/ladder-frame.ts';
import { must } from '../../test-support/must.ts';
import { integrityOf } from '../integrity.ts';
import type { LadderFrame, LadderRequest } from '../ladder-frame.ts';
import type { LiveStatus } from '../messages.ts';
import { paneRequest } from '../panes.ts';
import type { ExportOutcome } from '../recorded.ts';
import { FakeWorker } from '../test-support/fake-worker.ts';
import { ticksOf } from './book-ticks.ts';

let worker: FakeWorker;

beforeEach(() => {
  worker = new FakeWorker();
  worker.postMessage({ kind: 'follow', generation: 1, coin: 'BTC' });
});

const statuses = () =>
  worker.waiting.flatMap((message) => (message.kind === 'book' && message.status ? [message.status] : []));

/** The rows that a ladder draws next. */
const rowsOf = (change: Partial<LadderRequest> = {}): LadderFrame | undefined =>
  worker.openCanvas().rows({ ...LADDER_REQUEST, notional: 'row', ...change });

const frameOf = (change: Partial<LadderRequest> = {}): LadderFrame => must(rowsOf(change), 'frame');

function lastStatus(): LiveStatus {
  return must(statuses().at(-1), 'status');
}

/** Expects a frame's rows of each side to equal the book's own. */
function expectRows({ grid, rows }: LadderFrame, book: L4Book): void {
  for (const side of ['A', 'B'] as const) {
    const own = rows.filter((row) => row.side === side);
    const wanted = book.rows(side, { tick: grid.tick, limit: own.length });
    expect(own.map(({ sz, cumSz, notional, count }) => [sz, cumSz, notional, count])).toEqual(
      wanted.map(({ sz, cumSz, notional, count }) => [sz, cumSz, notional, count]),
    );
  }
}

const trueBook = (coin = 'BTC') => L4Book.build(coin, worker.follower.levels(coin)).book;

describe('the rows of a ladder', () => {
  it('are those of the newest block, with the coin and the tick, once there is a book', () => {
    expect(rowsOf()).toBeUndefined();
    worker.follower.goLive('BTC');
    for (const height of [100, 101, 102]) {
      const frame = frameOf();
      expect(frame).toMatchObject({ coin: 'BTC', height, seq: height - 99 });
      expect(frame.rows.length).toBeGreaterThan(5);
      expectRows(frame, trueBook());
      worker.follower.block('BTC');
    }
  });

  it('are announced to every second ladder a frame later', () => {
    worker.follower.goLive('BTC');
    worker.runTimers();
    const heard: number[] = [];
    for (const ladder of [0, 1, 2]) worker.openCanvas().listen(() => heard.push(ladder));
    worker.follower.block('BTC');
    expect(heard).toEqual([0, 2]);
    worker.runTimers();
    expect(heard).toEqual([0, 2, 1]);
  });

  it('are not announced while the page is hidden, and exact at once after it', () => {
    worker.follower.goLive('BTC');
    worker.postMessage({ kind: 'look', isVisible: false });
    worker.deliver();
    const heard: boolean[] = [];
    worker.openCanvas().listen((isOther) => heard.push(isOther));
    worker.blocks(200);
    worker.runTimers();
    expect([worker.shown(), heard]).toEqual([[], []]);
    worker.postMessage({ kind: 'look', isVisible: true });
    expect([worker.shown().at(-1)?.height, frameOf().height]).toEqual([300, 300]);
    expectRows(frameOf(), trueBook());
  });

  it('begin with the first order of a book that was empty when built, whose prices refine the ticks', () => {
    worker.follower.makeEmpty('BTC');
    worker.follower.goLive('BTC');
    expect([rowsOf(), lastStatus().ticks]).toEqual([undefined, []]);
    worker.follower.block('BTC');
    const first = frameOf();
    expect(first.height).toBe(101);
    expect(first.rows.length).toBeGreaterThan(0);
    expectRows(first, trueBook());
    worker.blocks(30);
    expectRows(frameOf(), trueBook());
    expect(frameOf().grid.tick).toBe(ticksOf(trueBook())[0]);
    worker.postMessage({ kind: 'hold', hold: undefined });
    expect(lastStatus().ticks).toEqual(ticksOf(trueBook()));
  });

  it('use the finest tick when the coin does not offer the requested one', () => {
    worker.follower.goLive('BTC');
    expect(frameOf({ tick: '0.00001' }).grid.tick).toBe(lastStatus().ticks[0]);
  });

  it('are grouped exactly by every offered tick', () => {
    worker.follower.goLive('BTC');
    const { ticks } = lastStatus();
    expect(ticks.slice(0, 4)).toEqual(['0.1', '0.2', '0.5', '1']);
    for (const tick of ticks) expectRows(frameOf({ tick }), trueBook());
  });

  it('have the best prices of a grouping in their rows: the bid rounded down, the ask up', () => {
    worker.follower.goLive('BTC');
    for (const tick of lastStatus().ticks) {
      const { bid, ask, touch } = frameOf({ tick });
      const step = Number(tick);
      expect(touch.bid).toBe(Math.floor(Number(bid) / step + 1e-6));
      expect(touch.ask).toBe(Math.ceil(Number(ask) / step - 1e-6));
    }
  });
});

describe('another coin', () => {
  it('never sends what belongs to the previous coin', () => {
    worker.follower.goLive('BTC');
    const heard: boolean[] = [];
    worker.openCanvas().listen((isOther) => heard.push(isOther));
    worker.deliver();
    worker.postMessage({ kind: 'follow', generation: 2, coin: 'ETH' });
    expect(heard[0], 'the canvas is cleared').toBe(true);
    expect(rowsOf()).toBeUndefined();
    worker.follower.goLive('ETH');
    expect(frameOf().coin).toBe('ETH');
    expect(worker.shown().map(({ coin, generation }) => [coin, generation])).toContainEqual(['ETH', 2]);
    expect(worker.shown().every(({ coin }) => coin === 'ETH')).toBe(true);
    expect(worker.follower.coins).toEqual(['ETH']);
    expect(lastStatus()).toMatchObject({ coin: 'ETH', generation: 2 });
  });

  it('ignores what still comes of the previous coin', () => {
    worker.follower.goLive('BTC');
    worker.postMessage({ kind: 'follow', generation: 2, coin: 'ETH' });
    worker.follower.goLive('ETH');
    worker.deliver();
    for (const coin of ['BTC', 'ETH'])
      worker.follower.emit({ kind: 'findings', coin, findings: [{ kind: 'crossed', bid: '2', ask: '1' }] });
    const noted = worker.waiting.flatMap((message) => (message.kind === 'journal' ? [message.entry] : []));
    expect(noted.map(({ kind, coin }) => `${coin} ${kind}`)).toEqual(['ETH finding']);
  });
});

it('a retry follows over a new connection, and closes the last one', () => {
  worker.follower.goLive('BTC');
  worker.postMessage({ kind: 'retry' });
  expect(worker.followers.map(({ connection }) => connection.kind)).toEqual(['stopped', 'open']);
});

describe('pause', () => {
  it('does not carry over to another coin', () => {
    worker.follower.goLive('BTC');
    worker.postMessage({ kind: 'pause', paused: true });
    worker.postMessage({ kind: 'follow', generation: 2, coin: 'ETH' });
    expect(lastStatus().frozen).toBeUndefined();
  });

  it('holds nothing without a book', () => {
    worker.postMessage({ kind: 'pause', paused: true });
    expect(lastStatus().frozen).toBeUndefined();
  });
});

describe('a hold at a future block', () => {
  const hold = (height: number, coin = 'BTC') => worker.postMessage({ kind: 'hold', hold: { coin, height } });

  it('holds the book as it is right after that block', () => {
    worker.follower.goLive('BTC');
    hold(103);
    expect(lastStatus()).toMatchObject({ holdAt: 103, builtAt: 100 });
    worker.blocks(3);
    const book = trueBook();
    worker.blocks(20);
    expect(lastStatus()).toMatchObject({ holdAt: undefined, frozen: { height: 103, asked: 103 } });
    expect(frameOf().height).toBe(103);
    expectRows(frameOf(), book);
  });

  it('waits for the coin and for its book', () => {
    hold(101, 'ETH');
    worker.follower.goLive('BTC');
    worker.follower.block('BTC');
    expect(lastStatus()).toMatchObject({ holdAt: undefined, frozen: undefined });
    worker.postMessage({ kind: 'follow', generation: 2, coin: 'ETH' });
    expect(lastStatus().holdAt).toBe(101);
    worker.follower.goLive('ETH');
    worker.follower.block('ETH');
    expect(lastStatus()).toMatchObject({ coin: 'ETH', frozen: { height: 101 } });
  });

  it('holds the current block at once, and nothing for a past one', () => {
    worker.follower.goLive('BTC');
    hold(99);
    expect(lastStatus()).toMatchObject({ holdAt: undefined, frozen: undefined });
    hold(100);
    expect(lastStatus().frozen).toMatchObject({ height: 100, asked: 100 });
  });

  it('holds at the next block that changed the book when the requested one changed nothing', () => {
    worker.follower.goLive('BTC');
    hold(103);
    worker.follower.block('BTC');
    worker.follower.block('BTC', 4);
    worker.follower.block('BTC');
    expect(lastStatus()).toMatchObject({ holdAt: undefined, frozen: { height: 105, asked: 103 } });
  });

  it('can be cancelled', () => {
    worker.follower.goLive('BTC');
    hold(101);
    worker.postMessage({ kind: 'hold', hold: undefined });
    worker.follower.block('BTC');
    worker.runTimers();
    expect(lastStatus()).toMatchObject({ holdAt: undefined, frozen: undefined });
  });
});

it('a pong counts as a message while the coin is quiet', () => {
  worker.follower.goLive('BTC');
  worker.runTimers();
  worker.follower.now += 2_000;
  worker.follower.pong('BTC');
  worker.runTimers();
  worker.runTimers();
  expect(lastStatus().lastMessageAt).toBe(worker.follower.now);
});

describe('the source of a coin without blocks', () => {
  const cut = { upstreamL4: { status: 'failed', problem: 'refused' }, books: {} };

  /** Advances time, runs every pending timer, and delivers the service's responses. */
  async function pass(ms: number): Promise<void> {
    worker.follower.now += ms;
    worker.runTimers();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    worker.runTimers();
  }

  it('is checked after a while without a block, and its loss is reported', async () => {
    worker.follower.goLive('BTC');
    const since = worker.follower.now;
    await pass(1_000);
    expect(worker.looks).toBe(0);
    await pass(3_000);
    expect(worker.looks).toBe(1);
    expect(lastStatus().source).toEqual({ kind: 'live', at: since + 4_000 });
    worker.readiness = () => cut;
    await pass(3_000);
    await pass(3_000);
    expect(worker.looks).toBe(3);
    expect(lastStatus().source).toEqual({
      kind: 'stale',
      reason: 'the service is disconnected from the exchange’s feed: refused',
      since: since + 4_000,
    });
    worker.follower.block('BTC');
    worker.runTimers();
    expect(lastStatus().source).toBeUndefined();
  });

  it('is not checked while the page is hidden, and at once when it is visible again', async () => {
    worker.follower.goLive('BTC');
    worker.postMessage({ kind: 'look', isVisible: false });
    await pass(4_000);
    expect(worker.looks).toBe(0);
    worker.postMessage({ kind: 'look', isVisible: true });
    expect(worker.looks).toBe(1);
  });

  it('counts as lost when the service does not respond', async () => {
    worker.follower.goLive('BTC');
    worker.readiness = () => Promise.reject(new TypeError('Failed to fetch'));
    await pass(4_000);
    expect(lastStatus().source).toMatchObject({ kind: 'stale', since: worker.follower.now - 4_000 });
  });

  it('is checked as soon, and reported as soon, after the clock was set back', async () => {
    worker.follower.goLive('BTC');
    await pass(4_000);
    expect(worker.looks).toBe(1);
    worker.follower.now -= 3_600_000;
    await pass(3_000);
    expect(worker.looks).toBe(2);
    worker.runTimers();
    worker.follower.now -= 3_600_000;
    worker.follower.block('BTC');
    expect(Math.max(...worker.waits)).toBeLessThanOrEqual(1_000);
  });

  it('makes the page fetch the book again when the service stays ahead', async () => {
    worker.follower.goLive('BTC');
    const ahead = worker.follower.readiness();
    ahead.books.BTC.seq = 2;
    worker.readiness = () => ahead;
    await pass(4_000);
    expect(worker.follower.missedCoins).toMatchObject([{ coin: 'BTC', reason: 'upstream-gap' }]);
  });

  it('is not lost when the response only overtook a block', async () => {
    worker.follower.goLive('BTC');
    const ahead = worker.follower.readiness();
    ahead.books.BTC.seq = 2;
    worker.readiness = () => {
      worker.follower.block('BTC');
      return ahead;
    };
    await pass(4_000);
    expect(worker.looks).toBe(1);
    expect(worker.follower.missedCoins).toEqual([]);
    expect(lastStatus().source).toBeUndefined();
  });
});

it('a verification reports why it failed', async () => {
  worker.follower.goLive('BTC');
  worker.follower.verification = Promise.reject(new Error('the service could not be reached'));
  worker.postMessage({ kind: 'verify' });
  const failed = { kind: 'failed', detail: 'the service could not be reached' };
  await expect.poll(() => lastStatus().verification).toMatchObject(failed);
});

describe('the panes', () => {
  it('have their block, its counts, best prices and clock, paused or not', () => {
    worker.follower.goLive('BTC');
    for (const paused of [false, true, false]) {
      worker.postMessage({ kind: 'pause', paused });
      const held = trueBook();
      worker.blocks(30);
      worker.follower.now += 700;
      const book = paused ? held : trueBook();
      const frame = worker.frame();
      expect([frameOf().height, frameOf().seq]).toEqual([frame.height, frame.seq]);
      expect(frame).toMatchObject({
        coin: 'BTC',
        generation: 1,
        frozen: paused,
        best: { bid: book.best('B')?.px, ask: book.best('A')?.px },
        counts: { bids: book.orderCountOf('B'), asks: book.orderCountOf('A') },
        clock: paused ? frame.blockTime : frame.blockTime + 700,
        at: worker.follower.now,
      });
    }
  });

  it('say where the mid last went, as the ladder does, which reads more blocks', () => {
    worker.follower.goLive('BTC');
    let before = Number(frameOf().mid);
    let expected: string | undefined;
    for (let round = 0; round < 30; round += 1) {
      for (let block = 0; block < 10; block += 1) {
        worker.follower.block('BTC');
        const { mid, direction } = frameOf();
        if (Number(mid) !== before) expected = Number(mid) > before ? 'up' : 'down';
        before = Number(mid);
        expect(direction).toBe(expected);
      }
      expect(worker.frame().direction).toBe(expected);
    }
    expect(expected).toBeDefined();
  });

  it('are all of the block that is shown with them, whatever blocks arrive before the page has them', () => {
    worker.follower.goLive('BTC');
    worker.frame({ map: { bars: 4 }, figures: {}, owners: { withinBps: '100', limit: 5 } });
    worker.deliver();
    for (let round = 0; round < 2; round += 1) {
      worker.follower.now += 1_000;
      worker.follower.block('BTC');
      worker.postMessage({ kind: 'hold', hold: undefined });
      // Comes before the page has any pane of the round.
      worker.follower.block('BTC');
      worker.runTasks();
    }
    const rounds: number[][] = [];
    for (const message of worker.waiting) {
      if (message.kind !== 'book') continue;
      if (message.shown !== undefined) rounds.push([message.shown.height]);
      rounds.at(-1)?.push(...Object.values(message.panes).map(({ height }) => height));
    }
    expect(rounds).toEqual([
      [101, 101, 101, 101],
      [103, 103, 103, 103],
    ]);
  });

  /** A map of block 101 is computed, and yet to be sent. */
  function computeMap(): void {
    worker.follower.goLive('BTC');
    worker.frame({ map: { bars: 4 } });
    worker.follower.now += 1_000;
    worker.follower.block('BTC');
    worker.deliver();
    worker.postMessage({ kind: 'hold', hold: undefined });
  }

  it('of a live book are sent one a task, and none of them once the book is held', () => {
    worker.follower.goLive('BTC');
    worker.frame({ map: { bars: 4 }, figures: {} });
    worker.follower.now += 1_000;
    worker.follower.block('BTC');
    worker.deliver();
    worker.postMessage({ kind: 'hold', hold: undefined });
    const sent = () => [worker.shown().length, worker.results('map').length, worker.results('figures').length];
    expect(sent()).toEqual([1, 0, 0]);
    while (worker.results('map').length === 0 && worker.runTask());
    expect(sent()).toEqual([1, 1, 0]);
    worker.pause(true);
    const held = worker.waiting.length;
    worker.runTasks();
    expect(worker.waiting).toHaveLength(held);
    const [last] = worker.results('figures').slice(-1);
    expect(last).toMatchObject({ height: 101, frozen: true });
  });

  it('of a live book are never older than what was sent before, also if they are requested again meanwhile', () => {
    computeMap();
    // Too soon for another map: that of the first block is yet to be sent.
    worker.follower.block('BTC');
    worker.postMessage({ kind: 'hold', hold: undefined });
    const request = paneRequest('map', { bars: 4 });
    worker.postMessage({ kind: 'pane', request, isOpen: false });
    worker.postMessage({ kind: 'pane', request, isOpen: true });
    worker.runTasks();
    expect(worker.results('map').map(({ height }) => height)).toEqual([102]);
  });

  it('of a live book that another one replaces meanwhile are still those of their own', () => {
    computeMap();
    worker.follow('ETH', 2);
    worker.runTasks();
    const generations = worker.waiting.flatMap((message) =>
      message.kind === 'book' ? Object.keys(message.panes).map(() => message.generation) : [],
    );
    expect(generations).toEqual([1]);
  });

  it('of a live book are still sent when the page is hidden meanwhile', () => {
    computeMap();
    worker.postMessage({ kind: 'look', isVisible: false });
    worker.postMessage({ kind: 'hold', hold: undefined });
    worker.runTasks();
    expect(worker.results('map').map(({ height }) => height)).toEqual([101]);
  });

  it('are published again with a pane that is requested for a newer block', () => {
    worker.follower.goLive('BTC');
    worker.runTimers();
    worker.frame({ figures: {} });
    worker.follower.block('BTC');
    worker.deliver();
    const request = paneRequest('owners', { withinBps: '100', limit: 5 });
    worker.postMessage({ kind: 'pane', request, isOpen: true });
    worker.runTasks();
    const heights = worker.waiting.flatMap((message) =>
      message.kind === 'book' ? Object.values(message.panes).map(({ height }) => height) : [],
    );
    expect(heights).toEqual([101, 101]);
    expect(worker.shown().map(({ height }) => height)).toEqual([101]);
  });

  it('respond to a new request at once, without waiting for a block', () => {
    worker.follower.goLive('BTC');
    worker.deliver();
    const px = must(trueBook().best('A')?.px, 'asks');
    const level = { side: 'A', px, tick: '0.5' } as const;
    const request = paneRequest('level', { level, isBest: false, view: null, from: 0, length: 5, chosen: null });
    worker.postMessage({ kind: 'pane', request, isOpen: true });
    expect(worker.results('level')).toMatchObject([{ count: expect.any(Number), height: 100 }]);
    worker.deliver();
    worker.postMessage({ kind: 'pane', request, isOpen: false });
    worker.follower.block('BTC');
    worker.postMessage({ kind: 'hold', hold: undefined });
    expect(worker.results('level')).toEqual([]);
  });

  it('are five times a second at most while blocks arrive, and the last one is that of the last block', () => {
    worker.follower.goLive('BTC');
    worker.runTimers();
    worker.frame({ map: { bars: 4 }, figures: {} });
    worker.deliver();
    worker.blocks(30);
    expect(worker.shown()).toEqual([]);
    const seen: number[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      worker.follower.now += 200;
      worker.runTimers();
      for (const { height } of [...worker.results('map'), ...worker.results('figures')]) seen.push(height);
      worker.deliver();
    }
    // The map is due only once a second.
    expect(seen).toEqual([130, 130]);
  });

  it('have what became of a queue for one order, and only the places of all', () => {
    worker.follower.goLive('BTC');
    worker.postMessage({ kind: 'wallets', wallets: [must(worker.follower.levels('BTC')[0][0]?.user, 'an owner')] });
    const listed = must(worker.frame({ queues: { limit: 1 } }).queues?.orders[0], 'an order');
    const { order } = must(worker.frame({ queue: { oid: listed.oid } }).queue, 'its queue');
    expect(listed).not.toHaveProperty('life');
    expect(order).toEqual({ ...listed, life: expect.objectContaining({ oid: listed.oid }) });
  });

  it('do not stand still after the clock was set back', () => {
    worker.follower.goLive('BTC');
    worker.runTimers();
    worker.frame({ map: { bars: 4 } });
    worker.deliver();
    worker.follower.now -= 3_600_000;
    worker.follower.block('BTC');
    worker.runTimers();
    expect(worker.results('map').map(({ height }) => height)).toEqual([101]);
  });
});

describe('when the credits have run out', () => {
  const credits = { used: 1_200, limit: 1_200, resetsAt: Date.UTC(2026, 11, 1) };

  /** Lets pending service responses arrive. */
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };

  async function runOut(): Promise<void> {
    worker.follower.goLive('BTC');
    worker.credits = credits;
    worker.follower.stop({ kind: 'credits', message: 'credits exhausted' });
    await settle();
  }

  it('checks again by itself, and follows the coin again once there are credits', async () => {
    await runOut();
    worker.runTimers();
    await settle();
    expect(worker.followers).toHaveLength(1);
    worker.credits = null;
    worker.runTimers();
    await settle();
    expect(worker.followers).toHaveLength(2);
    expect(lastStatus().shortage).toBeUndefined();
    worker.follower.goLive('BTC');
    expect(lastStatus()).toMatchObject({ coin: 'BTC', state: { kind: 'live' } });
  });

  it('tries another coin, and is unavailable instead of starting forever', async () => {
    await runOut();
    worker.postMessage({ kind: 'follow', generation: 2, coin: 'ETH' });
    expect(worker.follower.coins).toEqual(['ETH']);
    expect(lastStatus()).toMatchObject({ generation: 2, coin: 'ETH', shortage: { credits } });
    expect(integrityOf(lastStatus(), worker.follower.now, 'simulated').state).toBe('unavailable');
  });

  it('distinguishes a socket refused from the start from a service that does not respond', async () => {
    const refuse = () => worker.follower.lose({ kind: 'failed', message: '' });
    refuse();
    await settle();
    expect(lastStatus().shortage).toBeUndefined();
    worker.credits = credits;
    refuse();
    await settle();
    expect(lastStatus().shortage).toMatchObject({ credits });
    expect(worker.follower.connection.kind, 'it does not go on trying').toBe('stopped');
  });

  it('asks again when the service reported a shortage and then does not respond', async () => {
    worker.follower.goLive('BTC');
    worker.noCredits = () => Promise.reject(new Error('no response'));
    worker.follower.stop({ kind: 'credits', message: 'credits exhausted' });
    await settle();
    expect(lastStatus().shortage).toMatchObject({ credits: undefined });
    worker.runTimers();
    await settle();
    expect(worker.followers).toHaveLength(1);
    worker.noCredits = undefined;
    worker.runTimers();
    await settle();
    expect(worker.followers).toHaveLength(2);
  });
});

it('journal and watch rules apply to the followed coin, from the first one on', () => {
  worker.postMessage({ kind: 'rules', rules: [{ kind: 'place', user: wallet(1), place: 1 }] });
  worker.follower.goLive('BTC');
  const hits = () => worker.waiting.flatMap((message) => (message.kind === 'hits' ? message.hits : []));
  for (let block = 0; hits().length === 0 && block < 1_000; block += 1) {
    worker.follower.block('BTC');
    worker.runTimers();
  }
  const entries = worker.waiting.flatMap((message) => (message.kind === 'journal' ? [message.entry] : []));
  expect(entries.map(({ kind, coin }) => `${coin} ${kind}`)).toEqual(['BTC built']);
  expect(hits()).toMatchObject([{ hit: { coin: 'BTC', facts: { kind: 'place', user: wallet(1) } } }]);
});

describe('while a recording is shown', () => {
  const returned = () => worker.waiting.flatMap((message) => (message.kind === 'returned' ? [message.value] : []));

  /** Exports a few blocks that the worker has kept, and shows them as a recording. */
  async function showRecording(): Promise<void> {
    worker.follower.goLive('BTC');
    worker.runTimers();
    worker.blocks(5);
    worker.postMessage({ kind: 'call', serial: 1, call: { name: 'exportPast', given: 'a test' } });
    await expect.poll(returned).toMatchObject([{ kind: 'exported' }]);
    const { file, name } = returned()[0] as Extract<ExportOutcome, { kind: 'exported' }>;
    worker.postMessage({ kind: 'call', serial: 2, call: { name: 'openRecording', given: { file, name } } });
    await expect.poll(() => returned()[1]).toEqual({ kind: 'opened', coin: 'BTC' });
  }

  it('says why the kept minutes cannot be saved in a browser that cannot compress them', async () => {
    vi.stubGlobal('CompressionStream', undefined);
    worker.follower.goLive('BTC');
    worker.runTimers();
    worker.follower.block('BTC');
    worker.postMessage({ kind: 'call', serial: 1, call: { name: 'exportPast', given: 'a test' } });
    await expect
      .poll(() => returned())
      .toEqual([{ kind: 'refused', problem: expect.stringMatching(/^The kept minutes cannot be saved: .+\.$/) }]);
  });

  it('does not follow the live book, and reports the recording in the status', async () => {
    await showRecording();
    expect(worker.follower.coins).toEqual([]);
    expect(lastStatus()).toMatchObject({ coin: 'BTC', position: undefined, frozen: { height: 100 } });
    expect(integrityOf(lastStatus(), worker.follower.now, 'simulated')).toMatchObject({
      state: 'recorded',
      headline: 'RECORDED',
    });
    worker.postMessage({ kind: 'verify' });
    worker.postMessage({ kind: 'pause', paused: false });
    expect(lastStatus()).toMatchObject({ verification: undefined, frozen: { height: 100 } });
    expect(frameOf().height).toBe(100);
  });

  it('compares two of its blocks once both are read', async () => {
    await showRecording();
    const seen = () => worker.results('difference');
    worker.postMessage({ kind: 'pane', request: paneRequest('difference', { since: 104, limit: 10 }), isOpen: true });
    expect(seen()).toEqual([]);
    for (const height of [104, 100]) worker.postMessage({ kind: 'travel', to: { kind: 'height', height } });
    await expect.poll(() => seen().at(-1)).toMatchObject({ from: { height: 100 }, to: { height: 104 } });
  });

  it('follows the coin again when closed, shows no row of the recording again, and journals what was not seen', async () => {
    await showRecording();
    worker.deliver();
    const heard: boolean[] = [];
    worker.openCanvas().listen((isOther) => heard.push(isOther));
    worker.postMessage({ kind: 'closeRecording', generation: 2 });
    expect([heard[0], rowsOf()]).toEqual([true, undefined]);
    expect(worker.follower.coins).toEqual(['BTC']);
    expect(integrityOf(lastStatus(), worker.follower.now, 'simulated').state).toBe('waiting');
    worker.follower.goLive('BTC', { height: 130, seq: 31 });
    expect(frameOf().height).toBe(130);
    expect(lastStatus()).toMatchObject({ gaps: 1, lastGap: { detail: expect.stringContaining('recording') } });
    expect(integrityOf(lastStatus(), worker.follower.now, 'simulated').state).toBe('live');
    const noted = worker.waiting.flatMap((message) => (message.kind === 'journal' ? [message.entry] : []));
    expect(noted).toMatchObject([{ kind: 'rebuilt', reason: 'recording' }]);
  });
});
