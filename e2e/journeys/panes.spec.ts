import { chromium, type Page } from '@playwright/test';
import { BookPage, pressAndSee } from '../fixtures/book-page.ts';
import { args, chromiumSandbox, executablePath, WINDOW } from '../fixtures/chromium.ts';
import { expectAccessible } from '../fixtures/looks.ts';
import { complaintsOf, expect, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

test('panel and strips close and open, and the ladders get another width by keyboard; the address shows it, and the next visit remembers it', async ({
  desk,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  const panel = page.getByRole('complementary', { name: 'Panes' });
  const figures = page.getByRole('region', { name: 'Figures' });
  await expect(page.getByRole('tab', { name: 'Tape', selected: true })).toBeVisible();
  const width = async () => (await page.locator('[data-part=ladders]').boundingBox())?.width ?? 0;
  const before = await width();
  const splitter = page.getByRole('separator', { name: 'Width of the ladders' });
  await splitter.focus();
  // The first press is waited for, which gives the share it begins with; the other keys are not, and each counts.
  await pressAndSee(page, 'ArrowLeft', splitter, 'aria-valuetext');
  const first = Number(await splitter.getAttribute('aria-valuenow'));
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('ArrowLeft');
  await expect(splitter).toHaveAttribute('aria-valuenow', String(first - 4 * 2));
  await expect(page).toHaveURL(new RegExp(`split=${first - 4 * 2}`));
  await expect.poll(width).toBeLessThan(before - 50);
  const narrower = await width();

  await panel.getByRole('tab', { name: 'Owners' }).click();
  await expect(panel).toHaveAttribute('data-pane', 'owners');
  await expect(page).toHaveURL(/pane=owners/);
  await page.getByRole('button', { name: 'Hide: Figures' }).click();
  await expect(figures).toHaveCount(0);
  await expect(page).toHaveURL(/strip=0/);

  await page.goto('/book/BTC');
  await expect(panel).toHaveAttribute('data-pane', 'owners');
  await expect.poll(width).toBeCloseTo(narrower, 0);
  await splitter.focus();
  await page.keyboard.press('Home');
  await expect.poll(width).toBeCloseTo(before, 0);
  await expect(figures).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Time' })).toBeVisible();
  await visit(page, '/book/BTC?strip=1&pane=tape');
  await expect(panel).toHaveAttribute('data-pane', 'tape');
  await expect(figures).toBeVisible();

  await desk.expectProven('BTC');
  await page.keyboard.press('0');
  await expect(panel).toHaveCount(0);
  await expect(page).toHaveURL(/pane=none/);
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Level' }).click();
  await expect(panel).toHaveAttribute('data-pane', 'level');
  await page.keyboard.press('3');
  await expect(panel).toHaveAttribute('data-pane', 'tape');
});

test('no pane is empty by default: the map of prices is above the tape, the level is that of the best bid, and a chip opens the state', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await page.setViewportSize({ width: 1_440, height: 900 });
  await desk.open('BTC', '?tick=1');
  const print = page.locator('[data-part=tape] [data-column=px]').first();
  // Few blocks execute something.
  await expect(async () => {
    await stack.venue.step(20);
    await expect(print).toBeVisible({ timeout: 5_000 });
  }).toPass();
  // An earlier block may have the same best bid, and what is read twice would then differ.
  await desk.expectBook(await stack.venue.book('BTC'), '1');
  await expect(desk.integrity).toHaveAttribute('data-height', String((await stack.venue.state()).height));
  const map = page.locator('[data-part=price-map]');
  await expect(map.locator('[data-part=price-summary]')).toContainText('mid ');

  await page.keyboard.press('1');
  const level = page.locator('[data-part=best-level]');
  const { levels } = await stack.venue.book('BTC');
  await expect(level).toHaveAttribute('data-px', String(Number(levels[0][0]?.limitPx)));
  await expect(map).toBeVisible();

  const chip = desk.integrity.getByRole('button');
  await chip.focus();
  await page.keyboard.press('Enter');
  const details = page.locator('[data-part=proof-details]');
  const { height, seq } = await desk.proof();
  await expect(details.locator('[data-detail=block]')).toContainText(height.toLocaleString('en'));
  await expect(details.locator('[data-detail=seq]')).toContainText(seq.toLocaleString('en'));
  await expect(details.locator('[data-detail=gaps]')).toContainText('0 gaps');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(chip).toBeFocused();

  await page.getByRole('button', { name: 'Close the price map' }).click();
  await expect(map).toHaveCount(0);
  await expect(page).toHaveURL(/chart=0/);
  await page.goto('/book/BTC');
  await expect(page.locator('[data-part=panel]')).toBeVisible();
  await expect(map).toHaveCount(0);
});

test('the strip cuts off no figure, and has room for the block of the slower ones, whatever its width', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&strip=1');
  await stack.venue.step(5);
  const figures = page.locator('[data-part=figures]');
  await expect(figures).toBeVisible();
  const shown = () =>
    figures.evaluate((list) => {
      const { right, bottom } = list.getBoundingClientRect();
      return [...list.children].flatMap((figure) => {
        const box = figure.getBoundingClientRect();
        if (box.width === 0) return [];
        const isCut = box.right > right + 1 || box.top > bottom - box.height / 2;
        return `${figure.querySelector('dt')?.textContent}${isCut ? ' cut' : ''}`;
      });
    });
  const leans = ['±5 bps', '±10 bps', '±25 bps', '±50 bps', '±100 bps'];
  const [owner, block] = ['top owner ±10', 'block'];
  for (const [width, expected] of [
    [380, ['microprice', '±10 bps', owner]],
    [900, ['microprice', 'spread', ...leans, owner, block]],
    [1440, ['microprice', 'spread', ...leans, owner, block]],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(shown, { message: `${width} px` }).toEqual(expected);
  }
});

test('the book without one wallet, and of one wallet alone, is marked and exact; then the book is complete again', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  const book = await stack.venue.book('BTC');
  const [front] = book.levels[0];
  const px = front?.limitPx.replace(/\.0+$/, '') ?? '';
  const isOwn = ({ user }: { readonly user: unknown }) => user === front?.user;
  const atPx = book.levels[0].filter(({ limitPx }) => limitPx === front?.limitPx);
  await desk.open('BTC', `?tick=1&level=B${px}&order=${front?.oid}`);
  const whole = await desk.expectBook(book, '1');
  const row = desk.grid.locator(`[data-side=B][data-px="${px}"]`);

  await test.step('without it', async () => {
    await page.getByRole('button', { name: 'Without owner' }).click();
    await expect(page).toHaveURL(new RegExp(`without=${front?.user}`));
    await expect(row).toHaveAttribute('data-count', String(atPx.filter((order) => !isOwn(order)).length));
    await page.getByRole('button', { name: 'Show the whole book again' }).click();
    await desk.expectBook(book, '1');
  });

  await test.step('it alone, until Escape', async () => {
    await page.getByRole('button', { name: 'Only owner' }).click();
    await expect(page).toHaveURL(new RegExp(`only=${front?.user}`));
    await expect(page.locator('[data-part=only]')).toContainText('NOT THE BOOK');
    await expect(page.locator('[data-part=whole-book]')).toHaveText(/whole book/);
    await expect(row).toHaveAttribute('data-count', String(atPx.filter(isOwn).length));
    const prices = () => desk.grid.locator('[data-px]').count();
    await expect.poll(prices).toBeLessThan(whole.rows.length);
    const alone = await prices();
    await stack.venue.step(3);
    await page.keyboard.press('Escape');
    await expect(page.locator('[data-part=only]')).toHaveCount(0);
    await expect(page).not.toHaveURL(/only=/);
    const twin = await desk.expectBook(await stack.venue.book('BTC'), '1');
    expect(twin.rows.length).toBeGreaterThan(alone);
  });
});

