import type { Stack } from '@l4desk/testkit/stack';
import type { Page } from '@playwright/test';
import { BookPage } from '../fixtures/book-page.ts';
import { expectAccessible } from '../fixtures/looks.ts';
import { expect, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

// With both kinds of key.
test.use({ storageState: async ({ fullSession }, provide) => provide(fullSession) });

async function addressOf(stack: Stack, name: string): Promise<string> {
  const wallet = (await stack.venue.wallets()).find((candidate) => candidate.name === name);
  if (wallet === undefined) throw new Error(`no wallet ${name}`);
  return wallet.address;
}

async function choose(page: Page, typed: string, command: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search pages, coins/ }).pressSequentially(typed);
  await expect(page.getByRole('option', { name: command })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('the command palette leads to a page, a coin, a wallet and an order, by keyboard alone; axe finds nothing in the dialogs that open over every page', async ({
  page,
  stack,
}) => {
  const spot = await addressOf(stack, 'spot-2');
  const [order] = (await stack.venue.book('BTC')).levels[0];
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/limits');
  await expect(page.getByRole('table', { name: 'Buckets' })).toBeVisible();
  const openers: readonly (() => Promise<void>)[] = [
    () => page.keyboard.press('Control+k'),
    () => page.keyboard.press('?'),
    () => page.getByRole('button', { name: 'Address book' }).click(),
    () => page.getByRole('button', { name: /^Credits: / }).click(),
  ];
  for (const open of openers) {
    await open();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page, '[role=dialog], dialog[open]');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await choose(page, 'usage', 'Open Usage');
  await expect(page).toHaveURL('/usage');
  await choose(page, 'doge f', 'DOGE funding');
  await expect(page).toHaveURL('/funding?coin=DOGE');
  await choose(page, 'kpepe', 'kPEPE book');
  await expect(page).toHaveURL('/book/kPEPE');
  await choose(page, 'etherium', 'ETH book');
  await expect(page).toHaveURL('/book/ETH');
  await choose(page, 'hyperliquid limits', 'HYPE limits');
  await expect(page).toHaveURL('/limits?coin=HYPE');
  await choose(page, 'balances of spot-2', 'Balances of spot-2');
  await expect(page).toHaveURL(`/balances?w=${spot}`);
  await choose(page, spot.slice(0, 9), 'Balances of spot-2');
  await choose(page, String(order?.oid), `Find open order ${order?.oid}`);
  await expect(page).toHaveURL(`/orders?q=${order?.oid}`);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search pages, coins/ }).pressSequentially('nothing of that name');
  await expect(page.getByText('Nothing matches “nothing of that name”.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toContainText('Command palette');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
});

test.describe('in another time zone', () => {
  test.use({ timezoneId: 'Asia/Kolkata', colorScheme: 'dark' });

  test('look and time zone are kept; a file transfers them, the address book and the layouts to another browser', async ({
    page,
    browser,
    baseURL,
    stack,
  }) => {
    const html = page.locator('html');
    const spot = await addressOf(stack, 'spot-1');
    await page.goto('/limits');
    await page.getByRole('button', { name: 'Appearance' }).click();
    await page.getByText('Light', { exact: true }).click();
    await page.getByText('Comfortable', { exact: true }).click();
    await page.getByText('Local', { exact: true }).click();
    await page.getByLabel('Colours').selectOption('blue-orange');
    await page.keyboard.press('Escape');
    await visit(page, '/funding?coin=BTC&days=1');
    const coin = page.getByRole('list', { name: 'Coins' }).getByRole('listitem');
    await expect(coin).toContainText(/\d\d:\d\d:\d\d \+05:30/);
    for (const [name, value] of [
      ['theme', 'light'],
      ['density', 'comfortable'],
      ['palette', 'blue-orange'],
    ] as const) {
      await expect(html).toHaveAttribute(`data-${name}`, value);
    }

    await page.getByRole('button', { name: 'Address book' }).click();
    await page.getByRole('dialog').getByText('spot-1', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Label' }).fill('our trader');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Appearance' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toMatch(/settings.*\.json$/);

    await using context = await browser.newContext({
      baseURL: baseURL ?? '',
      timezoneId: 'Asia/Kolkata',
      storageState: await page
        .context()
        .storageState()
        .then(({ cookies }) => ({ cookies, origins: [] })),
    });
    const other = await context.newPage();
    await other.goto(`/orders?w=${spot}`);
    // The account may keep the new label by now.
    await expect(other.getByRole('button', { name: /^Wallets: (?:spot-1|our trader)$/ })).toBeVisible();
    await other.getByRole('button', { name: 'Appearance' }).click();
    const load = other.getByRole('dialog').locator('input[type=file]');
    await load.setInputFiles({ name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('{"a":1}') });
    await expect(other.getByRole('alert')).toContainText('notes.json isn’t an L4 Desk settings file');
    await load.setInputFiles(await file.path());
    await expect(other.getByText(/^Settings loaded, with \d+ wallets/)).toBeVisible();
    await expect(other.locator('html')).toHaveAttribute('data-palette', 'blue-orange');
    await expect(other.locator('html')).toHaveAttribute('data-theme', 'light');
    await expect(other.getByRole('button', { name: 'Wallets: our trader' })).toBeVisible();
    await visit(other, '/funding?coin=BTC&days=1');
    await expect(other.getByRole('list', { name: 'Coins' })).toContainText('+05:30');
  });
});

test('without colours, signs and words still convey what colours do', async ({ page, stack }) => {
  const main = page.getByRole('main');
  await page.emulateMedia({ forcedColors: 'active' });

  const desk = new BookPage(page);
  await desk.open('BTC', '?tick=10&view=static');
  // While the market is stopped, the book is correctly suspect.
  await expect(async () => {
    await stack.venue.step();
    await expect(desk.integrity).toContainText(/● EXACT/, { timeout: 2_000 });
  }).toPass();
  const twin = await desk.expectBook(await stack.venue.book('BTC'), '10');
  const best = twin.rows.find(({ side }) => side === 'B');
  await visit(page, `/book/BTC?tick=10&level=B${best?.px}`);
  await expect(desk.inspector.getByRole('heading')).toContainText('Bid');
  // The button of a held book is highlighted as a selected tab is.
  await page.keyboard.press('p');
  await expect(desk.band.first()).toContainText('PAUSED');
  const ground = (what: string) =>
    page
      .locator(what)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  const selected = await ground('[aria-selected=true]');
  await expect.poll(() => ground('[data-on]')).toBe(selected);
  // The position of the held block, and what it is a position in.
  const border = (what: string) =>
    page.locator(what).evaluate((element) => {
      const { borderLeftWidth, borderLeftColor } = getComputedStyle(element);
      return [borderLeftWidth, borderLeftColor, getComputedStyle(document.body).color];
    });
  const [, , text] = await border('[data-part=scrubber]');
  await expect.poll(() => border('[data-part=playhead]')).toEqual(['2px', text, text]);
  await expect.poll(() => border('[data-part=scrubber]')).toEqual(['1px', text, text]);

  const user = await addressOf(stack, 'spot-1');
  await stack.venue.fault({
    kind: 'info',
    effect: 'error',
    type: 'spotClearinghouseState',
    user,
    message: 'too busy',
  });
  await visit(page, '/balances?w=g:spot');
  const row = page.locator(`[data-key="${user}"]`);
  await expect(row).toContainText(/error|never/);
  await expect(page.getByRole('button', { name: /^USDC: ≥ / })).toContainText('≥');
  await stack.venue.fault({ kind: 'clear' });

  await visit(page, '/limits?n=22&ntl=16000000.25');
  await expect(page.locator('[data-part=verdict]')).toContainText('✗');
  await expect(main.getByRole('row', { name: /40×/ })).toContainText('✗ over');

  await visit(page, '/usage');
  await expect(page.getByRole('region', { name: 'Plan, this month', exact: true })).toContainText('Burn rate');
  // The hairlines between panels are the background that shows through their gaps.
  const grounds = await page
    .getByRole('region', { name: 'Window' })
    .evaluate((panel) =>
      [panel.parentElement, document.body].map((each) => each && getComputedStyle(each).backgroundColor),
    );
  expect(grounds[0]).not.toBe(grounds[1]);
  expect(grounds[0]).toMatch(/^rgb\(/);
});
