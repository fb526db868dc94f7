import type { Stack } from '@l4desk/testkit/stack';
import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { expect, test } from '../fixtures/test.ts';

type Json = Readonly<Record<string, unknown>>;

const REFUSED = /the server responded with a status of 50\d/;

const grid = (page: Page) => page.getByRole('treegrid', { name: 'Orders' });
const inspector = (page: Page) => page.getByRole('complementary', { name: 'Inspector' });
const rowsOf = (page: Page) => page.locator('footer').getByText(/ rows?$/);

/** The addresses of wallets that the exchange simulates, by what they live from. */
async function walletsOf(stack: Stack, role: string): Promise<readonly `0x${string}`[]> {
  const wallets = await stack.venue.wallets();
  return wallets.filter((wallet) => wallet.role === role).map(({ address }) => address);
}

/** The service's own answer, asked for by the page's session. */
async function answerOf(page: Page, request: Json): Promise<readonly Json[]> {
  return page.evaluate(async (body) => {
    const response = await fetch('/info', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Json[];
  }, request);
}

/** Every row of the grid from the top, as text by column; commas between thousands taken out. */
async function readGrid(page: Page): Promise<readonly Readonly<Record<string, string>>[]> {
  return grid(page).evaluate(async (element) => {
    const found = new Map<number, Record<string, string>>();
    // Two frames: the first one's listeners ask for what the second draws.
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    for (let left = 0; ; left += element.clientWidth / 2) {
      element.scrollLeft = left;
      for (let top = 0; ; top += element.clientHeight - 60) {
        element.scrollTop = top;
        await drawn();
        for (const row of element.querySelectorAll<HTMLElement>('[data-row]')) {
          const at = Number(row.dataset.row);
          const cells = found.get(at) ?? {};
          found.set(at, cells);
          for (const cell of row.querySelectorAll<HTMLElement>('[data-column]')) {
            cells[cell.dataset.column ?? ''] ??= (cell.textContent ?? '').replaceAll(/(?<=\d),(?=\d{3})/g, '').trim();
          }
        }
        if (top + element.clientHeight >= element.scrollHeight) break;
      }
      if (left + element.clientWidth >= element.scrollWidth) break;
    }
    return [...found].sort(([a], [b]) => a - b).map(([, cells]) => cells);
  });
}

/** Columns that are not among the page's own, as the chooser keeps them in the browser. */
async function showColumns(page: Page, ...titles: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const title of titles) await page.getByRole('checkbox', { name: title, exact: true }).click();
  await page.keyboard.press('Escape');
}

const byText = (a: string, b: string) => (a < b ? -1 : 1);

const clock = (at: unknown) => new Date(Number(at)).toISOString().replace('T', ' ').replace('Z', '');

test('open orders of several wallets: every figure is the service’s answer, to the last digit', async ({
  page,
  stack,
}) => {
  const [maker = '0x', other = '0x'] = await walletsOf(stack, 'maker');
  const [spot = '0x'] = await walletsOf(stack, 'spot');
  await page.goto(`/orders?w=${maker},${other},${spot}&sort=oid`);
  await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  const answers = await Promise.all([maker, other, spot].map((user) => answerOf(page, { type: 'openOrders', user })));
  const expected = answers.flat().toSorted((a, b) => Number(a.oid) - Number(b.oid));
  await expect(rowsOf(page)).toHaveText(`${expected.length} of ${expected.length} rows`);
  await showColumns(page, 'Left', 'From call');
  const read = await readGrid(page);
  expect(
    read.map(({ oid, side, limitPx, origSz, sz, placed, call }) => ({ oid, side, limitPx, origSz, sz, placed, call })),
  ).toEqual(
    expected.map(({ oid, side, limitPx, origSz, sz, timestamp }) => ({
      oid: String(oid),
      side: side === 'B' ? 'B buy' : 'A sell',
      limitPx,
      origSz,
      sz,
      placed: clock(timestamp),
      call: 'openOrders',
    })),
  );
  const spotCoins = expected.map(({ coin }) => String(coin)).filter((coin) => coin.startsWith('@'));
  expect(spotCoins.length).toBeGreaterThan(0);
  for (const [at, { coin }] of expected.entries()) {
    const shown = read[at]?.coin ?? '';
    if (String(coin).startsWith('@')) expect(shown).toMatch(new RegExp(`^\\w+/\\w+ ${String(coin)}$`));
    else expect(shown).toBe(coin);
  }
});

