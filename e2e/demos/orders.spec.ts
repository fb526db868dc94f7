import { gridOf } from '../fixtures/grid.ts';
import { expect, test } from './guide.ts';

test('Orders: open, past, and what became of them', async ({ guide, page, stack }) => {
  const wallets = await stack.venue.wallets();
  const archive = wallets.find(({ role }) => role === 'archive')?.address ?? '';
  const makers = wallets
    .filter(({ role }) => role === 'maker')
    .slice(0, 3)
    .map(({ address }) => address);
  const grid = gridOf(page, 'Orders');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const rows = page.locator('footer').getByText(/ rows?$/);

  await guide.open(`/orders?w=${makers.join()}`);
  await expect(grid.locator('[data-row="0"]')).toBeVisible();
  await guide.point(grid, 'The open orders of three market makers in one table, sorted and filtered at once.');

  await guide.market(5);
  const [front] = (await stack.venue.book('BTC')).levels[0];
  await guide.open(`/orders?w=${front?.user}&coin=BTC&sort=-limitPx&side=B`);
  const places = page.locator('[data-part=places]');
  await guide.press(places.getByRole('button', { name: 'Read the places in BTC' }));
  await expect(places).toContainText('live for BTC');
  const place = grid.locator('[data-row="0"] [data-column="place"]');
  await expect(place).toContainText(/\d+ of \d+ · /);
  await guide.market(20);
  await guide.point(place, 'The exact place of each open order in its queue, live, for a price that is said before.');
  await guide.press(page.getByRole('button', { name: 'Stop', exact: true }));

  await guide.open(`/orders?w=${archive}&show=history`);
  await expect(rows).toHaveText('2,000 of 2,000 rows');
  const coverage = page.locator('[data-part=coverage]');
  await expect(coverage).toContainText('2,000-row cap reached');
  await guide.point(
    coverage,
    'A busy wallet’s history. The exchange tells of the newest 2,000 only, and this line says how far back that reaches.',
  );
  await guide.point(
    grid.locator('[data-row="1"]'),
    'The raw status stays as it was sent. The outcome beside it is worked out: how much was filled before the end.',
  );

  await guide.press(page.getByRole('button', { name: 'Status', exact: true }).and(page.locator('[aria-haspopup]')));
  await guide.press(page.getByRole('checkbox', { name: 'marginCanceled' }));
  await guide.key('Escape');
  await expect(rows).toHaveText(/^[\d,]+ of 2,000 rows$/);
  await expect(grid.locator('[data-row="0"]')).toContainText('marginCanceled');
  await guide.point(
    rows,
    'Facets narrow it: these were taken away by the margin engine. A view can be saved or sent as a link.',
  );
  await guide.press(page.getByRole('button', { name: 'Clear filters' }).first());

  await guide.press(grid.locator('[data-row="2"]'));
  await expect(inspector.getByRole('heading', { name: /^Order \d+$/ })).toBeVisible();
  await guide.point(inspector, 'One order in full: every field as reported, and the other entries about the same oid.');
  await guide.press(page.getByRole('button', { name: 'Statistics' }));
  await expect(inspector.getByRole('row', { name: /^Filled, of accepted/ })).toBeVisible();
  await guide.point(
    inspector,
    'Statistics of the orders in view: how many were filled, how fast, and why others were rejected.',
  );
});
