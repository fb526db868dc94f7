import type { Locator } from '@playwright/test';
import { BookPage } from '../fixtures/book-page.ts';
import { WINDOW } from '../fixtures/chromium.ts';
import { expectAccessibleInBothLooks, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { closeMenu } from '../fixtures/menus.ts';
import { complaintsOf, expect, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

test('nothing scrolls sideways at 360 and 768 px, including the level and every menu', async ({ desk, stack }) => {
  const { page } = desk;
  const atEachWidth = async (look: (width: number) => Promise<unknown>) => {
    for (const width of [360, 768]) {
      await page.setViewportSize({ width, height: 740 });
      await look(width);
      await expectNoSidewaysScroll(page);
    }
  };
  await page.setViewportSize({ width: 360, height: 740 });
  await desk.open('BTC', '?tick=1');
  const book = await stack.venue.book('BTC');
  const twin = await desk.expectBook(book, '1');
  await atEachWidth(async (width) => {
    await desk.expectBook(book, '1');
    await expectNoSidewaysScroll(page);
    for (const menu of ['Coin: BTC', 'Columns', ...(width > 360 ? ['Export'] : []), 'Appearance', 'Session']) {
      const button = page.getByRole('button', { name: menu, exact: true });
      await button.click();
      await expect(button).toHaveAttribute('aria-expanded', 'true');
      // Its content is loaded when it is first opened.
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectNoSidewaysScroll(page);
      await closeMenu(page);
      await expect(button).toHaveAttribute('aria-expanded', 'false');
    }
  });
  const best = twin.rows.find(({ side }) => side === 'B');
  await visit(page, `/book/BTC?tick=1&level=B${best?.px}`);
  await atEachWidth(() => desk.expectQueue(book, 'B', '1', best?.px ?? ''));
});

test('on the book page, what stands beside another part is whole and in its place at any width', async ({ desk }) => {
  const { page } = desk;
  await page.setViewportSize({ width: 360, height: 740 });
  await desk.open('HYPE', '?tick=0.001');

  await test.step('at 360 px the controls are one line, for a mouse and for a finger', async () => {
    const lines = (control: string) =>
      page.evaluate((height) => {
        document.documentElement.style.setProperty('--control', height);
        const controls = [...document.querySelectorAll('[data-part=title-controls] :is(button, select)')];
        const boxes = controls.map((each) => each.getBoundingClientRect()).filter(({ width }) => width > 0);
        return new Set(boxes.map(({ top, bottom }) => Math.round(top + bottom))).size;
      }, control);
    for (const control of ['24px', '32px']) expect(await lines(control)).toBe(1);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('export book');
    await expect(page.getByRole('option', { name: /^Export book HYPE 0.001 as CSV/ })).toBeVisible();
    await page.keyboard.press('Escape');

    await desk.openNext('kPEPE', '?tick=0.000001');
    await expect(page.getByLabel('Grouping')).toHaveValue('0.000001');
    for (const control of ['32px', '24px']) expect(await lines(control)).toBe(1);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('add a ladder');
    await page.getByRole('option', { name: /^Add a ladder beside this one/ }).click();
    await expect(page.getByRole('dialog', { name: 'Add a ladder' })).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
  });

  await test.step('from 860 px on, the status chip is beside the controls', async () => {
    await desk.openNext('BTC', '?tick=1&pane=none');
    await page.setViewportSize({ width: 860, height: 700 });
    const controls = await page.locator('[data-part=title-controls]').boundingBox();
    const chip = await desk.integrity.boundingBox();
    expect(chip?.x).toBeGreaterThan((controls?.x ?? 0) + (controls?.width ?? 0));
    expect(chip?.y).toBeLessThan((controls?.y ?? 0) + (controls?.height ?? 0));
  });

  const status = page.locator('footer');
  await test.step('at 320 px the status line shows the block and its time whole, and no part of a count', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    const block = status.locator('[data-part=shown-block]');
    await expect(block).toHaveText(/^block [\d,]+ · \d\d:\d\d:\d\d\.\d{3} UTC\s*$/);
    await expect(block).toBeInViewport({ ratio: 1 });
    const cut = () =>
      status.locator('[data-part=counts]').evaluate((counts) => {
        const { right, bottom } = counts.getBoundingClientRect();
        const parts = [...counts.children].map((part) => part.getBoundingClientRect());
        return parts.some((part) => part.top < bottom && part.right > right + 0.5);
      });
    const counts = status.locator('[data-part=counts] > span');
    await expect(counts).toHaveCount(1);
    expect(await cut()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 640 });
    await expect(counts).toBeInViewport({ ratio: 0.99 });
    expect(await cut()).toBe(false);
  });

  await test.step('enlarged fourfold, the ladder has room, and the page scrolls down to its last line', async () => {
    await page.setViewportSize({ width: 320, height: 256 });
    await visit(page, '/book/BTC?strip=1&time=1&pane=none');
    const height = async () => (await desk.ladder.boundingBox())?.height ?? 0;
    await expect.poll(height).toBeGreaterThan(120);
    await expectNoSidewaysScroll(page);
    await page.mouse.move(160, 40);
    await expect(async () => {
      await page.mouse.wheel(0, 2_000);
      await expect(status).toBeInViewport({ ratio: 1, timeout: 5_000 });
    }).toPass();
  });
});

