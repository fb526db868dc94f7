// @vitest-environment happy-dom
import { L4Book } from '@l4desk/book';
import { describe, expect, it, vi } from 'vitest';
import { must } from '../test-support/must.ts';
import { Live } from './live.ts';
import { paneRequest } from './panes.ts';
import { FakeWorker } from './test-support/fake-worker.ts';

it('sends a hold requested before the worker started, ahead of the coin', () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated');
  const hold = { coin: 'BTC', height: 100 };
  live.choose({ kind: 'hold', hold });
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

it('stays live if a step of the player follows the return to the live book', () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated');
  live.open();
  live.follow('BTC');
  worker.follower.goLive('BTC');
  worker.runTimers();
  for (let block = 0; block < 10; block += 1) worker.follower.block('BTC');
  live.travel({ kind: 'step', blocks: -5 });
  worker.deliver();
  const held = must(live.book().shown, 'block');
  expect(held.frozen).toBe(true);
  live.pause(false);
  live.travel({ kind: 'step', blocks: 1 });
  worker.deliver();
  expect(live.book().shown).toMatchObject({ frozen: false, height: held.height + 5 });
});

describe('finding an order', () => {
  const { book } = L4Book.build('BTC', followed().worker.follower.levels('BTC'));
  const wanted = must(book.queue('B', must(book.best('B')?.px, 'bids'))[0]?.order, 'order');

  function followed() {
    const worker = new FakeWorker();
    const live = new Live(() => worker, 'simulated');
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

  it('resolves to null before there is a book, while nothing is followed, and after the page was closed', async () => {
    const { worker, live } = followed();
    const early = live.find(wanted.oid);
    worker.deliver();
    expect(await early).toBeNull();
    const late = live.find(wanted.oid);
    live.close();
    expect(await late).toBeNull();
    expect(await new Live(() => worker, 'simulated').find(wanted.oid)).toBeNull();
  });
});

it('leaves no request without a response when its worker fails, and says why', async () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated');
  live.open();
  live.follow('BTC');
  const asked: Promise<unknown>[] = [
    live.find(1),
    live.call('seek', 1),
    live.call('openRecording', { file: new Blob(), name: 'a file' }),
    live.call('exportPast', 'a page'),
  ];
  worker.fail('the script could not be loaded');
  asked.push(live.find(1), live.call('seek', 1), live.call('exportPast', 'a page'));
  const refused = { kind: 'refused', problem: 'The page’s worker has ended. Reload the page.' };
  expect(await Promise.all(asked)).toEqual([null, false, refused, refused, null, false, refused]);
  expect(live.book().failure).toBe('the script could not be loaded');
});

it('still has its requests answered by the worker when only the drawing has failed', async () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated');
  live.open();
  live.follow('BTC');
  live.fail('the painting worker could not be started');
  const saving = live.call('exportPast', 'a page');
  await expect.poll(() => worker.deliver()).toBeGreaterThan(0);
  await expect.poll(() => worker.asked('call')).toHaveLength(1);
  worker.deliver();
  expect(await saving).toEqual({ kind: 'refused', problem: 'Nothing is kept yet.' });
});

it('opens the canvases that were requested before the worker started, and tells whether the page is visible', () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated');
  const { port1, port2 } = new MessageChannel();
  port2.close();
  live.openCanvas('ladder', port1);
  live.open();
  expect(worker.received).toEqual([{ kind: 'canvas', name: 'ladder', port: port1 }]);
  expect(worker.transferred[0]).toEqual([port1]);
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(worker.received.at(-1)).toEqual({ kind: 'look', isVisible: false });
  live.close();
  const told = worker.received.length;
  document.dispatchEvent(new Event('visibilitychange'));
  expect(worker.received).toHaveLength(told);
  hidden.mockRestore();
});

it('keeps the last result of each pane until the coin changes', () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated');
  live.open();
  live.follow('BTC');
  worker.follower.goLive('BTC');
  worker.runTimers();
  const request = paneRequest('owners', { withinBps: '100', limit: 5 });
  const ends = [live.requestPane(request), live.requestPane(request)];
  worker.deliver();
  const owners = must(live.book().panes[request], 'owners');
  expect(owners).toMatchObject({ height: 100, generation: 1, withinBps: '100' });
  worker.follower.block('BTC');
  worker.runTimers();
  worker.deliver();
  expect(live.book().shown?.height).toBe(101);
  expect(live.book().panes[request]).toBe(owners);
  live.follow('ETH');
  expect(live.book()).toMatchObject({ panes: {}, shown: undefined });
  // Both components that show it have to go.
  for (const end of ends) {
    expect(worker.asked('pane')).toEqual([{ kind: 'pane', request, isOpen: true }]);
    end();
  }
  expect(worker.asked('pane').at(-1)).toEqual({ kind: 'pane', request, isOpen: false });
});

describe('what the page shows of the book', () => {
  /** A followed book, and the heights of what the page was told. */
  function shown() {
    const worker = new FakeWorker();
    const live = new Live(() => worker, 'simulated');
    live.open();
    live.follow('BTC');
    worker.follower.goLive('BTC');
    worker.runTimers();
    worker.deliver();
    const told: (number | undefined)[] = [];
    live.subscribe(() => told.push(live.book().shown?.height));
    return { worker, live, told };
  }

  it('is at most five times a second anew, and never older than that', () => {
    const { worker, live, told } = shown();
    live.requestPane(paneRequest('figures', {}));
    for (let time = 0; time < 4_000; time += 67) {
      worker.follower.now += 67;
      worker.follower.block('BTC');
      // A timer that was set for 200 ms ends with the third block after it.
      if ((time / 67) % 3 === 2) worker.runTimers();
      worker.deliver();
    }
    expect(told.length).toBeGreaterThan(15);
    expect(told.length).toBeLessThanOrEqual(20);
    expect(told).toEqual(told.map((_, at) => (told[0] ?? 0) + 3 * at));
  });

  it('has the last result of a pane that is requested again by another component', () => {
    const { worker, live } = shown();
    const request = paneRequest('figures', {});
    const end = live.requestPane(request);
    worker.deliver();
    const height = () => live.book().panes[request]?.height;
    expect(height()).toBe(100);
    end();
    live.requestPane(request);
    expect(height()).toBe(100);
  });

  it('is shown at once if it is held, requested, or news of the state', () => {
    const { worker, live, told } = shown();
    const request = paneRequest('figures', {});
    live.requestPane(request);
    const heights: (number | undefined)[] = [];
    live.subscribePanes(() => heights.push(live.book().panes[request]?.height));
    worker.deliver();
    expect([heights, told], 'a pane alone').toEqual([[100], []]);
    worker.follower.block('BTC');
    worker.deliver();
    expect(told).toEqual([]);
    live.requestPane(paneRequest('map', { bars: 4 }));
    worker.deliver();
    expect([heights.at(-1), told], 'a pane with a block, and the others of it').toEqual([101, [101]]);
    live.pause(true);
    worker.deliver();
    expect(live.book().status?.frozen?.height).toBeDefined();
    expect(live.book().shown?.frozen).toBe(true);
    worker.follower.lose({ kind: 'silent', silentMs: 8_000 });
    worker.deliver();
    expect(live.book().status?.state.kind).toBe('stale');
  });
});
