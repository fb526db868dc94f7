// @vitest-environment happy-dom
import { L4Book } from '@l4desk/book';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { must } from '../test-support/must.ts';
import { Live } from './live.ts';
import type { PanesFrame } from './panes.ts';
import { FakeWorker } from './test-support/fake-worker.ts';
import { FRAME_ASK } from './test-support/frame-ask.ts';

it('sends a hold requested before the worker started, ahead of the coin', () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated', 0);
  const hold = { coin: 'BTC', height: 100 };
  live.hold(hold);
  live.follow('BTC');
  live.open();
  expect(worker.received).toEqual([
    { kind: 'hold', hold },
    { kind: 'follow', generation: 1, coin: 'BTC' },
  ]);
  worker.follower.goLive('BTC');
  worker.deliver();
  expect(live.book().status).toMatchObject({ holdAt: undefined, frozen: { height: 100, asked: 100 } });
});

it('is resuming until a live block is drawn or something else is requested', () => {
  const live = new Live(() => new FakeWorker(), 'simulated', 0);
  live.open();
  live.follow('BTC');
  const after = (request: () => void) => {
    live.pause(false);
    request();
    return live.isResuming;
  };
  expect(live.isResuming).toBe(false);
  expect(after(() => live.showPanes({ frozen: true } as PanesFrame))).toBe(true);
  expect(after(() => live.showPanes({ frozen: false } as PanesFrame))).toBe(false);
  expect(after(() => live.travel({ kind: 'step', blocks: -1 }))).toBe(false);
  expect(after(() => live.pause(true))).toBe(false);
});

describe('finding an order', () => {
  const { book } = L4Book.build('BTC', followed().worker.follower.levels('BTC'));
  const wanted = must(book.queue('B', must(book.best('B')?.px, 'bids'))[0]?.order, 'order');

  function followed() {
    const worker = new FakeWorker();
    const live = new Live(() => worker, 'simulated', 0);
    live.open();
    live.follow('BTC');
    return { worker, live };
  }

  it('finds it in the shown book by its oid, also while held', async () => {
    const { worker, live } = followed();
    worker.follower.goLive('BTC');
    live.pause(true);
    for (let block = 0; block < 50; block += 1) worker.follower.block('BTC');
    const finding = [live.find(wanted.oid), live.find(1), live.find(`0x${'ab'.repeat(16)}`)];
    worker.deliver();
    expect(await Promise.all(finding)).toEqual([
      { coin: 'BTC', side: 'B', px: wanted.limitPx, oid: wanted.oid },
      null,
      null,
    ]);
  });

  it('finds it by its cloid', async () => {
    const { worker, live } = followed();
    worker.follower.goLive('BTC');
    const named = must(
      (['B', 'A'] as const).flatMap((side) => [...book.orders(side)]).find(({ cloid }) => cloid !== null),
      'an order with a cloid',
    );
    const finding = live.find(must(named.cloid ?? undefined, 'cloid'));
    worker.deliver();
    expect(await finding).toEqual({ coin: 'BTC', side: named.side, px: named.limitPx, oid: named.oid });
  });

  it('resolves to null before there is a book, while nothing is followed, and after the page was closed', async () => {
    const { worker, live } = followed();
    const early = live.find(wanted.oid);
    worker.deliver();
    expect(await early).toBeNull();
    const late = live.find(wanted.oid);
    live.close();
    expect(await late).toBeNull();
    expect(await new Live(() => worker, 'simulated', 0).find(wanted.oid)).toBeNull();
  });
});

it('leaves no request without a response when its worker fails, and says why', async () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated', 0);
  live.open();
  live.follow('BTC');
  const { requests } = live;
  const asked = [
    live.find(1),
    requests.seekRecorded(1),
    requests.openRecording(new Blob(), 'a file'),
    requests.exportPast('a page'),
  ];
  worker.fail('the script could not be loaded');
  asked.push(live.find(1), requests.seekRecorded(1), requests.exportPast('a page'));
  const refused = { kind: 'refused', problem: 'The page’s worker has ended. Reload the page.' };
  expect(await Promise.all(asked)).toEqual([null, false, refused, refused, null, false, refused]);
  expect(live.book().failure).toBe('the script could not be loaded');
});

