import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

/** A large coin, one with a small price and one of a builder dex, each with its finest tick and a coarser one. */
const COINS = [
  { coin: 'BTC', ticks: ['1', '10'] },
  { coin: 'kPEPE', ticks: ['0.000001', '0.00002'] },
  { coin: 'xyz:GOLD', ticks: ['0.1', '5'] },
] as const;

test("[BOOK-1] the grid equals the exchange's own book at stepped blocks, with fine and coarse ticks", async ({
  desk,
  stack,
}) => {
  for (const [at, { coin, ticks }] of COINS.entries()) {
    await test.step(coin, async () => {
      const search = `?tick=${ticks[0]}`;
      await (at === 0 ? desk.open(coin, search) : desk.openNext(coin, search));
      await desk.expectBook(await stack.venue.book(coin), ticks[0]);
      for (const tick of ticks) {
        await desk.page.getByLabel('Grouping').selectOption(tick);
        for (const blocks of [1, 20]) {
          await stack.venue.step(blocks);
          await desk.expectBook(await stack.venue.book(coin), tick);
        }
      }
      expect((await desk.proof()).gaps).toBe(0);
    });
  }
});

/** How often the size of a ladder's canvas changes in ten frames, once those of a new window size are over. */
async function layoutChanges(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const frames = async (count: number) => {
      for (let frame = 0; frame < count; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    };
    await frames(4);
    let changes = 0;
    const canvases = document.querySelectorAll('[data-part=ladder] canvas');
    // The first call of an observer reports what it begins to observe.
    const observer = new ResizeObserver(() => {
      changes += 1;
    });
    for (const canvas of canvases) observer.observe(canvas);
    await frames(10);
    observer.disconnect();
    return changes - 1;
  });
}

test('a ladder of any width keeps its layout: whether the map has room does not depend on the map', async ({
  desk,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  // The widths around that at which the map appears, and one further from it on each side.
  const widths = [512, 519, 520, 528];
  const seen: [width: number, changes: number, hasMap: boolean][] = [];
  const map = desk.ladder.locator('[data-part=minimap]');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 640 });
    await expect.poll(() => desk.ladder.evaluate((ladder) => ladder.clientWidth)).toBe(width);
    seen.push([width, await layoutChanges(page), (await map.count()) === 1]);
  }
  expect(seen).toEqual(widths.map((width) => [width, 0, width >= 520]));

  await visit(page, '/book/BTC?tick=1&books=BTC@10,BTC@100');
  await page.setViewportSize({ width: 1920, height: 1080 });
  await expect(page.locator('[data-part=ladder]')).toHaveCount(3);
  expect(await layoutChanges(page)).toBe(0);
});
