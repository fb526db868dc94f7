import { pressAndSee } from '../fixtures/book-page.ts';
import { clock, goneOf, type Json, outcomeOf, valueText } from '../fixtures/exact-orders.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import {
  bracketOf,
  grid,
  inspector,
  readGrid,
  responseOf,
  rowsOf,
  showColumns,
  walletsOf,
} from '../fixtures/orders-page.ts';
import { allowAutoLoad } from '../fixtures/price-rule.ts';
import { expect, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

const REFUSED = /the server responded with a status of 50\d/;

test('open orders of several wallets: every figure equals the service’s response, to the last digit', async ({
  page,
  stack,
}) => {
  const [maker = '0x'] = await walletsOf(stack, 'maker');
  const bracket = await bracketOf(page, stack);
  const [spot = '0x'] = await walletsOf(stack, 'spot');
  await page.goto(`/orders?w=${maker},${bracket},${spot}&sort=oid`);
  await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  const responses = await Promise.all(
    [maker, bracket, spot].map((user) => responseOf(page, stack, { type: 'frontendOpenOrders', user })),
  );
  const expected = responses.flat().toSorted((a, b) => Number(a.oid) - Number(b.oid));
  await expect(rowsOf(page)).toHaveText(`${expected.length} of ${expected.length} rows`);
  await showColumns(
    page,
    'Value',
    'Remaining',
    'Decrease',
    'Type',
    'TIF',
    'Trigger',
    'Reduce',
    'TP/SL',
    'Legs',
    'From call',
  );
  const spotCoins = expected.map(({ coin }) => String(coin)).filter((coin) => coin.startsWith('@'));
  expect(spotCoins.length).toBeGreaterThan(0);
  // The grid draws only visible cells. A cell that is scrolled past before it is drawn is found by the next attempt.
  await expect(async () => {
    const read = await readGrid(page);
    expect(read).toEqual(
      expected.map((order, at) => ({
        // The coin is checked below, and the place in a test of its own; wallets and keys are checked in the history's test.
        key: read[at]?.key,
        place: read[at]?.place,
        coin: read[at]?.coin,
        wallet: read[at]?.wallet,
        oid: String(order.oid),
        side: order.side === 'B' ? 'B buy' : 'A sell',
        limitPx: order.limitPx,
        origSz: order.origSz,
        value: valueText(order.limitPx, order.origSz),
        sz: order.sz,
        left: valueText(order.limitPx, order.sz),
        share: goneOf(order),
        outcome: outcomeOf({ order, status: 'open' }),
        type: order.orderType,
        tif: typeof order.tif === 'string' ? order.tif : '–',
        condition: order.triggerCondition === 'N/A' ? '–' : order.triggerCondition,
        ro: order.reduceOnly === true ? 'reduce' : '',
        tpsl: order.isPositionTpsl === true ? 'TP/SL' : '',
        legs: String((order.children as readonly Json[]).length || ''),
        placed: clock(order.timestamp),
        call: 'frontendOpenOrders',
      })),
    );
    expect(read.filter(({ outcome }) => outcome === 'waiting for its trigger').length).toBeGreaterThan(0);
    for (const [at, { coin }] of expected.entries()) {
      const shown = read[at]?.coin ?? '';
      if (String(coin).startsWith('@')) expect(shown).toMatch(new RegExp(`^\\w+/\\w+ ${String(coin)}$`));
      else expect(shown).toBe(coin);
    }
  }).toPass();
});

test.describe('when calls fail', () => {
  test.use({ expectedMessages: [REFUSED] });

  test('a failed wallet has its own row and is retried alone; older rows stay, in grey', async ({ page, stack }) => {
    const [good = '0x', bad = '0x'] = await walletsOf(stack, 'maker');
    await stack.venue.fault({ kind: 'info', effect: 'status', type: 'frontendOpenOrders', user: bad });
    await page.goto(`/orders?w=${good},${bad}`);
    const state = page.locator('li[data-state]');
    await expect(state).toHaveAttribute('data-ask', `${bad}/frontendOpenOrders/`);
    await expect(state).toContainText('upstream returned HTTP 500');
    await expect(state).toContainText('no rows');
    await expect(page.getByRole('alert')).toContainText('1 call of 2 failed');
    await expectAccessible(page, 'section[aria-label="Failed wallets"]');
    await stack.venue.fault({ kind: 'clear' });
    await state.getByRole('button', { name: 'Retry 1 credit' }).click();
    await expect(state).toHaveCount(0);
    const both = await Promise.all(
      [good, bad].map((user) => responseOf(page, stack, { type: 'frontendOpenOrders', user })),
    );
    await expect(rowsOf(page)).toHaveText(`${both.flat().length} of ${both.flat().length} rows`);

    await stack.venue.fault({ kind: 'info', effect: 'status', type: 'frontendOpenOrders', user: bad });
    await page.getByRole('button', { name: /^Refresh/ }).click();
    await expect(state).toContainText('earlier rows');
    await expect(grid(page).locator('[data-state=stale]').first()).toBeVisible();
    await expect(rowsOf(page)).toHaveText(`${both.flat().length} of ${both.flat().length} rows`);
    await stack.venue.fault({ kind: 'clear' });
  });
});

test('expensive calls wait for a press; invalid parts of the address are named; an empty wallet says so', async ({
  page,
  stack,
  visitor,
}) => {
  await allowAutoLoad(visitor, 25);
  const many = (await walletsOf(stack, 'crowd')).slice(0, 26);
  await page.goto(`/orders?w=${many.join()}`);
  await expect(page.getByRole('button', { name: 'Load orders 26 credits' })).toBeVisible();
  await expect(page.getByText('Loading the orders of 26 wallets takes 26 calls')).toBeVisible();

  const [empty = '0x'] = await walletsOf(stack, 'empty');
  await visit(page, `/orders?w=${empty}&ro=C&from=yesterday&sort=nope&row=banana`);
  const notice = page.getByRole('alert');
  for (const text of ['ro=C', 'from=yesterday', 'sort=nope', 'row=banana']) await expect(notice).toContainText(text);
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page).toHaveURL(`/orders?w=${empty}`);
  await expect(page.getByText('No open orders for this wallet.')).toBeVisible();
  await expect(page.locator('[data-part=places]')).toBeEmpty();
  await page.getByRole('button', { name: 'Show the history 1 credit' }).click();
  await expect(page.getByText('The exchange reports no orders for this wallet.')).toBeVisible();
  // Data that is already loaded has no price.
  await expect(page.getByRole('group', { name: 'Orders to show' })).toHaveText(/^Orders to showOpenHistoryAll$/);

  await visit(page, '/orders?w=0x12');
  await expect(page.getByRole('alert')).toContainText('w=0x12');
  await expect(page.getByText('Select a wallet above, or add wallets to the address book.')).toBeVisible();
});