test('on a narrow screen, the panel takes the focus when it opens over the ladder, not when it is there from the start', async ({
  desk,
}) => {
  const { page } = desk;
  await page.setViewportSize({ width: 380, height: 800 });
  await desk.open('BTC', '?pane=owners');
  const panel = page.getByRole('complementary', { name: 'Panes' });
  await expect(panel).toBeVisible();
  await expect(page.locator('body')).toBeFocused();
  await page.keyboard.press('0');
  await expect(panel).toHaveCount(0);
  await page.keyboard.press('3');
  await expect(panel).toHaveAttribute('data-pane', 'tape');
  await expect(panel).toBeFocused();

  await test.step('Back closes a sheet; its key opens the pane that was open last', async () => {
    await panel.getByRole('button', { name: 'Close the panel' }).click();
    await expect(panel).toHaveCount(0);
    await page.keyboard.press('0');
    await expect(panel).toHaveAttribute('data-pane', 'tape');
    await page.goBack();
    await expect(panel).toHaveCount(0);
    await expect(page).toHaveURL(/\/book\/BTC/);
  });
});

test('canvases have as many pixels as they fill, and are composited without interpolation, except on a touch screen', async ({
  stack,
  session,
}) => {
  // In the page or the browser that tests share, another pixel ratio or a touch screen would outlive this test.
  await using browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    chromiumSandbox,
    args,
  });
  for (const { rendering, ...options } of [
    { deviceScaleFactor: 1.25, rendering: 'pixelated' },
    { hasTouch: true, rendering: 'auto' },
  ]) {
    const viewport = { width: 1_920, height: 950 };
    const page = await browser.newPage({ ...WINDOW, viewport, ...options, baseURL: stack.url, storageState: session });
    const complaints = complaintsOf(page);
    await new BookPage(page).open('BTC', '?panes=owners,tape&pane=owners&tape=events&strip=1&time=1');
    await expect(page.locator('[data-part=ladder] canvas')).toHaveCount(1);
    await expect(page.locator('canvas'), 'everything else is text or SVG').toHaveCount(1);
    const wrong = () =>
      page.evaluate(
        (expected) =>
          [...document.querySelectorAll('canvas')]
            .map((canvas) => {
              const { width, height } = canvas.getBoundingClientRect();
              // A box that begins and ends between two pixels fills one more.
              const differs = [canvas.width - width * devicePixelRatio, canvas.height - height * devicePixelRatio];
              return { part: canvas.dataset.part, differs, rendering: getComputedStyle(canvas).imageRendering };
            })
            .filter(({ differs, rendering }) => rendering !== expected || differs.some((by) => Math.abs(by) >= 1.5)),
        rendering,
      );
    await expect.poll(wrong).toEqual([]);
    await expectHighlightToLeaveNothing(page);
    expect(complaints).toEqual([]);
    await page.close();
  }
});

