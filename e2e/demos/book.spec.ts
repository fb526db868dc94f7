import { BookPage } from '../fixtures/book-page.ts';
import { expect, test } from './guide.ts';

test('Book: every order, live, and proven', async ({ guide, page, stack }, testInfo) => {
  const desk = new BookPage(page);
  await guide.open('/book/BTC?tick=1');
  await desk.expectBook(await stack.venue.book('BTC'), '1');
  await guide.say('The whole book of BTC: not levels, but every single order, kept in this browser and exact.');
  await guide.market(60);
  await desk.expectBook(await stack.venue.book('BTC'), '1');
  await guide.point(
    desk.ladder,
    'A row is a price. Its lane shows the orders in queue order, the first to be filled nearest to the price; where a watched wallet rests, the row says its exact place.',
  );
  await guide.key('ArrowDown');
  await guide.key('ArrowRight');
  const tip = page.locator('[data-part=lane-tip]');
  await expect(tip).toHaveAttribute('data-place', '0');
  await guide.point(
    tip,
    'Any order of a lane, by pointer or by arrow keys: owner, size, place, age, and what is ahead.',
  );
  await guide.key('Escape');
  await guide.market(60);
  await expect(desk.integrity).toHaveAttribute('data-gaps', '0');
  await guide.point(
    desk.integrity,
    'The proof: block, sequence and epoch of what you see, and how often the stream broke. A quiet book and a stale one are told apart.',
  );

  await guide.press(page.getByRole('button', { name: 'Verify now' }));
  await expect(desk.verification).toHaveAttribute('data-outcome', 'equal');
  await guide.point(
    page.getByRole('button', { name: 'Verify now' }),
    'Just compared with a fresh snapshot, order by order, places in the queue included: equal.',
  );

  await guide.point(
    page.getByRole('region', { name: 'Figures' }),
    'Microprice, spread, imbalance at five distances and the largest owner, each with its last minute.',
  );
  const map = page.getByRole('slider', { name: 'Map of the whole book' });
  await guide.point(
    map,
    'The map of the whole book beside the ladder: depth by distance from the mid, with what is in sight framed.',
  );
  await guide.press(page.getByRole('button', { name: 'Columns' }));
  await guide.press(page.getByText('More', { exact: true }));
  await guide.point(
    page.getByRole('checkbox', { name: 'Came and withdrawn' }),
    'What came to each row and what was withdrawn from it in the last 5 s, never netted.',
  );
  const scale = page.getByRole('group', { name: 'Bar scale' });
  await guide.press(scale.getByText('Log'));
  await guide.point(
    scale,
    'Columns, notional, what counts as a large order, and the scale of the bars: kept, and in the address.',
  );
  await guide.press(scale.getByText('Linear'));
  await guide.key('Escape');
  await guide.press(page.getByRole('button', { name: /^Ruler/ }));
  for (let rows = 0; rows < 4; rows += 1) await guide.key('ArrowUp');
  const band = page.locator('[data-part=band]');
  await expect(band).toContainText('bps');
  await guide.point(band, 'The ruler: ticks, basis points, and exactly what rests between two prices.');
  await guide.press(page.getByRole('button', { name: /^Turn the ruler off/ }));

  await guide.press(page.getByRole('button', { name: 'Pause' }));
  await guide.market(30);
  await expect(desk.band).toContainText('30 blocks behind');
  await guide.point(
    desk.band,
    'Paused, to read in peace: rows, queues, counts and clocks are all of this block. The page says how far the market has gone since.',
  );
  const held = await desk.twin();
  const [longest] = held.rows.filter(({ side }) => side === 'B').toSorted((a, b) => b.count - a.count);
  await guide.say('A press on a row opens its queue.');
  await desk.clickRow('B', '1', longest?.px ?? '');
  await expect(desk.inspector).toHaveAttribute('data-count', String(longest?.count));
  await guide.point(
    desk.inspector,
    'Who waits here: owner, size, time in force, and exactly how much has to trade before each order.',
  );
  await guide.press(desk.inspector.locator('[data-place="1"]'));
  await expect(page.locator('[data-part=order]')).toBeVisible();
  await guide.point(page.locator('[data-part=order]'), 'One order in full. Its numbers go to the last digit.');

  await guide.press(page.getByRole('button', { name: 'Without owner' }));
  const without = page.locator('[data-part=without]');
  await expect(without).toBeVisible();
  await guide.point(
    without,
    'The book without this wallet: sizes, counts and sums are exact, and its orders stay in the lanes as ghosts.',
  );
  await guide.press(page.getByRole('button', { name: 'Show the whole book again' }));
  await guide.key('Escape');
  await guide.press(page.getByRole('button', { name: 'Resume' }));
  await desk.expectBook(await stack.venue.book('BTC'), '1');

  await guide.market(20);
  await guide.key('<');
  const strip = page.locator('[data-part=time]');
  await expect(strip).toHaveAttribute('data-frozen', 'true');
  await guide.point(
    page.getByRole('slider', { name: 'Shown block in the kept time' }),
    'The last minutes are kept, block by block. Every pane now shows the book of ten blocks ago; comma and full stop step one block.',
  );
  await guide.press(page.getByRole('tab', { name: 'Tape' }));
  await expect(page.locator('[data-part=tape]')).toHaveAttribute('data-height', /\d/);
  await guide.point(
    page.locator('[data-part=tape]'),
    'What each block added, canceled, requoted and executed, and why. A star: concluded from the change, for the stream has no trades.',
  );
  await guide.press(page.getByRole('button', { name: 'Compare' }));
  for (let blocks = 0; blocks < 5; blocks += 1) await guide.key('.');
  const difference = page.locator('[data-part=difference]');
  await expect(difference).toBeVisible();
  await guide.point(difference, 'What changed between a chosen block and the shown one, whichever that is by now.');
  await guide.press(page.getByRole('button', { name: 'Recordings' }));
  await guide.point(
    page.getByRole('button', { name: /^Save the kept minutes/ }),
    'The kept minutes are saved as a file, with every change and its checksums.',
  );
  const saving = page.waitForEvent('download');
  await guide.press(page.getByRole('button', { name: /^Save the kept minutes/ }));
  const saved = await saving;
  const file = testInfo.outputPath(saved.suggestedFilename());
  await saved.saveAs(file);
  await guide.press(page.getByRole('button', { name: 'Recordings' }));
  const choosing = page.waitForEvent('filechooser');
  await guide.press(page.getByRole('button', { name: /^Open a file/ }));
  await (await choosing).setFiles(file);
  const recorded = page.locator('[data-part=recorded]');
  await expect(desk.integrity).toHaveAttribute('data-state', 'recorded');
  await guide.point(
    recorded,
    'A recording opened in place of the live book, with every pane. It costs nothing: the live book is not followed meanwhile.',
  );
  await guide.key('l');
  await expect(recorded).toBeHidden();
  await expect(strip).toHaveAttribute('data-frozen', 'false');
  await desk.expectBook(await stack.venue.book('BTC'), '1');

  await guide.key('PageUp');
  await guide.key('PageUp');
  const chip = page.locator('[data-part=touch-chip]');
  await expect(chip).toContainText('down');
  await guide.point(
    chip,
    'Scrolled away, the edge says where the best prices are and how far. A press, or Space, leads back.',
  );
  await guide.press(chip);
  await expect(chip).toHaveCount(0);

  await page.getByLabel('Grouping').selectOption('10');
  await desk.expectBook(await stack.venue.book('BTC'), '10');
  await guide.point(
    page.getByLabel('Grouping'),
    'Grouped by tens, in whole numbers: a bid never lands in the wrong row. The choice is in the address, so a link shows the same.',
  );
  await expect(page).toHaveURL(/tick=10/);
  await guide.key('a');
  await guide.press(page.getByRole('button', { name: /^BTC grouped by/ }));
  const columns = page.locator('[data-part=ladder-column]');
  await expect(columns).toHaveCount(2);
  await guide.market(10);
  await expect(columns.nth(1).locator('[data-part=ladder-state]')).toHaveAttribute('data-height', /\d/);
  await guide.point(
    columns.nth(1),
    'The same book in a second grouping, beside it: the same blocks, one pause, no further credit. Another coin has a state and an age of its own.',
  );
  await new BookPage(page, columns.first()).pointUntilMarkedIn(columns.nth(1).locator('[data-part=ladder]'));
  await expect(page.locator('[data-part=ladder][data-crosshair]')).toHaveCount(1);
  await guide.say('A price that is pointed at in one ladder is marked in the other.');
  await guide.press(page.getByRole('button', { name: 'Open in a window' }));
  const opening = page.waitForEvent('popup');
  await guide.press(
    page.getByRole('dialog', { name: 'Open in a window' }).getByRole('button', { name: 'Tape', exact: true }),
  );
  const tape = await opening;
  await expect(tape.locator('[data-part=panel]')).toHaveAttribute('data-pane', 'tape');
  await guide.market(10);
  await expect(tape.locator('[data-part=shown-block]')).toHaveAttribute('data-height', /\d/);
  await guide.say('A ladder or a pane opens in a window of its own, with its own book: here the tape.');
  const workspaces = page.getByRole('button', { name: 'Workspaces' });
  await guide.press(workspaces);
  const named = page.getByRole('dialog', { name: 'Workspaces' });
  await guide.press(named.getByRole('textbox'));
  await guide.type('Two groupings');
  await guide.key('Enter');
  const kept = named.getByRole('button', { name: /^Two groupings/ });
  await expect(kept).toHaveAttribute('aria-pressed', 'true');
  await guide.point(
    kept,
    'All of it is kept under a name: ladders, columns, panes, the radar’s coins, and the window.',
  );
  await guide.key('Escape');
  await tape.close();
  await guide.key('x');
  await expect(columns).toHaveCount(1);
  await guide.press(workspaces);
  const restoring = page.waitForEvent('popup');
  await guide.press(kept);
  const restored = await restoring;
  await expect(restored.locator('[data-part=panel]')).toHaveAttribute('data-pane', 'tape');
  await expect(columns).toHaveCount(2);
  await guide.say('One press restores the workspace: both ladders, and the window beside the page.');
  await restored.close();
  await guide.key('r');
  const start = page.locator('[data-part=radar]').getByRole('button', { name: /^Start/ });
  await expect(start).toContainText('cr/min');
  await guide.point(
    start,
    'The radar keeps the exact book of up to 64 coins. Its price stands on the button, before it starts.',
  );
  await guide.press(start);
  const tile = page.locator('[data-part=radar-tile][data-height]').first();
  await guide.market(20);
  await expect(tile).toBeVisible();
  await guide.point(
    page.locator('[data-part=radar]'),
    'Each coin with the state of its book, mid, spread, imbalance, changes a second, and orders of watched wallets. A press opens it.',
  );
  await guide.press(page.locator('[data-part=radar]').getByRole('button', { name: 'Stop' }));
  await guide.key('x');
  await expect(columns).toHaveCount(1);
  await guide.say('Press Ctrl K anywhere for pages, coins, wallets and orders; ? lists every key.');
});
