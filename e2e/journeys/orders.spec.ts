import type { Stack } from '@l4desk/testkit/stack';
import type { Page } from '@playwright/test';
import { pressAndSee } from '../fixtures/book-page.ts';
import { gridOf } from '../fixtures/grid.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { allowUnasked } from '../fixtures/price-rule.ts';
import { endSession } from '../fixtures/session.ts';
import { expect, test } from '../fixtures/test.ts';

type Json = Readonly<Record<string, unknown>>;

const REFUSED = /the server responded with a status of 50\d/;

/** A tree where an order has legs. */
const grid = (page: Page) => gridOf(page, 'Orders');
const inspector = (page: Page) => page.getByRole('complementary', { name: 'Inspector' });
/** The button of a filter; a column's heading may have the same name. */
const filterOf = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).and(page.locator('[aria-haspopup]'));
const rowsOf = (page: Page) => page.locator('footer').getByText(/ rows?$/);

/** The addresses of wallets that the exchange simulates, by what they live from. */
async function walletsOf(stack: Stack, role: string): Promise<readonly `0x${string}`[]> {
  const wallets = await stack.venue.wallets();
  return wallets.filter((wallet) => wallet.role === role).map(({ address }) => address);
}

/** The service's own answer, asked for by the page's session. */
async function answerOf(page: Page, stack: Stack, request: Json): Promise<readonly Json[]> {
  const response = await page.request.post('/info', { data: request, headers: { origin: stack.url } });
  return (await response.json()) as Json[];
}

/** A wallet that takes, with an order in its history that was filled in part; the market goes on until there is one. */
async function partlyFilled(
  page: Page,
  stack: Stack,
): Promise<{ readonly taker: `0x${string}`; readonly coin: string }> {
  const takers = (await walletsOf(stack, 'taker')).slice(0, 12);
  for (let blocks = 0; blocks < 2_000; blocks += 50) {
    for (const taker of takers) {
      const history = await answerOf(page, stack, { type: 'historicalOrders', user: taker });
      const orders = history.map(({ order }) => order as Json);
      const found = orders.find(({ sz, origSz }) => sz !== origSz && /[1-9]/.test(String(sz)));
      if (found !== undefined) return { taker, coin: String(found.coin) };
    }
    await stack.venue.step(50);
  }
  throw new Error('nothing was filled in part');
}

/** Every row of the grid from the top, as text by column; commas between thousands taken out. */
async function readGrid(page: Page): Promise<readonly Readonly<Record<string, string>>[]> {
  return grid(page).evaluate(async (element) => {
    const found = new Map<number, Record<string, string>>();
    // Two frames: the first one's listeners ask for what the second draws.
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    for (let left = 0; ; left += element.clientWidth / 2) {
      element.scrollLeft = left;
      for (let top = 0; ; top += element.clientHeight - 60) {
        element.scrollTop = top;
        await drawn();
        for (const row of element.querySelectorAll<HTMLElement>('[data-row]')) {
          const at = Number(row.dataset.row);
          const cells = found.get(at) ?? { key: row.dataset.key ?? '' };
          found.set(at, cells);
          for (const cell of row.querySelectorAll<HTMLElement>('[data-column]')) {
            // Beside its coin an order may have a mark that narrow screens alone show.
            const { textContent } = cell.querySelector('strong') ?? cell;
            const text = (textContent ?? '').replaceAll(/(?<=\d),(?=\d{3})/g, '').trim();
            // What is not there is a dash, and says aloud why.
            cells[cell.dataset.column ?? ''] ??= text.startsWith('–') ? '–' : text;
          }
        }
        if (top + element.clientHeight >= element.scrollHeight) break;
      }
      if (left + element.clientWidth >= element.scrollWidth) break;
    }
    return [...found].sort(([a], [b]) => a - b).map(([, cells]) => cells);
  });
}

/** Columns that are not among the page's own, as the chooser keeps them in the browser. */
async function showColumns(page: Page, ...titles: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const title of titles) await page.getByRole('checkbox', { name: title, exact: true }).click();
  await page.keyboard.press('Escape');
}

