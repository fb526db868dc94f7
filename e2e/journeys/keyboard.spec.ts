import { tabTo, ticksOf } from '../fixtures/book-page.ts';
import { expect, test } from '../fixtures/test.ts';

/** Height of a ladder row, px. At a tick of 1, each row is one whole price. */
const ROW_HEIGHT = 20;

test('[WEB-14] by keyboard alone: choose a level, open its orders, read one, and close them', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  await desk.expectBook(await stack.venue.book('BTC'), '1');
  await tabTo(page, 'grid', /order book/);
  await page.keyboard.press('ArrowDown');
  const active = desk.grid.locator('[data-active=true]');
  await expect(active).toHaveAttribute('data-side', /[AB]/);
  const first = await active.getAttribute('data-px');
  await page.keyboard.press('ArrowDown');
  await expect(active).not.toHaveAttribute('data-px', first ?? '');
  const px = (await active.getAttribute('data-px')) ?? '';
  const side = (await active.getAttribute('data-side')) === 'A' ? 'A' : 'B';

  await page.keyboard.press('Enter');
  await desk.expectQueue(await stack.venue.book('BTC'), side, '1', px);
  await tabTo(page, 'region', 'Orders in queue order');
  await page.keyboard.press('ArrowDown');
  const oid = await desk.inspector.locator('[data-place="0"]').getAttribute('data-oid');
  await expect(page.getByRole('region', { name: `Order ${oid}` })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(desk.inspector).toHaveCount(0);
});

test('[WEB-14, WEB-9] by keyboard alone: another coin, another grouping, pause, verify and the list of shortcuts', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC');
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search coins' }).pressSequentially('gold');
  // Not the options of the selects next to it.
  await expect(page.locator('[role=option]').first()).toHaveText('xyz:GOLD');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/book/xyz:GOLD');
  await desk.expectProven('xyz:GOLD');
  const [finest = '', next = ''] = await ticksOf(page);
  await desk.expectBook(await stack.venue.book('xyz:GOLD'), finest);
  await page.keyboard.press(']');
  await expect(page).toHaveURL(`/book/xyz:GOLD?tick=${next}`);
  await desk.expectBook(await stack.venue.book('xyz:GOLD'), next);
  await page.keyboard.press('[');
  await desk.expectBook(await stack.venue.book('xyz:GOLD'), finest);
  await page.keyboard.press('p');
  await expect(desk.band).toContainText('PAUSED');
  await page.keyboard.press('p');
  await expect(desk.band).toHaveCount(0);
  await page.keyboard.press('v');
  await expect(desk.verification).toHaveAttribute('data-outcome', 'equal');
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toContainText('Choose a coin');
  const columns = () =>
    sheet.locator('section').evaluateAll((all) => new Set(all.map((part) => part.getBoundingClientRect().left)).size);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(columns, 'columns on a wide screen').toBe(3);
  await expect.poll(() => sheet.evaluate((box) => box.scrollHeight > box.clientHeight), 'scrolls').toBe(false);
  await page.setViewportSize({ width: 380, height: 800 });
  await expect.poll(columns, 'columns on a phone').toBe(1);
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
});

test('[WEB-14] a key pressed right after Escape closed a dialog takes effect, in any order of events', async ({
  page,
}) => {
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await page.goto('/limits');
  await expect(page.getByRole('table', { name: 'Buckets' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(palette).toBeVisible();
  for (const [key, opened] of [
    ['?', sheet],
    ['?', sheet],
    ['Control+k', palette],
    ['Control+k', palette],
    ['?', sheet],
  ] as const) {
    // Not awaited one by one: the second key arrives before the page has handled the first one's `close` event.
    await Promise.all([page.keyboard.press('Escape'), page.keyboard.press(key)]);
    await expect(opened).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(1);
  }
});

test('[WEB-14, WEB-3] rows scrolled by keyboard stay there until Space recentres them', async ({ desk, stack }) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  await desk.expectBook(await stack.venue.book('BTC'), '1');
  await tabTo(page, 'grid', /order book/);
  const highest = desk.grid.locator('[data-px]').first();
  for (let presses = 0; presses < 3; presses += 1) {
    const px = await highest.getAttribute('data-px');
    await page.keyboard.press('PageUp');
    await expect(highest).not.toHaveAttribute('data-px', px ?? '');
  }
  const pointer = page.getByRole('button', { name: /market .* down/ });
  await expect(pointer).toBeVisible();
  await expect(desk.grid.locator('[data-side=B]')).toHaveCount(0);
  const before = await desk.twin();
  await stack.venue.step(20);
  await expect.poll(async () => (await desk.twin()).height).toBe((await stack.venue.state()).height);
  await expect(pointer).toBeVisible();
  // Prices without orders are not rows of the grid: the rows visible before and now fit into one window.
  const prices = [...before.rows, ...(await desk.twin()).rows].map(({ px }) => Number(px));
  const slots = Math.floor(((await desk.grid.boundingBox())?.height ?? 0) / ROW_HEIGHT);
  expect(Math.max(...prices) - Math.min(...prices)).toBeLessThan(slots);
  await page.keyboard.press('Space');
  await expect(pointer).toHaveCount(0);
  await desk.expectBook(await stack.venue.book('BTC'), '1');
});
