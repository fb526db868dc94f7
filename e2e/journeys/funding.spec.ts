import { readFile } from 'node:fs/promises';
import type { Stack } from '@l4desk/testkit/stack';
import type { Page } from '@playwright/test';
import { ask } from '../fixtures/ask.ts';
import { pressAndSee } from '../fixtures/book-page.ts';
import { groupedBy, SCALE, signed } from '../fixtures/exact.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { allowAutoLoad } from '../fixtures/price-rule.ts';
import { endSession } from '../fixtures/session.ts';
import { expect, type Keys, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

interface Entry {
  readonly coin: string;
  readonly fundingRate: string;
  readonly premium: string;
  readonly time: number;
}

/** A percentage as the page prints it, in units of the fraction. */
const ofPercent = (text: string | null) => signed((text ?? '').replaceAll(/\s/g, '')) / 100n;

/** The service's response to a program: all pages of a period. */
async function allPages(stack: Stack, keys: Keys, coin: string, from: number, to: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let startTime = from; ; ) {
    const page = await ask<Entry[]>(stack, keys, { type: 'fundingHistory', coin, startTime, endTime: to });
    entries.push(...page);
    const last = page.at(-1);
    if (page.length < 500 || last === undefined) return entries;
    startTime = last.time + 1;
  }
}

const coinRow = (page: Page, coin: string) => page.getByRole('tabpanel').locator(`tr[data-coin="${coin}"]`);
const line = (page: Page, coin: string) => page.getByRole('list', { name: 'Coins' }).locator(`[data-coin="${coin}"]`);
const status = (page: Page) => page.locator('footer').last();

/** Waits until nothing is loading. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator('[data-chart] svg').first()).toBeVisible();
  await expect(page.locator('[data-progress]')).toHaveCount(0);
}

/** The points of a path, px. */
const pointsOf = (path: string | null) =>
  [...(path ?? '').matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));

/** The labels of an axis of the rates, and where they are, px. */
const ticksOf = (page: Page, axis: 'xAxis' | 'yAxis') =>
  page.locator(`[data-plot] .recharts-${axis}-tick-labels .recharts-cartesian-axis-tick-value`).evaluateAll((ticks) =>
    ticks.map((tick) => ({
      text: tick.textContent,
      x: Number(tick.getAttribute('x')),
      y: Number(tick.getAttribute('y')),
    })),
  );

/**
 * Compares the drawn line and area of the first coin with the mean, the highest and the lowest rate of each UTC day, percent per year
 * at one entry an hour. `days` has one group of entries for each day that is drawn.
 */
async function expectDayMeans(page: Page, days: ReadonlyMap<string, readonly Entry[]>): Promise<void> {
  const area = page.locator('[data-plot] .recharts-area-area').first();
  await expect.poll(async () => pointsOf(await area.getAttribute('d')).length).toBe(4 * days.size);
  const ticks = await ticksOf(page, 'yAxis');
  const [low, high] = [ticks[0], ticks.at(-1)];
  const [bottom, top] = [signed(low?.text ?? ''), signed(high?.text ?? '')];
  expect(top).toBeGreaterThan(bottom);
  /** Where a sum of hourly rates, divided by their count, belongs. */
  const place = (sum: bigint, count: number) => {
    const above = sum * 876_000n - bottom * BigInt(count);
    const share = Number(above) / Number((top - bottom) * BigInt(count));
    return (low?.y ?? 0) + share * ((high?.y ?? 0) - (low?.y ?? 0));
  };
  // Two points a day: from left to right the highest rates, then back the lowest.
  const edge = pointsOf(await area.getAttribute('d'));
  const line = pointsOf(await page.locator('[data-plot] .recharts-line-curve').first().getAttribute('d'));
  const level = line.filter(({ x, y }, at) => y === line[at + 1]?.y && (line[at + 1]?.x ?? 0) - x > 0.5);
  expect(level, 'one piece of the line a day').toHaveLength(days.size);
  for (const [at, [day, entries]] of [...days].entries()) {
    const rates = entries.map(({ fundingRate }) => signed(fundingRate)).sort((a, b) => (a < b ? -1 : 1));
    const sum = rates.reduce((total, rate) => total + rate, 0n);
    expect(level[at]?.y, `${day}: mean`).toBeCloseTo(place(sum, rates.length), 1);
    expect(edge[2 * at]?.y, `${day}: highest`).toBeCloseTo(place(rates.at(-1) ?? 0n, 1), 1);
    expect(edge[edge.length - 1 - 2 * at]?.y, `${day}: lowest`).toBeCloseTo(place(rates[0] ?? 0n, 1), 1);
  }
  const dates = [...days.keys()];
  for (const { text, x } of await ticksOf(page, 'xAxis')) {
    const from = level[dates.findIndex((day) => day.slice(5) === text)]?.x ?? 0;
    expect(Math.abs(from - x), `${text} begins at its label`).toBeLessThan(0.1);
  }
}

