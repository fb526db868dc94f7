import { act, type ReactNode, useState } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Live } from '../../book-worker/live.ts';
import { LiveProvider } from '../../book-worker/live-context.tsx';
import { FakeWorker } from '../../book-worker/test-support/fake-worker.ts';
import { FRAME_ASK } from '../../book-worker/test-support/frame-ask.ts';
import { usePreferences } from '../../state/preferences.ts';
import { DrawingWorker } from '../../test-support/drawing-worker.ts';
import { only, pointAt, render } from '../../test-support/render.ts';
import { SteadyText } from './live-text.tsx';
import { StatusLine } from './status-line.tsx';

/** Renders over a followed book; `deliver` draws the next frame. */
async function open(children: ReactNode = <StatusLine />) {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated');
  live.open();
  live.follow('BTC');
  const { container, rerender } = await render(<LiveProvider value={live}>{children}</LiveProvider>);
  // As the ladder does: one frame after the other, published when drawn.
  live.onFrame((_, panes) => live.showPanes(panes));
  const deliver = () =>
    act(async () => {
      live.ask({ ...FRAME_ASK, generation: live.generation });
      worker.deliver();
    });
  return { container, rerender, worker, live, deliver };
}

it('[WEB-7, WEB-31] shows the number of orders and the block time in the last line, and follows the stream', async () => {
  const { container, worker, deliver } = await open();
  expect(container.textContent).toContain('no book yet');
  worker.follower.goLive('BTC');
  await deliver();
  const block = only(container, '[data-part=shown-block]');
  const expected = () =>
    `block ${Number(block.dataset.height).toLocaleString('en-US')} · ${block.dataset.time?.slice(11, 23)} UTC`;
  const { height, time = '' } = block.dataset;
  expect(block.textContent).toBe(expected());
  expect(only(container, '[data-part=counts]').textContent).toMatch(/^\d+ orders · \d+ B · \d+ A · \d+ levels?$/);
  expect(block.title).toBe('');
  await pointAt(block);
  expect(block.title).toContain(`${time.slice(0, 10)} ${time.slice(11, 23)} UTC`);
  worker.follower.now += 67;
  worker.follower.block('BTC');
  await deliver();
  expect(Number(block.dataset.height)).toBe(Number(height) + 1);
  expect(Date.parse(block.dataset.time ?? '')).toBe(Date.parse(time) + 67);
  expect(block.textContent).toBe(expected());
});

it('[WEB-14] names the key of the shortcut sheet only while it works', async () => {
  const { container } = await open();
  expect(container.textContent).toContain('? shortcuts');
  await act(async () => usePreferences.getState().set({ characterKeys: false }));
  onTestFinished(() => usePreferences.getState().set({ characterKeys: true }));
  expect(container.textContent).not.toContain('shortcuts');
});

describe('texts drawn beside the page', () => {
  DrawingWorker.install();

  it('[WEB-127] update their DOM text with the page’s clock, at once while the book is held', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { container, rerender, worker, live, deliver } = await open();
    worker.follower.goLive('BTC');
    await deliver();
    DrawingWorker.all[0]?.ready();
    const block = only(container, '[data-part=shown-block]');
    const words = () => block.textContent;
    const shown = () =>
      `block ${Number(block.dataset.height).toLocaleString('en-US')} · ${block.dataset.time?.slice(11, 23)} UTC`;
    const next = async () => {
      worker.follower.now += 67;
      worker.follower.block('BTC');
      await deliver();
    };
    expect(words()).toBe(shown());
    await next();
    expect(words()).not.toBe(shown());
    await act(async () => vi.advanceTimersByTimeAsync(500));
    expect(words()).toBe(shown());
    await next();
    expect(words()).not.toBe(shown());
    live.pause(true);
    await deliver();
    expect(words()).toBe(shown());
    await rerender(null);
    expect(DrawingWorker.all.every(({ terminated }) => terminated)).toBe(true);
  });

  it('[WEB-127] update the DOM text of a steady text once the book is held', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    let write: (text: string) => void = () => {};
    function Steady() {
      const [text, setText] = useState('12 orders');
      write = setText;
      return <SteadyText>{text}</SteadyText>;
    }
    const { container, rerender, worker, live, deliver } = await open(<Steady />);
    DrawingWorker.all[0]?.ready();
    worker.follower.goLive('BTC');
    await deliver();
    await act(async () => write('13 orders'));
    expect(container.textContent).toBe('12 orders');
    live.pause(true);
    await deliver();
    expect(container.textContent).toBe('13 orders');
    await rerender(null);
  });
});