it('still has its requests answered by the worker when only the drawing has failed', async () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated', 0);
  live.open();
  live.follow('BTC');
  live.fail('the painting worker could not be started');
  const saving = live.requests.exportPast('a page');
  await expect.poll(() => worker.deliver()).toBeGreaterThan(0);
  await expect.poll(() => worker.asked('exportPast')).toHaveLength(1);
  worker.deliver();
  expect(await saving).toEqual({ kind: 'refused', problem: 'Nothing is kept yet.' });
});

it('does not send a hold that was withdrawn before the worker started', () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated', 0);
  live.hold({ coin: 'BTC', height: 100 });
  live.hold(undefined);
  live.open();
  expect(worker.received).toEqual([]);
});

describe('the panes with a response a few times a second', () => {
  const ask = {
    serial: 1,
    after: 0,
    tick: null,
    axis: null,
    slots: 10,
    mode: 'auto',
    held: false,
    recentre: false,
    lane: 4,
    notional: 'none',
    flow: false,
  } as const;

  it('keep their last response, whether its frame was drawn or not, until the coin changes', () => {
    const worker = new FakeWorker();
    const live = new Live(() => worker, 'simulated', 0);
    live.open();
    live.follow('BTC');
    worker.follower.goLive('BTC');
    live.wantPane('owners', { serial: 7, withinBps: '100', limit: 5 });
    live.ask({ ...ask, generation: live.generation });
    worker.deliver();
    const frame = must(live.book().slow.owners, 'frame');
    expect(live.book().panes).toBeUndefined();
    expect(frame.owners).toMatchObject({ serial: 7, height: frame.height, lens: { withinBps: '100' } });
    live.follow('ETH');
    expect(live.book().slow).toEqual({});
  });
});

describe('what the page shows of the book', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
    return () => vi.useRealTimers();
  });

  /** A followed book with its blocks, and the heights of what the page was told. */
  function shown() {
    const worker = new FakeWorker();
    const live = new Live(() => worker, 'simulated');
    live.open();
    live.follow('BTC');
    worker.follower.goLive('BTC');
    live.onFrame((_, panes) => live.showPanes(panes));
    const told: { readonly at: number; readonly height: number | undefined }[] = [];
    live.subscribe(() => told.push({ at: Date.now(), height: live.book().panes?.height }));
    const block = () => {
      worker.follower.block('BTC');
      live.ask({ ...FRAME_ASK, generation: live.generation });
      worker.deliver();
    };
    worker.deliver();
    return { worker, live, told, block };
  }

  it('is at most five times a second anew, and never older than that', () => {
    const { live, told, block } = shown();
    block();
    told.splice(0);
    const drawn: number[] = [];
    live.onFrame((_, panes) => {
      drawn.push(panes.height);
      live.showPanes(panes);
    });
    for (let count = 0; count < 60; count += 1) {
      vi.advanceTimersByTime(67);
      block();
      const age = drawn.filter((height) => height > (live.book().panes?.height ?? 0)).length * 67;
      expect(age).toBeLessThanOrEqual(250);
    }
    expect(drawn).toHaveLength(60);
    expect(told.length).toBeGreaterThan(15);
    expect(told.length).toBeLessThanOrEqual((60 * 67) / 200 + 1);
    vi.advanceTimersByTime(200);
    expect(live.book().panes?.height).toBe(drawn.at(-1));
  });

  it('is shown at once if it is held, the first response to a request, or news of the state', () => {
    const { worker, live, told, block } = shown();
    block();
    vi.advanceTimersByTime(1);
    told.splice(0);
    block();
    expect(told).toEqual([]);
    live.wantPane('figures', { serial: live.nextSerial() });
    block();
    expect(live.book().slow.figures?.figures).toBeDefined();
    const level = { side: 'B', px: '1', tick: '1' } as const;
    live.wantPane('level', { serial: 9, level, view: null, from: 0, length: 9, anchors: [], chosen: null });
    block();
    expect(live.book().panes?.level?.serial).toBe(9);
    live.pause(true);
    worker.deliver();
    expect(live.book().status?.frozen?.height).toBeDefined();
    worker.follower.lose({ kind: 'silent', silentMs: 8_000 });
    worker.deliver();
    expect(live.book().status?.state.kind).toBe('stale');
  });
});