const DAY = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

test('[FUND-7, FUND-8, FUND-9] every figure of two pages of two coins is the service’s, to the last digit', async ({
  page,
  stack,
  keys,
}) => {
  const [from, to] = [dayBefore(30), dayBefore(2)];
  const [start, end] = [Date.parse(from), Date.parse(to) + DAY - 1];
  const coins = ['BTC', 'ETH'];
  const responses = await Promise.all(coins.map((coin) => allPages(stack, keys, coin, start, end)));
  await page.goto(`/funding?coin=BTC,ETH&from=${from}&to=${to}&unit=interval`);
  await expect(page).toHaveTitle('BTC, ETH · Funding · L4 Desk');
  await settled(page);

  for (const [at, coin] of coins.entries()) {
    const entries = responses[at] ?? [];
    expect(entries.length, 'more than one page').toBeGreaterThan(500);
    const rates = entries.map(({ fundingRate }) => signed(fundingRate)).sort((a, b) => (a < b ? -1 : 1));
    const sum = rates.reduce((total, rate) => total + rate, 0n);
    await expect(coinRow(page, coin).locator('td').first()).toHaveText(String(entries.length));
    const cells = await coinRow(page, coin).locator('td').allTextContents();
    const percents = cells.map((text) => /[-−+]?[\d,]+(?:\.\d+)? %/.exec(text)?.[0] ?? '0 %');
    const [low, high] = [rates[(rates.length - 1) >> 1] ?? 0n, rates[rates.length >> 1] ?? 0n];
    expect(ofPercent(percents[2] ?? '') * 2n).toBe(low + high);
    expect(ofPercent(percents[3] ?? '')).toBe(rates[0]);
    expect(ofPercent(percents[4] ?? '')).toBe(rates.at(-1));
    expect(ofPercent(percents[7] ?? '')).toBe(sum);
    // Means and the deviation have ten digits of percent, rounded half up.
    const count = BigInt(rates.length);
    const half = 10n ** BigInt(SCALE - 12) / 2n;
    const premiums = entries.reduce((total, { premium }) => total + signed(premium), 0n);
    for (const [column, total] of [
      [1, sum],
      [8, premiums],
    ] as const) {
      const off = ofPercent(percents[column] ?? '') * count - total;
      expect((off < 0n ? -off : off) <= count * half, `mean of column ${column}`).toBe(true);
    }
    // Of all entries: n² times the variance is n·Σx² − (Σx)².
    const spread = count * rates.reduce((total, rate) => total + rate * rate, 0n) - sum * sum;
    const deviation = ofPercent(percents[5] ?? '');
    expect((count * (deviation - half)) ** 2n <= spread && spread <= (count * (deviation + half)) ** 2n).toBe(true);
    expect(cells[6]).toContain(`(${rates.filter((rate) => rate > 0n).length})`);
    await expect(line(page, coin)).toContainText('1 h interval, 8,760 a year; 1 gap');
    await expect(status(page)).toContainText(`${entries.length} received, 1 missing, 0 duplicates`);

    await page.getByRole('tab', { name: 'Carry' }).click();
    await expect(page.getByRole('tabpanel').getByRole('region', { name: 'Carry' })).toBeVisible();
    await expect(async () => {
      const carry = await coinRow(page, coin).locator('td').nth(3).textContent();
      expect(signed(carry ?? '')).toBe(-sum * 10_000n);
    }).toPass();
    await page.getByRole('tab', { name: 'Statistics' }).click();
    await expect(page.getByRole('tabpanel').getByRole('region', { name: 'Carry' })).toHaveCount(0);
  }

  await page.getByRole('tab', { name: 'Entries' }).click();
  const expected = responses.flat().sort((a, b) => b.time - a.time || (a.coin < b.coin ? -1 : 1));
  const rows = page.getByRole('grid', { name: 'Entries' }).locator('[data-row]');
  await expect(rows.nth(5)).toBeVisible();
  const read = await rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
  );
  expect(read.length).toBeGreaterThan(5);
  for (const [at, cells] of read.entries()) {
    const entry = expected[at];
    expect(cells[0]).toBe(new Date(entry?.time ?? 0).toISOString().replace('T', ' ').replace('Z', ' UTC'));
    expect(ofPercent(cells[2] ?? '')).toBe(signed(entry?.fundingRate ?? ''));
    expect(ofPercent(cells[3] ?? '')).toBe(signed(entry?.premium ?? ''));
  }

  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save CSV' }).click(),
  ]);
  const [heading = '', ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(heading.split(',').slice(0, 5)).toEqual(['time', 'time_ms', 'coin', 'fundingRate', 'premium']);
  expect(lines.map((text) => text.split(',').slice(1, 5).join())).toEqual(
    expected.map(({ time, coin, fundingRate, premium }) => [time, coin, fundingRate, premium].join()),
  );
});

