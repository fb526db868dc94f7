import type { VenueBook } from '@l4desk/testkit/stack';
import type { Page } from '@playwright/test';
import { ask } from '../fixtures/ask.ts';
import { units } from '../fixtures/exact.ts';
import { expectAccessibleInBothLooks, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { endSession } from '../fixtures/session.ts';
import { expect, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

interface PerpMeta {
  readonly universe: readonly {
    readonly name: string;
    readonly szDecimals: number;
    readonly maxLeverage: number;
    readonly isDelisted?: boolean;
  }[];
}

type Buckets = readonly (readonly [maxLeverage: number, maxNotional: string])[];

const plain = (text: string | null) => (text ?? '').replaceAll(/[\s,×]|USD/g, '');
const table = (page: Page) => page.getByRole('table', { name: 'Buckets' });
const limit = (page: Page) => page.locator('[data-part=limit]');
const result = (page: Page) => page.locator('[data-part=result]');

test('[NTL-2, NTL-3] every bucket on the page, and the result at each leverage, equals the service’s to the last digit', async ({
  page,
  stack,
  keys,
}) => {
  const buckets = await ask<Buckets>(stack, keys, { type: 'maxMarketOrderNtls' });
  await page.goto('/limits');
  await expect(page).toHaveTitle('Limits · L4 Desk');
  const [first] = (await ask<[PerpMeta, unknown]>(stack, keys, { type: 'metaAndAssetCtxs' }))[0].universe;
  await expect(result(page)).toContainText(`Largest single market order at ${first?.maxLeverage}×`);
  const rows = table(page).locator('tbody tr');
  await expect(rows).toHaveCount(buckets.length);
  for (const [at, [maxLeverage, maxNotional]] of buckets.entries()) {
    const cells = await rows.nth(at).locator('th, td').allTextContents();
    const below = buckets[at + 1]?.[0] ?? 0;
    const leverage = below + 1 === maxLeverage ? `${maxLeverage}` : `${below + 1}–${maxLeverage}`;
    expect([plain(cells[0] ?? ''), plain(cells[1] ?? '')]).toEqual([leverage, maxNotional]);
  }

  const field = page.getByLabel('Leverage', { exact: true });
  const highest = Math.max(...buckets.map(([maxLeverage]) => maxLeverage));
  for (const leverage of [1, 3, 4, 10, 19, 20, 22, highest]) {
    await field.fill(String(leverage));
    await expect(page).toHaveURL(`/limits?n=${leverage}`);
    const expected = buckets.findLast(([maxLeverage]) => maxLeverage >= leverage)?.[1];
    await expect.poll(async () => plain(await limit(page).textContent())).toBe(expected);
  }
  await field.fill(String(highest + 1));
  await expect(result(page)).toContainText(`No limit is listed at ${highest + 1}×`);
  await expect(limit(page)).toHaveCount(0);
});

test('a pasted link shows the same, an order is checked against it, and invalid parts are named', async ({ page }) => {
  await page.goto('/limits?n=22&ntl=15000000.01');
  await expect(page.getByLabel('Leverage', { exact: true })).toHaveValue('22');
  await expect(page.locator('[data-part=verdict]')).toContainText('exceeds it by 0.01 USD: it takes 2 orders or more');
  await expect(result(page)).toContainText('22× falls in the bucket up to 25×');
  const chart = page.getByRole('img', { name: /Largest market order by leverage/ });
  await chart.locator('.cursor-pointer').nth(2).click();
  await expect(page, 'a step of the chart chooses its leverage').toHaveURL(/n=10&/);
  await page.getByLabel('Leverage', { exact: true }).fill('22');
  await page.getByLabel('Your order (optional)').fill('15,000,000.00');
  await expect(page.locator('[data-part=verdict]')).toContainText('15,000,000.00 USD is within the limit');
  await page.getByLabel('Leverage', { exact: true }).fill('2.5');
  await expect(page.getByText('Enter a whole number from 1 to 1000')).toBeVisible();
  await expect(table(page).getByText('within').first(), 'nor does the table').toBeHidden();
  await expect(page, 'the last leverage that made sense stands').toHaveURL(/n=22/);
  await expect(result(page), 'but nothing answers it beside another one').toBeHidden();

  await visit(page, '/limits?n=banana&ntl=-5');
  const notice = page.getByRole('alert');
  await expect(notice).toContainText('n=banana and ntl=-5');
  await expect(table(page)).toBeVisible();
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page).toHaveURL('/limits');

  await page.getByLabel('A coin’s maximum leverage').selectOption('ETH');
  await expect(page).toHaveURL('/limits?coin=ETH');
  await expect(result(page)).toContainText('Largest single market order at 25×');
  await visit(page, '/limits?coin=NONE');
  await expect(notice).toContainText('coin=NONE');
});

test('the limit is a size of the chosen coin at its mark, and the live book says what it would charge', async ({
  page,
  stack,
  keys,
}) => {
  const buckets = await ask<Buckets>(stack, keys, { type: 'maxMarketOrderNtls' });
  const largestAt = (leverage: number) => buckets.findLast(([maxLeverage]) => maxLeverage >= leverage)?.[1] ?? '';
  const largest = largestAt(40);
  const sent = page.waitForResponse((reply) => reply.request().postData()?.includes('"metaAndAssetCtxs"') === true);
  await page.goto('/book/BTC');
  await expect(page.locator('[data-height]').first()).toBeAttached();
  const response = await sent;
  await page.getByRole('link', { name: 'Limits' }).first().click();
  const [meta, contexts] = (await response.json()) as [PerpMeta, { markPx: string; dayNtlVlm: string }[]];
  const at = meta.universe.findIndex(({ name }) => name === 'BTC');
  const { szDecimals = 0 } = meta.universe[at] ?? {};
  const size = page.locator('[data-part=coin-size]');
  await expect(size).toContainText('At the mark of');
  const [px, sz, margin] = await size.locator('.num').allTextContents();
  expect(plain(px ?? '')).toBe(contexts[at]?.markPx);
  const sizeOf = (notional: string, mark: string, decimals: number) =>
    ((units(notional) * 10n ** BigInt(decimals)) / units(mark)) * 10n ** BigInt(18 - decimals);
  expect(units(plain(sz ?? ''))).toBe(sizeOf(largest, contexts[at]?.markPx ?? '1', szDecimals));
  expect(units(plain(margin ?? '')) * 40n).toBe(units(largest));
  const rows = page.getByRole('table', { name: 'Largest market order by coin' }).locator('tbody tr');
  const listed = meta.universe.filter(({ isDelisted }) => isDelisted !== true);
  await expect(rows).toHaveCount(listed.length);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.getByRole('columnheader', { name: 'Margin, USDC' })).toBeVisible();
  for (const [index, market] of listed.entries()) {
    const cells = await rows.nth(index).locator('th, td').allTextContents();
    const [coin, leverage, notional, margin, size, price, ofVolume] = cells;
    const most = largestAt(market.maxLeverage);
    expect([coin, leverage, plain(notional ?? '')]).toEqual([market.name, `${market.maxLeverage}×`, most]);
    const { markPx: mark = '1', dayNtlVlm = '1' } = contexts[meta.universe.indexOf(market)] ?? {};
    expect(plain(price ?? ''), coin).toBe(mark);
    const off = units(plain(margin ?? '')) * BigInt(market.maxLeverage) - units(most);
    expect((off < 0n ? -off : off) * 2n, coin).toBeLessThanOrEqual(BigInt(market.maxLeverage) * 10n ** 16n);
    expect(units(plain(size ?? '')), coin).toBe(sizeOf(most, mark, market.szDecimals));
    const hundredths = (units(most) * 20_000n + units(dayNtlVlm)) / (units(dayNtlVlm) * 2n);
    expect(plain(ofVolume ?? ''), coin).toBe(`${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}%`);
  }
  const swept = page.locator('[data-part=coin-sweep]');
  await expect(swept).toContainText('The live book fills');
  // Blocks are made only when a test asks for them, so the book is that of the page.
  const book = await stack.venue.book('BTC');
  await expect(swept).toHaveAttribute('data-height', String(book.height));
  const { filled, sold, levels } = exactSpend(book, largest, 'buy');
  const [filledNtl, vwap, bps] = await swept.locator('.num').allTextContents();
  expect(units(plain(filledNtl ?? ''))).toBe(filled);
  // An average with as many decimals as it is shown with, rounded.
  const digits = BigInt(plain(vwap ?? '').split('.')[1]?.length ?? 0);
  const unit = 10n ** (18n - digits);
  const exact = (filled * 10n ** 18n) / sold;
  const shown = units(plain(vwap ?? ''));
  expect(shown > exact ? shown - exact : exact - shown).toBeLessThanOrEqual(unit);
  await expect(swept).toContainText(`${levels.toLocaleString('en')} levels at block`);
  expect(slippage(book, 'buy', exact)).toBe(bps);

  await swept.getByText('Sell', { exact: true }).click();
  await expect(page).toHaveURL(/side=sell/);
  const sale = exactSpend(book, largest, 'sell');
  await expect
    .poll(async () => units(plain((await swept.locator('.num').first().textContent()) ?? '')))
    .toBe(sale.filled);
  const of = (sale.filled * 10n ** 18n) / sale.sold;
  await expect(swept.locator('.num').nth(2)).toHaveText(slippage(book, 'sell', of));
  await expect(swept).toContainText(`${sale.levels.toLocaleString('en')} levels at block`);

  // A typed order takes the place of the largest one.
  const own = '250000.50';
  await page.getByLabel('Your order (optional)').fill(own);
  await expect(size).toContainText('your order is');
  const ofOwn = await size.locator('.num').allTextContents();
  expect(units(plain(ofOwn[1] ?? ''))).toBe(sizeOf(own, contexts[at]?.markPx ?? '1', szDecimals));
  expect(plain(ofOwn[2] ?? '')).toBe('6250.01');
  const { filled: ownFilled } = exactSpend(book, own, 'sell');
  await expect
    .poll(async () => units(plain((await swept.locator('.num').first().textContent()) ?? '')))
    .toBe(ownFilled);
  await expect(swept.getByRole('link')).toHaveAttribute('href', new RegExp(`sell-ntl-${own}`));

  const coins = page.getByRole('table', { name: 'Largest market order by coin' });
  await coins.getByRole('columnheader', { name: 'Of 24 h volume' }).getByRole('button').click();
  const shares = (await coins.locator('tbody tr td:last-child').allTextContents()).map((text) =>
    units(plain(text).replace('%', '')),
  );
  expect(shares, 'sorted, largest first').toEqual(shares.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
  await page.setViewportSize({ width: 1440, height: 600 });
  const heading = coins.getByRole('columnheader', { name: 'Of 24 h volume' });
  await coins.locator('tbody tr').last().scrollIntoViewIfNeeded();
  for (const part of [coins.locator('tbody tr').last(), heading, result(page)]) await expect(part).toBeInViewport();
  for (const [width, height] of [
    [1440, 600],
    [800, 360],
  ] as const) {
    await page.setViewportSize({ width, height });
    const buttons = coins.locator('tbody').getByRole('button');
    await buttons.last().focus();
    for (let above = (await buttons.count()) - 2; above >= 0; above -= 1) {
      await page.keyboard.press('Shift+Tab');
      await expect(buttons.nth(above)).toBeFocused();
      expect(await page.evaluate(isFocusCovered), `covers row ${above} at ${width} px`).toBe(false);
    }
  }
});

/** Whether something is drawn over a corner of what has the focus. */
const isFocusCovered = () => {
  const focused = document.activeElement;
  if (focused === null) return true;
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  return [top + 1, bottom - 1].some((y) => !focused.contains(document.elementFromPoint((left + right) / 2, y)));
};

test.describe('when the exchange fails', () => {
  test.use({ expectedMessages: [/the server responded with a status of (?:401|502)/] });

  test('an empty page says so and is retried by hand; a failed refresh keeps the numbers; a slow response is waited for', async ({
    page,
    stack,
  }) => {
    const fault = { kind: 'info', type: 'maxMarketOrderNtls' } as const;
    await stack.venue.fault({ ...fault, effect: 'status', status: 500 });
    await page.goto('/limits');
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('The exchange failed');
    await stack.venue.fault({ kind: 'clear' });
    await stack.venue.fault({ ...fault, effect: 'slow', ms: 30_000 });
    await alert.getByRole('button', { name: /Try again/ }).click();
    await expect(page.getByText('Loading limits')).toBeVisible();
    await stack.venue.fault({ kind: 'clear' });
    await expect(table(page)).toBeVisible();

    await stack.venue.fault({ ...fault, effect: 'disconnect' });
    await page.getByRole('button', { name: 'Refresh 2 credits' }).click();
    await expect(alert).toContainText('The exchange failed');
    await expect(table(page), 'the numbers from before stay').toBeVisible();
    await stack.venue.fault({ kind: 'clear' });

    await endSession(page);
    await expect(page, 'the session is over: back here after signing in').toHaveURL(/\/sign-in\?next=%2Flimits/);
  });
});

test.describe('at 360 px', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('works by keyboard alone, without sideways scrolling or axe findings, dark and light', async ({ page }) => {
    await page.goto('/limits?ntl=1000000&coin=BTC');
    await expect(table(page)).toBeVisible();
    await page.getByRole('button', { name: 'Show 6–10×' }).focus();
    await page.keyboard.press('Enter');
    await expect(limit(page)).toContainText('2,000,000.0');
    await expect(table(page).locator('tr[aria-current=true]')).toContainText('6–10×');
    await expectAccessibleInBothLooks(page);
    await expectNoSidewaysScroll(page);
  });
});

