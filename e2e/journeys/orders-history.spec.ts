import { byText, clock, entriesByOrder, type Json, linesOf, statisticsOf } from '../fixtures/exact-orders.ts';
import { closeMenu } from '../fixtures/menus.ts';
import {
  bracketOf,
  filterOf,
  grid,
  inspector,
  namesOf,
  partlyFilled,
  readGrid,
  responseOf,
  rowsOf,
  showColumns,
  walletsOf,
} from '../fixtures/orders-page.ts';
import { textsOfRows } from '../fixtures/pane-rows.ts';
import { expect, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

test('[HIST-2, HIST-11] a long history mentions the limit, can be narrowed by facets and search, and keeps entries of one order apart', async ({
  page,
  stack,
}) => {
  const [archive = '0x'] = await walletsOf(stack, 'archive');
  const { taker, coin } = await partlyFilled(page, stack);
  await page.goto(`/orders?w=${archive},${taker}&show=history`);
  const history = await responseOf(page, stack, { type: 'historicalOrders', user: archive });
  const taken = await responseOf(page, stack, { type: 'historicalOrders', user: taker });
  const entries = [...history, ...taken];
  const total = `${entries.length.toLocaleString('en')} rows`;
  await expect(rowsOf(page)).toHaveText(`${entries.length.toLocaleString('en')} of ${total}`);
  const since = (of: readonly Json[]) =>
    `${clock(Math.min(...of.map(({ statusTimestamp }) => Number(statusTimestamp)))).slice(0, 19)} UTC → now`;
  const coverage = page.locator('[data-part=coverage]');
  await expect(coverage).toContainText(
    `2,000-row cap reached by 1 of 2 wallets: all wallets are covered ${since(history)}`,
  );
  await coverage.getByRole('button', { name: 'Coverage by wallet' }).click();
  const calls = inspector(page).getByRole('listitem');
  await expect(calls.nth(0)).toContainText('loaded, 2,000 rows');
  await expect(calls.nth(0)).toContainText(`cap reached: ${since(history)}`);
  await expect(calls.nth(1)).toContainText(`loaded, ${taken.length} row`);
  await expect(calls.nth(1)).toContainText(`complete: ${since(taken)}`);
  await page.keyboard.press('Escape');
  await expect(inspector(page)).toHaveCount(0);

  await filterOf(page, 'Status').click();
  const statuses = entries.map(({ status }) => String(status));
  const counts = async () => {
    const texts = await page.getByRole('group', { name: 'Status' }).locator('> div').allInnerTexts();
    return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()).toSorted(byText);
  };
  await expect
    .poll(counts)
    .toEqual(
      [...new Set(statuses)]
        .map((status) => `${status} ${statuses.filter((other) => other === status).length}`)
        .toSorted(byText),
    );
  await page.getByRole('checkbox', { name: 'marginCanceled' }).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/status=marginCanceled/);
  const canceled = statuses.filter((status) => status === 'marginCanceled');
  await expect(rowsOf(page)).toHaveText(`${canceled.length} of ${total}`);
  await page.getByRole('button', { name: 'Clear filters' }).first().click();

  // All entries of the orders of one coin, in every available column.
  await filterOf(page, 'Coin').click();
  await page.getByRole('checkbox', { name: coin, exact: true }).click();
  await closeMenu(page);
  await showColumns(
    page,
    'Remaining',
    'Remaining value',
    'Decrease',
    'Type',
    'TIF',
    'Status since (UTC)',
    'After',
    'Reduce',
    'Trigger',
    'TP/SL',
    'Legs',
    'Entry',
    'cloid',
    'From call',
  );
  const names = await namesOf(page, stack);
  const expected = [
    ...linesOf(archive, names.get(archive), history),
    ...linesOf(taker, names.get(taker), taken),
  ].filter((line) => line.coin === coin);
  expect(expected.some(({ outcome }) => /^partly filled.*, then canceled \(\d/.test(outcome ?? ''))).toBe(true);
  await expect(rowsOf(page)).toHaveText(`${expected.length} of ${total}`);
  const byKey = (a: { readonly key?: string }, b: { readonly key?: string }) => byText(a.key ?? '', b.key ?? '');
  await expect.poll(async () => (await readGrid(page)).toSorted(byKey)).toEqual(expected.toSorted(byKey));
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(rowsOf(page)).toHaveText(`${entries.length.toLocaleString('en')} of ${total}`);

  const oids = history.map(({ order }) => Number((order as Json).oid));
  const twice = oids.find((oid, at) => oids.indexOf(oid) !== at);
  await page.getByRole('searchbox', { name: 'Search by oid or cloid' }).fill(String(twice));
  await expect(rowsOf(page)).toHaveText(`2 of ${total}`);
  await grid(page).locator('[data-row="0"]').click();
  await expect(inspector(page).getByRole('region', { name: '2 entries for this order' })).toBeVisible();
  const told = history.find(({ order }) => (order as Json).oid === twice) as { readonly order: Json };
  const shown = (await grid(page).locator('[data-row="0"]').getAttribute('data-key')) ?? '';
  const line = linesOf(archive, undefined, history).find(({ key }) => key === shown);
  const derived = inspector(page).getByRole('region', { name: 'Derived' });
  await expect(derived).toContainText(line?.outcome ?? '');
  await expect(derived).toContainText(`of ${Number(told.order.origSz).toLocaleString('en')}`);
  await expect(derived).toContainText(`(${line?.share})`);
  await expect(derived).toContainText(`time to status${line?.lived}`);
  const both = entriesByOrder(history).get(twice) ?? [];
  await expect(
    inspector(page).getByRole('region', { name: '2 entries for this order' }).getByRole('listitem'),
  ).toHaveText(both.map(({ status, statusTimestamp }) => `${String(status)}${clock(statusTimestamp)} UTC`));
  for (const [name, value] of Object.entries(told.order)) {
    if (name === 'children') continue;
    const field = inspector(page).getByText(name, { exact: true }).last().locator('xpath=following-sibling::dd[1]');
    await expect(field).toContainText(typeof value === 'string' ? value : JSON.stringify(value));
  }

  // A pasted link shows the same.
  await page.goto(page.url());
  await expect(inspector(page).getByRole('heading', { name: `Order ${twice}` })).toBeVisible();
  await expect(rowsOf(page)).toHaveText(`2 of ${total}`);
});

