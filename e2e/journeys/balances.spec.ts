import {
  addressesOf,
  type Cells,
  failedNotice,
  openBalances,
  readButton,
  rowsOf,
  type Slot,
  slotsOf,
} from '../fixtures/balances-page.ts';
import { pressAndSee } from '../fixtures/book-page.ts';
import { canonical, units } from '../fixtures/exact.ts';
import { gridOf } from '../fixtures/grid.ts';
import { expectAccessibleInBothLooks, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { closeMenu, refreshByKey } from '../fixtures/menus.ts';
import { expect, NEW_PAGE, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

test('when nothing may be spent automatically, each page waits for one press, with its price', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/info')) asked.push(request.postData() ?? '');
  });
  await page.goto('/usage');
  await page.getByRole('button', { name: 'Appearance' }).click();
  await page.getByLabel('Load automatically').selectOption('nothing');
  await page.keyboard.press('Escape');
  const go = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  await go('Balances');
  await expect(page.getByText('No balances loaded yet.')).toBeVisible();
  await expect(readButton(page)).toContainText('25 credits');
  await expect(page.getByText('loads nothing automatically')).toBeVisible();
  await go('Orders');
  await expect(page.getByRole('button', { name: 'Load orders 43 credits' })).toBeVisible();
  await go('Funding');
  await expect(page.getByRole('button', { name: /^Load \d+ credits?$/ })).toBeVisible();
  await go('Limits');
  await expect(page.getByRole('button', { name: 'Load limits 2 credits' })).toBeVisible();
  expect(asked).toEqual([]);
  await page.getByRole('button', { name: 'Load limits 2 credits' }).click();
  await expect(page.getByRole('table', { name: 'Buckets' })).toBeVisible();
  await expect.poll(() => asked.length).toBe(2);

  await page.getByRole('button', { name: 'Appearance' }).click();
  await page.getByLabel('Load automatically').selectOption('up to 25 credits');
  await page.keyboard.press('Escape');
  await go('Balances');
  await expect(gridOf(page)).toBeVisible();
  await go('Orders');
  await expect(page.getByRole('button', { name: 'Load orders 43 credits' })).toBeVisible();
});

test('on the first visit of a demo, wallets are read at once; amounts equal the service’s response, and sums are exact', {
  annotation: NEW_PAGE,
}, async ({ page }) => {
  await page.goto('/balances');
  await expect(page.getByText('loads automatically up to 150 cr')).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Balances by wallet and token' })).toBeVisible();

  await page.getByText('List', { exact: true }).click();
  await expect(page).toHaveURL('/balances?view=list');
  // The grid draws only visible rows. A row that is scrolled past before it is drawn is found by the next attempt.
  let slots: readonly Slot[] = [];
  await expect(async () => {
    const list = await rowsOf(page, 'All balances');
    const addresses = addressesOf(list);
    expect(addresses).toHaveLength(43);
    if (slots.length === 0) slots = await slotsOf(page, addresses);
    const wanted = new Map<string, Cells>();
    for (const { user, balances, tokenToAvailableAfterMaintenance: available } of slots) {
      if (balances.length === 0) wanted.set(user, { total: null, hold: null, available: null, entryNtl: null });
      for (const { token, total, hold, entryNtl } of balances) {
        const free = available?.find(([index]) => index === token)?.[1] ?? null;
        wanted.set(`${user} ${token}`, { total, hold, available: free, entryNtl });
      }
    }
    const shown = new Map(
      [...list].map(([key, { total, hold, available, entryNtl }]) => [key, { total, hold, available, entryNtl }]),
    );
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(wanted));
    expect(
      [...wanted.values()].some(({ total }) => /\.\d{10}$/.test(total ?? '')),
      'an amount of ten decimals',
    ).toBe(true);
  }).toPass();

  await page.getByText('Tokens', { exact: true }).click();
  const held = new Set(slots.flatMap(({ balances }) => balances.map(({ token }) => `t${token}`)));
  await expect(async () => {
    const tokens = await rowsOf(page, 'Balances by token and wallet');
    expect([...tokens.keys()].toSorted()).toEqual([...held].toSorted());
    for (const [key, cells] of tokens) {
      const own = slots.flatMap(({ balances }) => balances.filter(({ token }) => `t${token}` === key));
      for (const field of ['total', 'hold', 'entryNtl'] as const) {
        const sum = own.reduce((so, balance) => so + units(balance[field]), 0n);
        expect(canonical(cells[field] ?? ''), `${key} ${field}`).toBe(canonical(sum));
      }
      expect(cells.holders).toBe(String(own.length));
    }
  }).toPass();

  await page.getByRole('gridcell', { name: 'UBTC', exact: true }).click();
  const addends = page.getByRole('complementary', { name: 'Inspector' });
  await expect(async () => {
    const parts = await addends
      .locator('[data-addend]')
      .evaluateAll((lines) => lines.map((line) => line.getAttribute('data-addend') ?? ''));
    expect(parts.length).toBeGreaterThan(1);
    const [total = ''] = await addends
      .locator('[data-part=sum] [data-amount]')
      .evaluateAll((sums) => sums.map((sum) => sum.getAttribute('data-amount') ?? ''));
    expect(canonical(parts.reduce((so, part) => so + units(part), 0n))).toBe(canonical(total));
  }).toPass();
});

