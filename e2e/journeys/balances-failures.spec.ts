import { failedNotice, openBalances } from '../fixtures/balances-page.ts';
import { endSession } from '../fixtures/session.ts';
import { expect, test } from '../fixtures/test.ts';

test('a failed wallet keeps its values in grey with the message; sums say which wallets are missing; failed ones are retried together; a slow exchange is waited for, with progress', async ({
  page,
  stack,
}) => {
  await openBalances(page);
  const wallets = await stack.venue.wallets();
  const [first, second] = wallets.filter(({ role }) => role === 'maker');
  const row = page.locator(`[data-key="${first?.address}"]`);
  const usdc = row.locator('[data-column=t0] [data-amount]');
  await expect(row).toHaveAttribute('data-state', 'ok');
  const before = await usdc.getAttribute('data-amount');
  const whole = await page.getByRole('button', { name: /^USDC: / }).textContent();
  for (const user of [first?.address ?? '', second?.address ?? '']) {
    await stack.venue.fault({
      kind: 'info',
      effect: 'error',
      type: 'spotClearinghouseState',
      user,
      message: 'too busy',
    });
  }
  await page.getByRole('button', { name: /^Refresh/ }).click();
  await expect(failedNotice(page)).toContainText('2 × upstream_error: too busy');
  await expect(failedNotice(page)).toContainText(`2 of 43 wallets failed: ${first?.name}, ${second?.name}.`);
  await expect(row).toHaveAttribute('data-state', 'error');
  await expect(row.locator('[data-column=wallet]')).toContainText('error: upstream_error: too busy');
  await expect(usdc).toHaveAttribute('data-amount', before ?? '');
  await expect(page.getByRole('button', { name: /^USDC: ≥ / })).toHaveAccessibleName(/41 of 43 wallets/);

  await page.getByRole('button', { name: /^USDC: ≥ / }).click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(inspector).toContainText('Not included: 2 wallets that failed or have not been loaded');
  await page.keyboard.press('Escape');

  // The count shows only the failed ones; the sums still cover all.
  const only = failedNotice(page).getByRole('button', { name: '2 of 43 wallets failed' });
  await only.click();
  await expect(page).toHaveURL('/balances?failed=1');
  await expect(page.locator('[data-row]')).toHaveCount(2);
  await expect(row.locator('[data-column=state]')).toHaveText(
    /^error \d+ (?:s|m) ago · upstream_error: too busy · values \d+ (?:s|m) old$/,
  );
  await expect(page.getByRole('button', { name: /^USDC: ≥ / })).toHaveAccessibleName(/41 of 43 wallets/);
  await page.getByText('List', { exact: true }).click();
  await expect(page.locator('[data-row][data-state=error]')).not.toHaveCount(0);
  await expect(page.locator('[data-row]:not([data-state=error])')).toHaveCount(0);
  await page.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByRole('dialog', { name: 'Export' })).toContainText(
    /^2 wallets and \d+ tokens in view: every field as reported, one row per balance; 2 failed, with the last good values\./,
  );
  await page.keyboard.press('Escape');
  await page.getByText('Wallets', { exact: true }).click();

  await stack.venue.fault({ kind: 'clear' });
  const retry = page.getByRole('button', { name: /^Retry these 2 wallets/ });
  await expect(retry).toContainText('25 credits');
  await retry.click();
  await expect(failedNotice(page)).toHaveCount(0);
  await expect(page.getByText('no wallet here has failed')).toBeVisible();
  await page.getByRole('button', { name: 'Failed only' }).click();
  await expect(page).toHaveURL('/balances');
  await expect(row).toHaveAttribute('data-state', 'ok');
  await expect(page.getByRole('button', { name: /^USDC: / })).toHaveText(whole ?? '');

  await stack.venue.fault({ kind: 'info', effect: 'slow', type: 'spotClearinghouseState', ms: 30_000 });
  await page.getByRole('button', { name: /^Refresh/ }).click();
  await expect(page.getByText(/^0 of \d+ wallets…$/)).toBeVisible();
  await stack.venue.fault({ kind: 'clear' });
  await expect(page.getByRole('button', { name: /^Refresh/ })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test.describe('without a service', () => {
  test.use({ expectedMessages: [/Failed to load resource|status of 401/] });

  test('the numbers stay, with advice; an ended session leads to sign-in and back', async ({ page }) => {
    await openBalances(page);
    const row = page.locator('[data-row]').first();
    await expect(row).toHaveAttribute('data-state', 'ok');
    const rows = await page.locator('[data-row]').count();
    await page.route('**/info', (route) => route.abort());
    await page.getByRole('button', { name: /^Refresh/ }).click();
    const band = page.getByRole('alert');
    await expect(band).toContainText('The service did not respond');
    await expect.poll(() => page.locator('[data-row]').count()).toBeGreaterThan(rows / 2);
    await expect(page.locator('[data-row][data-state=ok]')).toHaveCount(0);
    await page.unroute('**/info');
    await band.getByRole('button', { name: /^Retry these/ }).click();
    await expect(band).toHaveCount(0);

    await endSession(page);
    await expect(page).toHaveURL('/sign-in?next=%2Fbalances');
  });
});