test('legs, statistics and conditions: a waiting trigger is distinguishable from a resting order on a narrow screen, and each condition is named, and removed alone by keyboard', async ({
  page,
  stack,
}) => {
  const bracket = await bracketOf(page, stack);
  const [archive = '0x'] = await walletsOf(stack, 'archive');
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 380, height: 760 });
  await page.goto(`/orders?w=${bracket}`);
  await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  const open = await responseOf(page, stack, { type: 'frontendOpenOrders', user: bracket });
  const words = open.map(({ orderType }) => /^(?:Stop|Take Profit)/.exec(String(orderType))?.[0]);
  expect(words.filter(Boolean).length).toBeGreaterThan(0);
  const places = () => grid(page).locator('[data-row] [data-column=place]').allInnerTexts();
  const signs = async () => (await places()).map((text) => /(?:stop|TP)$/.exec(text)?.[0] ?? '').toSorted(byText);
  await expect
    .poll(signs)
    .toEqual(words.map((word) => (word === 'Stop' ? 'stop' : word === undefined ? '' : 'TP')).toSorted(byText));

  if (wide) await page.setViewportSize(wide);
  const parent = grid(page).locator('[aria-expanded=false]').first();
  await parent.locator('[data-toggle]').click();
  await expect(grid(page).locator('[aria-level="2"]').first()).toContainText('leg of');

  const { taker } = await partlyFilled(page, stack);
  await visit(page, `/orders?w=${archive},${taker}&show=history&panel=statistics`);
  const histories = await Promise.all(
    [archive, taker].map((user) => responseOf(page, stack, { type: 'historicalOrders', user })),
  );
  const orders = histories.reduce((count, history) => count + entriesByOrder(history).size, 0);
  await expect(inspector(page)).toContainText(`${orders.toLocaleString('en')} orders from the history in view`);
  for (const [name, lines] of Object.entries(statisticsOf(histories))) {
    const texts = async () => {
      const read = await textsOfRows(inspector(page).getByRole('table', { name }));
      // A spot pair has its name before its coin.
      return read.map((cells) => cells.map((text) => text.replaceAll(/(?<=\d),(?=\d)|^\S+ (?=@\d)/g, '')));
    };
    await expect.poll(texts, name).toEqual(lines);
  }

  await visit(page, `/orders?w=${archive}&show=history&side=A&type=Limit&sort=-limitPx`);
  await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  const [history = []] = histories;
  const sells = history.filter(({ order }) => (order as Json).side === 'A' && (order as Json).orderType === 'Limit');
  await expect(rowsOf(page)).toHaveText(`${sells.length} of 2,000 rows`);
  const earliest = Math.min(...history.map(({ statusTimestamp }) => Number(statusTimestamp)));
  await expect(page.locator('[data-part=coverage]')).toContainText(
    `2,000-row cap reached: covers ${clock(earliest).slice(0, 19)} UTC → now`,
  );

  await visit(page, `/orders?w=${archive}&show=history&coin=BTC,kPEPE&side=A`);
  const count = (isIn: (order: Json) => boolean) =>
    history.filter(({ order }) => isIn(order as Json)).length.toLocaleString('en');
  const conditions = page.getByRole('list', { name: 'Conditions' }).getByRole('button');
  await expect(conditions).toHaveText(['Coin: BTC or kPEPE', 'Side: Sell (A)']);
  const isCoin = ({ coin }: Json) => coin === 'BTC' || coin === 'kPEPE';
  await expect(rowsOf(page)).toHaveText(`${count((order) => isCoin(order) && order.side === 'A')} of 2,000 rows`);
  await page.getByRole('button', { name: 'Remove the condition Side: Sell (A)' }).focus();
  await page.keyboard.press('Delete');
  await expect(conditions).toHaveText(['Coin: BTC or kPEPE']);
  await expect(page).not.toHaveURL(/side=/);
  await expect(rowsOf(page)).toHaveText(`${count(isCoin)} of 2,000 rows`);
  await conditions.first().focus();
  await page.keyboard.press('Enter');
  await expect(conditions).toHaveCount(0);
  await expect(rowsOf(page)).toHaveText('2,000 of 2,000 rows');
});
