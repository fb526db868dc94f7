import { expect, test } from './guide.ts';

test('Funding: rates by the interval that was measured', async ({ guide, page }) => {
  await guide.open('/funding?coin=HYPE,DOGE&days=7');
  const lines = page.getByRole('list', { name: 'Coins' }).getByRole('listitem');
  await expect(lines).toHaveCount(2);
  await expect(lines.first()).toContainText('1 h interval, 8,760 a year');
  await guide.point(
    lines.first(),
    'The interval is measured from the data, not assumed: whoever takes 1 h for 8 h is wrong by a factor of eight.',
  );
  const chart = page.getByRole('application', { name: /Funding rate chart/ });
  await guide.point(
    chart,
    'Up to eight coins on one chart, each with a letter and a line of its own beside its colour.',
  );

  await guide.press(page.getByRole('button', { name: /^30 d/ }));
  const strip = page.getByRole('img', { name: /^HYPE: \d+ received, 1 missing/ });
  await expect(strip).toBeVisible();
  await guide.point(
    strip,
    '30 days took two calls a coin, as the button said. One hour is missing in what the exchange sent: it stays a hole.',
  );
  await page.getByLabel('Unit').selectOption('interval');
  await expect(page).toHaveURL(/unit=interval/);
  await guide.point(
    page.getByLabel('Unit'),
    'Rates are of a year (APR) at first: the same by the interval, by 8 hours, or compounded.',
  );

  await guide.press(page.getByRole('tab', { name: 'Hours of the day' }));
  await expect(page.getByRole('region', { name: 'Hours' }).getByRole('row')).toHaveCount(3);
  await guide.point(
    page.getByRole('region', { name: 'Hours' }),
    'Is there a dear hour? The mean rate of each hour of the day.',
  );
  await guide.press(page.getByRole('tab', { name: 'Carry' }));
  const notional = page.getByLabel('Constant notional');
  await notional.fill('');
  await guide.press(notional);
  await guide.type('250000');
  await expect(page).toHaveURL(/notional=250000/);
  const carry = page.getByRole('region', { name: 'Carry' });
  await expect(carry.getByRole('row', { name: /HYPE/ })).toContainText(/paid|received/);
  await guide.point(carry, 'What a position of 250,000 USDC would have paid or received, in exact decimals.');
  await guide.press(page.getByRole('tab', { name: 'Entries' }));
  await expect(page.getByRole('grid').getByRole('row').nth(1)).toBeVisible();
  await guide.say('Every entry stands in a table as well, and goes out as CSV, JSON, PNG or SVG.');
});
