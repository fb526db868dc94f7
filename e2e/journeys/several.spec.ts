import { BookPage } from '../fixtures/book-page.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { closeMenu } from '../fixtures/menus.ts';
import { expect, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

test('a second grouping of the same book shares its blocks, pause and playing, costs no credit, and marks the same price', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  await page.keyboard.press('a');
  await page.getByRole('button', { name: /BTC grouped by 10/ }).click();
  await expect(page).toHaveURL(/books=BTC(?:%40|@)10/);
  const ladderOf = (number: number) =>
    new BookPage(page, page.getByRole('region', { name: `BTC order book, ladder ${number}` }).locator('..'));
  const [fine, coarse] = [ladderOf(1), ladderOf(2)];
  await stack.venue.step(5);
  const book = await stack.venue.book('BTC');
  await fine.expectBook(book, '1');
  await coarse.expectBook(book, '10');
  await page.getByRole('button', { name: /^Credits: / }).click();
  await expect(page.getByRole('dialog', { name: 'Credits' }).getByText(/ book$/)).toHaveText(['BTC book']);
  await closeMenu(page);
  const header = page.getByRole('button', { name: /^Ladder 2: BTC/ });
  await expect(header).toHaveAttribute('aria-pressed', 'true');
  await expect(header).toHaveAttribute('title', /^EXACT.*: every block .*\nAge of the shown book/);
  await expect(header.locator('[data-part=age]')).toHaveText(/^age /);
  await expect(header.locator('[title]')).toHaveCount(0);

  await page.keyboard.press('p');
  for (const ladder of [fine, coarse]) await expect(ladder.ladder).toHaveAttribute('data-paused', 'true');
  await stack.venue.step(10);
  for (const ladder of [fine, coarse]) {
    await expect(ladder.band).toContainText('10 blocks behind');
    await expect(ladder.grid).toHaveAttribute('data-height', String(book.height));
  }
  // Enough blocks that none of them has been played to the end before both are read.
  await stack.venue.step(200);
  await page.keyboard.press('k');
  for (const ladder of [fine, coarse]) await expect(ladder.band).toContainText('PLAYING');
  // The first press stops what is played, the second one returns to live.
  await page.keyboard.press('p');
  for (const ladder of [fine, coarse]) await expect(ladder.band).toContainText('PAUSED');
  await page.keyboard.press('p');
  const { height } = await stack.venue.state();
  for (const ladder of [fine, coarse]) await expect(ladder.grid).toHaveAttribute('data-height', String(height));

  await fine.pointUntilMarkedIn(coarse.ladder);
  await expect(fine.ladder).not.toHaveAttribute('data-crosshair');
  await page.mouse.move(700, 10);
  await expect(coarse.ladder).not.toHaveAttribute('data-crosshair');

  await page.keyboard.press('b');
  await expect(page.getByRole('button', { name: /^Ladder 1: BTC/ })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByLabel('Grouping')).toHaveValue('1');
  await page.goto('/book/BTC?tick=1');
  await expect(page.locator('[data-part=ladder]')).toHaveCount(2);
  await page.getByRole('button', { name: 'Close ladder 2: BTC' }).click();
  await expect(page.locator('[data-part=ladder]')).toHaveCount(1);
  await expect(page).toHaveURL(/books=none/);
});

test('another coin next to it: each book has its own state, pause and price, panes belong to the active one', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  // Typed at once: the key, the coin, Enter.
  await page.keyboard.press('a');
  await page.keyboard.type('eth');
  await expect(page.getByRole('combobox', { name: 'Search coins' })).toHaveValue('eth');
  await page.keyboard.press('Enter');
  const column = (coin: string) => new BookPage(page, page.locator(`[data-part=ladder-column][data-coin=${coin}]`));
  const [btc, eth] = [column('BTC'), column('ETH')];
  await expect(eth.grid).toHaveAttribute('data-coin', 'ETH');
  const ethTick = (await eth.twin()).tick;
  await stack.venue.step(3);
  await btc.grid.focus();
  await btc.expectBook(await stack.venue.book('BTC'), '1');
  await eth.grid.focus();
  await expect(desk.integrity).toHaveAttribute('data-coin', 'ETH');
  await eth.expectBook(await stack.venue.book('ETH'), ethTick);
  await expect(page.getByRole('button', { name: /^Credits: / })).toHaveAccessibleName(/^Credits: [2-9] a minute/);

  await page.keyboard.press('p');
  await expect(eth.band.first()).toContainText('PAUSED');
  await stack.venue.step(4);
  const { height } = await stack.venue.state();
  await expect(btc.grid).toHaveAttribute('data-height', String(height));
  expect((await eth.twin()).height).toBeLessThan(height);
  await page.keyboard.press('p');
  await expectAccessible(page, '[data-part=ladder-state]');
  await page.setViewportSize({ width: 380, height: 800 });
  await expect(page.locator('[data-part=ladder]')).toHaveCount(1);
  await expect(desk.integrity).toHaveAttribute('data-coin', 'ETH');
  await page.getByRole('navigation', { name: 'Ladders' }).getByRole('button', { name: /BTC/ }).click();
  await expect(desk.integrity).toHaveAttribute('data-coin', 'BTC');
  await expectNoSidewaysScroll(page);
});

