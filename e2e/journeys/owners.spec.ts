import { pressAndSee } from '../fixtures/book-page.ts';
import { canonical, exactRows } from '../fixtures/exact.ts';
import { activeKey } from '../fixtures/grid.ts';
import {
  cutLines,
  enlargeTexts,
  expectAccessible,
  expectNoSidewaysScroll,
  textsOutOfReach,
} from '../fixtures/looks.ts';
import { exactBuy, exactOwners, exactPlace, expectExamples, expectWatched } from '../fixtures/owners.ts';
import { expect, test } from '../fixtures/test.ts';

/** A number without the commas between thousands. */
const plain = (text: string | null) => canonical((text ?? '').replaceAll(',', '').trim());

test("by keyboard: the wallets near the mid price equal the book's, at any distance, and one is watched", async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  await stack.venue.step(5);
  await page.keyboard.press('2');
  const pane = page.locator('[data-part=owners]');
  const book = await stack.venue.book('BTC');
  await expect(pane).toHaveAttribute('data-height', String(book.height));
  const bids = pane.getByRole('grid', { name: 'Bids by wallet' });
  const expectLargest = async (withinBps: number) => {
    await expect(pane).toHaveAttribute('data-within', String(withinBps));
    const [largest] = exactOwners(book, 'B', withinBps);
    const row = bids.locator('[data-row="0"]');
    const owner = row.locator('[data-column="owner"]');
    // A pointer has to move to hover over anything, and names what is drawn by then.
    await expect(async () => {
      await page.mouse.move(0, 0);
      await owner.hover();
      await expect(owner).toHaveAttribute('title', largest?.user ?? '', { timeout: 2_000 });
    }).toPass();
    const says = async (column: string) => plain(await row.locator(`[data-column="${column}"]`).textContent());
    await expect.poll(() => says('sz')).toBe(largest?.sz);
    await expect.poll(() => says('orders')).toBe(String(largest?.orders));
  };
  await expectLargest(10);
  // A short pane has its sides beside each other, and fewer columns.
  const width = async (side: string) => (await pane.getByRole('grid', { name: side }).boundingBox())?.width ?? 0;
  const beside = await width('Bids by wallet');
  await page.setViewportSize({ width: 1440, height: 1500 });
  await expect.poll(() => width('Bids by wallet')).toBeGreaterThan(1.5 * beside);
  await expectLargest(10);
  await expect(pane.locator('[data-part=requote-span]')).toContainText(/up to the shown block, over the kept \d+ \D+$/);
  await expect(bids.locator('[data-row="0"] [data-column="requotes"]')).toHaveText(/^[\d,.]+$/);
  await expectAccessible(page, '[data-part=owners]');

  await pane.getByRole('radio', { name: '10', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/within=25/);
  await expectLargest(25);

  await bids.focus();
  await pressAndSee(page, 'ArrowDown', bids, 'aria-activedescendant');
  const chosen = page.getByRole('region', { name: 'Chosen wallet' });
  const [, second] = exactOwners(book, 'B', 25);
  await page.keyboard.press('Enter');
  await expect(chosen).toHaveAttribute('data-user', second?.user ?? '');
  // A wallet of the demo becomes watched automatically, a moment after the page loads.
  await expectExamples(page);
  const watch = chosen.getByRole('button', { name: /^(?:Watch:|Stop watching$)/ });
  const before = await watch.textContent();
  await watch.focus();
  await page.keyboard.press('Enter');
  await expect(watch).toHaveText(before === 'Stop watching' ? /^Watch:/ : 'Stop watching');
});

