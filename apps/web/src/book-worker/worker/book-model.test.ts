import { L4Book } from '@l4desk/book';
import { wallet } from '@l4desk/testkit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { must } from '../../test-support/must.ts';
import { type LadderFrame, readFrame } from '../frame/read-frame.ts';
import { integrityOf } from '../integrity.ts';
import type { FrameAsk, LiveStatus } from '../messages.ts';
import type { LevelAsk, LevelResponse } from '../panes/level.ts';
import type { PanesFrame } from '../panes.ts';
import { FakeWorker } from '../test-support/fake-worker.ts';
import { ticksOf } from './book-ticks.ts';

let worker: FakeWorker;

beforeEach(() => {
  worker = new FakeWorker();
  worker.postMessage({ kind: 'follow', generation: 1, coin: 'BTC' });
});

const ask = (change: Partial<FrameAsk> = {}): FrameAsk => ({
  serial: 1,
  generation: 1,
  after: 0,
  tick: null,
  axis: null,
  slots: 60,
  mode: 'auto',
  held: false,
  recentre: false,
  lane: 4,
  notional: 'row',
  flow: false,
  ...change,
});

const frames = () => worker.waiting.flatMap((message) => (message.kind === 'frame' ? [readFrame(message.buffer)] : []));
const statuses = () => worker.waiting.flatMap((message) => (message.kind === 'status' ? [message.status] : []));
const panes = () => worker.waiting.flatMap((message) => (message.kind === 'frame' ? [message.panes] : []));

function lastStatus(): LiveStatus {
  return must(statuses().at(-1), 'status');
}

function onlyFrame(): LadderFrame {
  const [frame, ...more] = frames();
  expect(more).toEqual([]);
  return must(frame, 'frame');
}

/** Expects a frame's rows of each side to equal the book's own. */
function expectRows(frame: LadderFrame, book: L4Book): void {
  for (const side of ['A', 'B'] as const) {
    const rows = [...Array(frame.rowCount).keys()].filter((row) => frame.side(row) === side);
    const wanted = book.rows(side, { tick: frame.tick, limit: rows.length });
    expect(
      rows.map((row) => [
        frame.sizeText(row),
        frame.cumulativeText(row),
        frame.rowText(row, 'notional'),
        frame.count(row),
      ]),
    ).toEqual(wanted.map(({ sz, cumSz, notional, count }) => [sz, cumSz, notional, count]));
  }
}