test('a refresh shows what changed, and a wallet’s open spot orders explain its holds', async ({ page, stack }) => {
  const trader = (await stack.venue.wallets()).find(({ role }) => role === 'spot');
  await openBalances(page, '?w=g:spot');
  // Until the trader has traded, which the market decides.
  await expect(async () => {
    await stack.venue.step(200);
    await Promise.all([
      page.waitForResponse('**/info'),
      page.getByRole('button', { name: /^Refresh/ }).click({ timeout: 10_000 }),
    ]);
    await expect(page.getByRole('button', { name: /^Refresh/ })).toBeEnabled();
    await expect(page.getByRole('button', { name: /^Changes/ })).not.toHaveText('Changes 0', { timeout: 2_000 });
  }).toPass();
  await page.getByRole('button', { name: /^Changes/ }).click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(inspector.locator('[data-change]').first()).toContainText('→');
  const changed = page.locator('[data-key] [data-changed]').first();
  await expect(changed).toHaveAttribute('title', /^Changed by the last refresh; before: (?:[\d.]+|not reported)$/);
  expect(await changed.getAttribute('data-changed')).not.toBe(await changed.getAttribute('data-amount'));

  await page.locator(`[data-key="${trader?.address}"] [data-column=wallet]`).click();
  await expect(inspector).toContainText(trader?.address ?? '');
  await expect(inspector.getByRole('heading', { name: /^Balances as reported · \d+ tokens?$/ })).toBeVisible();
  const read = inspector.getByRole('button', { name: 'Load open orders' });
  await expect(read).toContainText('2 credits');
  await read.click();
  await expect(inspector.getByText('= Hold matches the open orders.').first()).toBeVisible();
  // The market is stopped: every hold equals what the orders tie up, to the last digit.
  await expect(inspector.getByText('≠')).toHaveCount(0);
  await expect(inspector.getByRole('button', { name: 'Refresh open orders' })).toContainText('1 credit');
});

test('a pasted link shows the same, and its invalid parts are named', async ({ page, stack }) => {
  const [wallet] = (await stack.venue.wallets()).filter(({ role }) => role === 'spot');
  const link = `?w=${wallet?.address}&view=tokens&field=hold&sort=-total&open=t150&dust=0.5&q=zzz`;
  await openBalances(page, link);
  await expect(page.getByText('No matches, or everything is hidden as dust')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search wallets and tokens' }).fill('');
  await expect(page.getByRole('radio', { name: 'Tokens' })).toBeChecked();
  await expect(page.getByRole('columnheader', { name: 'Σ Total' })).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByRole('button', { name: 'Dust ≤ 0.5' })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('HYPE · Hold');
  await visit(page, '/balances?view=sideways&dust=-1&sort=qq&open=nothing');
  const notice = page.getByRole('alert').filter({ hasText: 'The URL contains' });
  for (const text of ['view=sideways', 'dust=-1', 'sort=qq', 'open=nothing']) await expect(notice).toContainText(text);
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page).toHaveURL('/balances');
  await visit(page, '/balances?w=0x12');
  await expect(page.getByText('Select a wallet above')).toBeVisible();
  await expect(notice).toContainText('w=0x12');
});