test('by keyboard: a sweep takes the orders of the book in order, and its cost is exact', async ({ desk, stack }) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  await stack.venue.step(5);
  await page.getByRole('tab', { name: 'Level' }).focus();
  const selected = page.getByRole('tablist', { name: 'Panes' }).getByRole('tab', { selected: true });
  // Keys are pressed without waiting: each counts.
  const names = await page.getByRole('tablist', { name: 'Panes' }).getByRole('tab').allTextContents();
  for (let tab = names.indexOf('Level'); tab < names.indexOf('Sweep'); tab += 1)
    await page.keyboard.press('ArrowRight');
  await expect(selected).toHaveText('Sweep');
  await expect(selected).toBeFocused();
  const pane = page.locator('[data-part=sweep]');
  await pane.getByRole('textbox', { name: 'Size' }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('2,5');
  await expect(pane.getByText('Enter an amount, such as 12.5.')).toBeVisible();
  await expect(pane.locator('[data-field="filled"]'), 'nothing answers another amount').toBeHidden();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('2.5');
  await expect(page).toHaveURL(/sweep=buy-sz-2\.5/);
  const book = await stack.venue.book('BTC');
  await expect(pane).toHaveAttribute('data-height', String(book.height));
  await expect(pane).toContainText(`on the book at block ${book.height.toLocaleString('en')}`);
  const { taken, notional } = exactBuy(book, '2.5');
  await expect(pane.locator('[data-field="filled"]')).toHaveText(/^2\.5/);
  await expect.poll(async () => plain(await pane.locator('[data-field="notional"]').textContent())).toBe(notional);
  await expect(pane.locator('[data-field="orders"]')).toHaveText(String(taken.length));
  const rows = pane.getByRole('grid', { name: 'Orders taken, in their order' });
  for (const [index, { order, sz }] of taken.slice(0, 3).entries()) {
    const row = rows.locator(`[data-row="${index}"]`);
    const says = async (column: string) => plain(await row.locator(`[data-column="${column}"]`).textContent());
    await expect.poll(() => says('px')).toBe(canonical(order.limitPx));
    await expect.poll(() => says('taken')).toBe(sz);
  }
  await pane.getByRole('radio', { name: 'Orders' }).focus();
  await page.keyboard.press('ArrowRight');
  const [first] = taken;
  await expect(pane.getByRole('grid', { name: 'Wallets taken from' })).toBeVisible();
  expect(first).toBeDefined();
});

test('by keyboard: the orders of a watched wallet keep their exact place while blocks arrive', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&pane=owners');
  const pane = page.locator('[data-part=queues]');
  const bids = page.getByRole('grid', { name: 'Bids by wallet' });
  await expect(bids.locator('[data-row="0"]')).toBeVisible();
  await bids.focus();
  await page.keyboard.press('Enter');
  const chosen = page.getByRole('region', { name: 'Chosen wallet' });
  await expect(chosen).toHaveAttribute('data-user', /^0x/);
  const user = (await chosen.getAttribute('data-user')) ?? '';
  await expectWatched(page, chosen);
  await page.keyboard.press('5');
  const grid = pane.getByRole('grid', { name: 'Orders of the watched wallets' });
  let compared = 0;
  for (let step = 0; step <= 5; step += 1) {
    // First the book in which it was chosen, where it certainly rests.
    if (step > 0) await stack.venue.step(7);
    const book = await stack.venue.book('BTC');
    await expect(pane).toHaveAttribute('data-height', String(book.height));
    const place = exactPlace(book, user);
    const row = grid.locator('[data-row]', { has: page.locator(`[title$="${user}"]`) }).first();
    if (place === undefined) continue;
    await expect(row.locator('[data-column="place"]')).toHaveText(place.text);
    await expect.poll(async () => plain(await row.locator('[data-column="ahead"]').textContent())).toBe(place.szAhead);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(0);
  for (const width of [360, 380]) {
    await page.setViewportSize({ width, height: 740 });
    const beyond = () => grid.evaluate((element) => element.scrollWidth - element.clientWidth);
    await expect.poll(beyond, { message: `px to scroll sideways at ${width} px` }).toBe(0);
    for (const column of ['place', 'ahead']) {
      await expect(grid.locator(`[data-row="0"] [data-column="${column}"]`)).toBeInViewport({ ratio: 1 });
    }
  }
  await page.setViewportSize({ width: 1440, height: 640 });
  await grid.focus();
  await pressAndSee(page, 'ArrowDown', grid, 'aria-activedescendant');
  await page.keyboard.press('Enter');
  await expect(grid.locator('[aria-selected=true]')).toBeVisible();
  await expect(grid, 'choosing an order keeps the list, its focus and its place').toBeFocused();
  const life = page.locator('[data-part=queue-life]');
  await expect(life.getByRole('table', { name: 'What became of the queue' })).toContainText('still ahead');
});