describe('frames', () => {
  it('sends one response per request, with the coin, the tick and the rows of one block', () => {
    worker.follower.goLive('BTC');
    worker.postMessage({ kind: 'ask', ask: ask({ serial: 5 }) });
    const frame = onlyFrame();
    expect(frame).toMatchObject({ serial: 5, generation: 1, height: 100, seq: 1 });
    expect(frame.text('coin')).toBe('BTC');
    expect(frame.rowCount).toBeGreaterThan(5);
    expectRows(frame, L4Book.build('BTC', worker.follower.levels('BTC')).book);
    worker.follower.block('BTC');
    expect(frames()).toHaveLength(1);
  });

  it('responds to an early request once there is a book', () => {
    worker.postMessage({ kind: 'ask', ask: ask() });
    expect(frames()).toHaveLength(0);
    worker.follower.goLive('BTC');
    expect(frames()).toHaveLength(1);
  });

  it('responds to a request for something newer with the next block', () => {
    worker.follower.goLive('BTC');
    worker.postMessage({ kind: 'ask', ask: ask() });
    const { version } = onlyFrame();
    worker.deliver();
    worker.postMessage({ kind: 'ask', ask: ask({ serial: 2, after: version }) });
    expect(frames()).toHaveLength(0);
    worker.follower.block('BTC');
    expect(onlyFrame()).toMatchObject({ serial: 2, height: 101, seq: 2 });
  });

  it('replaces a pending request with a newer one', () => {
    worker.postMessage({ kind: 'ask', ask: ask({ serial: 1 }) });
    worker.postMessage({ kind: 'ask', ask: ask({ serial: 2 }) });
    worker.follower.goLive('BTC');
    expect(onlyFrame().serial).toBe(2);
  });

  it('sends nothing to a hidden page while blocks are applied, and the exact book afterwards', () => {
    worker.follower.goLive('BTC');
    worker.postMessage({ kind: 'ask', ask: ask() });
    const { version } = onlyFrame();
    worker.deliver();
    worker.postMessage({ kind: 'ask', ask: ask({ serial: 2, after: version }) });
    worker.postMessage({ kind: 'rest' });
    for (let block = 0; block < 200; block += 1) worker.follower.block('BTC');
    expect(frames()).toHaveLength(0);
    worker.postMessage({ kind: 'ask', ask: ask({ serial: 3 }) });
    const frame = onlyFrame();
    expect(frame.height).toBe(300);
    expectRows(frame, L4Book.build('BTC', worker.follower.levels('BTC')).book);
  });

  it('places rows by the axis in the request', () => {
    worker.follower.goLive('BTC');
    worker.postMessage({ kind: 'ask', ask: ask({ slots: 20 }) });
    const { axis } = onlyFrame();
    worker.deliver();
    const scrolled = { ...axis, top: axis.top + 9, detached: true };
    worker.postMessage({ kind: 'ask', ask: ask({ serial: 2, slots: 20, axis: scrolled }) });
    const frame = onlyFrame();
    expect(frame.axis).toEqual(scrolled);
    for (let row = 0; row < frame.rowCount; row += 1) {
      expect(frame.index(row)).toBeLessThanOrEqual(scrolled.top);
      expect(frame.index(row)).toBeGreaterThan(scrolled.top - 20);
    }
  });

  it('shows the first order of a book that was empty when built, and refines the ticks with its prices', () => {
    worker.follower.makeEmpty('BTC');
    worker.follower.goLive('BTC');
    worker.postMessage({ kind: 'ask', ask: ask() });
    expect([frames(), lastStatus().ticks]).toEqual([[], []]);
    worker.follower.block('BTC');
    const first = onlyFrame();
    expect(first.height).toBe(101);
    expect(first.rowCount).toBeGreaterThan(0);
    expectRows(first, L4Book.build('BTC', worker.follower.levels('BTC')).book);
    for (let block = 0; block < 30; block += 1) worker.follower.block('BTC');
    worker.deliver();
    worker.postMessage({ kind: 'ask', ask: ask({ serial: 2 }) });
    const { book } = L4Book.build('BTC', worker.follower.levels('BTC'));
    expectRows(onlyFrame(), book);
    expect(onlyFrame().tick).toBe(ticksOf(book)[0]);
    worker.postMessage({ kind: 'hold', hold: undefined });
    expect(lastStatus().ticks).toEqual(ticksOf(book));
  });

  it('uses the finest tick when the coin does not offer the requested one', () => {
    worker.follower.goLive('BTC');
    worker.postMessage({ kind: 'ask', ask: ask({ tick: '0.00001' }) });
    expect(onlyFrame().tick).toBe(lastStatus().ticks[0]);
  });

  it('groups exactly by every offered tick', () => {
    worker.follower.goLive('BTC');
    const { ticks } = lastStatus();
    expect(ticks.slice(0, 4)).toEqual(['0.1', '0.2', '0.5', '1']);
    for (const tick of ticks) {
      worker.deliver();
      worker.postMessage({ kind: 'ask', ask: ask({ tick }) });
      expectRows(onlyFrame(), L4Book.build('BTC', worker.follower.levels('BTC')).book);
    }
  });

  it('puts the best prices of a grouping in its rows: the bid rounded down, the ask up', () => {
    worker.follower.goLive('BTC');
    for (const tick of lastStatus().ticks) {
      worker.deliver();
      worker.postMessage({ kind: 'ask', ask: ask({ tick }) });
      const frame = onlyFrame();
      const [bid, offer] = [must(frame.bid, 'bid'), must(frame.ask, 'ask')];
      const step = Number(tick);
      expect(bid.index).toBe(Math.floor(Number(bid.px) / step + 1e-6));
      expect(offer.index).toBe(Math.ceil(Number(offer.px) / step - 1e-6));
    }
  });
});

