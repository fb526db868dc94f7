import { expectSameCanvases, liveRows } from '../fixtures/live-grid.ts';
import { expectAccessible } from '../fixtures/looks.ts';
import { expect, test } from '../fixtures/test.ts';

test('[WEB-60, WEB-61] by keyboard alone: back through the kept blocks, one step, play, and live again', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&pane=tape');
  const strip = page.locator('[data-part=time]');
  const tape = page.locator('[data-part=tape]');
  await expect(page.getByRole('slider', { name: 'Shown block in the kept time' })).toBeVisible();
  await stack.venue.step(5);
  const lived = await desk.expectBook(await stack.venue.book('BTC'), '1');
  await stack.venue.step(12);
  const { height: newest } = await stack.venue.state();
  await expect(strip).toHaveAttribute('data-height', String(newest));

  // Ten blocks back, then two more: the earlier block, with the rows it had.
  await page.keyboard.press('<');
  await expect(strip).toHaveAttribute('data-frozen', 'true');
  await page.keyboard.press(',');
  await page.keyboard.press(',');
  await expect(strip).toHaveAttribute('data-height', String(lived.height));
  await expect(desk.grid).toHaveAttribute('data-height', String(lived.height));
  await expect(tape).toHaveAttribute('data-height', String(lived.height));
  const rows = new Map(lived.rows.map((row) => [`${row.side}${row.px}`, row]));
  const again = (await desk.twin()).rows.filter(({ side, px }) => rows.has(`${side}${px}`));
  expect(again.length).toBeGreaterThan(5);
  for (const row of again) expect(row).toEqual(rows.get(`${row.side}${row.px}`));
  // The tape's rows also belong to that block and those before it.
  const changes = page.getByRole('grid', { name: 'Changes, newest first' });
  await expect.poll(async () => (await liveRows(changes)).height).toBe(lived.height);
  const said = await liveRows(changes);
  const blocks = said.rows.map(({ block }) => Number(block?.replaceAll(',', '')));
  expect(said.height).toBe(lived.height);
  expect(blocks.length).toBeGreaterThan(0);
  expect(Math.max(...blocks)).toBeLessThanOrEqual(lived.height);
  expect(blocks).toEqual(blocks.toSorted((a, b) => b - a));
  for (const { px, sz, what } of said.rows) {
    expect(px).toMatch(/^[\d,.]+$/);
    // An order that was completely executed leaves nothing; its executions have the sizes.
    expect(sz).toMatch(what?.includes('all executed, gone') === true ? /^—$/ : /^[\d,.]+$/);
    expect(what).toMatch(/^[+−×↻↺] \w/);
  }

  await page.keyboard.press('.');
  await expect(strip).toHaveAttribute('data-height', String(lived.height + 1));
  // Playing ends at the current block, where the book is live again.
  await page.keyboard.press('k');
  await expect(strip).toHaveAttribute('data-frozen', 'false');
  await desk.expectBook(await stack.venue.book('BTC'), '1');

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

test('[WEB-62, WEB-63, WEB-111] the tape leads to the life of an order, and two marked blocks to the changes between them', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&pane=tape&kinds=added');
  await expect(page.getByRole('slider', { name: 'Shown block in the kept time' })).toBeVisible();
  await stack.venue.step(4);
  const { height } = await stack.venue.state();
  const strip = page.locator('[data-part=time]');
  await expect(strip).toHaveAttribute('data-height', String(height));
  await page.keyboard.press(',');
  await expect(strip).toHaveAttribute('data-height', String(height - 1));
  await page.getByRole('button', { name: 'A', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`a=${height - 1}`));
  await page.keyboard.press('l');
  await page.getByRole('button', { name: 'Changes' }).click();
  const difference = page.locator('[data-part=difference]');
  await expect(difference).toHaveAttribute('data-from', String(height - 1));
  await expect(difference).toHaveAttribute('data-to', String(height));
  await page.getByRole('button', { name: 'Back to the tape' }).click();

  const grid = page.getByRole('grid', { name: 'Changes, newest first' });
  await expect(grid.locator(`[data-height="${height}"]`)).toBeVisible();
  await expect(async () => {
    const { rows } = await liveRows(grid);
    expect(rows.length).toBeGreaterThan(0);
    for (const { what } of rows) expect(what).toMatch(/^\+ added/);
  }).toPass();
  await expectAccessible(page, '[data-part=tape]');
  // Another choice, and its result, are shown on the same canvas.
  const { rows: ofBoth } = await liveRows(grid);
  const side = page.locator('[data-part=tape]').getByLabel('Side');
  await expectSameCanvases(page.locator('[data-part=tape]'), async () => {
    await side.selectOption('A');
    await expect(async () => {
      const { rows } = await liveRows(grid);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows).not.toEqual(ofBoth);
    }).toPass();
  });
  await expectSameCanvases(page.locator('[data-part=tape]'), async () => {
    await side.selectOption('');
    await expect.poll(async () => (await liveRows(grid)).rows).toEqual(ofBoth);
  });
  // A typed size and a typed wallet.
  await page.getByRole('button', { name: 'Wallet and size' }).click();
  const filter = page.getByRole('dialog', { name: 'Wallet and size' });
  const [least = ''] = ofBoth.map(({ sz = '' }) => sz).toSorted((a, b) => Number(b) - Number(a));
  const large = ofBoth.filter(({ sz }) => Number(sz) >= Number(least));
  expect(large.length).toBeLessThan(ofBoth.length);
  await filter.getByLabel('Size from').fill(least);
  await expect.poll(async () => (await liveRows(grid)).rows).toEqual(large);
  await filter.getByLabel('Size from').fill('');
  // The newest order of the book was added in a kept block.
  const [newest] = (await stack.venue.book('BTC')).levels.flat().toSorted((a, b) => b.oid - a.oid);
  const user = String(newest?.user).toLowerCase();
  await filter.getByRole('textbox', { name: 'Wallet' }).fill(user.toUpperCase().replace('0X', '0x'));
  await expect(page).toHaveURL(new RegExp(`wallet=${user}`));
  await expect(async () => {
    const { rows } = await liveRows(grid);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThan(ofBoth.length);
    for (const { user: shown } of rows) expect(shown).toBe(rows[0]?.user);
  }).toPass();
  await filter.getByRole('button', { name: 'Clear' }).click();
  await expect(page).not.toHaveURL(/wallet=|least=/);
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await liveRows(grid)).rows).toEqual(ofBoth);

  await grid.getByRole('gridcell', { name: '+ added' }).first().click();
  const passport = page.locator('[data-part=passport]');
  await expect(passport).toContainText('born');
  await expect(passport).toContainText(/\d orders? and [\d.]+ ahead/);
  const oid = await passport.getAttribute('data-oid');
  await page.goto(`/order/${oid}?coin=BTC`);
  await expect(passport).toHaveAttribute('data-oid', String(oid));
});