test('wallets near the mid keep their rows under the pointer and with the focus, and are sorted again after both have left', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&pane=owners');
  const pane = page.locator('[data-part=owners]');
  const bids = pane.getByRole('grid', { name: 'Bids by wallet' });
  const listed = () =>
    bids.locator('[data-row]').evaluateAll((rows) => rows.slice(0, 6).map((row) => row.getAttribute('data-key') ?? ''));
  const makeBlocks = async () => {
    await stack.venue.step(20);
    const book = await stack.venue.book('BTC');
    await expect(pane).toHaveAttribute('data-height', String(book.height));
    return exactOwners(book, 'B', 10).map(({ user }) => user);
  };
  const isOther = (sorted: readonly string[], rows: readonly string[]) => rows.some((user, at) => user !== sorted[at]);
  const tab = page.getByRole('tab', { name: 'Owners' });
  await makeBlocks();
  // Each attempt begins with sorted rows, which the blocks after it would order otherwise.
  await expect(async () => {
    await page.mouse.move(0, 0);
    await tab.focus();
    await expect(pane).toHaveAttribute('data-held', 'false');
    await makeBlocks();
    for (const row of [1, 2]) await bids.locator(`[data-row="${row}"]`).hover();
    await expect(pane).toHaveAttribute('data-held', 'true');
    const before = await listed();
    const sorted = await makeBlocks();
    expect(isOther(sorted, before)).toBe(true);
    expect(await listed(), 'the rows stay').toEqual(before);
    await expect(pane.locator('[data-part=other-block]')).toHaveText(/^rows held, of [\d,]+\s*$/);
  }).toPass();

  // A click opens the wallet of its row, and gives the list the focus.
  const [, second] = await listed();
  await bids.locator('[data-row="1"] [data-column=owner]').click();
  await expect(page.getByRole('region', { name: 'Chosen wallet' })).toHaveAttribute('data-user', second ?? '');
  await page.mouse.move(0, 0);
  await expect(async () => {
    await pressAndSee(page, 'ArrowDown', bids, 'aria-activedescendant');
    await expect(pane).toHaveAttribute('data-held', 'true');
    const [user, rows] = [await activeKey(bids), await listed()];
    await makeBlocks();
    expect(await listed(), 'the rows stay').toEqual(rows);
    expect(await activeKey(bids), 'the keyboard stays on its wallet').toBe(user);
  }).toPass();
  await tab.focus();
  await expect(pane).toHaveAttribute('data-held', 'false');
  const sorted = await makeBlocks();
  await expect.poll(async () => isOther(sorted, await listed())).toBe(false);
});

test('enlarged texts are not cut through their letters, in the owners pane and next to a level', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  await stack.venue.step(5);
  await test.step('at 1280 px, everything in the header and the status line is in reach without scrolling', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const lines = [page.getByRole('banner'), page.locator('[data-part=title-line]'), page.locator('main > footer')];
    for (const factor of [1, 1.6, 2]) {
      await enlargeTexts(page, factor);
      for (const line of lines) await expect.poll(() => textsOutOfReach(line), { message: `${factor}` }).toEqual([]);
      await expect.poll(() => cutLines(page)).toEqual([]);
      await expectNoSidewaysScroll(page);
    }
  });
  await page.setViewportSize({ width: 1440, height: 640 });
  await enlargeTexts(page, 1);
  await page.keyboard.press('2');
  await expect(page.getByRole('table', { name: 'Concentration' })).toBeVisible();
  await expect(page.locator('[data-part=figures]')).toBeVisible();
  await enlargeTexts(page, 1.6);
  await expect.poll(() => cutLines(page)).toEqual([]);
  const [best] = exactRows(await stack.venue.book('BTC'), 'B', '1');
  await desk.open('BTC', `?tick=1&level=B${best?.px}`);
  await expect(page.locator('[data-part=flow]')).toBeVisible();
  await enlargeTexts(page, 1.6);
  await expect.poll(() => cutLines(page)).toEqual([]);
});
