import { act } from 'react';
import { expect, it } from 'vitest';
import { Live } from '../../../book-worker/live.ts';
import { LiveProvider } from '../../../book-worker/live-context.tsx';
import { FakeWorker } from '../../../book-worker/test-support/fake-worker.ts';
import { FRAME_ASK } from '../../../book-worker/test-support/frame-ask.ts';
import { BOOK_PAGE } from '../../../test-support/book-page.ts';
import { only, pointAt, render } from '../../../test-support/render.ts';
import { BookPageProvider } from '../book-page.ts';
import { leanText } from '../owners/texts.ts';
import { FiguresStrip } from './figures-strip.tsx';

it('[WEB-52, WEB-53] updates numbers, lines and, under the pointer, hints with the responses', async () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker);
  live.open();
  live.follow('BTC');
  live.onFrame((_, panes) => live.showPanes(panes));
  const { container } = await render(
    <LiveProvider value={live}>
      <BookPageProvider value={BOOK_PAGE}>
        <FiguresStrip />
      </BookPageProvider>
    </LiveProvider>,
  );
  expect(container.textContent).toBe('Reading the figures …');
  const list = () => container.querySelector('dl')?.dataset.height;
  const lines = () => [...container.querySelectorAll('path.stroke-accent')].map((path) => path.getAttribute('d'));
  const draw = () =>
    act(async () => {
      live.ask({ ...FRAME_ASK, generation: live.generation });
      worker.deliver();
    });
  /** Adds a block this long after the last one, and waits until numbers and lines show it, each in its turn. */
  const block = async (afterMs: number) => {
    worker.follower.now += afterMs;
    worker.follower.block('BTC');
    const before = lines().join();
    const isDrawn = async () => {
      await draw();
      return lines().some(Boolean) && lines().join() !== before && list() === String(live.panes()?.height);
    };
    await expect.poll(isDrawn).toBe(true);
  };
  worker.follower.goLive('BTC');
  await block(67);
  const first = list();
  await block(1_100);
  expect(list()).not.toBe(first);

  const response = live.slowPanes().figures?.figures;
  const lean = (within: string) => only(container, `[data-figure="${within}"]`);
  expect(list()).toBe(String(response?.height));
  for (const { withinBps, lean: part, bidSz, askSz } of response?.figures?.imbalances ?? []) {
    const figure = lean(`±${withinBps} bps`);
    expect(figure.textContent).toBe(leanText(part));
    expect(figure.parentElement?.title).toBe('');
    await pointAt(figure);
    expect(figure.parentElement?.title).toContain(`${bidSz} bid, ${askSz} asked`);
  }
  expect(response?.figures?.imbalances).toHaveLength(5);
  expect(lean('top owner ±10').textContent).toMatch(/^\d+\.\d %\s*0x/);
  // A minute is 64 px wide. The first book's spread has no ticks: the price step was not known yet.
  const [microprice, , ...others] = lines();
  expect(others).toHaveLength(6);
  for (const line of [microprice, ...others]) expect(line).toMatch(/^M63 [\d.]+L64 [\d.]+$/);
});
