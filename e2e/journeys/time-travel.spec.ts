import { expectAccessible, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { paneRows } from '../fixtures/pane-rows.ts';
import { expect, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

test('by keyboard alone: back through the kept blocks, one step, play, and live again', async ({ desk, stack }) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&pane=tape&tape=events');
  const strip = page.locator('[data-part=time]');
  const tape = page.locator('[data-part=tape]');
  await expect(page.getByRole('slider', { name: 'Shown block in the kept time' })).toBeVisible();
  await stack.venue.step(5);
  const lived = await desk.expectBook(await stack.venue.book('BTC'), '1');
  await stack.venue.step(12);
  const { height: newest } = await stack.venue.state();
  await expect(strip).toHaveAttribute('data-height', String(newest));
  // The strip says the time of the shown block, whichever it is, and nothing moves.
  const shownTime = strip.locator('[data-field=time]');
  await expect(shownTime).toHaveText(/^\d\d:\d\d:\d\d\.\d{3} UTC *$/);
  const left = async () => (await strip.getByRole('slider').boundingBox())?.x;
  const leftLive = await left();

  // Ten blocks back, then two more: the earlier block, with the rows it had.
  await page.keyboard.press('<');
  await expect(strip).toHaveAttribute('data-frozen', 'true');
  await page.keyboard.press(',');
  await page.keyboard.press(',');
  await expect(strip).toHaveAttribute('data-height', String(lived.height));
  await expect(shownTime).toHaveText(/^\d\d:\d\d:\d\d\.\d{3} UTC *$/);
  expect(await left()).toBe(leftLive);
  await expect(desk.grid).toHaveAttribute('data-height', String(lived.height));
  await expect(tape).toHaveAttribute('data-height', String(lived.height));
  const rows = new Map(lived.rows.map((row) => [`${row.side}${row.px}`, row]));
  const again = (await desk.twin()).rows.filter(({ side, px }) => rows.has(`${side}${px}`));
  expect(again.length).toBeGreaterThan(5);
  for (const row of again) expect(row).toEqual(rows.get(`${row.side}${row.px}`));
  // The tape's rows also belong to that block and those before it.
  const changes = page.getByRole('grid', { name: 'Changes, newest first' });
  await expect.poll(async () => (await paneRows(changes)).height).toBe(lived.height);
  const said = await paneRows(changes);
  const blocks = said.rows.map(({ block }) => Number(block?.replaceAll(',', '')));
  expect(said.height).toBe(lived.height);
  expect(blocks.length).toBeGreaterThan(0);
  expect(Math.max(...blocks)).toBeLessThanOrEqual(lived.height);
  expect(blocks).toEqual(blocks.toSorted((a, b) => b - a));
  for (const { px, sz, what } of said.rows) {
    expect(px, 'the side is not told by colour alone').toMatch(/^[AB]\s*[\d,.]+$/);
    // An order that was completely executed leaves nothing; its executions have the sizes.
    expect(sz).toMatch(what?.includes('in full') === true ? /^—$/ : /^[\d,.]+$/);
    expect(what).toMatch(/^[+−×↻↺] \w/);
  }

  await page.keyboard.press('.');
  await expect(strip).toHaveAttribute('data-height', String(lived.height + 1));
  // Playing ends at the current block, where the book is live again.
  await page.keyboard.press('k');
  await expect(strip).toHaveAttribute('data-frozen', 'false');
  await desk.expectBook(await stack.venue.book('BTC'), '1');

  // A button that leads to the live book keeps the focus there.
  for (const name of ['A block forward (.)', 'Ten blocks forward (>)', 'Live']) {
    const button = strip.getByRole('button', { name, exact: true });
    await page.keyboard.press('p');
    await expect(strip).toHaveAttribute('data-frozen', 'true');
    await button.press('Enter');
    await expect(strip).toHaveAttribute('data-frozen', 'false');
    await expect(button).toBeFocused();
    await expect(button).toBeDisabled();
  }

  // The slider does the same when it is focused.
  await page.getByRole('slider', { name: 'Shown block in the kept time' }).focus();
  await page.keyboard.press('PageDown');
  await expect(page.getByRole('slider', { name: 'Shown block in the kept time' })).toHaveAttribute(
    'aria-valuenow',
    String(newest - 10),
  );
  await page.keyboard.press('Home');
  await expect(strip).toHaveAttribute('data-frozen', 'true');
  await stack.venue.step(3);
  await page.keyboard.press('End');
  await expect(strip).toHaveAttribute('data-frozen', 'false');
  const live = await desk.expectBook(await stack.venue.book('BTC'), '1');
  expect(live.height).toBe(newest + 3);
});

test('the tape leads to the life of an order, and a block is compared with the shown one', async ({ desk, stack }) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&pane=tape&kinds=added');
  await expect(page.getByRole('slider', { name: 'Shown block in the kept time' })).toBeVisible();
  await stack.venue.step(4);
  const { height } = await stack.venue.state();
  const strip = page.locator('[data-part=time]');
  await expect(strip).toHaveAttribute('data-height', String(height));
  await page.keyboard.press(',');
  await expect(strip).toHaveAttribute('data-height', String(height - 1));
  const compare = page.getByRole('button', { name: 'Compare' });
  await compare.click();
  await expect(compare).toHaveAttribute('aria-pressed', 'true');
  await expect(page).toHaveURL(new RegExp(`since=${height - 1}`));
  await page.keyboard.press('l');
  const difference = page.locator('[data-part=difference]');
  await expect(difference).toHaveAttribute('data-from', String(height - 1));
  await expect(difference).toHaveAttribute('data-to', String(height));
  const decimalsOf = (px: string) => px.trim().split('.')[1]?.length ?? 0;
  const printed = (await stack.venue.book('BTC')).levels.flat().map(({ limitPx }) => decimalsOf(limitPx));
  const prices = difference.getByRole('grid', { name: 'Levels that differ' }).locator('[data-row] [data-column=px]');
  await expect(prices.first()).toBeVisible();
  expect(new Set((await prices.allTextContents()).map(decimalsOf)), 'prices as the exchange prints them').toEqual(
    new Set([Math.max(...printed)]),
  );
  await page.getByRole('button', { name: 'Back to the tape' }).click();

  const grid = page.getByRole('grid', { name: 'Changes, newest first' });
  await expect.poll(async () => (await paneRows(grid)).height).toBe(height);
  await expect(async () => {
    const { rows } = await paneRows(grid);
    expect(rows.length).toBeGreaterThan(0);
    for (const { what } of rows) expect(what).toMatch(/^\+ added/);
  }).toPass();
  await expectAccessible(page, '[data-part=tape]');
  const { rows: ofBoth } = await paneRows(grid);
  const side = page.locator('[data-part=tape]').getByLabel('Side');
  await side.selectOption('A');
  await expect(async () => {
    const { rows } = await paneRows(grid);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).not.toEqual(ofBoth);
  }).toPass();
  await side.selectOption('');
  await expect.poll(async () => (await paneRows(grid)).rows).toEqual(ofBoth);
  // A typed size and a typed wallet.
  await page.getByRole('button', { name: 'Wallet and size' }).click();
  const filter = page.getByRole('dialog', { name: 'Wallet and size' });
  const [least = ''] = ofBoth.map(({ sz = '' }) => sz).toSorted((a, b) => Number(b) - Number(a));
  const large = ofBoth.filter(({ sz }) => Number(sz) >= Number(least));
  expect(large.length).toBeLessThan(ofBoth.length);
  await filter.getByLabel('Size from').fill(least);
  // The list had more rows than were in sight: large ones among them come into sight now.
  await expect(async () => {
    const { rows } = await paneRows(grid);
    expect(rows.slice(0, large.length)).toEqual(large);
    for (const { sz } of rows) expect(Number(sz)).toBeGreaterThanOrEqual(Number(least));
  }).toPass();
  await filter.getByLabel('Size from').fill('');
  // A wallet of one of the rows, whole from the exchange's book.
  const users = (await stack.venue.book('BTC')).levels.flat().map((order) => order.user.toLowerCase());
  const listed = new Set(ofBoth.map(({ user: shown }) => shown));
  const user = users.find((address) => listed.has(`${address.slice(0, 6)}…${address.slice(-4)}`)) ?? '';
  expect(user).not.toBe('');
  await filter.getByRole('textbox', { name: 'Wallet' }).fill(user.toUpperCase().replace('0X', '0x'));
  await expect(page).toHaveURL(new RegExp(`wallet=${user}`));
  await expect(async () => {
    const { rows } = await paneRows(grid);
    expect(rows.length).toBeGreaterThan(0);
    for (const { user: shown } of rows) expect(shown).toBe(rows[0]?.user);
  }).toPass();
  await filter.getByRole('button', { name: 'Clear' }).click();
  await expect(page).not.toHaveURL(/wallet=|least=/);
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await paneRows(grid)).rows).toEqual(ofBoth);

  await grid.getByRole('gridcell', { name: '+ added' }).first().click();
  const passport = page.locator('[data-part=passport]');
  await expect(passport).toContainText('born');
  await expect(page.locator('[data-part=panel]'), 'the keys go on in the panel').toBeFocused();
  await expect(passport).toContainText(/\d orders? and [\d.]+ ahead/);
  const oid = await passport.getAttribute('data-oid');
  await page.goBack();
  await expect(grid, 'Back leads to the tape').toBeVisible();
  await page.goForward();
  await expect(passport).toHaveAttribute('data-oid', String(oid));
  await page.goto(`/order/${oid}?coin=BTC`);
  await expect(passport).toHaveAttribute('data-oid', String(oid));
});