test('a pane placed where another one was swaps with it, and the next visit remembers it; all open parts stay within reach', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await page.setViewportSize({ width: 2560, height: 1440 });
  await desk.open('BTC', '?tick=1');
  const keys = () =>
    page.locator('[data-part=pane]').evaluateAll((panes) => panes.map((pane) => (pane as HTMLElement).dataset.pane));
  await expect.poll(keys).toEqual(['price', 'tape', 'owners', 'level', 'queues', 'sweep']);
  await page.getByLabel('Pane 1').selectOption('tape');
  await expect.poll(async () => (await keys())[0]).toBe('tape');
  expect(await keys()).toContain('price');

  // Each is closed by itself, by keyboard too, and the others take its room.
  const room = async () => (await page.locator('[data-part=pane][data-pane=level]').boundingBox())?.width ?? 0;
  const before = await room();
  await page.getByRole('button', { name: 'Close Tape' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(keys).toEqual(['price', 'owners', 'level', 'queues', 'sweep']);
  await expect(page.getByRole('complementary', { name: 'Panes' })).toBeFocused();
  await page.getByRole('button', { name: 'Close Owners' }).click();
  await expect.poll(keys).toEqual(['price', 'level', 'queues', 'sweep']);
  await expect.poll(room).toBeGreaterThan(before);
  await expect(page).toHaveURL(/closed=tape(?:%2C|,)owners/);
  await visit(page, '/book/BTC');
  await expect.poll(keys).toEqual(['price', 'level', 'queues', 'sweep']);
  await page.keyboard.press('2');
  await expect.poll(keys).toEqual(['price', 'owners', 'level', 'queues', 'sweep']);
  await page.keyboard.press('3');
  await expect.poll(keys).toEqual(['tape', 'price', 'owners', 'level', 'queues', 'sweep']);

  // Closed together, they pass the focus on too.
  await page.getByRole('button', { name: 'Close the panes' }).press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Tape' }).click();
  await expect.poll(keys).toEqual(['tape', 'price', 'owners', 'level', 'queues', 'sweep']);

  await visit(page, '/book/BTC?books=ETH,BTC@10@mid&panes=tape,owners');
  await expect.poll(async () => (await keys())[0]).toBe('tape');

  // Everything that can be open at this size: three ladders, owners, tape, queues, sweep and the radar.
  await page
    .locator('[data-part=radar]')
    .getByRole('button', { name: /^Start/ })
    .click();
  await expect(page.locator('[data-part=radar-tile][data-height]').first()).toBeVisible();
  await stack.venue.step(5);
  await expect(page.locator('[data-part=ladder-state][data-height]')).toHaveCount(3);
  await expect(page.locator('[data-part=walls]')).toBeVisible();
  await expectAccessible(page);

  // The radar has one place, its strip, whatever asks for it.
  const strip = page.locator('[data-part=radar-strip]');
  await page.keyboard.press('r');
  await expect(strip).toHaveCount(0);
  await page.keyboard.press('9');
  await expect(strip).toBeFocused();
  await visit(page, '/book/BTC?pane=radar&radar=0');
  await expect(strip).toBeVisible();
  await expect.poll(async () => (await keys()).length).toBe(6);
  await expect(page.locator('[data-part=radar]')).toHaveCount(1);
  // Another pane that is opened takes the radar's place in the URL, not on the page.
  await page.keyboard.press('1');
  await expect(page).not.toHaveURL(/pane=radar/);
  await expect(strip).toBeVisible();
  await page.keyboard.press('r');
  await expect(page.locator('[data-part=radar]')).toHaveCount(0);
});

test('the radar shows its price, starts at a press, shows exact figures, and opens a coin', async ({ desk, stack }) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&pane=radar');
  const radar = page.locator('[data-part=radar]');
  const tiles = radar.locator('[data-part=radar-tile]');
  await expect(tiles).toHaveCount(0);
  await radar.getByRole('button', { name: /^Coins of the radar/ }).click();
  const list = page.getByRole('group', { name: 'Coins' });
  for (const coin of ['SOL', 'kPEPE']) {
    await list.getByRole('checkbox', { name: coin, exact: true }).uncheck();
  }
  await page.keyboard.press('Escape');
  const count = Number(
    /\d+/.exec((await radar.getByRole('button', { name: /^Coins of the radar/ }).textContent()) ?? '')?.[0],
  );
  const start = radar.getByRole('button', { name: /^Start/ });
  await expect(start).toContainText(`${2 * count} cr`);
  await expect(start).toContainText(`${count} cr/min`);
  await start.click();
  await expect(tiles).toHaveCount(count);
  const tile = radar.locator('[data-part=radar-tile][data-coin=ETH]');
  await expect(tile).toHaveAttribute('data-height', /\d/);
  await stack.venue.step(3);
  const { height } = await stack.venue.state();
  await expect(tile).toHaveAttribute('data-height', String(height));
  const [[bid], [ask]] = (await stack.venue.book('ETH')).levels;
  const [low, high] = [Number(bid?.limitPx), Number(ask?.limitPx)];
  const bps = ((high - low) / ((high + low) / 2)) * 10_000;
  await expect.poll(async () => Number(await tile.getAttribute('data-spread-bps'))).toBeCloseTo(bps, 5);
  await expectAccessible(page, '[data-part=radar]');

  await tile.focus();
  await page.keyboard.press('Enter');
  await expect(desk.integrity).toHaveAttribute('data-coin', 'ETH');
  await expect(tile).toHaveAttribute('aria-current', 'true');
  await page.getByRole('link', { name: 'Limits' }).click();
  await page.getByRole('button', { name: /^Credits: / }).click();
  await expect(page.getByText(`Radar of ${count} coins`)).toBeVisible();
  await page.goBack();
  await radar.getByRole('button', { name: 'Stop' }).click();
  await expect(tiles).toHaveCount(0);
});