test('[HIST-2, HIST-11] a long history: the cap is told, facets and search narrow it, entries of one order stay apart', async ({
  page,
  stack,
}) => {
  const [archive = '0x'] = await walletsOf(stack, 'archive');
  await page.goto(`/orders?w=${archive}&show=history`);
  await expect(rowsOf(page)).toHaveText('2,000 of 2,000 rows');
  const history = await answerOf(page, { type: 'historicalOrders', user: archive });
  const earliest = Math.min(...history.map(({ statusTimestamp }) => Number(statusTimestamp)));
  await expect(page.locator('[data-part=coverage]')).toContainText(
    `2,000-row cap reached: covers ${clock(earliest).slice(0, 19)} UTC → now`,
  );

  await page.getByRole('button', { name: 'Status', exact: true }).first().click();
  await page.getByRole('checkbox', { name: 'marginCanceled' }).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/status=marginCanceled/);
  const canceled = history.filter(({ status }) => status === 'marginCanceled');
  await expect(rowsOf(page)).toHaveText(`${canceled.length} of 2,000 rows`);
  await showColumns(page, 'Left', 'Status since (UTC)');
  const read = await readGrid(page);
  const lines = read.map(({ oid, limitPx, origSz, sz, status, placed, updated }) =>
    [oid, limitPx, origSz, sz, status, placed, updated].join(' '),
  );
  expect(lines.toSorted(byText)).toEqual(
    canceled
      .map(({ order, status, statusTimestamp }) => {
        const { oid, limitPx, origSz, sz, timestamp } = order as Json;
        return [oid, limitPx, origSz, sz, status, clock(timestamp), clock(statusTimestamp)].join(' ');
      })
      .toSorted(byText),
  );
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(rowsOf(page)).toHaveText('2,000 of 2,000 rows');

  const oids = history.map(({ order }) => Number((order as Json).oid));
  const twice = oids.find((oid, at) => oids.indexOf(oid) !== at);
  await page.getByRole('searchbox', { name: 'Search by oid or cloid' }).fill(String(twice));
  await expect(rowsOf(page)).toHaveText('2 of 2,000 rows');
  await grid(page).locator('[data-row="0"]').click();
  await expect(inspector(page).getByRole('region', { name: '2 entries about this order' })).toBeVisible();
  const told = history.find(({ order }) => (order as Json).oid === twice) as { readonly order: Json };
  for (const [name, value] of Object.entries(told.order)) {
    if (name === 'children') continue;
    const field = inspector(page).getByText(name, { exact: true }).last().locator('xpath=following-sibling::dd[1]');
    await expect(field).toContainText(typeof value === 'string' ? value : JSON.stringify(value));
  }

  // A pasted link shows the same thing.
  await page.goto(page.url());
  await expect(inspector(page).getByRole('heading', { name: `Order ${twice}` })).toBeVisible();
  await expect(rowsOf(page)).toHaveText('2 of 2,000 rows');
});

test('outcomes, legs and statistics; a saved view brings back what was looked at', async ({ page, stack }) => {
  const [bracket = '0x'] = await walletsOf(stack, 'bracket');
  const [archive = '0x'] = await walletsOf(stack, 'archive');
  await page.goto(`/orders?w=${bracket}&triggers=1`);
  const parent = grid(page).locator('[aria-expanded=false]').first();
  await parent.locator('[data-toggle]').click();
  await expect(grid(page).locator('[aria-level="2"]').first()).toContainText('leg of');

  await page.goto(`/orders?w=${archive}&show=history&panel=statistics`);
  const history = await answerOf(page, { type: 'historicalOrders', user: archive });
  const orders = new Set(history.map(({ order }) => (order as Json).oid)).size;
  const filled = history.filter(({ status }) => status === 'filled').length;
  await expect(inspector(page)).toContainText(`The ${orders.toLocaleString('en')} orders of the history in sight`);
  await expect(inspector(page).getByRole('row', { name: /^Filled, of those/ })).toContainText(String(filled));

  await page.goto(`/orders?w=${archive}&show=history&side=A&type=Limit&sort=-limitPx`);
  await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  const rows = await rowsOf(page).textContent();
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByLabel('Save this view as').fill('dear sells');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.goto('/orders?w=0x0000000000000000000000000000000000000001');
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('button', { name: 'dear sells', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`w=${archive}.*sort=-limitPx`));
  await expect(rowsOf(page)).toHaveText(rows ?? '');
});

test.describe('when calls fail', () => {
  test.use({ expectedMessages: [REFUSED] });

  test('a wallet that fails has a row of its own, and is asked again alone; older rows stay, greyed', async ({
    page,
    stack,
  }) => {
    const [good = '0x', bad = '0x'] = await walletsOf(stack, 'maker');
    await stack.venue.fault({ kind: 'info', effect: 'status', type: 'openOrders', user: bad });
    await page.goto(`/orders?w=${good},${bad}`);
    const state = page.locator('li[data-state]');
    await expect(state).toHaveAttribute('data-ask', `${bad}/openOrders/`);
    await expect(state).toContainText('upstream returned HTTP 500');
    await expect(state).toContainText('no rows');
    await expectAccessible(page, 'section[aria-label="Wallets that failed"]');
    await stack.venue.fault({ kind: 'clear' });
    await state.getByRole('button', { name: 'Retry 1 credit' }).click();
    await expect(state).toHaveCount(0);
    const both = await Promise.all([good, bad].map((user) => answerOf(page, { type: 'openOrders', user })));
    await expect(rowsOf(page)).toHaveText(`${both.flat().length} of ${both.flat().length} rows`);

    await stack.venue.fault({ kind: 'info', effect: 'status', type: 'openOrders', user: bad });
    await page.getByRole('button', { name: /^Refresh/ }).click();
    await expect(state).toContainText('rows kept');
    await expect(grid(page).locator('[data-state=stale]').first()).toBeVisible();
    await expect(rowsOf(page)).toHaveText(`${both.flat().length} of ${both.flat().length} rows`);
    await stack.venue.fault({ kind: 'clear' });
  });

  test('a dead exchange is said to be one, and asked again it answers; a slow one is waited for', async ({
    page,
    stack,
  }) => {
    const [user = '0x'] = await walletsOf(stack, 'maker');
    await stack.venue.fault({ kind: 'info', effect: 'status' });
    await page.goto(`/orders?w=${user}`);
    await expect(page.getByRole('alert')).toContainText('The exchange failed');
    await stack.venue.fault({ kind: 'clear' });
    await stack.venue.fault({ kind: 'info', effect: 'slow', ms: 60_000 });
    await page.getByRole('button', { name: 'Try again 1 credit' }).click();
    await expect(page.getByText('0 of 1 call', { exact: true })).toBeVisible();
    await stack.venue.fault({ kind: 'clear' });
    await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  });
});