describe('another coin', () => {
  it('never sends what belongs to the previous coin', () => {
    worker.follower.goLive('BTC');
    worker.postMessage({ kind: 'ask', ask: ask() });
    worker.deliver();
    worker.postMessage({ kind: 'follow', generation: 2, coin: 'ETH' });
    worker.postMessage({ kind: 'ask', ask: ask({ generation: 1 }) });
    expect(frames()).toHaveLength(0);
    worker.postMessage({ kind: 'ask', ask: ask({ generation: 2 }) });
    worker.follower.goLive('ETH');
    const frame = onlyFrame();
    expect([frame.text('coin'), frame.generation]).toEqual(['ETH', 2]);
    expect(worker.follower.coins).toEqual(['ETH']);
    expect(lastStatus()).toMatchObject({ coin: 'ETH', generation: 2 });
  });
});

describe('pause', () => {
  it('holds the book at its block, for frames and queues, and is exact again when released', () => {
    worker.follower.goLive('BTC');
    const before = L4Book.build('BTC', worker.follower.levels('BTC')).book;
    worker.postMessage({ kind: 'pause', paused: true });
    expect(lastStatus().frozen).toMatchObject({ height: 100, seq: 1 });
    for (let block = 0; block < 50; block += 1) worker.follower.block('BTC');
    worker.deliver();
    worker.postMessage({ kind: 'ask', ask: ask() });
    const frame = onlyFrame();
    expect(frame).toMatchObject({ height: 100, seq: 1, frozen: true });
    expectRows(frame, before);
    worker.deliver();
    worker.postMessage({ kind: 'pause', paused: false });
    worker.postMessage({ kind: 'ask', ask: ask({ after: frame.version }) });
    const resumed = onlyFrame();
    expect(resumed).toMatchObject({ height: 150, frozen: false });
    expectRows(resumed, L4Book.build('BTC', worker.follower.levels('BTC')).book);
  });

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
    for (let block = 0; block < 3; block += 1) worker.follower.block('BTC');
    const { book } = L4Book.build('BTC', worker.follower.levels('BTC'));
    for (let block = 0; block < 20; block += 1) worker.follower.block('BTC');
    expect(lastStatus()).toMatchObject({ holdAt: undefined, frozen: { height: 103, asked: 103 } });
    worker.deliver();
    worker.postMessage({ kind: 'ask', ask: ask() });
    const frame = onlyFrame();
    expect(frame).toMatchObject({ height: 103, frozen: true });
    expectRows(frame, book);
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

describe('statuses', () => {
  it('sends a change of state at once', () => {
    const before = statuses().length;
    worker.follower.goLive('BTC');
    expect(statuses().length).toBeGreaterThan(before);
    expect(lastStatus().state.kind).toBe('live');
  });

  it('batches blocks into one status per interval', () => {
    worker.follower.goLive('BTC');
    worker.deliver();
    for (let block = 0; block < 30; block += 1) worker.follower.block('BTC');
    expect(statuses()).toHaveLength(0);
    worker.runTimers();
    expect(statuses()).toHaveLength(1);
    expect(lastStatus().position).toMatchObject({ height: 130, seq: 31 });
  });

  it('counts a pong as a message while the coin is quiet', () => {
    worker.follower.goLive('BTC');
    worker.runTimers();
    worker.runTimers();
    worker.deliver();
    worker.follower.now += 2_000;
    worker.follower.pong('BTC');
    worker.runTimers();
    worker.runTimers();
    expect(lastStatus().lastMessageAt).toBe(worker.follower.now);
    worker.deliver();
    worker.runTimers();
    worker.runTimers();
    expect(statuses()).toHaveLength(0);
  });
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

  it('is not checked while the page is hidden, and at once when it is visible again', async () => {
    worker.follower.goLive('BTC');
    worker.postMessage({ kind: 'rest' });
    await pass(60_000);
    expect(worker.looks).toBe(0);
    worker.postMessage({ kind: 'ask', ask: ask() });
    expect(worker.looks).toBe(1);
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

describe('verification', () => {
  it('reports how many orders were equal, and how long it took', async () => {
    worker.follower.goLive('BTC');
    const { now } = worker.follower;
    const equal = Promise.resolve({ kind: 'equal', height: 100, seq: 1, at: now } as const);
    worker.follower.verification = equal;
    worker.postMessage({ kind: 'verify' });
    expect(lastStatus().verification).toEqual({ kind: 'running', since: now });
    await expect.poll(() => lastStatus().verification?.kind).toBe('equal');
    const orders = worker.follower.levels('BTC').flat().length;
    expect(lastStatus().verification).toEqual({ kind: 'equal', at: now, height: 100, orders, tookMs: 0 });
  });

  it('reports why it failed', async () => {
    worker.follower.goLive('BTC');
    const failing = Promise.reject(new Error('the service could not be reached'));
    worker.follower.verification = failing;
    worker.postMessage({ kind: 'verify' });
    await expect.poll(() => lastStatus().verification?.kind).toBe('failed');
    expect(lastStatus().verification).toMatchObject({ kind: 'failed', detail: 'the service could not be reached' });
  });
});

let serial = 0;

/** The panes' part of the next frame. */
function nextPanes(): PanesFrame {
  worker.deliver();
  worker.postMessage({ kind: 'ask', ask: ask() });
  return must(panes().at(-1), 'frame');
}

describe('the panes of a frame', () => {
  it('have its block, counts, best prices and clock, paused or not', () => {
    worker.follower.goLive('BTC');
    worker.postMessage({ kind: 'panes', ask: {} });
    for (const paused of [false, true, false]) {
      worker.postMessage({ kind: 'pause', paused });
      const held = L4Book.build('BTC', worker.follower.levels('BTC')).book;
      for (let block = 0; block < 30; block += 1) worker.follower.block('BTC');
      worker.follower.now += 700;
      const book = paused ? held : L4Book.build('BTC', worker.follower.levels('BTC')).book;
      const frame = nextPanes();
      expect([onlyFrame().height, onlyFrame().seq]).toEqual([frame.height, frame.seq]);
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

  it('respond to a new request at once, without waiting for a block', () => {
    worker.follower.goLive('BTC');
    const { version } = (nextPanes(), onlyFrame());
    worker.deliver();
    worker.postMessage({ kind: 'ask', ask: ask({ serial: 2, after: version }) });
    expect(panes()).toEqual([]);
    const px = must(L4Book.build('BTC', worker.follower.levels('BTC')).book.best('A')?.px, 'asks');
    const level = {
      serial: 9,
      level: { side: 'A', px, tick: '0.5' },
      view: null,
      from: 0,
      length: 5,
      anchors: [],
      chosen: null,
    } as const;
    worker.postMessage({ kind: 'panes', ask: { level } });
    expect(must(panes()[0], 'frame').level).toMatchObject({ serial: 9, count: expect.any(Number) });
    worker.deliver();
    worker.postMessage({ kind: 'panes', ask: {} });
    expect(nextPanes().level).toBeUndefined();
  });
});

describe('the queue of a row', () => {
  const levelAsk = (change: Partial<LevelAsk> = {}): LevelAsk => {
    const px = bestBid();
    serial += 1;
    return {
      serial,
      level: { side: 'B', px, tick: '5' },
      view: null,
      from: 0,
      length: 100,
      anchors: [],
      chosen: null,
      ...change,
    };
  };

  function bestBid() {
    const { book } = L4Book.build('BTC', worker.follower.levels('BTC'));
    return must(book.rows('B', { tick: '5', limit: 1 })[0]?.px, 'bids');
  }

  function response(change: Partial<LevelAsk> = {}): LevelResponse {
    worker.postMessage({ kind: 'panes', ask: { level: levelAsk(change) } });
    return must(nextPanes().level, 'response');
  }

  it('lists its orders in queue order, with the size ahead of each', () => {
    worker.follower.goLive('BTC');
    const { book } = L4Book.build('BTC', worker.follower.levels('BTC'));
    const px = bestBid();
    const wanted = book.queue('B', px, { tick: '5' });
    const got = response();
    expect(got.count).toBe(wanted.length);
    expect(
      got.orders.map(({ oid, place, sz, szAhead, user, tif }) => ({ oid, place, sz, szAhead, user, tif })),
    ).toEqual(
      wanted.map(({ place, szAhead, order }) => ({
        oid: order.oid,
        place,
        sz: order.sz,
        szAhead,
        user: order.user,
        tif: order.tif,
      })),
    );
  });

  it('returns a window at the requested position', () => {
    worker.follower.goLive('BTC');
    const whole = response();
    const part = response({ from: 2, length: 3 });
    expect(part.orders).toEqual(whole.orders.slice(2, 5));
  });

  it('keeps a visible order at its position on the screen when orders ahead of it leave', () => {
    worker.follower.goLive('BTC');
    const level = { side: 'B', px: bestBid(), tick: '5' } as const;
    let last = response({ level });
    for (let block = 0; block < 60; block += 1) {
      const anchors = last.orders.slice(1).map(({ oid, place }) => ({ oid, place }));
      worker.follower.block('BTC');
      const next = response({ level, anchors });
      const kept = anchors.filter(({ oid }) => next.orders.some((order) => order.oid === oid)).slice(0, 1);
      const now = kept.map(({ oid }) => next.orders.find((order) => order.oid === oid)?.place);
      expect(now).toEqual(kept.map(({ place }) => place + next.shift));
      last = next;
    }
  });

  it('responds to one request with every frame, and reports how far its view has moved since', () => {
    worker.follower.goLive('BTC');
    const level = { side: 'B', px: bestBid(), tick: '5' } as const;
    const anchors = response({ level })
      .orders.slice(1)
      .map(({ oid, place }) => ({ oid, place }));
    let last = response({ level, anchors });
    let before = last.orders.slice(1);
    for (let block = 0; block < 60; block += 1) {
      worker.follower.block('BTC');
      const next = must(nextPanes().level, 'response');
      expect(next.serial).toBe(last.serial);
      const kept = before.find(({ oid }) => next.orders.some((order) => order.oid === oid));
      const now = next.orders.find(({ oid }) => oid === kept?.oid);
      expect(now?.place).toBe(kept && kept.place + next.shift - last.shift);
      const first = must(anchors[0], 'anchor').place;
      before = next.orders.filter(({ place }) => place >= first + next.shift);
      last = next;
    }
    expect(last.shift).not.toBe(0);
  });

  it('returns a chosen order even if it is not visible, and null once it has left', () => {
    worker.follower.goLive('BTC');
    const first = must(response().orders[0], 'orders');
    expect(response({ from: 3, length: 1, chosen: { oid: first.oid, place: 5 } }).chosen).toEqual(first);
    expect(response({ chosen: { oid: 1, place: 0 } }).chosen).toBeNull();
  });

  it('returns an empty row for a price without orders', () => {
    worker.follower.goLive('BTC');
    expect(response({ level: { side: 'B', px: '5', tick: '5' } })).toMatchObject({ count: 0, sz: '0', orders: [] });
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

  it('reports the shortage with its values, and keeps the position of the book that stays on screen', async () => {
    await runOut();
    const { now } = worker.follower;
    expect(lastStatus()).toMatchObject({ shortage: { since: now, credits, lookAt: now + 15_000 } });
    expect(lastStatus().position?.height).toBe(100);
    expect(integrityOf(lastStatus(), now, 'simulated')).toMatchObject({
      state: 'stale',
      reason: 'no credits are left: 1,200 of 1,200 of this month are used',
    });
  });

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
    const asked = worker.creditLooks;
    worker.runTimers();
    worker.runTimers();
    expect(worker.creditLooks, 'nobody looks any more').toBe(asked);
  });

  it('checks at once on retry', async () => {
    await runOut();
    worker.postMessage({ kind: 'retry' });
    await settle();
    expect(worker.followers).toHaveLength(1);
    worker.credits = null;
    worker.postMessage({ kind: 'retry' });
    await settle();
    expect(worker.followers).toHaveLength(2);
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
  for (let block = 0; hits().length === 0 && block < 1_000; block += 1) worker.follower.block('BTC');
  const entries = worker.waiting.flatMap((message) => (message.kind === 'journal' ? [message.entry] : []));
  expect(entries.map(({ kind, coin }) => `${coin} ${kind}`)).toEqual(['BTC built']);
  expect(hits()).toMatchObject([{ hit: { coin: 'BTC', facts: { kind: 'place', user: wallet(1) } } }]);
});

describe('while a recording is shown', () => {
  /** Exports a few blocks that the worker has kept, and shows them as a recording. */
  async function showRecording(): Promise<void> {
    worker.follower.goLive('BTC');
    worker.runTimers();
    for (let block = 0; block < 5; block += 1) worker.follower.block('BTC');
    worker.postMessage({ kind: 'exportPast', serial: 1, source: 'a test' });
    const outcomes = () => worker.waiting.flatMap((message) => ('outcome' in message ? [message.outcome] : []));
    await expect.poll(outcomes).toMatchObject([{ kind: 'exported' }]);
    const [exported] = outcomes();
    if (exported?.kind !== 'exported') throw new Error('nothing was exported');
    worker.postMessage({ kind: 'openRecording', serial: 2, file: exported.file, name: exported.name });
    await expect.poll(() => outcomes()[1]).toEqual({ kind: 'opened', coin: 'BTC' });
  }

  it('says why the kept minutes cannot be saved in a browser that cannot compress them', async () => {
    vi.stubGlobal('CompressionStream', undefined);
    worker.follower.goLive('BTC');
    worker.runTimers();
    worker.follower.block('BTC');
    worker.postMessage({ kind: 'exportPast', serial: 1, source: 'a test' });
    await expect
      .poll(() => worker.waiting.flatMap((message) => ('outcome' in message ? [message.outcome] : [])))
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
    worker.deliver();
    worker.postMessage({ kind: 'ask', ask: ask() });
    expect(onlyFrame().height).toBe(100);
  });

  it('compares two of its blocks as soon as both are read, without a step', async () => {
    await showRecording();
    const seen = () => panes().flatMap(({ difference }) => (difference === undefined ? [] : [difference]));
    worker.postMessage({ kind: 'panes', ask: { difference: { serial: 9, since: 104, limit: 10 } } });
    let serial = 0;
    await expect
      .poll(() => {
        serial += 1;
        worker.postMessage({ kind: 'ask', ask: ask({ serial }) });
        worker.runTimers();
        return seen().at(-1);
      })
      .toMatchObject({ serial: 9, from: { height: 100 }, to: { height: 104 } });
    for (const { from, to } of seen()) expect([from.height, to.height]).toEqual([100, 104]);
  });

  it('follows the coin again when closed, shows no row of the recording again, and journals what was not seen', async () => {
    await showRecording();
    worker.deliver();
    worker.postMessage({ kind: 'closeRecording', generation: 2 });
    worker.postMessage({ kind: 'ask', ask: ask({ generation: 2 }) });
    expect(frames()).toEqual([]);
    expect(worker.follower.coins).toEqual(['BTC']);
    expect(integrityOf(lastStatus(), worker.follower.now, 'simulated').state).toBe('waiting');
    worker.follower.goLive('BTC', { height: 130, seq: 31 });
    expect(onlyFrame()).toMatchObject({ generation: 2, height: 130 });
    expect(lastStatus()).toMatchObject({ gaps: 1, lastGap: { detail: expect.stringContaining('recording') } });
    expect(integrityOf(lastStatus(), worker.follower.now, 'simulated').state).toBe('live');
    const noted = worker.waiting.flatMap((message) => (message.kind === 'journal' ? [message.entry] : []));
    expect(noted).toMatchObject([{ kind: 'rebuilt', reason: 'recording' }]);
  });
});