test('a workspace is saved, opened again by name and with Book, renamed, and deleted with undo', async ({ desk }) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=10&books=ETH&pane=tape&strip=0&n=0&bars=log');
  await page.keyboard.press('w');
  const menu = page.getByRole('dialog', { name: 'Workspaces' });
  await menu.getByRole('textbox').fill('Two coins');
  await page.keyboard.press('Enter');
  const row = menu.getByRole('button', { name: /^Two coins/ });
  await expect(row).toHaveAttribute('aria-pressed', 'true');
  await menu.getByRole('button', { name: 'Open Two coins with Book' }).click();
  await page.keyboard.press('Escape');

  await visit(page, '/book/SOL?books=none&pane=none&strip=1&n=1&bars=linear');
  await expect(page.locator('[data-part=ladder]')).toHaveCount(1);
  await page.goto('/book');
  const isRestored = async () => {
    await expect(page.locator('[data-part=ladder]')).toHaveCount(2);
    await expect(page).toHaveURL(/bars=log.*n=0|n=0.*bars=log/);
    await expect(desk.integrity).toHaveAttribute('data-coin', 'BTC');
    await expect(page.getByLabel('Grouping')).toHaveValue('10');
    await expect(page.locator('[data-part=panel]')).toHaveAttribute('data-pane', 'tape');
    await expect(page.getByRole('region', { name: 'Figures' })).toHaveCount(0);
  };
  await isRestored();

  await page.keyboard.press('w');
  await menu.getByRole('button', { name: 'Rename Two coins' }).click();
  await menu.getByLabel('New name of Two coins').fill('Pair');
  await page.keyboard.press('Enter');
  await menu.getByRole('button', { name: 'Delete Pair' }).click();
  await expect(menu.getByRole('listitem')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await visit(page, '/limits');
  await expect(page.getByRole('table', { name: 'Buckets' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search pages/ }).fill('Workspace Pair');
  await expect(page.getByRole('option', { name: /^Workspace Pair/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await isRestored();
});

test('a ladder and a pane in windows of their own, without chrome, with keys, exact; closing one leaves the page as it was', async ({
  desk,
  stack,
  context,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=10');
  const open = async (name: string) => {
    await page.getByRole('button', { name: 'Open in a window' }).click();
    const menu = page.getByRole('dialog', { name: 'Open in a window' });
    await expect(menu).toContainText('2 credits at once, then 1 a minute');
    const [window] = await Promise.all([
      context.waitForEvent('page'),
      menu.getByRole('button', { name, exact: true }).click(),
    ]);
    return window;
  };
  const ladder = await open('Ladder');
  const popped = new BookPage(ladder);
  await stack.venue.step(3);
  const book = await stack.venue.book('BTC');
  await expect(ladder.locator('[data-part=ladder-state]')).toHaveAttribute('data-height', String(book.height));
  await expect(popped.grid).toHaveAttribute('data-tick', '10');
  await expect(popped.grid).toHaveAttribute('data-height', String(book.height));
  await expect.poll(async () => (await popped.twin()).rows.length).toBeGreaterThan(10);
  await expect(ladder.getByRole('navigation')).toHaveCount(0);
  await expectNoSidewaysScroll(ladder);
  await popped.grid.focus();
  await ladder.keyboard.press('ArrowDown');
  await expect(popped.grid.locator('[data-active=true]')).toHaveCount(1);
  await ladder.keyboard.press('Shift+F10');
  await expect(ladder.getByRole('menu', { name: 'Actions' })).toContainText('Measure from here');
  await ladder.keyboard.press('Escape');
  await expect(popped.grid.locator('[data-active=true]'), 'the row that the menu was opened at').toHaveCount(1);
  await ladder.close();

  const owners = await open('Owners');
  await expect(owners.locator('[data-part=panel]')).toHaveAttribute('data-pane', 'owners');
  await expect(owners.locator('[data-part=ladder-state]')).toContainText('BTC');
  await expect(owners.getByRole('button', { name: /^Ladder/ }), 'nothing to activate').toHaveCount(0);
  const shown = owners.locator('[data-part=shown-block]');
  // The keys of what it shows: a block back as soon as some are kept, live again, and a pause that holds.
  let height = 0;
  await expect(async () => {
    await owners.keyboard.press('l');
    await stack.venue.step(1);
    ({ height } = await stack.venue.state());
    await expect(shown).toHaveAttribute('data-height', String(height));
    await owners.keyboard.press(',');
    await expect(shown).toHaveAttribute('data-height', String(height - 1), { timeout: 5_000 });
  }).toPass();
  await owners.keyboard.press('l');
  await expect(shown).toHaveAttribute('data-height', String(height));
  await owners.keyboard.press('p');
  await expect(shown).toHaveClass(/text-strong/);
  await stack.venue.step(2);
  await expect(owners.locator('[data-part=ladder-state]')).toHaveAttribute('data-height', String(height));
  await owners.keyboard.press('p');
  await expect(shown).toHaveAttribute('data-height', String(height + 2));
  await owners.close();

  const level = await open('Level');
  const row = level.locator('[data-part=inspector]');
  await expect(level.locator('[data-part=shown-block]')).toHaveAttribute('data-height', String(height + 2));
  await level.keyboard.press('ArrowDown');
  await expect(row).toHaveAttribute('data-side', 'B');
  const px = Number(await row.getAttribute('data-px'));
  await level.keyboard.press('ArrowDown');
  await expect(row).toHaveAttribute('data-px', String(px - 10));
  for (let rows = 0; (await row.getAttribute('data-side')) === 'B'; rows += 1) {
    expect(rows).toBeLessThan(10);
    await level.keyboard.press('ArrowUp');
    await expect(row).toHaveAttribute('data-px', String(px + rows * 10));
  }
  await level.keyboard.press('Escape');
  await expect(row).toHaveCount(0);
  await level.close();
  await desk.expectBook(await stack.venue.book('BTC'), '10');
});
