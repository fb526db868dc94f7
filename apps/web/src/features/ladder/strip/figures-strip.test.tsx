import { act } from 'react';
import { expect, it, onTestFinished } from 'vitest';
import { DrawTurns, pageFrames } from '../../../book-worker/draw-turns.ts';
import { Live } from '../../../book-worker/live.ts';
import { LiveProvider } from '../../../book-worker/live-context.tsx';
import { FakeWorker } from '../../../book-worker/test-support/fake-worker.ts';
import { FRAME_ASK } from '../../../book-worker/test-support/frame-ask.ts';
import { drawLaterWith } from '../../../state/draw-later.ts';
import { BOOK_PAGE } from '../../../test-support/book-page.ts';
import { DrawingWorker } from '../../../test-support/drawing-worker.ts';
import { only, pointAt, render } from '../../../test-support/render.ts';
import type { ToSharedWorker } from '../../../ui/draw/shared-worker.ts';
import { shortAddress } from '../../../ui/format.ts';
import { BookPageProvider } from '../book-page.ts';
import { leanText } from '../owners/texts.ts';
import { FiguresStrip } from './figures-strip.tsx';

DrawingWorker.install();

/** The strip of a followed book; frames are drawn by the browser, or by the test. */
async function open(frames = pageFrames()) {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated', new DrawTurns(frames));
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
  const lines = () => {
    const last = new Map<number, string | undefined>();
    for (const sent of DrawingWorker.all.flatMap(({ received }) => received as readonly ToSharedWorker[])) {
      if (sent.kind === 'open' && sent.sceneKind === 'drawing') last.set(sent.id, undefined);
      if (sent.kind === 'draw' && sent.message.kind === 'paint' && 'shapes' in sent.message.scene)
        last.set(sent.id, sent.message.scene.shapes.find(({ tone }) => tone === 'accent')?.path);
    }
    return [...last.values()];
  };
  const draw = () =>
    act(async () => {
      live.ask({ ...FRAME_ASK, generation: live.generation });
      worker.deliver();
    });
  return { worker, live, container, lines, draw };
}

it('[WEB-52, WEB-53] updates numbers, lines and, under the pointer, hints with the responses', async () => {
  const { worker, live, container, lines, draw } = await open();
  expect(container.textContent).toBe('Reading the figures …');
  const list = () => container.querySelector('dl')?.dataset.height;
  /** Adds a block this long after the last one, and waits until numbers and lines show it, each in its turn. */
  const block = async (afterMs: number) => {
    worker.follower.now += afterMs;
    worker.follower.block('BTC');
    const before = lines().join();
    const isDrawn = async () => {
      await draw();
      return lines().some(Boolean) && lines().join() !== before && list() === String(live.panes()?.height);
    };
    await expect.poll(isDrawn, { timeout: 20_000 }).toBe(true);
  };
  worker.follower.goLive('BTC');
  await block(67);
  const first = list();
  await block(1_300);
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
  const drawn = JSON.stringify(DrawingWorker.all.map(({ received }) => received));
  expect(drawn).toContain(shortAddress(response?.figures?.topOwner?.user ?? ''));
  // A minute is 48 px wide in a window of 1,024 px. The first book's spread may have no ticks: the price step was not known yet.
  const others = () => lines().filter((_, index) => index !== 1);
  const isWhole = async () => {
    await draw();
    return others().every((line) => /^M47 [\d.]+L48 [\d.]+$/.test(line ?? ''));
  };
  await expect.poll(isWhole, { timeout: 20_000 }).toBe(true);
  expect(others()).toHaveLength(7);
});

it('[WEB-101] draws its lines over several frames, at most two in one', async () => {
  const asked: (() => void)[] = [];
  const { worker, live, lines, draw } = await open({
    next: (callback) => void asked.push(callback),
    isHidden: () => false,
  });
  onTestFinished(drawLaterWith((later) => live.turns.add(later)));
  /** Draws the next frame; returns how many lines it changed. */
  const frame = async () => {
    const before = lines();
    await act(async () => {
      for (const callback of asked.splice(0)) callback();
    });
    return lines().filter((line, index) => line !== before[index]).length;
  };
  const changed: number[] = [];
  worker.follower.goLive('BTC');
  for (let block = 0; block < 2; block += 1) {
    worker.follower.now += 1_100;
    worker.follower.block('BTC');
    // Some frames have a block, or draw something else.
    for (let drawn = 0; drawn < 30; drawn += 1) {
      await draw();
      changed.push(await frame());
    }
  }
  expect(Math.max(...changed)).toBe(2);
  expect(changed.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(7);
  expect(lines().filter(Boolean)).toHaveLength(8);
});