const byText = (a: string, b: string) => (a < b ? -1 : 1);

const clock = (at: unknown) => new Date(Number(at)).toISOString().replace('T', ' ').replace('Z', '');

// What the page derives, from the answer once more: with whole numbers only, and none of the page's code.

/** Both decimals as whole numbers of one scale. */
function wholes(...texts: readonly string[]): readonly bigint[] {
  const decimals = Math.max(...texts.map((text) => (text.split('.')[1] ?? '').length));
  return texts.map((text) => {
    const [whole = '', part = ''] = text.split('.');
    return BigInt(whole + part.padEnd(decimals, '0'));
  });
}

/** A part in percent, one digit, half up. */
function percent(part: bigint, of: bigint): string {
  const tenths = (2_000n * part + of) / (2n * of);
  return `${tenths / 10n}.${tenths % 10n} %`;
}

const shareOf = (part: number, of: number) => percent(BigInt(part), BigInt(of));

function goneOf({ sz, origSz }: Json): string {
  const [left = 0n, all = 0n] = wholes(String(sz), String(origSz));
  if (all === 0n || left > all) return '–';
  if (left === all || left === 0n) return left === 0n ? '100 %' : '0 %';
  const text = percent(all - left, all);
  return text === '0.0 %' ? '< 0.1 %' : text === '100.0 %' ? '> 99.9 %' : text;
}

function lasting(ms: number): string {
  const [seconds, minutes, hours] = [1_000, 60_000, 3_600_000].map((unit) => Math.floor(ms / unit)) as [
    number,
    number,
    number,
  ];
  const two = (value: number) => String(value).padStart(2, '0');
  if (seconds === 0) return `${ms} ms`;
  if (minutes === 0) return `${seconds} s`;
  if (hours === 0) return `${minutes} m`;
  return hours < 24 ? `${hours} h ${two(minutes % 60)} m` : `${Math.floor(hours / 24)} d ${two(hours % 24)} h`;
}

const isRejection = (status: string) => /rejected$/i.test(status);
const isCancellation = (status: string) => /cancel(ed)?$/i.test(status);
const isEnd = (status: string) => status === 'filled' || isRejection(status) || isCancellation(status);

/** What became of an order, by its last entry: the kind, and the words of the page. */
function outcomeOf({ order, status }: Json): { readonly kind: string; readonly text: string } {
  const gone = goneOf(order as Json);
  const { reduceOnly, isTrigger } = order as Json;
  const partly = `partly filled${reduceOnly === true ? ' or cut' : ''}`;
  const isPart = gone !== '–' && gone !== '0 %' && gone !== '100 %';
  const unknown = { kind: 'not derived', text: '–' };
  if (status === 'triggered') return { kind: 'triggered', text: 'triggered' };
  if (status === 'filled') return gone === '100 %' ? { kind: 'filled', text: 'filled' } : unknown;
  if (status === 'open') {
    if (isTrigger === true) return { kind: 'waiting', text: 'waiting for its trigger' };
    if (isPart) return { kind: 'partly reduced', text: `resting, ${partly} (${gone})` };
    return gone === '0 %' ? { kind: 'resting', text: 'resting, nothing filled' } : unknown;
  }
  const end = isCancellation(String(status)) ? 'canceled' : isRejection(String(status)) ? 'rejected' : undefined;
  if (end === undefined || gone === '100 %') return unknown;
  if (isPart) return { kind: `partly filled, then ${end}`, text: `${partly}, then ${end} (${gone})` };
  return { kind: end, text: gone === '0 %' ? `${end}, nothing filled` : end };
}

