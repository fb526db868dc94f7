// @vitest-environment happy-dom
import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { Live } from '../../../book-worker/live.ts';
import { FakeWorker } from '../../../book-worker/test-support/fake-worker.ts';
import { render } from '../../../test-support/render.ts';
import { Toasts } from '../../../ui/toast.tsx';
import { PaneFrames } from './pane-frames.ts';
import { openWindow, popHref } from './windows.ts';

it('[WEB-77] includes the coin, what the window shows and its choices in its URL, and nothing of what is beside it', () => {
  expect(popHref('xyz:GOLD', 'ladder', { tick: '10', view: 'mid', books: 'ETH', pane: 'tape', strip: '0' })).toBe(
    '/book/xyz%3AGOLD?pop=ladder&tick=10&view=mid',
  );
  expect(popHref('BTC', 'owners', { within: '25', level: 'B81307' })).toBe(
    '/book/BTC?pop=owners&level=B81307&within=25',
  );
});

it('[WEB-77] reports a window blocked by the browser, with a retry', async () => {
  const { container } = await render(<Toasts />);
  const open = vi.fn<(href: string) => unknown>();
  open.mockReturnValueOnce(null).mockReturnValue({});
  await act(async () => openWindow('/book/BTC?pop=ladder', open));
  expect(container.textContent).toContain('The browser blocked the window');
  const again = [...container.querySelectorAll('button')].find(({ textContent }) => textContent === 'Try again');
  await act(async () => again?.click());
  expect(open.mock.calls).toEqual([['/book/BTC?pop=ladder'], ['/book/BTC?pop=ladder']]);
  expect(container.textContent).not.toContain('blocked');
});

it('[WEB-77] shows every block of the book in a pane without a ladder, and requests nothing after it is closed', async () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker);
  const pictures: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (task: () => void) => pictures.push(task));
  vi.stubGlobal('cancelAnimationFrame', () => pictures.splice(0));
  const picture = () => {
    for (const draw of pictures.splice(0)) draw();
    worker.deliver();
    for (const draw of pictures.splice(0)) draw();
  };
  live.open();
  live.follow('BTC');
  const frames = new PaneFrames(live);
  worker.follower.goLive('BTC');
  picture();
  expect(live.panes()?.height).toBe(100);
  for (let block = 1; block <= 3; block += 1) {
    worker.follower.block('BTC');
    picture();
    expect(live.panes()?.height).toBe(100 + block);
  }
  frames.close();
  expect(live.panes()).toBeUndefined();
  const asked = worker.asked('ask').length;
  worker.follower.block('BTC');
  picture();
  expect(worker.asked('ask')).toHaveLength(asked);
  vi.unstubAllGlobals();
});