test.describe('an unknown coin', () => {
  test.use({ expectedMessages: [/the server responded with a status of 400/] });

  test('[FUND-10] is named and does not hide the others; a pasted link shows the same, and invalid parts are named', async ({
    page,
  }) => {
    await page.goto('/funding?coin=BTC,NOPE&days=1&unit=8h&over=premium&tab=hours&zoom=5-1&sort=nope&row=BTC.1');
    await settled(page);
    const refused = page.getByRole('alert').filter({ hasText: 'zoom=5-1, sort=nope and row=BTC.1' });
    await refused.getByRole('button', { name: 'Dismiss' }).click();
    await expect(refused).toHaveCount(0);
    await expect(page).not.toHaveURL(/zoom|sort|row/);
    const notice = page.getByRole('alert').filter({ hasText: 'NOPE' });
    await expect(notice).toContainText('The other coins are not affected');
    await expect(line(page, 'BTC').locator('[data-rate]')).toContainText('%');
    await expect(page.getByLabel('Unit')).toHaveValue('8h');
    await expect(page.getByLabel('Below the rates')).toHaveValue('premium');
    await expect(page.getByRole('tab', { name: 'Hours of the day' })).toHaveAttribute('aria-selected', 'true');
    await notice.getByRole('button', { name: 'Remove NOPE' }).click();
    await expect(page).toHaveURL(/coin=BTC&/);
    await expect(notice).toHaveCount(0);
  });
});

test('an expensive period asks first; a stopped fetch keeps and names what arrived, and can be continued', async ({
  page,
  stack,
  keys,
  visitor,
}) => {
  const [from, to] = [dayBefore(366), dayBefore(2)];
  const [start, end] = [Date.parse(from), Date.parse(to) + DAY - 1];
  // A rate applies up to its time, which is some seconds after the hour: that of midnight belongs to the day before.
  const days = groupedBy(await allPages(stack, keys, 'BTC', start + DAY / 24, end), ({ time }) =>
    new Date(time - 60_000).toISOString().slice(0, 10),
  );
  await stack.venue.fault({ kind: 'info', effect: 'slow', type: 'fundingHistory', ms: 60_000 });
  await allowAutoLoad(visitor, 25);
  await page.goto(`/funding?coin=BTC,ETH&from=${from}&to=${to}`);
  const ask = page.getByRole('alert').filter({ hasText: 'costs about 36 credits' });
  await ask.getByRole('button', { name: 'Load' }).click();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(line(page, 'BTC')).toContainText('stopped');
  await expect(status(page)).toContainText('BTC, ETH: stopped before any data arrived');
  await stack.venue.fault({ kind: 'clear' });
  await line(page, 'BTC').getByRole('button', { name: 'Continue' }).click();
  await settled(page);
  await expect(line(page, 'BTC')).toContainText('1 h interval');
  await expect(line(page, 'ETH')).toContainText('stopped');
  await expect(page.getByText('% per year (APR), mean of each UTC day with its range')).toBeVisible();
  expect(days.size).toBeGreaterThan(30);
  await expectDayMeans(page, days);
});