/** By order, its entries in one answer: the earliest first; of one moment the end is the last, else what stands further down is earlier. */
function entriesByOrder(history: readonly Json[]): ReadonlyMap<unknown, readonly Json[]> {
  const found = new Map<unknown, Json[]>();
  for (const entry of history.toReversed()) {
    const { oid } = entry.order as Json;
    found.set(oid, [...(found.get(oid) ?? []), entry]);
  }
  for (const entries of found.values()) {
    entries.sort((a, b) => Number(a.statusTimestamp) - Number(b.statusTimestamp));
    const latest = entries.filter(({ statusTimestamp }) => statusTimestamp === entries.at(-1)?.statusTimestamp);
    const last = latest.findLast(({ status }) => isEnd(String(status))) ?? latest.at(-1);
    entries.sort((a, b) => Number(a === last) - Number(b === last));
  }
  return found;
}

/** Every column of the grid, of every entry of a wallet's history. */
function linesOf(user: string, name: string, history: readonly Json[]): readonly Readonly<Record<string, string>>[] {
  const byOrder = entriesByOrder(history);
  return history.map((entry, at) => {
    const order = entry.order as Json;
    const entries = byOrder.get(order.oid) ?? [];
    const earlier = history.slice(0, at).filter((other) => (other.order as Json).oid === order.oid).length;
    const last = entries.at(-1);
    return {
      key: `${user}/historicalOrders/${String(order.oid)}/${earlier}`,
      coin: String(order.coin),
      wallet: `${name.slice(0, 1).toUpperCase()}${name}`,
      side: order.side === 'B' ? 'B buy' : 'A sell',
      limitPx: String(order.limitPx),
      origSz: String(order.origSz),
      sz: String(order.sz),
      share: goneOf(order),
      status: String(entry.status),
      outcome: entry === last ? outcomeOf(entry).text : `later: ${String(last?.status)}`,
      type: String(order.orderType),
      tif: typeof order.tif === 'string' ? order.tif : '–',
      placed: clock(order.timestamp),
      updated: clock(entry.statusTimestamp),
      lived: lasting(Number(entry.statusTimestamp) - Number(order.timestamp)),
      ro: order.reduceOnly === true ? 'reduce' : '',
      condition: order.triggerCondition === 'N/A' ? '–' : String(order.triggerCondition),
      tpsl: order.isPositionTpsl === true ? 'TP/SL' : '',
      legs: String((order.children as readonly Json[]).length || ''),
      entry: entries.length === 1 ? '' : `${entries.indexOf(entry) + 1}/${entries.length}`,
      oid: String(order.oid),
      cloid: typeof order.cloid === 'string' ? order.cloid : '–',
      call: 'historicalOrders',
    };
  });
}

type Line = readonly string[];

