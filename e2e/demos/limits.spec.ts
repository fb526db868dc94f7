import { expect, test } from './guide.ts';

test('Limits: how much one market order may be', async ({ guide, page }) => {
  await guide.open('/limits');
  const table = page.getByRole('table', { name: 'Buckets' });
  await expect(table).toBeVisible();
  await guide.point(
    table,
    'The exchange lists its largest market order by leverage. A bucket covers all leverages up to its own.',
  );
  const leverage = page.getByRole('textbox', { name: 'Leverage' });
  await guide.press(leverage);
  await leverage.fill('');
  await guide.type('22');
  const response = page.locator('[data-part=result]');
  await expect(response).toContainText('in the bucket up to 25×');
  await guide.point(response, 'How much can I send at 22×? The amount, and the rule by which it is found.');
  await guide.press(page.getByRole('textbox', { name: 'Your order (optional)' }));
  await guide.type('16000000.25');
  await expect(page.locator('[data-part=verdict]')).toContainText('exceeds it by 1,000,000.25 USD');
  await guide.point(response, 'An order held against it: over, and by how much, to the cent.');
  const coins = page.getByRole('table', { name: 'Largest market order by coin' });
  await guide.point(
    coins,
    'What that is of each coin now: its size at the mark, and its share of the volume of a day.',
  );
  await expect(page).toHaveURL('/limits?n=22&ntl=16000000.25');
  await guide.say('The question is in the address: a link asks it again.');
});
