import { expect, NEW_PAGE, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

test('grouping, view and level are in the address, and the address restores them', {
  annotation: NEW_PAGE,
}, async ({ desk, stack }) => {
  const { page } = desk;
  await desk.open('BTC');
  await page.getByLabel('Grouping').selectOption('10');
  await page.getByText('Static', { exact: true }).click();
  const twin = await desk.expectBook(await stack.venue.book('BTC'), '10');
  const best = twin.rows.find(({ side }) => side === 'B');
  await desk.clickRow('B', '10', best?.px ?? '');
  await expect(page).toHaveURL(`/book/BTC?tick=10&view=static&level=B${best?.px}`);

  await page.reload();
  await desk.expectBook(await stack.venue.book('BTC'), '10');
  await expect(page.getByLabel('Grouping')).toHaveValue('10');
  await expect(page.getByRole('radio', { name: 'Static' })).toBeChecked();
  await desk.expectQueue(await stack.venue.book('BTC'), 'B', '10', best?.px ?? '');
});

test('invalid parts of an address are named, and the default is shown; a coin that is not listed is reported, with a way to the others', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=7&view=sideways&level=C1');
  const notice = page.getByRole('alert');
  await expect(notice).toContainText('tick=7, view=sideways and level=C1');
  await desk.expectBook(await stack.venue.book('BTC'), '1');
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page).toHaveURL('/book/BTC');
  await expect(notice).toHaveCount(0);

  await visit(page, '/book/BTC?tick=0.00001');
  await expect(notice).toContainText('BTC has no grouping of 0.00001');
  await desk.expectBook(await stack.venue.book('BTC'), '1');

  await visit(page, '/book/NOPE');
  await expect(page.getByText('no perp coin “NOPE”')).toBeVisible();
  await expect(desk.integrity, 'nothing is on its way').toHaveCount(0);
  await page.getByRole('button', { name: 'Choose another coin' }).click();
  await page.getByRole('option', { name: 'ETH' }).click();
  await expect(page).toHaveURL('/book/ETH');
  await desk.expectProven('ETH');
});

test('a paused ladder keeps its block while the book continues, and says how far', async ({ desk, stack }) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  const before = await stack.venue.book('BTC');
  const held = await desk.expectBook(before, '1');
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(desk.ladder).toHaveAttribute('data-paused', 'true');
  await stack.venue.step(30);
  await expect(desk.band).toContainText('30 blocks behind');
  const [band, ladder] = await Promise.all([desk.band.boundingBox(), desk.ladder.boundingBox()]);
  if (band === null || ladder === null) throw new Error('nothing is shown');
  expect(band.y - ladder.y, 'below the headings').toBeGreaterThanOrEqual(22);
  await expect.poll(() => desk.twin()).toEqual(held);
  // What is opened while paused also belongs to the held block.
  const best = held.rows.find(({ side }) => side === 'B');
  await desk.clickRow('B', '1', best?.px ?? '');
  await desk.expectQueue(before, 'B', '1', best?.px ?? '');
  await page.getByRole('button', { name: 'Resume' }).click();
  await desk.expectBook(await stack.venue.book('BTC'), '1');
  expect((await desk.proof()).gaps).toBe(0);
});

test('rows do not move under the pointer, and a click takes the price that was shown there', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&view=mid');
  await desk.expectBook(await stack.venue.book('BTC'), '1');
  const slot = 8;
  await desk.clickSlot(slot);
  await expect(desk.inspector).toHaveAttribute('data-side', 'A');
  const px = await desk.inspector.getAttribute('data-px');
  await page.keyboard.press('Escape');
  await expect(desk.inspector).toHaveCount(0);
  // Enough blocks for the market to move by several rows, few enough at a time for a pointer that rests in between.
  for (let moved = 0; moved < 10; moved += 1) {
    await desk.pointAtSlot(slot, moved);
    const height = await stack.venue.step(20);
    await expect.poll(async () => (await desk.proof()).height).toBe(height);
  }
  await desk.clickSlot(slot);
  await expect(desk.inspector).toHaveAttribute('data-px', px ?? '');
});

test('a future block, chosen in the palette, is held exactly; for a past one only its proof is shown', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  const { height } = await stack.venue.state();
  const block = height + 12;
  const band = page.locator('[data-part=block]');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search pages/ }).fill(String(block));
  await page.getByRole('option', { name: /^Block .*: pause the BTC book there/ }).click();
  // What else the page shows stays.
  await expect(page).toHaveURL(`/book/BTC?tick=1&block=${block}`);
  await expect(band).toContainText('has not arrived yet');
  await stack.venue.step(12);
  const book = await stack.venue.book('BTC');
  await stack.venue.step(20);
  await expect(band).toContainText(`The ladder and its queues are paused at block ${block.toLocaleString('en')}`);
  await desk.expectBook(book, await page.getByLabel('Grouping').inputValue());
  await expect(desk.ladder).toHaveAttribute('data-paused', 'true');
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(band).toContainText('has passed');
  await expect(band).toContainText('applied without a gap');
  await page.getByRole('alert').getByRole('button', { name: 'Dismiss' }).click();
  await expect(page).toHaveURL('/book/BTC?tick=1');
});