/** The tables of the outcome statistics by their titles, each without its heading. */
function statisticsOf(histories: readonly (readonly Json[])[]): Readonly<Record<string, readonly Line[]>> {
  const lasts = histories.flatMap((history) =>
    [...entriesByOrder(history).values()].map((entries) => entries.at(-1) ?? {}),
  );
  const status = (entry: Json) => String(entry.status);
  const filled = lasts.filter((entry) => status(entry) === 'filled');
  const canceled = lasts.filter((entry) => isCancellation(status(entry)));
  const rejected = lasts.filter((entry) => isRejection(status(entry)));
  const accepted = [...filled, ...canceled];
  const whole = (count: number) => count.toLocaleString('en');
  const counted = (texts: readonly string[], of: number): readonly Line[] =>
    [...new Set(texts)]
      .map((text) => [text, texts.filter((other) => other === text).length] as const)
      .toSorted(([a, x], [b, y]) => y - x || byText(a, b))
      .map(([text, count]) => [text, whole(count), shareOf(count, of)]);
  const times = (entries: readonly Json[]) =>
    entries
      .map(({ order, statusTimestamp }) => Number(statusTimestamp) - Number((order as Json).timestamp))
      .toSorted((a, b) => a - b);
  const [untilFilled, untilCanceled] = [times(filled), times(canceled)];
  const life = (name: string, at: (length: number) => number): Line => [
    name,
    ...[untilFilled, untilCanceled].map((sorted) => lasting(sorted[at(sorted.length)] ?? Number.NaN)),
  ];
  const coins = [...new Set(accepted.map(({ order }) => String((order as Json).coin)))].map((coin) => {
    const entries = accepted.filter(({ order }) => (order as Json).coin === coin);
    const isCut = ({ order }: Json) =>
      (order as Json).reduceOnly === true && !['0 %', '100 %'].includes(goneOf(order as Json));
    const sizes = entries.filter((entry) => !isCut(entry)).map(({ order }) => order as Json);
    const units = wholes(...sizes.flatMap(({ sz, origSz }) => [String(sz), String(origSz)]));
    const sum = (from: 0 | 1) => units.reduce((total, value, at) => (at % 2 === from ? total + value : total), 0n);
    const [left, all] = [sum(0), sum(1)];
    const done = entries.filter((entry) => status(entry) === 'filled').length;
    return {
      coin,
      count: entries.length,
      cells: [whole(entries.length), shareOf(done, entries.length), percent(all - left, all)],
    };
  });
  return {
    'Fill ratio': [
      ['Filled, of accepted and final', whole(filled.length), shareOf(filled.length, accepted.length)],
      ['Rejected, of all', whole(rejected.length), shareOf(rejected.length, lasts.length)],
    ],
    Outcomes: counted(
      lasts.map((entry) => outcomeOf(entry).kind),
      lasts.length,
    ),
    'Time to final state': [
      life('shortest', () => 0),
      life('median', (length) => Math.ceil(length / 2) - 1),
      life('90th percentile', (length) => Math.ceil((9 * length) / 10) - 1),
      life('longest', (length) => length - 1),
    ],
    'Rejection reasons': counted(rejected.map(status), rejected.length),
    'Cancellation reasons': counted(canceled.map(status), canceled.length),
    'By coin, accepted and final': coins
      .toSorted((a, b) => b.count - a.count || byText(a.coin, b.coin))
      .map(({ coin, cells }) => [coin, ...cells]),
  };
}

/** The tables of the inspector by their titles, each without its heading; of a spot coin its `@N`. */
function readTables(page: Page): Promise<Readonly<Record<string, readonly Line[]>>> {
  return inspector(page)
    .getByRole('table')
    .evaluateAll((tables) =>
      Object.fromEntries(
        (tables as HTMLTableElement[]).map(({ caption, tBodies }) => [
          caption?.textContent ?? '',
          [...(tBodies[0]?.rows ?? [])].map(({ cells }) =>
            [...cells].map(({ textContent }) => textContent?.replace(/^.* (?=@\d+$)/, '') ?? ''),
          ),
        ]),
      ),
    );
}

test('open orders of several wallets: every figure is the service’s answer, to the last digit', async ({
  page,
  stack,
}) => {
  const [maker = '0x'] = await walletsOf(stack, 'maker');
  const [bracket = '0x'] = await walletsOf(stack, 'bracket');
  const [spot = '0x'] = await walletsOf(stack, 'spot');
  await page.goto(`/orders?w=${maker},${bracket},${spot}&sort=oid`);
  await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  const answers = await Promise.all(
    [maker, bracket, spot].map((user) => answerOf(page, stack, { type: 'frontendOpenOrders', user })),
  );
  const expected = answers.flat().toSorted((a, b) => Number(a.oid) - Number(b.oid));
  await expect(rowsOf(page)).toHaveText(`${expected.length} of ${expected.length} rows`);
  await showColumns(page, 'Remaining', 'Decrease', 'TIF', 'Trigger', 'Reduce', 'TP/SL', 'Legs', 'From call');
  const spotCoins = expected.map(({ coin }) => String(coin)).filter((coin) => coin.startsWith('@'));
  expect(spotCoins.length).toBeGreaterThan(0);
  // The grid draws the cells in sight: one that was scrolled past before it was drawn is found by the next reading.
  await expect(async () => {
    const read = await readGrid(page);
    expect(read).toEqual(
      expected.map((order, at) => ({
        // The coin follows below, the place has a test of its own; wallets and keys are those of the history's test.
        key: read[at]?.key,
        place: read[at]?.place,
        coin: read[at]?.coin,
        wallet: read[at]?.wallet,
        oid: String(order.oid),
        side: order.side === 'B' ? 'B buy' : 'A sell',
        limitPx: order.limitPx,
        origSz: order.origSz,
        sz: order.sz,
        share: goneOf(order),
        outcome: outcomeOf({ order, status: 'open' }).text,
        type: order.orderType,
        tif: typeof order.tif === 'string' ? order.tif : '–',
        condition: order.triggerCondition === 'N/A' ? '–' : order.triggerCondition,
        ro: order.reduceOnly === true ? 'reduce' : '',
        tpsl: order.isPositionTpsl === true ? 'TP/SL' : '',
        legs: String((order.children as readonly Json[]).length || ''),
        placed: clock(order.timestamp),
        call: 'frontendOpenOrders',
      })),
    );
    expect(read.filter(({ outcome }) => outcome === 'waiting for its trigger').length).toBeGreaterThan(0);
    for (const [at, { coin }] of expected.entries()) {
      const shown = read[at]?.coin ?? '';
      if (String(coin).startsWith('@')) expect(shown).toMatch(new RegExp(`^\\w+/\\w+ ${String(coin)}$`));
      else expect(shown).toBe(coin);
    }
  }).toPass();
});