test.describe('when the exchange fails', () => {
  test.use({ expectedMessages: [/the server responded with a status of (?:401|502)/] });

  test('the coin says so and is retried by hand; an ended session leads to sign-in', async ({ page, stack }) => {
    await stack.venue.fault({ kind: 'info', effect: 'status', type: 'fundingHistory', status: 503 });
    await page.goto('/funding?coin=BTC&days=1');
    await expect(page.getByRole('alert')).toContainText('BTC: The exchange failed');
    // Nothing is known, so nothing is said about the contents or gaps of the period.
    const unknown = 'failed to load; data for this period is unknown';
    for (const tab of ['Statistics', 'Hours of the day', 'Carry']) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(coinRow(page, 'BTC'), tab).toContainText(unknown);
    }
    await page.getByRole('tab', { name: 'Entries' }).click();
    await expect(page.getByRole('tabpanel')).toContainText(unknown);
    await expect(status(page)).toContainText('BTC: failed to load');
    await expect(page.getByRole('img', { name: 'BTC: failed to load' })).toBeAttached();
    await expect(page.getByRole('main')).not.toContainText(/no entries|0 received|missing|earlier data/);
    await stack.venue.fault({ kind: 'clear' });
    await line(page, 'BTC').getByRole('button', { name: 'Try again' }).click();
    await settled(page);
    await endSession(page);
  });
});

/** The lines through the plot of the rates, and of each pane. */
const PLOT = '[data-plot] .recharts-cartesian-grid-horizontal';
const PANE = '[data-pane] .recharts-cartesian-grid-horizontal';

test('chart, panes, period and completeness strips start and end at the same position', async ({ page }) => {
  /** Left and right edge of each, px. */
  const edges = () =>
    page.evaluate(
      (all) =>
        all.flatMap((parts) =>
          [...document.querySelectorAll(parts)].map((part) => {
            const { left, right } = part.getBoundingClientRect();
            return { part: parts, left, right };
          }),
        ),
      [PLOT, PANE, '[data-brush]', '[data-strip]'],
    );
  for (const { query, panes } of [
    { query: 'coin=BTC,ETH,SOL,HYPE,DOGE,LINK&over=premium', panes: 6 },
    { query: 'coin=BTC,ETH,SOL&over=cumulative&unit=8h', panes: 1 },
  ]) {
    await page.goto(`/funding?${query}&days=7`);
    await settled(page);
    await expect(page.locator('[data-pane]')).toHaveCount(panes);
    for (const width of [1440, 380]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(async () => {
        const all = await edges();
        const [plot] = all;
        const count = (name: string) => all.filter(({ part }) => part === name).length;
        expect(count('[data-brush]')).toBe(1);
        expect(count('[data-strip]')).toBeGreaterThan(0);
        expect(count(PANE)).toBeGreaterThanOrEqual(panes);
        expect((plot?.right ?? 0) - (plot?.left ?? 0)).toBeGreaterThan(width / 2);
        for (const { part, left, right } of all) {
          expect(Math.abs(left - (plot?.left ?? 0)), `${part} begins`).toBeLessThanOrEqual(0.5);
          expect(Math.abs(right - (plot?.right ?? 0)), `${part} ends`).toBeLessThanOrEqual(0.5);
        }
      }).toPass();
    }
    await page.setViewportSize({ width: 1440, height: 640 });
  }
});

