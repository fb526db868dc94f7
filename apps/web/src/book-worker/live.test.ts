// @vitest-environment happy-dom
import { L4Book } from '@l4desk/book';
import { describe, expect, it, vi } from 'vitest';
import { must } from '../test-support/must.ts';
import { Live } from './live.ts';
import { paneRequest } from './panes.ts';
import { FakeWorker } from './test-support/fake-worker.ts';
import { followedPage } from './test-support/followed-page.ts';

it('stays live if a step of the player follows the return to the live book', () => {
  const { worker, live } = followedPage();
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
  const { book } = L4Book.build('BTC', followedPage().worker.follower.levels('BTC'));
  const wanted = must(book.queue('B', must(book.best('B')?.px, 'bids'))[0]?.order, 'order');

  it('finds it in the shown book by its oid, also while held', async () => {
    const { worker, live } = followedPage();
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
    const { worker, live } = followedPage();
    const early = live.find(wanted.oid);
    worker.deliver();
    expect(await early).toBeNull();
    const late = live.find(wanted.oid);
    live.close();
    expect(await late).toBeNull();
    expect(await new Live(() => worker, 'simulated').find(wanted.oid)).toBeNull();
  });
});

it('leaves no request without a response when its worker fails, and says why; a failed drawing stops none', async () => {
  const { worker, live } = followedPage();
  live.fail('the painting worker could not be started');
  const asked: Promise<unknown>[] = [
    live.find(1),
    live.call('seek', 1),
    live.call('openRecording', { file: new Blob(), name: 'a file' }),
    live.call('exportPast', 'a page'),
  ];
  expect(worker.asked('call')).toHaveLength(4);
  worker.fail('the script could not be loaded');
  asked.push(live.find(1), live.call('seek', 1), live.call('exportPast', 'a page'));
  const refused = { kind: 'refused', problem: 'The page’s worker has ended. Reload the page.' };
  expect(await Promise.all(asked)).toEqual([null, false, refused, refused, null, false, refused]);
  expect(live.book().failure).toBe('the script could not be loaded');
});

it('keeps the last result of each pane until the coin changes', () => {
  const { worker, live } = followedPage();
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

it('shows at once that the book is held', () => {
  const { worker, live } = followedPage();
  worker.follower.goLive('BTC');
  worker.deliver();
  live.pause(true);
  worker.deliver();
  expect(live.book()).toMatchObject({ shown: { frozen: true }, status: { frozen: { height: 100 } } });
});

it('tells a worker that starts what was requested before: where to hold, and the canvases', () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated');
  const { port1, port2 } = new MessageChannel();
  port2.close();
  const hold = { kind: 'hold', hold: { coin: 'BTC', height: 100 } } as const;
  live.choose(hold);
  live.follow('BTC');
  live.openCanvas('ladder', port1);
  live.open();
  const follow = { kind: 'follow', generation: 1, coin: 'BTC' };
  expect(worker.received).toEqual([hold, follow, { kind: 'canvas', name: 'ladder', port: port1 }]);
});

it('tells the worker whether the page is visible', () => {
  const { worker } = followedPage();
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  document.dispatchEvent(new Event('visibilitychange'));
  hidden.mockRestore();
  document.dispatchEvent(new Event('visibilitychange'));
  expect(worker.asked('look').map(({ isVisible }) => isVisible)).toEqual([false, true]);
});

it('has the last result of a pane that is requested again by another component', () => {
  const { worker, live } = followedPage();
  worker.follower.goLive('BTC');
  const request = paneRequest('figures', {});
  const end = live.requestPane(request);
  worker.deliver();
  const height = () => live.book().panes[request]?.height;
  expect(height()).toBe(100);
  end();
  live.requestPane(request);
  expect(height()).toBe(100);
});
