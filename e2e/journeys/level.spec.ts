import { WINDOW } from '../fixtures/chromium.ts';
import { exactQueue, exactRows, longestLevel, units } from '../fixtures/exact.ts';
import { expect, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

test("[BOOK-1] a click on a row opens the orders of that level in the exchange's queue order", async ({
  desk,
  stack,
}) => {
  await desk.open('BTC', '?tick=1');
  await stack.venue.step(10);
  const twin = await desk.expectBook(await stack.venue.book('BTC'), '1');
  const row = twin.rows.filter(({ side }) => side === 'A').at(-3);
  if (row === undefined) throw new Error('the ladder shows too few asks');
  await desk.clickRow('A', '1', row.px);
  await expect(desk.page).toHaveURL(new RegExp(`level=A${row.px}$`));
  await desk.expectQueue(await stack.venue.book('BTC'), 'A', '1', row.px);
  await stack.venue.step(40);
  await desk.expectQueue(await stack.venue.book('BTC'), 'A', '1', row.px);

  await desk.inspector.getByRole('button', { name: /Close the level/ }).click();
  await expect(desk.inspector).toHaveCount(0);
  await expect(desk.page).not.toHaveURL(/level=/);

  await test.step('a grouped row lists the queues of its prices, best price first', async () => {
    await desk.openNext('ETH', '?tick=5');
    const { rows } = await desk.expectBook(await stack.venue.book('ETH'), '5');
    const best = rows.find(({ side }) => side === 'B');
    await desk.clickRow('B', '5', best?.px ?? '');
    await desk.expectQueue(await stack.venue.book('ETH'), 'B', '5', best?.px ?? '');
  });
});

test('at a price that the market has crossed, the orders of the other side are one press away, to the end of the queue', async ({
  desk,
  stack,
}) => {
  const book = await stack.venue.book('BTC');
  const px = longestLevel(book.levels[0]);
  await desk.open('BTC', `?tick=1&level=A${px}`);
  await expect(desk.inspector).toContainText('no asks at this price now');
  await desk.inspector.getByRole('button', { name: /^Bids at / }).focus();
  await desk.page.keyboard.press('Enter');
  await desk.expectQueue(book, 'B', '1', px);
  await expect(desk.inspector.getByRole('grid', { name: 'Orders in queue order' })).toBeFocused();
  expect(await desk.inspector.evaluate((pane) => pane.contains(document.activeElement))).toBe(true);
  await expect(desk.inspector.getByRole('button', { name: /^(?:Bids|Asks) at / })).toHaveCount(0);

  await test.step('a long queue scrolls to its end and stays there, with its rows in place and in order', async () => {
    await desk.page.keyboard.press('End');
    const { shown } = await desk.queue();
    expect(shown.count).toBeGreaterThan(200);
    const last = desk.inspector.locator(`[data-place="${shown.count - 1}"]`);
    await expect(last).toBeInViewport();
    await desk.expectQueue(book, 'B', '1', px);

    // The list becomes shorter, as when the flow of the level appears above it.
    await desk.page.setViewportSize({ ...WINDOW.viewport, height: WINDOW.viewport.height - 80 });
    await expect(last).toBeInViewport();
    await desk.page.setViewportSize(WINDOW.viewport);
    await expect(last).toBeInViewport();
  });
});

test('an order that leaves is shown as gone, with its last values', async ({ desk, stack }) => {
  await desk.open('BTC', '?tick=1');
  const twin = await desk.expectBook(await stack.venue.book('BTC'), '1');
  const best = twin.rows.find(({ side }) => side === 'B');
  if (best === undefined) throw new Error('the ladder shows no bids');
  await desk.clickRow('B', '1', best.px);
  // Until then the rows may be those of the level that was open before.
  await desk.expectQueue(await stack.venue.book('BTC'), 'B', '1', best.px);
  const front = desk.inspector.locator('[data-place="0"]');
  const oid = Number(await front.getAttribute('data-oid'));
  await front.click();
  const details = desk.page.getByRole('region', { name: `Order ${oid}` });
  await expect(details).toContainText('next in line');
  const rests = async () => (await stack.venue.book('BTC')).levels[0].some((order) => order.oid === oid);
  for (let blocks = 0; (await rests()) && blocks < 3000; blocks += 20) await stack.venue.step(20);
  await expect(details).toContainText('no longer at this level');
  await expect(details).toHaveAttribute('data-gone', 'true');
});

test('by keyboard: a level by size, filtered by owner and grouped, each order with its real place', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  const book = await stack.venue.book('BTC');
  const px = longestLevel(book.levels[0]);
  const queue = exactQueue(book, 'B', '1', px);
  await desk.open('BTC', `?tick=1&level=B${px}`);
  await desk.expectQueue(book, 'B', '1', px);
  const { inspector } = desk;
  await inspector.getByRole('button', { name: 'size', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/sort=-sz/);
  const largest = queue
    .map((order, place) => ({ ...order, place }))
    .toSorted((a, b) => (units(a.sz) === units(b.sz) ? a.place - b.place : units(a.sz) > units(b.sz) ? -1 : 1));
  const rows = inspector.locator('tr[data-oid]');
  for (const at of [0, 1, 5]) {
    await expect(rows.nth(at)).toHaveAttribute('data-oid', String(largest[at]?.oid));
    await expect(rows.nth(at)).toHaveAttribute('data-place', String(largest[at]?.place));
  }

  await inspector.getByRole('button', { name: 'By owner' }).focus();
  await page.keyboard.press('Enter');
  const wallets = new Set(queue.map(({ user }) => user));
  await expect(inspector.locator('[data-part=listed]')).toHaveText(
    `${queue.length.toLocaleString('en')} orders · ${wallets.size.toLocaleString('en')} wallets`,
  );
  const group = inspector.locator('tr[data-owner]').first();
  const own = queue.filter(({ user }) => user === largestOwner(queue));
  await expect(group).toHaveAttribute('data-orders', String(own.length));
  await expect(inspector.getByRole('columnheader', { name: 'age / n' })).toBeVisible();
  await group.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(rows.first()).toHaveAttribute('data-user', largestOwner(queue));

  await inspector.getByRole('searchbox', { name: /^Owner/ }).fill(largestOwner(queue).slice(2, 12));
  await expect(inspector.locator('[data-part=listed]')).toHaveText(new RegExp(`^${own.length} orders? · 1 wallet$`));
  await inspector.getByRole('button', { name: 'Show the whole queue in its order' }).click();
  await desk.expectQueue(book, 'B', '1', px);

  await test.step('the notional always has as many decimals as a price and a size have together', async () => {
    // Sizes of BTC have five decimals, and its prices here none: the product with a multiple of ten has four at most.
    const row = exactRows(book, 'B', '1').find((other) => other.px.endsWith('0'));
    await visit(page, `/book/BTC?tick=1&level=B${row?.px}`);
    await expect(inspector).toHaveAttribute('data-px', row?.px ?? '');
    await expect(inspector.getByTitle(/^Notional: the exact sum/)).toHaveText(/^ntl [\d,]+\.\d{5}\s*$/);
  });
});

/** The owner with the largest total size; at equal size, the lower address. */
function largestOwner(queue: readonly { readonly user: string; readonly sz: string }[]): string {
  const sums = new Map<string, bigint>();
  for (const { user, sz } of queue) sums.set(user, (sums.get(user) ?? 0n) + units(sz));
  const [largest] = [...sums].sort(([, a], [, b]) => (a > b ? -1 : 1));
  return largest?.[0] ?? '';
}