test('by keyboard alone: the chart is read, zoomed and opened; pictures are saved', async ({ page }) => {
  await page.goto('/funding?coin=BTC&days=7');
  await settled(page);
  const chart = page.getByRole('application');
  await chart.focus();
  await page.keyboard.press('Home');
  const oldest = await line(page, 'BTC').locator('.num').last().textContent();
  await page.keyboard.press('ArrowRight');
  await expect(line(page, 'BTC').locator('.num').last()).not.toHaveText(oldest ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('fundingRate');
  await expect(page).toHaveURL(/row=BTC/);
  const first = page.url();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(first);
  await page.goBack();
  await expect(page.getByRole('complementary', { name: 'Inspector' })).toHaveCount(0);
  await expect(page).toHaveURL('/funding?coin=BTC&days=7');
  await page.goForward();
  await expect(page).toHaveURL(/row=BTC/);
  const from = page.getByRole('slider', { name: 'From' });
  await from.focus();
  // Already at its lower end, so PageDown has no effect.
  await page.keyboard.press('PageDown');
  for (let presses = 0; presses < 2; presses += 1) await pressAndSee(page, 'PageUp', from, 'aria-valuetext');
  await expect(page).toHaveURL(/zoom=/);
  await expect(status(page)).toContainText(/BTC: 1[0-4]\d received/);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(status(page)).toContainText(/BTC: 16\d received/);

  for (const [button, begins] of [
    ['Save SVG', '<svg'],
    ['Save PNG', '\u0089PNG'],
  ] as const) {
    await page.getByRole('button', { name: 'Picture' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    const file = await readFile(await download.path());
    expect(file.toString('latin1').startsWith(begins)).toBe(true);
    expect(file.length).toBeGreaterThan(2_000);
  }
});

test('a coin of the legend hides its line, and with Shift is shown alone; the pointer reads all digits', async ({
  page,
}) => {
  await page.goto('/funding?coin=BTC,ETH,SOL&days=7&over=cumulative');
  await settled(page);
  const lines = page.locator('[data-plot] .recharts-line-curve');
  await expect(lines).toHaveCount(3);
  const entry = (coin: string) => line(page, coin).getByRole('button', { name: coin }).first();
  await entry('ETH').click();
  await expect(lines).toHaveCount(2);
  await expect(page.locator('[data-pane] .recharts-line-curve')).toHaveCount(2);
  await entry('SOL').click({ modifiers: ['Shift'] });
  await expect(lines).toHaveCount(1);
  await entry('SOL').focus();
  await page.keyboard.press('Shift+Enter');
  await expect(lines).toHaveCount(3);
  const box = await page.getByRole('application').boundingBox();
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * 0.4, (box?.y ?? 0) + 60);
  const rates = await page.locator('[data-tooltip] .text-strong.ml-auto').allTextContents();
  expect(rates).toHaveLength(3);
  for (const [at, coin] of ['BTC', 'ETH', 'SOL'].entries())
    await expect(line(page, coin).locator('[data-rate]')).toHaveText(rates[at] ?? '');
});

test('by pointer: the wheel zooms, a drag pans or zooms, and no cursor stays where the pointer is not', async ({
  page,
  stack,
  keys,
}) => {
  await page.goto('/funding?coin=BTC&days=7');
  await settled(page);
  const chart = page.getByRole('application');
  const box = await chart.boundingBox();
  const at = (share: number) => [(box?.x ?? 0) + (box?.width ?? 0) * share, (box?.y ?? 0) + 80] as const;
  const drag = async (...shares: readonly [number, ...number[]]) => {
    const [start, ...others] = shares;
    await page.mouse.move(...at(start));
    await page.mouse.down();
    for (const share of others) await page.mouse.move(...at(share), { steps: 4 });
  };
  const noEntry = 'no entry at this time';

  await test.step('rates are a year’s by default', async () => {
    await expect(page.getByLabel('Unit')).toHaveValue('simple');
    const last = (await allPages(stack, keys, 'BTC', Date.now() - DAY, Date.now())).at(-1);
    const rate = line(page, 'BTC').locator('[data-rate]');
    await expect.poll(async () => ofPercent(await rate.textContent())).toBe(signed(last?.fundingRate ?? '') * 8_760n);
  });

  await test.step('tags on the axes name the crosshair', async () => {
    await page.mouse.move(...at(0.5));
    const tags = page.locator('[data-axis-tag]');
    await expect(tags).toHaveCount(2);
    await expect(tags.first()).toHaveText(/^\d\d-\d\d \d\d:\d\d$/);
    await expect(tags.last()).toHaveText(/^−?\d+\.\d+$/);
  });

  await test.step('the wheel zooms, and a drag pans a part', async () => {
    await page.mouse.wheel(0, -300);
    await expect(page).toHaveURL(/zoom=/);
    const part = () => (new URL(page.url()).searchParams.get('zoom') ?? '').split('-').map(Number);
    const [from = 0, to = 0] = part();
    expect(to - from).toBeLessThan(6 * DAY);
    await drag(0.4, 0.5);
    await page.mouse.up();
    await expect.poll(() => (part()[0] ?? 0) < from).toBe(true);
    const [left = 0, right = 0] = part();
    expect(Math.abs(right - left - (to - from))).toBeLessThanOrEqual(2);
    await page.mouse.move(...at(0.5));
    await page.mouse.wheel(0, 3_000);
    await expect(page).not.toHaveURL(/zoom=/);
  });

  await test.step('a drag over the whole zooms, and the cursor is gone until the pointer moves again', async () => {
    const crosshair = page.locator('[data-crosshair]');
    await drag(0.3, 0.5, 0.7);
    await expect(crosshair).toHaveCount(1);
    await page.mouse.up();
    await expect(page).toHaveURL(/zoom=/);
    await expect(crosshair).toHaveCount(0);
    await expect(line(page, 'BTC')).not.toContainText(noEntry);
    await page.mouse.move(...at(0.4));
    await expect(crosshair).toHaveCount(1);
    await expect(line(page, 'BTC')).not.toContainText(noEntry);
  });

  await test.step('a change of the view without a move of the cursor leaves no cursor outside it', async () => {
    const cursor = page.locator('[data-crosshair], [data-tooltip], [data-axis-tag]');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(page).not.toHaveURL(/zoom=/);
    await chart.focus();
    await page.keyboard.press('Home');
    await expect(cursor).not.toHaveCount(0);
    const from = page.getByRole('slider', { name: 'From' });
    await from.focus();
    await pressAndSee(page, 'PageUp', from, 'aria-valuetext');
    await expect(cursor).toHaveCount(0);
    await expect(line(page, 'BTC')).not.toContainText(noEntry);
    await expect(page.getByText(/BTC no entry/)).toHaveCount(0);

    await visit(page, '/funding?coin=BTC&days=1');
    await settled(page);
    await page.getByRole('button', { name: '7 d' }).click();
    await settled(page);
    await page.mouse.move(...at(0.2));
    await expect(page.locator('[data-tooltip]')).toHaveCount(1);
    await page.goBack();
    await expect(page).toHaveURL(/days=1/);
    await expect(cursor).toHaveCount(0);
    await expect(line(page, 'BTC')).not.toContainText(noEntry);
  });
});

test('all coins are ranked by their rate, as the service reports it, and one is added to the chart', async ({
  page,
  stack,
  keys,
}) => {
  const [{ universe }] = await ask<[{ universe: { name: string }[] }]>(stack, keys, { type: 'metaAndAssetCtxs' });
  const fundings = await ask<[string, [string, { nextFundingTime: number } | null][]][]>(stack, keys, {
    type: 'predictedFundings',
  });
  /** `11:00:00 UTC`, as the exchange reports it for itself. */
  const nextOf = (coin: string | undefined) => {
    const exchanges = fundings.find(([name]) => name === coin)?.[1] ?? [];
    const at = exchanges.find(([name]) => name === 'HlPerp')?.[1]?.nextFundingTime ?? 0;
    return `${new Date(at).toISOString().slice(11, 19)} UTC`;
  };
  const shown = page.waitForResponse((sent) => sent.request().postData()?.includes('"metaAndAssetCtxs"') === true);
  await page.goto('/funding?coin=BTC&days=1&tab=coins');
  const [, contexts] = (await (await shown).json()) as [
    unknown,
    { funding: string; markPx: string; prevDayPx: string; openInterest: string }[],
  ];
  const grid = page.getByRole('grid', { name: 'All coins' });
  const rows = grid.locator('[data-row]');
  await expect(rows.nth(3)).toBeVisible();
  await expect(page.locator('[data-part=next-funding]')).toHaveText(/^Next funding \d\d:00:00 UTC, in \d+ [ms]$/);
  await expect(page.locator('[data-part=next-funding]')).toContainText(nextOf('BTC'));
  await expect(grid).not.toContainText('not loaded');
  const read = await rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
  );
  const rates = read.map((cells) => ofPercent(cells[1] ?? ''));
  expect(rates, 'highest first').toEqual(rates.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
  for (const [at, [coin, , yearly, next, , mark, change, interest]] of read.entries()) {
    expect(next, coin).toBe(nextOf(coin));
    const market = contexts[universe.findIndex(({ name }) => name === coin)];
    expect(rates[at], coin).toBe(signed(market?.funding ?? ''));
    expect(ofPercent(yearly ?? ''), coin).toBe(signed(market?.funding ?? '') * 8_760n);
    expect(mark?.replaceAll(',', ''), coin).toBe(market?.markPx);
    const before = signed(market?.prevDayPx ?? '');
    const off = ofPercent(change ?? '') * before - (signed(market?.markPx ?? '') - before) * 10n ** 18n;
    expect(off < 0n ? -off : off, `${coin}: rounded to 0.01 %`).toBeLessThanOrEqual((before * 10n ** 18n) / 20_000n);
    const notional = signed(market?.openInterest ?? '') * signed(market?.markPx ?? '');
    expect(interest?.replaceAll(',', ''), coin).toBe(String(notional / 10n ** 36n));
  }
  await grid.locator('[data-row]', { hasText: 'ETH' }).first().click();
  await expect(page).toHaveURL(/coin=BTC(?:,|%2C)ETH&/);
});

test('what is below the chart is printed whole, above the status line, without buttons', async ({ page }) => {
  await page.goto('/funding');
  await settled(page);
  await page.emulateMedia({ media: 'print' });
  const figures = page.getByRole('region', { name: 'Statistics' }).getByRole('table');
  const room = async () => {
    const [table, footer] = await Promise.all([figures.boundingBox(), page.locator('footer').boundingBox()]);
    return (footer?.y ?? 0) - (table?.y ?? 0) - (table?.height ?? 0);
  };
  await expect.poll(room).toBeGreaterThanOrEqual(0);
  await expect(page.getByRole('button', { name: /^Refresh/ }), 'nothing can be pressed on paper').toBeHidden();
  await expect(page.getByRole('tab', { name: 'Statistics' })).toBeVisible();
});

test('at 360 px nothing scrolls sideways; axe finds nothing, dark and light', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/funding?over=premium&tab=hours');
  await settled(page);
  await expect(page.getByRole('button', { name: 'Refresh 3 credits' }), 'three coins at first').toBeVisible();
  await page.setViewportSize({ width: 1440, height: 640 });
  const hours = page.getByRole('region', { name: 'Hours' });
  await expect(hours.getByRole('columnheader', { name: '23' })).toBeVisible();
  const beyond = () => hours.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  await expect.poll(beyond, 'all hours fit').toBe(0);
  for (const tab of ['Hours of the day', 'Entries']) {
    await page.getByRole('tab', { name: tab }).click();
    await test.step(tab, () => expectAccessible(page));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  const title = page
    .getByRole('heading', { name: 'Funding' })
    .locator('xpath=ancestor::div[contains(@class, "border-b")][1]');
  for (const width of [640, 720, 900]) {
    await page.setViewportSize({ width, height: 740 });
    await expect.poll(async () => (await title.boundingBox())?.height, `one line at ${width} px`).toBeLessThan(48);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('tab', { name: 'Carry' }).click();
  await settled(page);
  await expect.poll(async () => (await title.boundingBox())?.height, 'the title line folded').toBeLessThan(72);
  await page.getByRole('button', { name: 'View: BTC, ETH, SOL' }).click();
  await page.getByRole('button', { name: /^1 d/ }).click();
  await expect(page).toHaveURL(/days=1/);
  await settled(page);
  await test.step('light, narrow', () => expectAccessible(page));
  await expectNoSidewaysScroll(page);
  await expect.poll(async () => (await line(page, 'BTC').boundingBox())?.height, 'two lines a coin').toBeLessThan(48);
  await page.getByRole('tab', { name: 'Entries' }).click();
  const rate = page.getByRole('grid', { name: 'Entries' }).locator('[data-row] [data-column=rate]').first();
  await expect(rate, 'whole, beside its time and coin').toBeInViewport({ ratio: 1 });
  const moment = page.getByRole('grid', { name: 'Entries' }).locator('[data-row] [data-column=time] span').first();
  for (const width of [640, 360]) {
    await page.setViewportSize({ width, height: 740 });
    const isCut = () =>
      moment.evaluate((text) => text.getBoundingClientRect().width > (text.closest('td')?.clientWidth ?? 0));
    await expect.poll(isCut, `the time at ${width} px`).toBe(false);
  }
  await page.getByRole('tab', { name: 'Carry' }).click();

  await test.step('what is below the chart stays in view when the window gets wide', async () => {
    await page.setViewportSize({ width: 2560, height: 1440 });
    await expect(page.getByRole('tab', { name: 'Statistics' })).toBeInViewport();
    await expect(page.getByRole('img', { name: /^SOL: / })).toBeInViewport();
  });
});