test('an empty address book says how to begin', async ({ page, visitor }) => {
  await visitor.remember('l4desk.wallets', { state: { wallets: [], hasExamples: true }, version: 1 });
  await page.goto('/balances');
  await page.getByRole('main').getByRole('button', { name: 'Open the address book' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('by keyboard alone: sort, open wallets, go back, close, refresh', async ({ page }) => {
  await openBalances(page);
  const grid = page.getByRole('grid');
  await expect(grid.locator('[data-row="0"]')).toHaveAttribute('data-state', 'ok');
  await grid.focus();
  for (const key of ['ArrowUp', 'ArrowRight']) await pressAndSee(page, key, grid, 'aria-activedescendant');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/balances?sort=-t0');
  await pressAndSee(page, 'ArrowDown', grid, 'aria-activedescendant');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/open=0x[0-9a-f]{40}/);
  const first = page.url();
  await pressAndSee(page, 'ArrowDown', grid, 'aria-activedescendant');
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(first);
  await page.goBack();
  await expect(page).toHaveURL('/balances?sort=-t0');
  await page.goForward();
  await expect(page.getByRole('complementary', { name: 'Inspector' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/balances?sort=-t0');
  await expect(page.getByRole('complementary', { name: 'Inspector' })).toHaveCount(0);
  const [asked] = await Promise.all([page.waitForRequest('**/info'), refreshByKey(page)]);
  expect(asked.postDataJSON()).toMatchObject({ type: 'batchSpotClearinghouseState' });
  await expect(page.getByRole('button', { name: /^Refresh/ })).toBeVisible();
});

test('at 360 px nothing scrolls sideways, and axe finds nothing, dark and light', async ({ page, stack }) => {
  const [failing] = await stack.venue.wallets();
  await stack.venue.fault({
    kind: 'info',
    effect: 'status',
    type: 'spotClearinghouseState',
    user: failing?.address ?? '',
  });
  await openBalances(page);
  await expect(failedNotice(page)).toBeVisible();
  await page.getByRole('button', { name: 'Group' }).click();
  await page.getByRole('button', { name: /^USDC: / }).click();
  await expect(page.getByRole('complementary', { name: 'Inspector' }).locator('[data-part=sum]')).toBeVisible();
  await expectAccessibleInBothLooks(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  const view = page.getByRole('button', { name: /^View: / });
  const cut = () =>
    view
      .locator('span')
      .last()
      .evaluate((text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        return text.scrollWidth > text.clientWidth || lines.size > 2;
      });
  await expect.poll(cut, 'what is chosen is read whole').toBe(false);
  await view.click();
  await expectNoSidewaysScroll(page);
  for (const menu of ['Dust', 'Export', 'Columns', 'Auto: off']) {
    const button = page.getByRole('button', { name: menu, exact: true });
    await button.click();
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    await expectNoSidewaysScroll(page);
    await closeMenu(page);
    await expect(button).toHaveAttribute('aria-expanded', 'false');
  }
  await stack.venue.fault({ kind: 'clear' });
});

test('printing prints every wallet, not only those on the screen', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 400 });
  await openBalances(page);
  const grid = gridOf(page);
  const rows = grid.locator('[data-row]');
  // Besides the heading and the totals.
  const all = Number(await grid.getAttribute('aria-rowcount')) - 2;
  expect(await rows.count()).toBeLessThan(all);
  await page.evaluate(() =>
    addEventListener('beforeprint', () => {
      const grid = document.querySelector<HTMLElement>('[role=grid]');
      document.body.dataset.printed = String(grid?.querySelectorAll('[data-row]').length);
    }),
  );
  await page.pdf();
  await expect(page.locator('body')).toHaveAttribute('data-printed', String(all));
  await expect.poll(() => rows.count()).toBeLessThan(all);
  const refresh = page.getByRole('button', { name: /^Refresh/ });
  await expect(refresh).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(refresh).toBeHidden();
  await expect(grid.getByRole('button', { name: /; show the addends$/ }).first()).toBeVisible();
  const isClipped = () => grid.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight);
  await expect.poll(isClipped).toBe(false);
});
