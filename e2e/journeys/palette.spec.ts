import type { Page } from '@playwright/test';
import { expectAccessible } from '../fixtures/looks.ts';
import { expect, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

const options = (page: Page) => page.getByRole('dialog', { name: 'Command palette' }).getByRole('option');

/** Types into the palette; the first result is then selected. */
async function search(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search pages/ }).pressSequentially(typed);
}

async function choose(page: Page, typed: string, first: string | RegExp): Promise<void> {
  await search(page, typed);
  await expect(options(page).first()).toHaveText(first);
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('[WEB-29] an order is found in the followed book first, from any page, and shown in its queue', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  const book = await stack.venue.book('BTC');
  const order = book.levels[0].at(-1);
  if (order === undefined) throw new Error('no bids');
  const found = new RegExp(`^Order ${order.oid}: BTC bid at [\\d,.]+in the book$`);
  await choose(page, 'limits', 'Open Limits');
  await choose(page, String(order.oid), found);
  await expect(page).toHaveURL(`/book/BTC?level=B${order.limitPx}&order=${order.oid}`);
  const details = page.getByRole('region', { name: `Order ${order.oid}` });
  await expect(details).toContainText(order.user ?? '');
  await expect(desk.inspector.locator(`[data-oid="${order.oid}"]`)).toBeInViewport();

  const longest = book.levels[1].reduce((most, { limitPx }) => {
    most.set(limitPx, (most.get(limitPx) ?? 0) + 1);
    return most;
  }, new Map<string, number>());
  const [px] = [...longest].reduce((most, level) => (level[1] > most[1] ? level : most));
  const last = book.levels[1].findLast(({ limitPx }) => limitPx === px);
  if (last === undefined) throw new Error('no asks');
  await choose(page, String(last.oid), new RegExp(`^Order ${last.oid}: BTC ask`));
  await expect(page).toHaveURL(`/book/BTC?level=A${px}&order=${last.oid}`);
  await expect(page.getByRole('region', { name: `Order ${last.oid}` })).toContainText(
    /[\d,]+ orders? ahead|next in line/,
  );
  await expect(desk.inspector.locator(`[data-oid="${last.oid}"]`)).toBeInViewport();
  await desk.inspector.getByRole('button', { name: 'Close the order' }).click();
  await expect(page).toHaveURL(`/book/BTC?level=A${px}`);
});

test('[WEB-29] an order of a loaded row is found without another request', async ({ page, stack }) => {
  const wallet = (await stack.venue.wallets()).find(({ name }) => name === 'archive-1');
  await page.goto(`/orders?w=${wallet?.address}&show=history`);
  const row = page.locator('[data-row]').first();
  await expect(row).toBeVisible();
  const oid = /\b\d{6,}\b/.exec((await row.getAttribute('data-key')) ?? (await row.textContent()) ?? '')?.[0];
  if (oid === undefined) throw new Error('the row has no oid');
  await choose(page, 'limits', 'Open Limits');
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.postData() ?? ''));
  await choose(page, oid, new RegExp(`^Order ${oid}: .*archive-1$`));
  await expect(page).toHaveURL(new RegExp(`^.*/orders\\?w=${wallet?.address}&(?:show=history&)?q=${oid}$`));
  await expect(page.locator('[data-row]').first()).toContainText(oid);
  expect(asked.filter((body) => body.includes('historicalOrders'))).toEqual([]);
});

test('[WEB-29] refresh, export, verify, groups and saved views are found by typing; a number that is not a block is not offered as one', async ({
  desk,
}) => {
  const { page } = desk;
  const tick = await desk.open('ETH');
  const coarser = await page
    .getByLabel('Grouping')
    .locator('option')
    .evaluateAll((items) => (items as HTMLOptionElement[]).map(({ value }) => value).at(-1));
  expect(coarser).not.toBe(tick);
  await choose(page, `group prices by ${Number(coarser).toLocaleString('en')}`, /^Group prices by/);
  await expect(page).toHaveURL(`/book/ETH?tick=${coarser}`);
  await choose(page, 'pause', /^Pause the book/);
  await expect(desk.ladder).toHaveAttribute('data-paused', 'true');
  await choose(page, 'resume', /^Resume the live book/);
  await expect(desk.ladder).toHaveAttribute('data-paused', 'false');

  await choose(page, 'limits', 'Open Limits');
  await expect(page.getByRole('table', { name: 'Buckets' })).toBeVisible();
  await choose(page, 'verify', 'Verify the ETH book1 credit');
  await expect(page.getByText(/^ETH verified: [\d,]+ orders match a fresh snapshot/)).toBeVisible();
  const reply = page.waitForResponse((response) => response.url().endsWith('/info'));
  await choose(page, 'refresh', 'Refresh limits1 credit');
  expect((await reply).status()).toBe(200);
  // The key does nothing while the page is still processing the response.
  await expect(page.getByRole('button', { name: /^Refresh/ })).toBeEnabled();
  const again = page.waitForResponse((response) => response.url().endsWith('/info'));
  await page.keyboard.press('r');
  expect((await again).status()).toBe(200);
  const saving = page.waitForEvent('download');
  await choose(page, 'export csv', 'Export limits as CSV');
  expect((await saving).suggestedFilename()).toMatch(/limits.*\.csv$/);

  await choose(page, 'group maker', /^Balances of group maker\d+ wallets$/);
  await expect(page).toHaveURL('/balances?w=g%3Amaker');
  await expect(page.getByRole('grid').locator('[data-row]').first()).toBeVisible();

  await visit(page, '/orders?w=g:maker&side=A&sort=-limitPx');
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByLabel('Save this view as').fill('Makers’ asks');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await choose(page, 'usage', 'Open Usage');
  await choose(page, 'view makers', 'View Makers’ asksOrders');
  await expect(page).toHaveURL(/\/orders\?w=g(?::|%3A)maker&side=A&sort=-limitPx$/);

  await search(page, '410800331480');
  await expect(options(page).first()).toHaveText(/^Find open order 410800331480/);
  await expect(options(page).filter({ hasText: /block/i })).toHaveCount(0);
  await expectAccessible(page, 'dialog');
});
