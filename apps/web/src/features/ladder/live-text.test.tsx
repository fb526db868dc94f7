import { act, useRef } from 'react';
import { expect, it, vi } from 'vitest';
import { Live } from '../../book-worker/live.ts';
import { LiveProvider } from '../../book-worker/live-context.tsx';
import { FakeWorker } from '../../book-worker/test-support/fake-worker.ts';
import { only, pointAt, render } from '../../test-support/render.ts';
import { PaneText, SteadyText, useLiveAttributes, usePointedTitle } from './live-text.tsx';

it('writes what changes with every status at once, and a title with the page’s clock', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated');
  live.open();
  live.follow('BTC');
  worker.deliver();
  let told = 'first';
  function Probe() {
    const box = useRef<HTMLParagraphElement>(null);
    useLiveAttributes(
      box,
      () => ({ 'data-told': told }),
      () => ({ title: told }),
    );
    return <p ref={box} />;
  }
  const { container, rerender } = await render(
    <LiveProvider value={live}>
      <Probe />
    </LiveProvider>,
  );
  const box = only(container, 'p');
  expect([box.dataset.told, box.title]).toEqual(['first', 'first']);
  told = 'second';
  worker.follower.goLive('BTC');
  await act(async () => void worker.deliver());
  expect([box.dataset.told, box.title]).toEqual(['second', 'first']);
  await act(async () => vi.advanceTimersByTimeAsync(500));
  expect(box.title).toBe('second');
  await rerender(null);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

it('writes a constantly changing title while somebody points at it, and updates it with the page’s clock', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  let told = 'first';
  function Probe() {
    return <p {...usePointedTitle(() => told)} />;
  }
  const { container, rerender } = await render(<Probe />);
  const box = only(container, 'p');
  const tick = () => act(async () => vi.advanceTimersByTimeAsync(500));
  await tick();
  expect(box.title).toBe('');
  await pointAt(box);
  expect(box.title).toBe('first');
  told = 'second';
  await tick();
  expect(box.title).toBe('second');
  await pointAt(box, false);
  told = 'third';
  await tick();
  expect(box.hasAttribute('title')).toBe(false);
  await rerender(null);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

it.each([
  ['of every frame', <PaneText key="pane" read={() => 'text'} />],
  ['of React', <SteadyText key="steady">text</SteadyText>],
])('subscribes a text %s to frames only once', async (_, text) => {
  const live = new Live(() => new FakeWorker(), 'simulated');
  const subscribed = vi.spyOn(live, 'subscribePanes');
  await render(<LiveProvider value={live}>{text}</LiveProvider>);
  expect(subscribed).toHaveBeenCalledOnce();
});
