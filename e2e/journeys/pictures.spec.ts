import { expect, test } from '../fixtures/test.ts';

const PICTURES = [
  { name: 'dark-1440', colorScheme: 'dark', width: 1440, height: 900 },
  { name: 'light-1440', colorScheme: 'light', width: 1440, height: 900 },
  { name: 'dark-380', colorScheme: 'dark', width: 380, height: 800 },
] as const;

for (const { name, colorScheme, width, height } of PICTURES) {
  test.describe(name, () => {
    test.use({ colorScheme, viewport: { width, height } });

    test(`a picture of the book, and of one with a level open, in ${name}`, async ({ desk, stack }, testInfo) => {
      const { page } = desk;
      await desk.open('BTC', '?tick=1');
      await stack.venue.step(30);
      const twin = await desk.expectBook(await stack.venue.book('BTC'), '1');
      await page.screenshot({ path: testInfo.outputPath(`book-${name}.png`) });
      const [longest] = twin.rows.filter(({ side }) => side === 'B').toSorted((a, b) => b.count - a.count);
      await page.goto(`/book/BTC?tick=1&level=B${longest?.px}`);
      await desk.expectQueue(await stack.venue.book('BTC'), 'B', '1', longest?.px ?? '');
      await desk.inspector.locator('[data-place="1"]').click();
      await expect(page.locator('[data-part=order]')).toBeVisible();
      await page.screenshot({ path: testInfo.outputPath(`level-${name}.png`) });
    });
  });
}