test('[WEB-19] each outcome shows as many rows as its list says, and so does the pasted link', async ({
  page,
  stack,
}) => {
  const [archive = '0x'] = await walletsOf(stack, 'archive');
  const { taker } = await partlyFilled(page, stack);
  await page.goto(`/orders?w=${archive},${taker}&show=history`);
  const histories = await Promise.all(
    [archive, taker].map((user) => answerOf(page, stack, { type: 'historicalOrders', user })),
  );
  await expect(rowsOf(page)).toHaveText(new RegExp(`^${histories.flat().length.toLocaleString('en')} of `));
  await filterOf(page, 'Outcome').click();
  const options = page.getByRole('group', { name: 'Outcome' }).locator('> div');
  await expect(options.filter({ hasText: 'partly filled, then canceled' })).toBeVisible();
  const listed = (await options.allInnerTexts()).map((text) => /^(.*?)\s+([\d,]+)$/s.exec(text.trim())?.slice(1) ?? []);
  expect(listed.map(([outcome]) => outcome)).toContain('partly filled, then canceled');
  for (const [outcome = '', count = ''] of listed) {
    const box = page.getByRole('checkbox', { name: outcome, exact: true });
    await box.click();
    await expect(rowsOf(page), outcome).toHaveText(new RegExp(`^${count} of `));
    await expect(grid(page).locator('[data-row]').first()).toBeVisible();
    if (outcome === 'partly filled, then canceled') {
      const pasted = await page.context().newPage();
      await pasted.goto(page.url());
      await expect(rowsOf(pasted)).toHaveText(new RegExp(`^${count} of `));
      await pasted.close();
    }
    await box.click();
  }
});

test('on a narrow screen a waiting trigger is told from a resting order', async ({ page, stack }) => {
  const [bracket = '0x'] = await walletsOf(stack, 'bracket');
  const coins = () => grid(page).locator('[data-row] [data-column=coin]').allInnerTexts();
  const signs = async () => (await coins()).map((text) => /(?:stop|TP)$/.exec(text)?.[0] ?? '').toSorted(byText);
  await page.setViewportSize({ width: 380, height: 760 });
  await page.goto(`/orders?w=${bracket}`);
  await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  const orders = await answerOf(page, stack, { type: 'frontendOpenOrders', user: bracket });
  const words = orders.map(({ orderType }) => /^(?:Stop|Take Profit)/.exec(String(orderType))?.[0]);
  expect(words.filter(Boolean).length).toBeGreaterThan(0);
  await expect
    .poll(signs)
    .toEqual(words.map((word) => (word === 'Stop' ? 'stop' : word === undefined ? '' : 'TP')).toSorted(byText));
});