/** The most frequent colour of a canvas. */
const groundOf = (canvas: Locator) =>
  canvas.evaluate((element: HTMLCanvasElement) => {
    const copy = new OffscreenCanvas(element.width, element.height).getContext('2d');
    copy?.drawImage(element, 0, 0);
    const pixels = copy?.getImageData(0, 0, element.width, element.height).data ?? new Uint8ClampedArray();
    const counts = new Map<string, number>();
    for (let at = 0; at < pixels.length; at += 4) {
      const colour = `rgb(${pixels[at]}, ${pixels[at + 1]}, ${pixels[at + 2]})`;
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
  });

test('with forced colours, ladder and tape are drawn in the colours of the system', async ({
  browser,
  stack,
  session,
}) => {
  // In the page that tests share, forced colours would outlive this test.
  await using context = await browser.newContext({
    ...WINDOW,
    colorScheme: 'dark',
    forcedColors: 'active',
    baseURL: stack.url,
    storageState: session,
  });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await new BookPage(page).open('BTC', '?tick=1&pane=tape');
  const canvas = page.locator('[data-part=ladder] canvas');
  const system = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await expect.poll(() => groundOf(canvas)).toBe(system);
  await page.emulateMedia({ forcedColors: 'none' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const own = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(own).not.toBe(system);
  await expect.poll(() => groundOf(canvas)).toBe(own);
  expect(complaints).toEqual([]);
});

test.describe('axe finds nothing, dark and light', () => {
  // A low window has the same kinds of elements as a high one, but fewer of each.
  test.use({ viewport: { width: 1440, height: 480 } });

  test('on the book page, with a level and its menus open', async ({ desk, stack }) => {
    const { page } = desk;
    await desk.open('BTC', '?tick=1');
    const twin = await desk.expectBook(await stack.venue.book('BTC'), '1');
    const best = twin.rows.find(({ side }) => side === 'B');
    await desk.clickRow('B', '1', best?.px ?? '');
    await desk.inspector.locator('[data-place="0"]').click();
    await expect(page.locator('[data-part=order]')).toBeVisible();
    await expectAccessibleInBothLooks(page);
    for (const menu of ['Coin: BTC', 'Appearance']) {
      await page.getByRole('button', { name: menu, exact: true }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectAccessibleInBothLooks(page, '[role=dialog]');
      await closeMenu(page);
    }
  });

  test.describe('signed out', () => {
    test.use({
      storageState: { cookies: [], origins: [] },
      expectedMessages: [/the server responded with a status of 401/],
    });

    test('on the sign-in page, also with an error', async ({ page }) => {
      await page.goto('/sign-in');
      await expectAccessibleInBothLooks(page);
      await page.getByLabel('API key').fill('l4k_nonsense');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alert')).toBeVisible();
      await expectAccessibleInBothLooks(page);
    });
  });
});

test('the digits of a sentence are in the number font', async ({ desk }) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  await visit(page, '/orders');
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const fontsOf = async (selector: string) => {
    const { root } = await session.send('DOM.getDocument');
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
    return new Set(fonts.map(({ familyName }) => familyName.split(' ')[0]));
  };
  await expect(page.getByTitle(/Change the limit under Appearance/)).toHaveText(/ up to \d+ cr$/);
  await expect
    .poll(() => fontsOf('[title$="Change the limit under Appearance."]'))
    .toEqual(new Set(['Inter', 'JetBrains']));
});
