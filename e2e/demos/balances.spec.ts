import { expect, test } from './guide.ts';

test('Balances: every wallet, every token, and what is missing', async ({ guide, page, stack }) => {
  const grid = page.getByRole('grid');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await guide.open('/balances');
  await expect(grid).toBeVisible();
  await guide.point(
    page.getByText(/^loads automatically up to/),
    'All wallets of the address book take one call. A page loads automatically up to a price that you set; anything above waits for a click.',
  );
  await guide.point(
    grid,
    'Spot balances as the service reports them, to the last digit. A dash is "not reported", which is not zero.',
  );
  const total = page.getByRole('button', { name: /^USDC: / });
  await guide.point(total, 'Totals are exact sums, never rounded.');

  await guide.press(total);
  await expect(inspector.locator('[data-part=sum]')).toBeVisible();
  await guide.point(inspector, 'Pressed, a total shows every amount that it is made of.');

  const [failing] = (await stack.venue.wallets()).filter(({ role }) => role === 'maker');
  const user = failing?.address ?? '';
  await stack.venue.fault({ kind: 'info', effect: 'error', type: 'spotClearinghouseState', user, message: 'too busy' });
  await guide.say('Now the exchange fails for one wallet.');
  await guide.press(page.getByRole('button', { name: /^Refresh/ }));
  const row = page.locator(`[data-key="${user}"]`);
  await expect(row).toHaveAttribute('data-state', 'error');
  await guide.point(row, 'It keeps its last good values, greyed, with their age and the exact message.');
  const partial = page.getByRole('button', { name: /^USDC: ≥ / });
  await expect(partial).toHaveAccessibleName(/42 of 43 wallets/);
  await guide.point(partial, 'Totals now say "at least", and how many wallets are in them. Never silently partial.');
  await stack.venue.fault({ kind: 'clear' });
  const retry = page.getByRole('button', { name: /^Retry this wallet|^Retry these/ });
  await guide.point(retry, 'Only the failed ones are asked again, together.');
  await guide.press(retry);
  await expect(row).toHaveAttribute('data-state', 'ok');

  await guide.press(page.getByText('Tokens', { exact: true }));
  await expect(page).toHaveURL(/view=tokens/);
  await expect(page.getByRole('gridcell', { name: 'UBTC', exact: true })).toBeVisible();
  await guide.point(
    grid,
    'The same turned round: a token a row. What you see is in the address, so a link shows it too.',
  );
});
