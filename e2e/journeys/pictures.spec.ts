import { expect, test } from '../fixtures/test.ts';

const PICTURES = [
  { name: 'dark-1440', colorScheme: 'dark', width: 1440, height: 900 },
  { name: 'light-1440', colorScheme: 'light', width: 1440, height: 900 },
  { name: 'dark-380', colorScheme: 'dark', width: 380, height: 800 },
] as const;

test('pictures of the book, and of one with a level open: dark, light and narrow', async ({
  desk,
  stack,
}, testInfo) => {
  const { page } = desk;
  const takePictures = async (of: string, drawn: () => Promise<unknown>) => {
    for (const { name, colorScheme, width, height } of PICTURES) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await drawn();
      await page.screenshot({ path: testInfo.outputPath(`${of}-${name}.png`) });
    }
  };
  await desk.open('BTC', '?tick=1');
  await stack.venue.step(30);
  const book = await stack.venue.book('BTC');
  await takePictures('book', () => desk.expectBook(book, '1'));

  const bids = (await desk.twin()).rows.filter(({ side }) => side === 'B');
  const [longest] = bids.toSorted((a, b) => b.count - a.count);
  await page.goto(`/book/BTC?tick=1&level=B${longest?.px}`);
  await desk.expectQueue(book, 'B', '1', longest?.px ?? '');
  await desk.inspector.locator('[data-place="1"]').click();
  await takePictures('level', () => expect(page.locator('[data-part=order]')).toBeVisible());
});
