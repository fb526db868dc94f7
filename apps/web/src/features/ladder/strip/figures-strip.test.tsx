import { expect, it } from 'vitest';
import { type PaneResult, paneRequest } from '../../../book-worker/panes.ts';
import { followedPage } from '../../../book-worker/test-support/followed-page.ts';
import { onBookPage } from '../../../test-support/book-page.tsx';
import { only, render } from '../../../test-support/render.ts';
import { shortAddress } from '../../../ui/format.ts';
import { leanText } from '../owners/texts.ts';
import { FiguresStrip } from './figures-strip.tsx';

it('updates numbers, lines and hints with the responses', async () => {
  const { worker, live, deliver } = followedPage();
  const { container } = await render(onBookPage(live, <FiguresStrip />));
  const lines = () =>
    [...container.querySelectorAll('[data-part=sparkline] .stroke-accent')].map((path) => path.getAttribute('d') ?? '');
  expect(container.textContent).toBe('No figures yet');
  const list = () => container.querySelector('dl')?.dataset.height;
  /** Adds a block this long after the last one, and waits until numbers and lines show it, each in its turn. */
  const block = async (afterMs: number) => {
    worker.follower.now += afterMs;
    worker.follower.block('BTC');
    const before = lines().join();
    const isDrawn = async () => {
      await deliver();
      return lines().join() !== before && list() === String(live.book().shown?.height);
    };
    await expect.poll(isDrawn, { timeout: 20_000 }).toBe(true);
  };
  worker.follower.goLive('BTC');
  await block(67);
  const first = list();
  await block(1_300);
  expect(list()).not.toBe(first);

  const response = live.book().panes[paneRequest('figures', {})] as PaneResult<'figures'> | undefined;
  const lean = (within: string) => only(container, `[data-figure="${within}"]`);
  expect(list()).toBe(String(response?.height));
  for (const { withinBps, lean: part, bidSz, askSz } of response?.figures?.imbalances ?? []) {
    const figure = lean(`±${withinBps} bps`);
    expect(figure.textContent).toBe(leanText(part));
    expect(figure.parentElement?.title).toContain(`${bidSz} bid, ${askSz} asked`);
  }
  expect(response?.figures?.imbalances).toHaveLength(5);
  expect(lean('top owner ±10').textContent).toMatch(/^\d+\.\d %\s*0x/);
  expect(container.textContent).toContain(shortAddress(response?.figures?.topOwner?.user ?? ''));
  // A minute is 48 px wide in a window of 1,024 px. The first book's spread may have no ticks: the price step was not known yet.
  const others = () => lines().filter((_, index) => index !== 1);
  const isWhole = async () => {
    await deliver();
    return others().every((line) => /^M\d+ [\d.]+(?:[ML]\d+ [\d.]+)+$/.test(line));
  };
  await expect.poll(isWhole, { timeout: 20_000 }).toBe(true);
  expect(others()).toHaveLength(7);
});