test('by keyboard alone: find the grid, read orders, go back, follow one to its level in the book', async ({
  page,
  stack,
}) => {
  const [user = '0x'] = await walletsOf(stack, 'maker');
  await page.goto(`/orders?w=${user}&coin=BTC`);
  await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  await grid(page).evaluate((element) => element.scrollTo(0, 0));
  await page.getByRole('searchbox').focus();
  for (let presses = 0; presses < 30; presses += 1) {
    if (await grid(page).evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(grid(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(inspector(page)).toBeVisible();
  await pressAndSee(page, 'ArrowDown', grid(page), 'aria-activedescendant');
  const first = page.url();
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(first);
  await page.goBack();
  await expect(inspector(page)).toHaveCount(0);
  await page.goForward();
  const px = await grid(page).locator('[data-row="1"] [data-column=limitPx]').textContent();
  const link = inspector(page).getByRole('link', { name: 'Show this level in the BTC book' });
  await expect(link).toBeVisible();
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/book/BTC\\?level=[AB]${(px ?? '').replaceAll(',', '')}$`));
});

test('orders with one open, dark, light and narrow: nothing scrolls sideways and axe finds nothing', async ({
  page,
  stack,
}) => {
  const wallets = [...(await walletsOf(stack, 'archive')), ...(await walletsOf(stack, 'bracket')).slice(0, 2)];
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`/orders?w=${wallets.join()}&show=all`);
  await grid(page).locator('[data-row="4"]').click();
  await expect(inspector(page)).toBeVisible();
  for (const { colorScheme, width, height, rules } of [
    { colorScheme: 'dark', width: 1440, height: 900, rules: [] },
    // The elements are the same; only the colours are new.
    { colorScheme: 'light', width: 1440, height: 900, rules: ['color-contrast'] },
    { colorScheme: 'dark', width: 360, height: 740, rules: [] },
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    await expectNoSidewaysScroll(page);
    // A low window has the same kinds of elements as a high one, but fewer of each; the narrow one is an enlarged page.
    await page.setViewportSize({ width, height: 380 });
    await expectAccessible(page, 'html', rules);
  }
});

test('the grid stays where it is while open orders load', async ({ page, stack }) => {
  await using _ = await page.addInitScript(() => {
    const tops = new Set<number>();
    Object.assign(window, { tops });
    const look = () => {
      const top = document.querySelector('[role=grid]')?.getBoundingClientRect().top;
      if (top !== undefined) tops.add(top);
      requestAnimationFrame(look);
    };
    look();
  });
  await page.goto(`/orders?w=${(await walletsOf(stack, 'maker')).join()}`);
  await expect(page.locator('[data-part=places]')).toContainText('BTC');
  await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  const tops = await page.evaluate(() => [...(window as unknown as { readonly tops: ReadonlySet<number> }).tops]);
  expect(tops).toHaveLength(1);
});

test('open orders get their exact place, for a stated price, block by block, and show how they left', async ({
  page,
  stack,
}) => {
  await stack.venue.step(5);
  const before = await stack.venue.book('BTC');
  // A wallet with the first order, which is the next to leave.
  const user = before.levels[0][0]?.user ?? '';
  await page.goto(`/orders?w=${user}&coin=BTC&sort=-limitPx&side=B`);
  const bar = page.locator('[data-part=places]');
  await expect(bar).toContainText('Press a coin to see where its orders are in the queues');
  const first = grid(page).locator('[data-row="0"]');
  await expect(first.locator('[data-column="place"]')).toHaveText('not followed');
  // A double click reads one coin, because the pressed button stays under the pointer.
  const button = bar.getByRole('button', { name: 'Read the places in BTC' });
  const place = await button.boundingBox();
  await button.dblclick();
  await expect(bar).toContainText(/live for BTC · outcomes and sizes \d+ \w+ old$/);
  await expect(bar.locator('[aria-pressed=true]')).toHaveAccessibleName('Read the places in BTC');
  expect(await button.boundingBox()).toEqual(place);
  const oid = Number(await first.locator('[data-column="oid"]').textContent());
  const cell = first.locator('[data-column="place"]');
  let left = false;
  for (let step = 0; step < 15 && !left; step += 1) {
    const [bids] = (await stack.venue.book('BTC')).levels;
    const own = bids.find((order) => order.oid === oid);
    left = own === undefined;
    const level = bids.filter(({ limitPx }) => limitPx === own?.limitPx);
    const place = level.findIndex((order) => order.oid === oid) + 1;
    await expect(cell).toContainText(left ? /^(?:executed|canceled|moved)/ : `${place} of ${level.length} · `);
    await expect(first.locator('[data-column="outcome"]')).toHaveText(left ? /^was resting/ : /^resting/);
    await stack.venue.step(15);
  }
  expect(left).toBe(true);
  await first.locator('[data-column="side"]').click();
  await expect(page.getByRole('region', { name: 'Derived' })).toContainText(/was resting.* when loaded/);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(bar).toContainText('Press a coin to see where its orders are in the queues');
});

test('on a phone, the row of an open order shows its exact place, and its details the rest', async ({
  page,
  stack,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await stack.venue.step(5);
  const [bids] = (await stack.venue.book('BTC')).levels;
  // An order behind another one of its price.
  const at = bids.findIndex(({ limitPx }, index) => limitPx === bids[index - 1]?.limitPx);
  const { user = '', oid, limitPx } = bids[at] ?? {};
  const level = bids.filter((order) => order.limitPx === limitPx);
  const place = level.findIndex((order) => order.oid === oid) + 1;
  await page.goto(`/orders?w=${user}&coin=BTC`);
  const row = grid(page).locator(`[data-key*="/${oid}/"]`);
  const cell = row.locator('[data-column="place"]');
  await expect(cell).toHaveText('not read');
  // If the wallet has orders in several coins, a narrow screen offers the first of them, and all.
  const reads = page.locator('[data-part=places]').getByRole('button', { name: /^Read the places in (?:BTC|all)/ });
  await reads.filter({ visible: true }).last().click();
  await expect(cell).toHaveText(`${place} of ${level.length}`);
  await expect(cell).toBeInViewport({ ratio: 1 });
  await expect(row.locator('[data-column="limitPx"]')).toContainText('B');
  const beyond = () => grid(page).evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(await beyond()).toBe(0);
  await row.click();
  await expect(inspector(page)).toContainText(`${place} of ${level.length} · `);
});