/** What a notional takes from the other side, in the order of its queue: the last part in whole lots of BTC. */
function exactSpend(book: VenueBook, notional: string, side: 'buy' | 'sell') {
  const ONE = 10n ** 18n;
  const LOT = 10n ** 13n;
  let left = units(notional);
  let sold = 0n;
  const taken = new Set<string>();
  for (const { limitPx, sz } of book.levels[side === 'buy' ? 1 : 0]) {
    const px = units(limitPx);
    const affordable = (left * ONE) / px;
    const part = affordable >= units(sz) ? units(sz) : affordable - (affordable % LOT);
    if (part > 0n) taken.add(limitPx);
    sold += part;
    left -= (part * px) / ONE;
    if (part < units(sz)) break;
  }
  return { filled: units(notional) - left, sold, levels: taken.size };
}

/** How much worse than the best price an average is, in basis points with two decimals, rounded half up. */
function slippage(book: VenueBook, side: 'buy' | 'sell', vwap: bigint): string {
  const best = units(book.levels[side === 'buy' ? 1 : 0][0]?.limitPx ?? '1');
  const worse = side === 'buy' ? vwap - best : best - vwap;
  const hundredths = (worse * 1_000_000n * 2n + best) / (best * 2n);
  return `${(hundredths / 100n).toLocaleString('en')}.${String(hundredths % 100n).padStart(2, '0')}`;
}