test.describe('when the session has ended', () => {
  test.use({ expectedMessages: [/the server responded with a status of 401/] });

  test('the page leads to sign-in', async ({ page, stack }) => {
    const [user = '0x'] = await walletsOf(stack, 'maker');
    await page.goto(`/orders?w=${user}`);
    await expect(grid(page).locator('[data-row]').first()).toBeVisible();
    await page.context().clearCookies();
    await page.getByRole('button', { name: /^Refresh/ }).click();
    await expect(page).toHaveURL(/\/sign-in\?next=/);
  });
});

test('what costs much waits for a press; what the address holds that means nothing is named; an empty wallet says so', async ({
  page,
  stack,
}) => {
  const many = (await walletsOf(stack, 'crowd')).slice(0, 26);
  await page.goto(`/orders?w=${many.join()}`);
  await expect(page.getByRole('button', { name: 'Ask for them 26 credits' })).toBeVisible();

  const [empty = '0x'] = await walletsOf(stack, 'empty');
  await page.goto(`/orders?w=${empty}&side=C&from=yesterday&sort=nope&row=banana`);
  const notice = page.getByRole('alert');
  for (const text of ['side=C', 'from=yesterday', 'sort=nope', 'row=banana']) await expect(notice).toContainText(text);
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page).toHaveURL(`/orders?w=${empty}`);
  await expect(page.getByText('This wallet has no resting order.')).toBeVisible();
  await page.getByRole('button', { name: 'Show the history 1 credit' }).click();
  await expect(page.getByText('This wallet has never sent an order')).toBeVisible();
  // What is at hand has no price any more.
  await expect(page.getByRole('group', { name: 'Which orders' })).toHaveText(/^Which ordersOpenHistoryAll$/);

  await page.goto('/orders?w=0x12');
  await expect(page.getByRole('alert')).toContainText('w=0x12');
  await expect(page.getByText('Orders are read wallet by wallet.')).toBeVisible();
});

test('by keyboard alone: find the grid, read an order, follow it to its level in the book', async ({ page, stack }) => {
  const [user = '0x'] = await walletsOf(stack, 'maker');
  await page.goto(`/orders?w=${user}&coin=BTC`);
  await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  await grid(page).evaluate((element) => element.scrollTo(0, 0));
  await page.getByRole('searchbox').focus();
  for (let presses = 0; presses < 30; presses += 1) {
    if (await grid(page).evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const px = await grid(page).locator('[data-row="1"] [data-column=limitPx]').textContent();
  const link = inspector(page).getByRole('link', { name: 'Its level in the BTC book' });
  await expect(link).toBeVisible();
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/book/BTC\\?level=[AB]${(px ?? '').replaceAll(',', '')}$`));
});

test('pictures of the orders: dark, light and narrow; nothing scrolls sideways and axe finds nothing', async ({
  page,
  stack,
}, testInfo) => {
  const wallets = [...(await walletsOf(stack, 'archive')), ...(await walletsOf(stack, 'bracket')).slice(0, 2)];
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`/orders?w=${wallets.join()}&show=all`);
  await grid(page).locator('[data-row="4"]').click();
  await expect(inspector(page)).toBeVisible();
  for (const { name, colorScheme, width, height, rules } of [
    { name: 'dark-1440', colorScheme: 'dark', width: 1440, height: 900, rules: [] },
    // The same elements: colours alone are new.
    { name: 'light-1440', colorScheme: 'light', width: 1440, height: 900, rules: ['color-contrast'] },
    { name: 'dark-360', colorScheme: 'dark', width: 360, height: 740, rules: [] },
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: testInfo.outputPath(`orders-${name}.png`) });
    await expectNoSidewaysScroll(page);
    // A low window has as many kinds of elements as a high one, and fewer of each.
    await page.setViewportSize({ width, height: 380 });
    await expectAccessible(page, 'html', rules);
  }
});
