import type { Page } from '@playwright/test';
import { canonical, longestLevel } from '../fixtures/exact.ts';
import { expectAccessible } from '../fixtures/looks.ts';
import { refreshByKey } from '../fixtures/menus.ts';
import { expect, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

const options = (page: Page) => page.getByRole('dialog', { name: 'Command palette' }).getByRole('option');

/** Types into the palette; the first result is then selected. */
async function search(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search pages/ }).fill(typed);
}

async function choose(page: Page, typed: string, first: string | RegExp): Promise<void> {
  await search(page, typed);
  await expect(options(page).first()).toHaveText(first);
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('an order is found in the followed book first, from any page, and shown in its queue; panes, a watch rule, automatic verification and the radar are worked too', async ({
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

  const px = longestLevel(book.levels[1]);
  const last = book.levels[1].findLast(({ limitPx }) => canonical(limitPx) === px);
  if (last === undefined) throw new Error('no asks');
  await choose(page, String(last.oid), new RegExp(`^Order ${last.oid}: BTC ask`));
  await expect(page).toHaveURL(`/book/BTC?level=A${last.limitPx}&order=${last.oid}`);
  await expect(page.getByRole('region', { name: `Order ${last.oid}` })).toContainText(
    /[\d,]+ orders? ahead|next in line/,
  );
  await expect(desk.inspector.locator(`[data-oid="${last.oid}"]`)).toBeInViewport();
  await desk.inspector.getByRole('button', { name: 'Close the order' }).click();
  await expect(page).toHaveURL(`/book/BTC?level=A${last.limitPx}`);

  await choose(page, 'owners within 50', 'Owners within 50 bps of the mid');
  await expect(page.locator('[data-part=owners]')).toHaveAttribute('data-within', '50');
  await choose(page, 'tape: only executed', 'Tape: only executed');
  await expect(page).toHaveURL(/kinds=executed/);
  await choose(page, 'tape: one wallet', 'Tape: one wallet, or from a size on');
  await expect(page.locator('[data-part=tape]').getByRole('button', { name: 'Wallet and size' })).toBeFocused();
  await choose(page, 'sweep preview: sell', 'Sweep preview: selltakes bids');
  await expect(page.locator('[data-part=sweep]').getByRole('textbox', { name: 'Size' })).toBeFocused();
  await expect(page).toHaveURL(/sweep=sell-sz-1/);
  await choose(page, 'add a watch rule', 'Add a watch rule');
  await expect(page.getByRole('form', { name: 'New watch rule' }).getByLabel('Rule', { exact: true })).toBeFocused();
  await choose(page, 'verification: every 5', /^Automatic verification: every 5 min288 credits a day$/);
  await page.getByRole('tab', { name: 'Journal' }).click();
  await expect(page.getByLabel('Verify automatically')).toHaveValue('300');
  await choose(page, 'verification: never', 'Automatic verification: never');
  await choose(page, 'start the radar', /^Start the radar of \d+ coins\d+ credits, then \d+\/min$/);
  await expect(page.locator('[data-part=radar]').getByRole('button', { name: 'Stop' })).toBeVisible();
  await choose(page, 'stop the radar', 'Stop the radar');
  await expect(page.locator('[data-part=radar]').getByRole('button', { name: /^Start/ })).toBeVisible();
});

test('refresh, export, verify, groups and saved views are found by typing; a number that is not a block is not offered as one', async ({
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
  await choose(page, 'refresh', 'Refresh limits and prices2 credits R');
  expect((await reply).status()).toBe(200);
  // The key does nothing while the page is still processing the response.
  await expect(page.getByRole('button', { name: 'Refresh 2 credits' })).toBeEnabled();
  const again = page.waitForResponse((response) => response.url().endsWith('/info'));
  await refreshByKey(page);
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

test('a price, an order and Verify are of the ladder that last had the focus, and what the page shows stays', async ({
  page,
  stack,
}) => {
  await page.goto('/book/BTC?tick=1&books=ETH&view=mid&pane=owners&within=25');
  const column = (coin: string) => page.locator(`[data-part=ladder-column][data-coin=${coin}]`);
  for (const coin of ['BTC', 'ETH']) await expect(column(coin).getByRole('grid')).toHaveAttribute('data-coin', coin);
  const shown = () => Object.fromEntries(new URL(page.url()).searchParams);
  const kept = { tick: '1', books: 'ETH', view: 'mid', within: '25' };
  const [btc, eth] = [await stack.venue.book('BTC'), await stack.venue.book('ETH')];

  const bid = btc.levels[0][0]?.limitPx ?? '';
  await choose(page, String(Number(bid)), /^Go to [\d,.]+ in the BTC book$/);
  await expect.poll(shown).toMatchObject({ ...kept, level: `B${Number(bid)}`, pane: 'level' });

  // An order of the other ladder's book makes that ladder the active one.
  const order = eth.levels[1][0];
  await choose(page, String(order?.oid), new RegExp(`^Order ${order?.oid}: ETH ask at [\\d,.]+in the book$`));
  await expect.poll(shown).toMatchObject({ ...kept, on: '2', level: `A${order?.limitPx}`, order: String(order?.oid) });
  await expect(column('ETH')).toHaveAttribute('data-active', 'true');
  await expect(page.getByRole('region', { name: `Order ${order?.oid}` })).toContainText(order?.user ?? '');
  await choose(page, 'verify', 'Verify the ETH book1 credit');
  const ask = eth.levels[1][1]?.limitPx ?? '';
  await choose(page, String(Number(ask)), /^Go to [\d,.]+ in the ETH book$/);
  await expect.poll(shown).toMatchObject({ ...kept, on: '2', level: `A${Number(ask)}` });

  // And back, by an order of the first one.
  const first = btc.levels[0][1];
  await choose(page, String(first?.oid), new RegExp(`^Order ${first?.oid}: BTC bid`));
  await expect.poll(shown).toMatchObject({ ...kept, level: `B${first?.limitPx}`, order: String(first?.oid) });
  await expect(column('BTC')).toHaveAttribute('data-active', 'true');
});
