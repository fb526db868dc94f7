import type { Locator } from '@playwright/test';
import { pressAndSee } from '../fixtures/book-page.ts';
import { canonical, exactQueue, exactRows, units } from '../fixtures/exact.ts';
import { expectAccessible } from '../fixtures/looks.ts';
import { expect, test } from '../fixtures/test.ts';

/** Heights in the drawn ladder in compact density, in CSS pixels. */
const HEADING = 22;
const ROW = 20;

/** The current position of an element; parts that load later may still move it. */
async function placeOf(target: Locator) {
  const box = await target.boundingBox();
  if (box === null) throw new Error(`${String(target)} is not on the page`);
  return box;
}

/** The rows of the accessible grid, from the highest price down. */
const rowsOf = (grid: Locator) =>
  grid.evaluate((element) =>
    [...element.querySelectorAll<HTMLElement>('[data-px]')].map((row) => ({
      side: row.dataset.side as 'A' | 'B',
      px: row.dataset.px ?? '',
      cum: row.dataset.cum ?? '',
      count: Number(row.dataset.count),
      flow: row.dataset.flow,
      own: row.dataset.own,
    })),
  );

test('rows show what came and went in 5 s, and the exact place of the first watched order; an order of a lane is described under the pointer and by keyboard, next to the best prices, and Enter opens it', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  // Keeping of blocks starts a moment after the book is shown.
  await expect(page.getByRole('slider', { name: 'Shown block in the kept time' })).toBeVisible();
  await stack.venue.step(10);
  const book = await stack.venue.book('BTC');
  await desk.expectBook(book, '1');
  const moved = async () => (await rowsOf(desk.grid)).filter(({ flow }) => flow !== undefined).length;
  await expect.poll(moved).toBeGreaterThan(3);
  // The demo's wallets, and with them their marks, arrive a moment after the page.
  const ownedRows = async () => (await rowsOf(desk.grid)).filter(({ own }) => own !== undefined);
  await expect.poll(async () => (await ownedRows()).length).toBeGreaterThan(0);
  const owned = await ownedRows();
  for (const { side, px, own = '' } of owned) {
    const queue = exactQueue(book, side, '1', px);
    const [, place, orders, ahead = ''] =
      /^\S.* ([\d,]+) of ([\d,]+) · (\d[\d,]*\.\d{5}) ahead/.exec(own.replaceAll(',', '')) ?? [];
    const before = queue.slice(0, Number(place) - 1).reduce((sum, { sz }) => sum + units(sz), 0n);
    expect([Number(orders), canonical(ahead)]).toEqual([queue.length, canonical(before)]);
  }

  const tip = page.locator('[data-part=lane-tip]');
  const rows = await rowsOf(desk.grid);
  const best = rows.find(({ side }) => side === 'B');
  const active = desk.grid.locator('[data-active=true]');
  for (let presses = 0; presses < rows.length; presses += 1) {
    await pressAndSee(page, 'ArrowDown', active, 'data-px');
    if ((await active.getAttribute('data-px')) === best?.px) break;
  }
  await expect(active).toHaveAttribute('data-px', best?.px ?? '');
  await page.keyboard.press('ArrowRight');
  const [first] = exactQueue(book, 'B', '1', best?.px ?? '');
  await expect(tip).toHaveAttribute('data-oid', String(first?.oid));
  await expect(page.locator('[data-part=lane-spoken]')).toHaveText(new RegExp(`^Order 1 of ${best?.count}, `));
  const firstRow = rows[0];
  // The bar is above the bids.
  const slot = 1 + Number(units(firstRow?.px ?? '') - units(best?.px ?? '')) / Number(units('1'));
  // The tip of the best bid is below it, so it covers neither best price.
  const below = async () => ((await tip.boundingBox())?.y ?? 0) - (await placeOf(desk.ladder)).y - HEADING;
  await expect.poll(below).toBeGreaterThanOrEqual((slot + 1) * ROW);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`order=${first?.oid}`));
  await expect(page.locator('[data-part=passport]')).toHaveAttribute('data-oid', String(first?.oid));
  await page.keyboard.press('Escape');
  await expect(tip).toBeHidden();

  // Parts that load later may have moved the rows, and a busy machine reports what is under the pointer some frames late.
  let frames = 2;
  const pointedAt = async (at: { readonly x: number; readonly y: number }) => {
    await page.mouse.move(at.x, at.y);
    await page.evaluate(async (count) => {
      for (let drawn = 0; drawn < count; drawn += 1) await new Promise(requestAnimationFrame);
    }, frames);
    const [order] = await tip.evaluateAll((tips) =>
      tips.map(({ dataset }) => ({ oid: Number(dataset.oid), place: Number(dataset.place) })),
    );
    return order;
  };
  await expect(async () => {
    frames *= 2;
    const { x, y, width } = await placeOf(desk.ladder);
    // The longest queue: that of a row with hardly anything in it lies between two of the tried places.
    const shown = await rowsOf(desk.grid);
    const { side = 'B', px = '' } = shown.toSorted((a, b) => b.count - a.count)[0] ?? {};
    const row = Number(units(shown[0]?.px ?? '') - units(px)) / Number(units('1')) + (side === 'B' ? 1 : 0);
    for (let share = 0.4; share < 0.95; share += 0.03) {
      const order = await pointedAt({ x: x + width * share, y: y + HEADING + (row + 0.5) * ROW });
      if (order === undefined) continue;
      expect(exactQueue(book, side, '1', px)[order.place]?.oid).toBe(order.oid);
      return;
    }
    throw new Error('no order is under the pointer, wherever it is');
  }).toPass();
});

