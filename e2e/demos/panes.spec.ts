import { BookPage } from '../fixtures/book-page.ts';
import { expectWatched } from '../fixtures/owners.ts';
import { expect, test } from './guide.ts';

test('Panes: whose orders they are, where they stand, and what would have been', async ({ guide, page, stack }) => {
  const desk = new BookPage(page);
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  await guide.open('/book/BTC?tick=1&pane=owners');
  await desk.expectBook(await stack.venue.book('BTC'), '1');
  await guide.market(60);
  const owners = page.locator('[data-part=owners]');
  await expect(owners.locator('[data-part=requote-span]')).toContainText('kept');
  await guide.point(
    owners,
    'Who rests near the mid: share, size, skew, the median age of the orders, and how often each wallet requotes.',
  );
  await guide.press(page.getByRole('grid', { name: 'Bids by wallet' }).locator('[data-row="0"] [data-column="sz"]'));
  const chosen = page.getByRole('region', { name: 'Chosen wallet' });
  await guide.press(chosen.getByRole('button', { name: 'Only its orders' }));
  const only = page.locator('[data-part=only]');
  await expect(only).toContainText('NOT THE BOOK');
  await guide.point(
    desk.ladder,
    'One wallet alone: only its orders, exact. The page says loudly that this is not the book.',
  );
  await guide.key('Escape');
  await expect(only).toHaveCount(0);
  await expectWatched(page, chosen);

  const twin = await desk.twin();
  const [longest] = twin.rows.filter(({ side }) => side === 'B').toSorted((a, b) => b.count - a.count);
  await desk.clickRow('B', '1', longest?.px ?? '');
  await guide.press(desk.inspector.getByRole('button', { name: 'By owner' }));
  await expect(desk.inspector.locator('tr[data-owner]').first()).toBeVisible();
  await guide.press(desk.inspector.locator('tr[data-owner] button').first());
  await guide.point(
    desk.inspector,
    'A level by owner, or by size, age and time in force. Whatever the order of the list, each order keeps its true place.',
  );
  await guide.press(desk.inspector.getByRole('button', { name: 'Show the whole queue in its order' }));

  await guide.press(desk.inspector.locator('[data-place="0"]'));
  await guide.press(page.getByRole('button', { name: 'Life' }));
  const passport = page.locator('[data-part=passport]');
  await expect(passport).toContainText('lifetime');
  await guide.point(
    passport,
    'The passport of one order: its birth, its place then, every resize, who was ahead, and why it left.',
  );

  await guide.press(tab('Queues'));
  const queues = page.locator('[data-part=queues]');
  await guide.press(page.getByRole('grid', { name: 'Orders of the watched wallets' }).locator('[data-row="0"]'));
  const life = page.locator('[data-part=queue-life]');
  await expect(life).toContainText('still ahead');
  await guide.point(
    queues,
    'Every order of your wallets with its exact place; and what was executed, canceled and shrunk in front of it since it joined.',
  );

  await guide.press(tab('Sweep'));
  const sweep = page.locator('[data-part=sweep]');
  await desk.grid.focus();
  for (let rows = 0; rows < 3; rows += 1) await guide.key('Shift+ArrowUp');
  await expect(page.locator('[data-part=band]')).toContainText('all that rests up to');
  await guide.point(desk.ladder, 'A sweep is drawn on the ladder: a drag from the best price, or Shift with an arrow.');
  await guide.press(sweep.getByRole('textbox', { name: 'Size' }));
  await guide.key('ControlOrMeta+a');
  await guide.type('5');
  await expect(sweep.locator('[data-field="filled"]')).toHaveText(/^5/);
  await guide.point(
    sweep,
    'What a market order of 5 BTC would take: orders and wallets in their order, exact price and slippage, of a book that stands still.',
  );

  await guide.press(tab('Watch'));
  const form = page.getByRole('form', { name: 'New watch rule' });
  await form.getByLabel('Rule').selectOption('imbalance');
  await form.getByRole('textbox', { name: /^Above/ }).fill('0.05');
  await form.getByRole('textbox', { name: 'Within basis points' }).fill('1');
  await guide.press(form.getByRole('button', { name: 'Add' }));
  const alert = page.locator('output[aria-live=polite]').getByText(/^BTC: imbalance/);
  await expect(async () => {
    await guide.market(20);
    await expect(alert.last()).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await guide.point(
    alert.last(),
    'It fires: a toast that is read out, where you choose with a sound and a notification.',
  );

  await guide.press(page.getByRole('button', { name: 'Verify now' }));
  await expect(desk.verification).toHaveAttribute('data-outcome', 'equal');
  await guide.press(tab('Journal'));
  const journal = page.getByRole('list', { name: 'Journal' });
  await expect(journal.locator('[data-kind=watch]').first()).toBeVisible();
  await guide.point(
    journal,
    'The journal of the session: rebuilds with what they hid, comparisons with a fresh snapshot, suspicions, and rules that fired.',
  );
  await stack.venue.fault({ kind: 'drop', blocks: 5, coin: 'BTC' });
  const rebuilt = journal.locator('[data-kind=rebuilt]').first();
  await expect(async () => {
    await guide.market(10);
    await expect(rebuilt).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await stack.venue.fault({ kind: 'clear' });
  await guide.point(
    rebuilt,
    'The exchange has just lost some blocks. The book was rebuilt, and the journal says how much was not seen and what changed meanwhile.',
  );
  await guide.point(
    page.getByLabel('Verify automatically'),
    'The book verifies itself as often as you choose; the price a day stands beside each choice. The audit log is a file.',
  );
});

test('Time travel: back through the last minutes, played, looped, and the life of one order', async ({
  guide,
  page,
  stack,
}) => {
  const desk = new BookPage(page);
  await guide.open('/book/BTC?tick=1&pane=tape&kinds=executed');
  await desk.expectBook(await stack.venue.book('BTC'), '1');
  const slider = page.getByRole('slider', { name: 'Shown block in the kept time' });
  await expect(slider).toBeVisible();
  await guide.market(40);
  const strip = page.locator('[data-part=time]');
  const { height } = await stack.venue.state();
  await expect(strip).toHaveAttribute('data-height', String(height));
  await guide.key('<');
  await expect(strip).toHaveAttribute('data-height', String(height - 10));
  await guide.point(strip, 'Ten blocks back: the ladder and every pane are of that block, while the market goes on.');
  await guide.press(page.getByRole('button', { name: 'Compare' }));
  for (let blocks = 1; blocks <= 4; blocks += 1) {
    await guide.key('.');
    await expect(strip).toHaveAttribute('data-height', String(height - 10 + blocks));
  }
  const difference = page.locator('[data-part=difference]');
  await expect(difference).toHaveAttribute('data-to', String(height - 6));
  await guide.point(difference, 'What differs between the two, and all that moved in between, never netted.');
  await guide.press(page.getByRole('button', { name: 'Back to the tape' }));
  await guide.key('k');
  await expect(strip).toHaveAttribute('data-frozen', 'false');
  await guide.say('Played on to the newest block, the book is live again.');

  const { oid } = (await stack.venue.book('BTC')).levels[0][0] ?? {};
  await guide.open(`/order/${oid}?coin=BTC`);
  const passport = page.locator('[data-part=passport]');
  await expect(passport).toHaveAttribute('data-oid', String(oid));
  await expect(passport).toContainText('in the shown book');
  await guide.point(
    passport,
    'Each order has an address of its own, /order/ and its oid: whose it is, its place, its life.',
  );
});
