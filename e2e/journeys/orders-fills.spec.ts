import type { Page } from '@playwright/test';
import { grid, inspector, partlyFilled, readGrid, responseOf, rowsOf, walletsOf } from '../fixtures/orders-page.ts';
import { expect, test } from '../fixtures/test.ts';

interface Fill {
  readonly oid: number;
  readonly px: string;
  readonly sz: string;
  readonly fee: string;
  readonly feeToken: string;
}

/** Decimals as integers of 10⁻¹⁶. Implemented separately, so that the page's code is not compared with itself. */
const SCALE = 16;
const ONE = 10n ** BigInt(SCALE);

function units(text: string): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.replace('−', '-')) ?? [];
  const value = BigInt(whole + fraction.padEnd(SCALE, '0'));
  return sign === '-' ? -value : value;
}

const decimalsOf = (text: string) => text.split('.')[1]?.length ?? 0;

/** Checks the three cells of an order against its fills. */
function expectFills(row: Readonly<Record<string, string>>, fills: readonly Fill[]): void {
  const sz = fills.reduce((sum, fill) => sum + units(fill.sz), 0n);
  expect(units(row.filled ?? '')).toBe(sz);
  const notional = fills.reduce((sum, fill) => sum + units(fill.px) * units(fill.sz), 0n);
  const average = row.avgPx ?? '';
  const isOnePrice = new Set(fills.map(({ px }) => px)).size === 1;
  expect(decimalsOf(average)).toBe(Math.max(...fills.map(({ px }) => decimalsOf(px))) + (isOnePrice ? 0 : 2));
  // Rounded half up: at most half of its last digit away.
  const off = units(average) * sz - notional;
  expect((off < 0n ? -off : off) * 2n).toBeLessThanOrEqual(sz * (ONE / 10n ** BigInt(decimalsOf(average))));
  const tokens = [...new Set(fills.map(({ feeToken }) => feeToken))];
  const shown = (row.fee ?? '').split(', ').map((text) => text.split(' '));
  expect(shown.map(([, token]) => token)).toEqual(tokens);
  for (const [amount = '', token] of shown) {
    const own = fills.filter(({ feeToken }) => feeToken === token);
    expect(units(amount)).toBe(own.reduce((sum, { fee }) => sum + units(fee), 0n));
  }
}

/** Keeps what is copied, because a headless browser has no clipboard to read. */
async function copyOf(page: Page): Promise<string> {
  await page.evaluate(() => {
    const keep = (event: ClipboardEvent) => {
      Object.assign(window, { copied: event.clipboardData?.getData('text/plain') });
    };
    window.addEventListener('copy', keep, { once: true });
  });
  await page.keyboard.press('Control+c');
  const copied = await page.waitForFunction(() => (window as unknown as { readonly copied?: string }).copied);
  await page.evaluate(() => Reflect.deleteProperty(window, 'copied'));
  return String(await copied.jsonValue());
}

test('fills are loaded by a press that shows the price; size, average and fees are the service’s, to the last digit', async ({
  page,
  stack,
}) => {
  const { taker } = await partlyFilled(page, stack);
  const calls: string[] = [];
  page.on('request', (request) => {
    const body = request.postData() ?? '';
    if (body.includes('"userFills"')) calls.push(body);
  });
  await page.goto(`/orders?w=${taker}&show=history&sort=oid`);
  await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  const button = page.getByRole('button', { name: 'Fills 1 credit' });
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  expect(calls).toEqual([]);
  await button.click();
  await expect(page).toHaveURL(/fills=1/);
  await expect(grid(page).getByRole('columnheader', { name: 'Average price' })).toBeVisible();
  const fills = (await responseOf(page, stack, { type: 'userFills', user: taker })) as unknown as Fill[];
  const ofOrder = (oid: string | undefined) => fills.filter((fill) => String(fill.oid) === oid);
  await expect(async () => {
    const rows = await readGrid(page);
    const filled = rows.filter(({ oid }) => ofOrder(oid).length > 0);
    expect(filled.length).toBeGreaterThan(0);
    for (const row of filled) expectFills(row, ofOrder(row.oid));
    const others = rows.filter((row) => !filled.includes(row));
    const shown = others.flatMap(({ filled: size, avgPx, fee }) => [size, avgPx, fee]);
    expect(shown.filter((text) => text !== '–')).toEqual([]);
  }).toPass();
  expect(calls).toHaveLength(1);

  const [first] = fills;
  await page.goto(`/orders?w=${taker}&show=history&q=${first?.oid}&fills=1`);
  await grid(page).locator('[data-row="0"]').click();
  const count = ofOrder(String(first?.oid)).length;
  await expect(inspector(page).getByRole('region', { name: 'Derived' })).toContainText(
    count === 1 ? '1 fill, fees ' : `${count} fills, fees `,
  );
});

