import { BookPage } from '../fixtures/book-page.ts';
import { PlainBrowser } from '../fixtures/plain-browser.ts';
import { expect, test } from '../fixtures/test.ts';

test('a hidden tab requests no frames while the worker applies every block, and is exact when shown again', async ({
  stack,
  session,
}) => {
  await using browser = await PlainBrowser.start();
  const { context } = browser;
  await context.addCookies(session.cookies);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${stack.url}/book/BTC?tick=1`);
  const desk = new BookPage(page);
  const before = await desk.expectBook(await stack.venue.book('BTC'), '1');

  const other = await context.newPage();
  await other.bringToFront();
  await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('hidden');
  const height = await stack.venue.step(50);
  await expect.poll(async () => (await desk.proof()).height, 'the worker goes on').toBe(height);
  expect((await desk.twin()).height, 'nothing is drawn').toBe(before.height);

  await page.bringToFront();
  await desk.expectBook(await stack.venue.book('BTC'), '1');
  expect((await desk.proof()).gaps).toBe(0);
});