test('by mouse and keyboard: a sweep from the best price, and the ruler', async ({ desk, stack }) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  await stack.venue.step(2);
  const book = await stack.venue.book('BTC');
  await desk.expectBook(book, '1');
  const asks = exactRows(book, 'A', '1');
  const swept = () => canonical(new URL(page.url()).searchParams.get('sweep')?.replace('buy-sz-', '') ?? '0');
  for (const { cum } of asks.slice(0, 2)) {
    await page.keyboard.press('Shift+ArrowUp');
    await expect.poll(swept).toBe(cum);
  }
  await expect(page.getByRole('tab', { name: 'Sweep', selected: true })).toBeVisible();
  const band = page.locator('[data-part=band]');
  await expect(band).toHaveAttribute('data-kind', 'sweep');
  await expect(band, 'of the shown book, unlike the size in the pane').toHaveText(
    /^Buy all that rests up to [\d,]+: [\d,.]+ BTC in the shown book$/,
  );
  await test.step('Back ends the sweep, and shows the pane that was open before', async () => {
    await page.goBack();
    await expect(band).toBeHidden();
    await expect(page).toHaveURL(/\/book\/BTC\?tick=1$/);
    await expect(page.getByRole('tab', { name: 'Tape', selected: true })).toBeVisible();
    await page.keyboard.press('Shift+ArrowUp');
    await expect(band).toHaveAttribute('data-kind', 'sweep');
  });
  await page.keyboard.press('Escape');
  await expect(band).toBeHidden();

  const ladder = await placeOf(desk.ladder);
  const y = (slot: number) => ladder.y + HEADING + ROW * (slot + 0.5);
  await test.step('the bar between the best prices is a handle', async () => {
    const [first] = (await desk.twin()).rows;
    const [bid] = exactRows(book, 'B', '1');
    const [top, best, low] = [first?.px, asks[0]?.px, bid?.px].map(Number) as [number, number, number];
    // Half of the prices between the best ones are above the bar.
    const bar = top - Math.floor((low + best - 1) / 2);
    await page.mouse.move(ladder.x + 300, y(bar));
    await page.mouse.down();
    await page.mouse.move(ladder.x + 300, y(top - best), { steps: 3 });
    await page.mouse.up();
    await expect.poll(swept).toBe(asks[0]?.cum);
    await expect(band).toBeHidden();
  });

  await page.keyboard.press('m');
  await expect(band).toHaveAttribute('data-kind', 'ruler');
  await page.mouse.move(ladder.x + 200, y(1));
  await page.mouse.down();
  await page.mouse.move(ladder.x + 200, y(7), { steps: 3 });
  await page.mouse.up();
  const ends = async () => {
    const [{ from, to } = { from: null, to: null }] = await band
      .locator('[data-from]')
      .evaluateAll((all) =>
        all.map((each) => ({ from: each.getAttribute('data-from'), to: each.getAttribute('data-to') })),
      );
    return { from: units(from ?? '0'), to: units(to ?? '0') };
  };
  await expect.poll(async () => ((await ends()).from - (await ends()).to).toString()).toBe(units('6').toString());
  const { from, to } = await ends();
  const between = asks.filter(({ px }) => units(px) <= from && units(px) >= to);
  const resting = between.reduce((sum, { sz }) => sum + units(sz), 0n);
  await expect
    .poll(async () => canonical((await band.locator('[data-side=asks]').getAttribute('data-sz')) ?? ''))
    .toBe(canonical(resting));
});

