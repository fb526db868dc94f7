import { pressAndSee, tabTo, ticksOf } from '../fixtures/book-page.ts';
import { closeMenu } from '../fixtures/menus.ts';
import { filterOf } from '../fixtures/orders-page.ts';
import { allowAutoLoad } from '../fixtures/price-rule.ts';
import { expect, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

/** Height of a ladder row, px. At a tick of 1, each row is one whole price. */
const ROW_HEIGHT = 20;

test('by keyboard alone: choose a level, open its orders, read one, and close them; rows that are scrolled stay there until Space recentres them', async ({
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
  await tabTo(page, 'grid', 'Orders in queue order');
  await page.keyboard.press('Enter');
  const oid = await desk.inspector.locator('[data-place="0"]').getAttribute('data-oid');
  await expect(page.getByRole('region', { name: `Order ${oid}` })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(desk.inspector).toHaveCount(0);

  await tabTo(page, 'grid', /order book/);
  const highest = desk.grid.locator('[data-px]').first();
  for (let presses = 0; presses < 3; presses += 1) await pressAndSee(page, 'PageUp', highest, 'data-px');
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

  await test.step('so does a press on the best prices that are out of sight', async () => {
    for (let presses = 0; presses < 3; presses += 1) await pressAndSee(page, 'PageDown', highest, 'data-px');
    const chip = page.locator('[data-part=touch-chip]');
    await expect(chip).toContainText(/market [\d,.]+ \/ [\d,.]+ \d+ rows up/);
    await chip.click();
    await expect(chip).toHaveCount(0);
    await desk.expectBook(await stack.venue.book('BTC'), '1');
  });
});

test('by keyboard alone: another coin, another grouping, pause, verify and the list of shortcuts', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC');
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search coins' }).pressSequentially('gold');
  // Not the options of the selects next to it.
  await expect(page.locator('[role=option]').first()).toHaveAttribute('data-coin', 'xyz:GOLD');
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
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
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

  await page.goto('/book/BTC?view=mid');
  await desk.expectProven('BTC');
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search coins' }).pressSequentially('kp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/book/kPEPE?view=mid');
  await desk.expectProven('kPEPE');
  await page.goBack();
  await expect(page).toHaveURL('/book/BTC?view=mid');
  await desk.expectProven('BTC');
});

test('no key acts on what is behind an open menu, and a key spends one credit at most', async ({ page, visitor }) => {
  const calls: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST' || !request.url().endsWith('/info')) return;
    const body = request.postDataJSON() as { readonly type: string };
    // The names of spot pairs are loaded once by the page itself.
    if (body.type !== 'spotMeta') calls.push(body);
  });
  await allowAutoLoad(visitor, 100);
  await page.goto('/orders');
  await expect(page.getByRole('treegrid').locator('[data-row]').first()).toBeVisible();
  const refresh = page.getByRole('button', { name: /^Refresh/ });
  await expect(refresh).toBeEnabled();
  expect(calls.splice(0).length).toBeGreaterThan(0);
  await filterOf(page, 'Outcome').click();
  await page.keyboard.press('r');
  await closeMenu(page);
  await page.keyboard.press('r');
  const priced = page.getByRole('dialog', { name: /^Refresh/ });
  await expect(priced.getByRole('button', { name: /^Refresh .* \d+ credits$/ })).toBeFocused();
  await page.keyboard.press('r');
  await page.keyboard.press('Escape');
  await expect(priced).toHaveCount(0);
  expect(calls).toEqual([]);
  await page.keyboard.press('r');
  await page.keyboard.press('Enter');
  await expect.poll(() => calls.length).toBeGreaterThan(0);
  await expect(refresh).toBeEnabled();
});

/** What has the focus, and how many boxes cut off the outline around it; undefined if it has no outline. */
const outlineOfFocus = () => {
  if (document.activeElement === document.body) return 'nothing';
  const around: Element[] = [];
  for (let element = document.activeElement; element !== null; element = element.parentElement) around.push(element);
  const outlined = around
    .flatMap((element) => [null, '::after'].map((part) => ({ element, style: getComputedStyle(element, part), part })))
    .find(({ style, part }) => style.outlineStyle !== 'none' && (part === null || style.content !== 'none'));
  if (outlined === undefined) return undefined;
  const by = Number.parseFloat(outlined.style.outlineOffset) + Number.parseFloat(outlined.style.outlineWidth);
  const box = outlined.element.getBoundingClientRect();
  const cutting = around.slice(around.indexOf(outlined.element) + 1).filter((outer) => {
    const { overflowX, overflowY, contain } = getComputedStyle(outer);
    const { left, right, top, bottom } = outer.getBoundingClientRect();
    const isContained = /paint|strict|content/.test(contain);
    const isCutInX = box.left - by < left - 0.5 || box.right + by > right + 0.5;
    const isCutInY = box.top - by < top - 0.5 || box.bottom + by > bottom + 0.5;
    return (
      (isCutInX && (overflowX !== 'visible' || isContained)) || (isCutInY && (overflowY !== 'visible' || isContained))
    );
  });
  return { what: around[0]?.outerHTML.slice(0, 160), outlined: outlined.element.id, cuts: cutting.length };
};

test('what the keyboard focuses has a whole outline, and the page itself never has one', async ({ page, visitor }) => {
  await allowAutoLoad(visitor, 100);
  await page.goto('/limits');
  for (const path of ['/', '/book/BTC', '/balances', '/orders', '/funding', '/limits', '/usage']) {
    await visit(page, path);
    await expect(page.locator('main h1, main [data-part=title-line]').first()).toBeAttached();
    // What is there takes no focus by itself.
    if (path.startsWith('/book')) await page.locator('[data-part=counts]').click();
    else await page.locator('main').click({ position: { x: 900, y: 3 } });
    for (const key of ['Control+k', 'Escape']) await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const restored = await page.evaluate(() => document.activeElement?.id);
    expect(restored, `${path}: the click has focused the page`).toBe('main');
    expect(await page.evaluate(outlineOfFocus), path).toBeUndefined();
    for (let tab = 0; tab < 50; tab += 1) {
      await page.keyboard.press('Tab');
      const seen = await page.evaluate(outlineOfFocus);
      if (seen !== 'nothing') expect(seen, `${path}, tab ${tab}`).toMatchObject({ cuts: 0 });
    }
  }
});