test('a filter is offered where it tells the orders apart', async ({ page, stack }) => {
  const [bracket = '0x'] = await walletsOf(stack, 'bracket');
  await page.goto(`/orders?w=${bracket}`);
  await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  for (const name of ['Type', 'TIF', 'Reduce-only', 'Trigger']) await expect(filterOf(page, name), name).toBeVisible();
  // No open order reports a status.
  await expect(filterOf(page, 'Status')).toHaveCount(0);
  await page.goto(`/orders?w=${bracket}&status=canceled`);
  await expect(page.getByText(/^None of the \d+ rows match the filters/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Status: canceled' })).toBeVisible();
});

test('[HIST-2, HIST-11] a long history: the cap is told, facets and search narrow it, entries of one order stay apart', async ({
  page,
  stack,
}) => {
  const [archive = '0x'] = await walletsOf(stack, 'archive');
  const { taker, coin } = await partlyFilled(page, stack);
  await page.goto(`/orders?w=${archive},${taker}&show=history`);
  const history = await answerOf(page, stack, { type: 'historicalOrders', user: archive });
  const taken = await answerOf(page, stack, { type: 'historicalOrders', user: taker });
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
  await page.getByRole('button', { name: 'Close the inspector' }).click();

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

  // All that became of the orders of one coin, in every column there is.
  await filterOf(page, 'Coin').click();
  await page.getByRole('checkbox', { name: coin, exact: true }).click();
  await page.keyboard.press('Escape');
  await showColumns(
    page,
    'Remaining',
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
  const names = new Map((await stack.venue.wallets()).map(({ address, name }) => [address, name]));
  const expected = [
    ...linesOf(archive, names.get(archive) ?? '', history),
    ...linesOf(taker, names.get(taker) ?? '', taken),
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
  const line = linesOf(archive, '', history).find(({ key }) => key === shown);
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

  // A pasted link shows the same thing.
  await page.goto(page.url());
  await expect(inspector(page).getByRole('heading', { name: `Order ${twice}` })).toBeVisible();
  await expect(rowsOf(page)).toHaveText(`2 of ${total}`);
});

test('outcomes, legs and statistics; a saved view brings back what was looked at', async ({ page, stack }) => {
  const [bracket = '0x'] = await walletsOf(stack, 'bracket');
  const [archive = '0x'] = await walletsOf(stack, 'archive');
  await page.goto(`/orders?w=${bracket}`);
  const parent = grid(page).locator('[aria-expanded=false]').first();
  await parent.locator('[data-toggle]').click();
  await expect(grid(page).locator('[aria-level="2"]').first()).toContainText('leg of');

  const { taker } = await partlyFilled(page, stack);
  await page.goto(`/orders?w=${archive},${taker}&show=history&panel=statistics`);
  const histories = await Promise.all(
    [archive, taker].map((user) => answerOf(page, stack, { type: 'historicalOrders', user })),
  );
  const orders = histories.reduce((count, history) => count + entriesByOrder(history).size, 0);
  await expect(inspector(page)).toContainText(`${orders.toLocaleString('en')} orders from the history in view`);
  await expect.poll(() => readTables(page)).toEqual(statisticsOf(histories));

  await page.goto(`/orders?w=${archive}&show=history&side=A&type=Limit&sort=-limitPx`);
  await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  const [history = []] = histories;
  const sells = history.filter(({ order }) => (order as Json).side === 'A' && (order as Json).orderType === 'Limit');
  await expect(rowsOf(page)).toHaveText(`${sells.length} of 2,000 rows`);
  const earliest = Math.min(...history.map(({ statusTimestamp }) => Number(statusTimestamp)));
  await expect(page.locator('[data-part=coverage]')).toContainText(
    `2,000-row cap reached: covers ${clock(earliest).slice(0, 19)} UTC → now`,
  );
  const rows = await rowsOf(page).textContent();
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByLabel('Save this view as').fill('dear sells');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.goto('/orders?w=0x0000000000000000000000000000000000000001');
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('button', { name: 'dear sells', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`w=${archive}.*sort=-limitPx`));
  await expect(rowsOf(page)).toHaveText(rows ?? '');
});

test.describe('when calls fail', () => {
  test.use({ expectedMessages: [REFUSED] });

  test('a wallet that fails has a row of its own, and is asked again alone; older rows stay, greyed', async ({
    page,
    stack,
  }) => {
    const [good = '0x', bad = '0x'] = await walletsOf(stack, 'maker');
    await stack.venue.fault({ kind: 'info', effect: 'status', type: 'frontendOpenOrders', user: bad });
    await page.goto(`/orders?w=${good},${bad}`);
    const state = page.locator('li[data-state]');
    await expect(state).toHaveAttribute('data-ask', `${bad}/frontendOpenOrders/`);
    await expect(state).toContainText('upstream returned HTTP 500');
    await expect(state).toContainText('no rows');
    await expect(page.getByRole('alert')).toContainText('1 call of 2 failed');
    await expectAccessible(page, 'section[aria-label="Failed wallets"]');
    await stack.venue.fault({ kind: 'clear' });
    await state.getByRole('button', { name: 'Retry 1 credit' }).click();
    await expect(state).toHaveCount(0);
    const both = await Promise.all(
      [good, bad].map((user) => answerOf(page, stack, { type: 'frontendOpenOrders', user })),
    );
    await expect(rowsOf(page)).toHaveText(`${both.flat().length} of ${both.flat().length} rows`);

    await stack.venue.fault({ kind: 'info', effect: 'status', type: 'frontendOpenOrders', user: bad });
    await page.getByRole('button', { name: /^Refresh/ }).click();
    await expect(state).toContainText('earlier rows');
    await expect(grid(page).locator('[data-state=stale]').first()).toBeVisible();
    await expect(rowsOf(page)).toHaveText(`${both.flat().length} of ${both.flat().length} rows`);
    await stack.venue.fault({ kind: 'clear' });
  });

  test('a dead exchange is said to be one, and asked again it answers; a slow one is waited for', async ({
    page,
    stack,
  }) => {
    const [user = '0x'] = await walletsOf(stack, 'maker');
    await stack.venue.fault({ kind: 'info', effect: 'status' });
    await page.goto(`/orders?w=${user}`);
    await expect(page.getByRole('alert')).toContainText('The exchange failed');
    await stack.venue.fault({ kind: 'clear' });
    await stack.venue.fault({ kind: 'info', effect: 'slow', ms: 60_000 });
    await page.getByRole('button', { name: 'Try again 1 credit' }).click();
    await expect(page.getByText('0 of 1 call', { exact: true })).toBeVisible();
    await stack.venue.fault({ kind: 'clear' });
    await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  });
});

test.describe('when the session has ended', () => {
  test.use({ expectedMessages: [/the server responded with a status of 401/] });

  test('the page leads to sign-in', async ({ page, stack }) => {
    const [user = '0x'] = await walletsOf(stack, 'maker');
    await page.goto(`/orders?w=${user}`);
    await expect(grid(page).locator('[data-row]').first()).toBeVisible();
    await endSession(page);
  });
});

test('what costs much waits for a press; what the address holds that means nothing is named; an empty wallet says so', async ({
  page,
  stack,
}) => {
  await allowUnasked(page, 25);
  const many = (await walletsOf(stack, 'crowd')).slice(0, 26);
  await page.goto(`/orders?w=${many.join()}`);
  await expect(page.getByRole('button', { name: 'Load orders 26 credits' })).toBeVisible();
  await expect(page.getByText('Loading the orders of 26 wallets takes 26 calls')).toBeVisible();

  const [empty = '0x'] = await walletsOf(stack, 'empty');
  await page.goto(`/orders?w=${empty}&side=C&from=yesterday&sort=nope&row=banana`);
  const notice = page.getByRole('alert');
  for (const text of ['side=C', 'from=yesterday', 'sort=nope', 'row=banana']) await expect(notice).toContainText(text);
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page).toHaveURL(`/orders?w=${empty}`);
  await expect(page.getByText('No open orders for this wallet.')).toBeVisible();
  await page.getByRole('button', { name: 'Show the history 1 credit' }).click();
  await expect(page.getByText('The exchange reports no orders for this wallet.')).toBeVisible();
  // What is at hand has no price any more.
  await expect(page.getByRole('group', { name: 'Orders to show' })).toHaveText(/^Orders to showOpenHistoryAll$/);

  await page.goto('/orders?w=0x12');
  await expect(page.getByRole('alert')).toContainText('w=0x12');
  await expect(page.getByText('Select a wallet above, or add wallets to the address book.')).toBeVisible();
});

test('by keyboard alone: find the grid, read an order, follow it to its level in the book', async ({ page, stack }) => {
  const [user = '0x'] = await walletsOf(stack, 'maker');
  await page.goto(`/orders?w=${user}&coin=BTC`);
  await expect(grid(page).locator('[data-row]').first()).toBeVisible();
  await grid(page).evaluate((element) => element.scrollTo(0, 0));
  await page.getByRole('searchbox').focus();
  for (let presses = 0; presses < 30; presses += 1) {
    if (await grid(page).evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(grid(page)).toBeFocused();
  await pressAndSee(page, 'ArrowDown', grid(page), 'aria-activedescendant');
  await page.keyboard.press('Enter');
  const px = await grid(page).locator('[data-row="1"] [data-column=limitPx]').textContent();
  const link = inspector(page).getByRole('link', { name: 'Show this level in the BTC book' });
  await expect(link).toBeVisible();
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/book/BTC\\?level=[AB]${(px ?? '').replaceAll(',', '')}$`));
});

test('orders with one open, dark, light and narrow: nothing scrolls sideways and axe finds nothing', async ({
  page,
  stack,
}) => {
  const wallets = [...(await walletsOf(stack, 'archive')), ...(await walletsOf(stack, 'bracket')).slice(0, 2)];
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`/orders?w=${wallets.join()}&show=all`);
  await grid(page).locator('[data-row="4"]').click();
  await expect(inspector(page)).toBeVisible();
  for (const { colorScheme, width, height, rules } of [
    { colorScheme: 'dark', width: 1440, height: 900, rules: [] },
    // The same elements: colours alone are new.
    { colorScheme: 'light', width: 1440, height: 900, rules: ['color-contrast'] },
    { colorScheme: 'dark', width: 360, height: 740, rules: [] },
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    await expectNoSidewaysScroll(page);
    // A low window has as many kinds of elements as a high one, and fewer of each.
    await page.setViewportSize({ width, height: 380 });
    await expectAccessible(page, 'html', rules);
  }
});

test('[WEB-95] open orders have their exact place for a price that is said, block by block, and say how they left', async ({
  page,
  stack,
}) => {
  await stack.venue.step(5);
  const before = await stack.venue.book('BTC');
  // A wallet with an order at the front: it goes first.
  const user = before.levels[0][0]?.user ?? '';
  await page.goto(`/orders?w=${user}&coin=BTC&sort=-limitPx&side=B`);
  const bar = page.locator('[data-part=places]');
  await expect(bar).toContainText('Places of no coin are read');
  const first = grid(page).locator('[data-row="0"]');
  await expect(first.locator('[data-column="place"]')).toHaveText('not followed');
  await bar.getByRole('button', { name: 'Read the places in BTC' }).click();
  await expect(bar).toContainText('live for BTC');
  const oid = Number(await first.locator('[data-column="oid"]').textContent());
  const cell = first.locator('[data-column="place"]');
  let left = false;
  for (let step = 0; step < 15 && !left; step += 1) {
    const [bids] = (await stack.venue.book('BTC')).levels;
    const own = bids.find((order) => order.oid === oid);
    left = own === undefined;
    const level = bids.filter(({ limitPx }) => limitPx === own?.limitPx);
    const place = level.findIndex((order) => order.oid === oid) + 1;
    await expect(cell).toContainText(left ? /^(?:executed|cancelled|moved)/ : `${place} of ${level.length} · `);
    await stack.venue.step(15);
  }
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(bar).toContainText('Places of no coin are read');
});