test('each condition is named, and removed alone by keyboard', async ({ page, stack }) => {
  const [archive = '0x'] = await walletsOf(stack, 'archive');
  const history = await responseOf(page, stack, { type: 'historicalOrders', user: archive });
  const count = (isIn: (order: Readonly<Record<string, unknown>>) => boolean) =>
    history.filter(({ order }) => isIn(order as Readonly<Record<string, unknown>>)).length.toLocaleString('en');
  await page.goto(`/orders?w=${archive}&show=history&coin=BTC,kPEPE&side=A`);
  const conditions = page.getByRole('list', { name: 'Conditions' }).getByRole('button');
  await expect(conditions).toHaveText(['Coin: BTC or kPEPE', 'Side: Sell (A)']);
  const isCoin = ({ coin }: Readonly<Record<string, unknown>>) => coin === 'BTC' || coin === 'kPEPE';
  await expect(rowsOf(page)).toHaveText(`${count((order) => isCoin(order) && order.side === 'A')} of 2,000 rows`);
  await page.getByRole('button', { name: 'Remove the condition Side: Sell (A)' }).focus();
  await page.keyboard.press('Delete');
  await expect(conditions).toHaveText(['Coin: BTC or kPEPE']);
  await expect(page).not.toHaveURL(/side=/);
  await expect(rowsOf(page)).toHaveText(`${count(isCoin)} of 2,000 rows`);
  await conditions.first().focus();
  await page.keyboard.press('Enter');
  await expect(conditions).toHaveCount(0);
  await expect(rowsOf(page)).toHaveText('2,000 of 2,000 rows');
});

test('a cell and marked rows are copied by keyboard, with the figures of the service', async ({ page, stack }) => {
  const [archive = '0x'] = await walletsOf(stack, 'archive');
  const history = await responseOf(page, stack, { type: 'historicalOrders', user: archive });
  await page.goto(`/orders?w=${archive}&show=history`);
  await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  const heads = await grid(page).getByRole('columnheader').allTextContents();
  await grid(page).focus();
  await page.keyboard.press('Home');
  expect(await copyOf(page)).toMatch(/^\S+$/);
  for (let right = 0; right < heads.indexOf('Limit price'); right += 1) await page.keyboard.press('ArrowRight');
  const px = await copyOf(page);
  expect(history.some(({ order }) => (order as { limitPx: string }).limitPx === px)).toBe(true);
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(grid(page).locator('tr[aria-selected=true]')).toHaveCount(3);
  expect((await copyOf(page)).split('\n')).toHaveLength(3);
  await page.keyboard.press('Control+a');
  const lines = (await copyOf(page)).split('\n').map((line) => line.split('\t'));
  const at = (title: string) => heads.findIndex((head) => head.startsWith(title));
  const copied = lines.map((cells) => [
    cells[at('oid')],
    cells[at('Limit price')],
    cells[at('Size')],
    cells[at('Status')],
  ]);
  const expected = history.map(({ order, status }) => {
    const { oid, limitPx, origSz } = order as {
      readonly oid: number;
      readonly limitPx: string;
      readonly origSz: string;
    };
    return [String(oid), limitPx, origSz, String(status)];
  });
  const sorted = (rows: readonly unknown[]) =>
    rows.map((row) => JSON.stringify(row)).toSorted((a, b) => (a < b ? -1 : 1));
  expect(sorted(copied)).toEqual(sorted(expected));
  await page.keyboard.press('Escape');
  await expect(grid(page).locator('tr[aria-selected=true]')).toHaveCount(0);
});