test('a price, its order and a wallet have a context menu, by mouse and by keyboard', async ({ desk, stack }) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&pane=owners&within=100');
  await stack.venue.step(2);
  const book = await stack.venue.book('BTC');
  await desk.expectBook(book, '1');
  const menu = page.getByRole('menu');
  const item = (name: RegExp) => menu.getByRole('menuitem', { name });

  const ladder = await placeOf(desk.ladder);
  const [row] = (await desk.twin()).rows;
  await page.mouse.click(ladder.x + 60, ladder.y + HEADING + ROW / 2, { button: 'right' });
  await expect(menu).toContainText(`Ask ${Number(row?.px).toLocaleString('en')}`);
  await expectAccessible(page, '[data-part=context-menu]');
  await item(/^Alert when the mid rises/).click();
  await expect(menu).toHaveCount(0);
  await expect(page.getByText(/^Alert: BTC mid at [\d,]+ or above/)).toBeVisible();
  await expect(desk.grid.locator('[data-alert]')).toHaveAttribute('data-px', row?.px ?? '');
  await page.mouse.click(ladder.x + 60, ladder.y + HEADING + ROW / 2, { button: 'right' });
  await expect(item(/^Alert when/)).toHaveCount(0);
  await item(/^Remove its alert/).click();
  await expect(desk.grid.locator('[data-alert]')).toHaveCount(0);
  await page.mouse.click(ladder.x + 60, ladder.y + HEADING + ROW / 2, { button: 'right' });
  await expect(item(/^Alert when/)).toBeVisible();
  await item(/^Sweep to here: buy/).click();
  await expect(page).toHaveURL(new RegExp(`sweep=buy-to-${row?.px}`));

  await test.step('by keyboard: the order of a row', async () => {
    await page.keyboard.press('ArrowDown');
    await expect(desk.grid.locator('[data-active=true]')).toHaveCount(1);
    await page.keyboard.press('ArrowRight');
    const tip = page.locator('[data-part=lane-tip]');
    await expect(tip).toHaveAttribute('data-oid', /\d/);
    const oid = await tip.getAttribute('data-oid');
    await page.keyboard.press('Shift+F10');
    await expect(menu).toContainText(`Order ${oid}`);
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
    await expect(desk.grid).toBeFocused();
  });

  await page.getByRole('tab', { name: 'Owners' }).click();
  const owner = page.locator('[data-part=owners] tbody [data-wallet]').first();
  await owner.click({ button: 'right' });
  await item(/^Only its orders/).click();
  await expect(page.locator('[data-part=only]')).toBeVisible();
  await expect(page).toHaveURL(/only=0x/);
});

test('the palette scales the bars, and the map scrolls and returns', async ({ desk, stack }) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&large=0.25');
  await stack.venue.step(2);
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: /^Search pages/ }).fill('Bar scale: Log');
  await expect(page.getByRole('option', { name: /^Bar scale: Log/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/bars=log/);
  const map = page.getByRole('slider', { name: 'Map of the whole book' });
  await expect(map).toHaveAttribute('data-height', /^\d+$/);
  const chip = page.locator('[data-part=touch-chip]');
  await map.focus();
  for (let presses = 0; presses < 3; presses += 1) await pressAndSee(page, 'PageUp', map, 'aria-valuetext');
  await expect(chip).toBeVisible();
  await page.keyboard.press('Home');
  await expect(chip).toBeHidden();
  const { width, height } = await placeOf(map);
  await map.click({ position: { x: width / 2, y: height * 0.9 } });
  await expect(chip).toBeVisible();
});
