import { PROVEN } from '../fixtures/book-page.ts';
import { expect, test } from './guide.ts';

test('Overview: everything at a glance, and where to look', async ({ guide, page, stack }) => {
  await guide.open('/');
  const tile = (name: string) => page.getByRole('region', { name, exact: true });
  const proof = page.locator('[data-part=book-proof]');
  await expect(proof).toHaveAttribute('data-state', PROVEN);
  await guide.point(proof, 'The followed book with its proof: exact, at which block, and how often the stream broke.');
  const balances = page.getByRole('table', { name: 'Sums by token' });
  await expect(balances).toBeVisible();
  await guide.point(balances, 'What all wallets hold together, token by token, exact.');
  await guide.point(
    tile('Balances').getByRole('button', { name: 'Refresh Balances' }),
    'Each tile has its age, and the price of a refresh.',
  );
  await guide.market(200);
  await guide.press(tile('Balances').getByRole('button', { name: 'Refresh Balances' }));
  const moves = page.getByRole('region', { name: 'Changes in the last refresh' });
  await expect(moves).toBeVisible();
  await guide.point(moves, 'A second refresh shows what changed, wallet by wallet.');
  await guide.point(tile('Open orders'), 'Where the wallets’ orders rest, by coin and side.');
  await guide.point(tile('Credits'), 'What the plan has left, and where the month is going.');

  const [failing] = (await stack.venue.wallets()).filter(({ role }) => role === 'spot');
  const user = failing?.address ?? '';
  await stack.venue.fault({ kind: 'info', effect: 'error', type: 'spotClearinghouseState', user, message: 'too busy' });
  await guide.press(tile('Balances').getByRole('button', { name: 'Refresh Balances' }));
  const alarm = tile('Alarms').getByRole('link', { name: '1 of 43 wallets failed' });
  await expect(alarm).toBeVisible();
  await guide.point(alarm, 'Problems are listed here, each with a link to its explanation.');
  await stack.venue.fault({ kind: 'clear' });
  await guide.press(alarm);
  await expect(page).toHaveURL('/balances?failed=1');
});
