import { SCALE, signed } from '../fixtures/exact.ts';
import {
  grid,
  inspector,
  partlyFilled,
  readGrid,
  responseOf,
  rowsOf,
  showColumns,
  walletsOf,
} from '../fixtures/orders-page.ts';
import { expect, test } from '../fixtures/test.ts';

interface Fill {
  readonly oid: number;
  readonly px: string;
  readonly sz: string;
  readonly fee: string;
  readonly feeToken: string;
}

const ONE = 10n ** BigInt(SCALE);

const decimalsOf = (text: string) => text.split('.')[1]?.length ?? 0;

/** Checks the three cells of an order against its fills. */
function expectFills(row: Readonly<Record<string, string>>, fills: readonly Fill[]): void {
  const sz = fills.reduce((sum, fill) => sum + signed(fill.sz), 0n);
  expect(signed(row.filled ?? '')).toBe(sz);
  const notional = fills.reduce((sum, fill) => sum + signed(fill.px) * signed(fill.sz), 0n);
  const average = row.avgPx ?? '';
  const isOnePrice = new Set(fills.map(({ px }) => px)).size === 1;
  expect(decimalsOf(average)).toBe(Math.max(...fills.map(({ px }) => decimalsOf(px))) + (isOnePrice ? 0 : 2));
  // Rounded half up: at most half of its last digit away.
  const off = signed(average) * sz - notional;
  expect((off < 0n ? -off : off) * 2n).toBeLessThanOrEqual(sz * (ONE / 10n ** BigInt(decimalsOf(average))));
  const tokens = [...new Set(fills.map(({ feeToken }) => feeToken))];
  const shown = (row.fee ?? '').split(', ').map((text) => text.split(' '));
  expect(shown.map(([, token]) => token)).toEqual(tokens);
  for (const [amount = '', token] of shown) {
    const own = fills.filter(({ feeToken }) => feeToken === token);
    expect(signed(amount)).toBe(own.reduce((sum, { fee }) => sum + signed(fee), 0n));
  }
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
  await showColumns(page, 'oid');
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

test('where fills are newer than the open orders, the outcomes say so, and the sizes stay as reported', async ({
  page,
  stack,
}) => {
  const makers = await walletsOf(stack, 'maker');
  await page.goto(`/orders?w=${makers.join()}`);
  await expect(rowsOf(page)).not.toHaveText(/^0 /);
  const before = new Map((await readGrid(page)).map(({ key = '', left = '' }) => [key, left]));
  await stack.venue.step(50);
  await page.getByRole('button', { name: /^Fills/ }).click();
  await expect(async () => {
    const filled = (await readGrid(page)).filter((row) => /\d/.test(row.filled ?? ''));
    expect(filled.length).toBeGreaterThan(0);
    for (const { key = '', outcome = '', filled: sz = '', origSz = '', left } of filled) {
      expect(left).toBe(before.get(key));
      const isAll = signed(origSz) === signed(sz);
      expect(outcome).toMatch(
        isAll ? /^filled, by its fills$/ : /^(resting, partly filled|partly filled, by its fills) \(/,
      );
    }
    expect(filled.some(({ outcome = '' }) => outcome.includes('by its fills'))).toBe(true);
  }).toPass();
});