/** Points at rows of the ladder, and away: every pixel is then as before. */
async function expectHighlightToLeaveNothing(page: Page): Promise<void> {
  const ladder = page.locator('[data-part=ladder] canvas');
  let before = await ladder.screenshot();
  const isStill = async () => {
    const last = before;
    before = await ladder.screenshot();
    return before.equals(last);
  };
  await expect.poll(isStill, 'the ladder is painted').toBe(true);
  for (const y of [105, 145, 185]) await ladder.hover({ position: { x: 300, y } });
  await expect.poll(async () => before.equals(await ladder.screenshot()), 'a row is highlighted').toBe(false);
  await page.mouse.move(0, 0);
  await expect.poll(async () => before.equals(await ladder.screenshot()), 'and nothing of it stays').toBe(true);
}

test('the lines of the strip, the map of the book and the activity of the kept time are drawn', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&strip=1&time=1');
  await expect(page.getByRole('slider', { name: 'Shown block in the kept time' })).toBeVisible();
  /** The part that each drawing is in, if it has a size. */
  const parts = async () => {
    // A line has values of two seconds at least.
    await stack.venue.step(20);
    return page.evaluate(() =>
      ['figures', 'minimap', 'scrubber'].map((part) => {
        const paths = [...document.querySelectorAll<SVGPathElement>(`[data-part=${part}] svg path`)];
        return [part, paths.filter((path) => path.getBBox().width > 0).length > (part === 'figures' ? 7 : 0)];
      }),
    );
  };
  await expect.poll(parts).toEqual([
    ['figures', true],
    ['minimap', true],
    ['scrubber', true],
  ]);
});

test('text of every pane can be selected, copied and found with the browser’s search', async ({ desk, stack }) => {
  const { page } = desk;
  await page.setViewportSize({ width: 2_560, height: 1_200 });
  await desk.open('BTC', '?tick=1&panes=owners,tape&pane=owners&tape=events&strip=1&time=1');
  const height = await stack.venue.step(20);
  // Held earlier, the book would have no events to list.
  await expect(page.locator('[data-part=tape]')).toHaveAttribute('data-height', String(height));
  await page.keyboard.press('p');
  await expect(page.locator('[data-part=shown-block]')).toHaveAttribute('data-frozen', 'true');
  const parts = [
    '[data-part=counts]',
    '[data-part=figures] dd',
    '[data-part=owners] [data-column=sz]',
    '[data-part=tape] [data-column=px]',
  ];
  for (const part of parts) {
    const text = page.locator(part).first();
    await expect(text).toHaveText(/\d/);
    const { written, selected, isFound } = await text.evaluate((element) => {
      const selection = getSelection();
      selection?.selectAllChildren(element);
      const selected = selection?.toString() ?? '';
      selection?.removeAllRanges();
      const digits = /\d[\d,.]{3,}/.exec(element.textContent ?? '')?.[0] ?? '';
      // The browser's own search: not in the standard, and in every browser.
      const page = window as unknown as { find(text: string): boolean };
      return { written: element.textContent ?? '', selected, isFound: digits !== '' && page.find(digits) };
    });
    const plain = (all: string) => all.replaceAll(/\s/g, '');
    expect(plain(selected), part).toBe(plain(written));
    expect(isFound, part).toBe(true);
  }
});
