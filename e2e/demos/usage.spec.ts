import { expect, test } from './guide.ts';

test('Usage: who spends, and how long the plan lasts', async ({ guide, page }) => {
  await guide.open('/usage');
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(region('Plan, this month')).toContainText('Burn rate');
  await guide.point(
    region('Usage').getByText('Simulated data.').or(page.getByText('Simulated data.')).first(),
    'The demo account begins with 90 days of made-up use, and says so. Calls made from now on are real ones.',
  );
  await guide.point(
    region('Window'),
    'Credits a day, premium and free, against ceiling and flex. Today is not over, and drawn so.',
  );
  await guide.press(page.getByText('3 months', { exact: true }));
  await expect(page).toHaveURL('/usage?m=3');
  await guide.press(page.getByText('Month to date', { exact: true }));
  await expect(page).toHaveURL(/chart=month/);
  await guide.point(
    region('Window'),
    'The period is that of the window; plan and forecast stay with the month. As a running total, a month is seen to stay under its ceiling.',
  );
  await guide.point(
    region('Plan, this month'),
    'Burn rate: share of the plan used over share of the month gone. Up to 1.00 the plan lasts.',
  );
  await expect(page.locator('[data-part=forecast]').or(page.locator('[data-part=no-forecast]'))).toBeVisible();
  await guide.point(
    region('Forecast'),
    'A forecast with its band, from complete days only; under seven of them it says "not enough data".',
  );
  await expect(region('Keys').getByRole('row').nth(4)).toBeVisible();
  await guide.point(
    region('Keys'),
    'Which key spent how much. Keys are made and revoked on the command line, never here.',
  );
  await guide.point(region('Prices'), 'What each operation costs: the same prices stand on the controls that spend.');
});