test('at 380 px a menu of the time strip has ten steps and the comparison, the strip stays one line, and panes name their block', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await page.setViewportSize({ width: 380, height: 800 });
  await desk.open('BTC', '?tick=1');
  await stack.venue.step(15);
  const { height } = await stack.venue.state();
  const strip = page.locator('[data-part=time]');
  await expect(strip).toHaveAttribute('data-height', String(height));
  await expect(page.getByRole('button', { name: 'Compare' })).toBeHidden();
  const menu = page.getByRole('button', { name: 'More steps' });
  await menu.click();
  const panel = page.getByRole('dialog', { name: 'More steps' });
  await panel.getByRole('button', { name: 'Ten blocks back (<)' }).click();
  await expect(strip).toHaveAttribute('data-height', String(height - 10));
  await expectAccessible(page, '[role=dialog]');
  await expectNoSidewaysScroll(page);
  await panel.getByRole('button', { name: 'Compare' }).click();
  await page.keyboard.press('l');
  const difference = page.locator('[data-part=difference]');
  await expect(difference).toHaveAttribute('data-from', String(height - 10));
  await expect(difference).toHaveAttribute('data-to', String(height));
  const box = await strip.boundingBox();
  for (const control of await strip.getByRole('button').all()) {
    if (!(await control.isVisible())) continue;
    const { y, height: high } = (await control.boundingBox()) ?? { y: 0, height: 0 };
    expect(Math.abs(y + high / 2 - ((box?.y ?? 0) + (box?.height ?? 0) / 2))).toBeLessThan(2);
  }

  await test.step('every pane that may be behind the ladder has room for its block', async () => {
    await page.setViewportSize({ width: 380, height: 900 });
    const order = (await stack.venue.book('BTC')).levels[0][0];
    await visit(page, `/book/BTC?tick=1&pane=owners&level=B${Number(order?.limitPx)}&order=${order?.oid}`);
    await expect(page.locator('[data-part=time]')).toHaveAttribute('data-height', /\d/);
    await expect(page.getByRole('slider', { name: 'Shown block in the kept time' })).toBeVisible();
    for (const pane of ['owners', 'tape', 'order', 'queues', 'level']) {
      await page.getByRole('tab', { name: new RegExp(`^${pane}$`, 'i') }).click();
      await stack.venue.step(3);
      const { height } = await stack.venue.state();
      const said = page.locator('[data-part=panel] [data-part=other-block]');
      await expect(said).toHaveText(new RegExp(`${height.toLocaleString('en')}$`));
      // All of it is in sight, beside what else stands there.
      await expect(said).toBeInViewport({ ratio: 1 });
      const { x = 0, width: wide = 0 } = (await said.boundingBox()) ?? {};
      expect(x + wide).toBeLessThanOrEqual(380);
      await expectNoSidewaysScroll(page);
    }
  });
});
