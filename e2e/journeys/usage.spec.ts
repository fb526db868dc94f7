import type { Stack } from '@l4desk/testkit/stack';
import type { Page } from '@playwright/test';
import { expectAccessible, expectAccessibleInBothLooks, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { textsOfRows } from '../fixtures/pane-rows.ts';
import { createKey, expect, type Keys, NEW_PAGE, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

interface UsageData {
  readonly period: { readonly from: string; readonly to: string };
  readonly aggregate: {
    readonly credits_consumed: number;
    readonly premium_credits: number;
    readonly free_credits: number;
    readonly max_credits: number;
    readonly flex_credits: { readonly limit: number };
  };
  readonly by_day: readonly {
    readonly date: string;
    readonly premium_credits: number;
    readonly free_credits: number;
  }[];
  readonly by_api_key: readonly { readonly apikey: string; readonly credits: number }[];
}

/** The service's response to a program. */
async function askService(stack: Stack, key: string, query: string): Promise<UsageData> {
  const response = await fetch(`${stack.url}/platform/usage/?${query}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: UsageData }).data;
}

/** Signs the page in with its own session: a sign-in with the shared session's cookie would replace that session. */
async function open(page: Page, data: { readonly apiKey?: string; readonly serviceKey: string }): Promise<void> {
  // A call of an open page would be refused meanwhile.
  await page.goto('about:blank');
  await page.context().clearCookies();
  expect((await page.context().request.post('/session', { data })).status()).toBe(200);
}

/** Keys that the page shows by their label. */
let own: Keys;
test.beforeAll(async ({ stack }) => {
  const [api, service] = await Promise.all([createKey(stack, 'usage page'), createKey(stack, 'usage page', 'service')]);
  own = { apiKey: api.key, serviceKey: service.key };
});

const plain = (text: string | null) => (text ?? '').replaceAll(/[\s,≈]/g, '');
const figure = async (page: Page, name: string) => plain(await page.locator(`[data-figure=${name}]`).textContent());
const range = (page: Page) => page.locator('[data-part=window]');
const rowsOf = async (page: Page, name: string) => {
  const rows = await textsOfRows(page.getByRole('table', { name }));
  return rows.map((texts) => texts.map(plain));
};

/** A tenth of Student's distribution with 27 degrees of freedom is above this, by the printed tables. */
const T_27 = 1.313_703;

/** The days of the month that the response ends in. */
const monthOf = (by_day: UsageData['by_day']) =>
  by_day.filter(({ date }) => date.slice(0, 7) === by_day.at(-1)?.date.slice(0, 7));

/**
 * The month's credits by the end of each day from today to its last: as likely, and at both ends of 80 % of the outcomes, if each day
 * ahead is one of the 28 complete days.
 */
function forecastOf(by_day: UsageData['by_day']) {
  const credits = by_day.map((day) => BigInt(day.premium_credits + day.free_credits));
  const basis = credits.slice(-29, -1);
  const total = basis.reduce((sum, each) => sum + each, 0n);
  const squares = basis.reduce((sum, each) => sum + each * each, 0n);
  const today = by_day.at(-1)?.date ?? '';
  const used = monthOf(by_day).reduce((sum, day) => sum + day.premium_credits + day.free_credits, 0);
  const before = BigInt(used) - (credits.at(-1) ?? 0n);
  const last = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 0)).getUTCDate();
  const numbers = Array.from({ length: last - Number(today.slice(8)) + 1 }, (_, at) => BigInt(at + 1));
  const least = (estimate: number) => Math.max(used, Math.round(estimate));
  const roundedHalfUp = (part: bigint, whole: bigint) => Number((2n * part + whole) / (2n * whole));
  const ends = numbers.map((days) => {
    const likely = Number(28n * before + days * total) / 28;
    // The variance of the days is spread / (28 × 27): that of their sum, and of their mean that is not known better.
    const spread = 28n * squares - total * total;
    const margin = T_27 * Math.sqrt(Number(spread * days * (28n + days)) / (28 * 27 * 28));
    return { low: least(likely - margin), high: least(likely + margin) };
  });
  return {
    dates: numbers.map(
      (days) => `${today.slice(0, 8)}${String(Number(today.slice(8)) + Number(days) - 1).padStart(2, '0')}`,
    ),
    perDay: roundedHalfUp(total, 28n),
    likely: numbers.map((days) => Math.max(used, roundedHalfUp(28n * before + days * total, 28n))),
    low: ends.map(({ low }) => low),
    high: ends.map(({ high }) => high),
  };
}

/** Compares every figure on the page with the response. */
async function expectFigures(page: Page, data: UsageData): Promise<void> {
  const { period, aggregate, by_day, by_api_key } = data;
  await expect(range(page)).toHaveText(`${period.from} – ${period.to}`);
  for (const name of ['credits_consumed', 'premium_credits', 'free_credits', 'max_credits'] as const)
    await expect.poll(() => figure(page, name), name).toBe(String(aggregate[name]));
  await expect.poll(() => figure(page, 'flex_credits')).toBe(String(aggregate.flex_credits.limit));
  const keys = async () => (await rowsOf(page, 'Credits by key')).map(([key, , credits]) => [key, credits]);
  await expect.poll(keys).toEqual(by_api_key.map(({ apikey, credits }) => [apikey, String(credits)]));
  for (const [key, , credits, share] of await rowsOf(page, 'Credits by key')) {
    const percent = (Number(credits) / aggregate.credits_consumed) * 100;
    // Shares are rounded so that they add up: by less than a tenth.
    expect(Math.abs(Number(share?.replaceAll(/[<>%]/g, '')) - percent), key).toBeLessThan(0.1);
  }
  const months = new Map<string, readonly [premium: number, free: number]>();
  for (const { date, premium_credits, free_credits } of by_day) {
    const [premium, free] = months.get(date.slice(0, 7)) ?? [0, 0];
    months.set(date.slice(0, 7), [premium + premium_credits, free + free_credits]);
  }
  const shown = async () =>
    (await rowsOf(page, 'Credits by month')).map(([month, ...credits]) => [month?.slice(0, 7), ...credits.slice(0, 3)]);
  const sums = [...months].map(([month, [premium, free]]) => [month, `${premium}`, `${free}`, `${premium + free}`]);
  await expect.poll(shown).toEqual(sums.toReversed());
}

/** Compares the forecast on the page with one made from the days of the response. */
async function expectForecast(
  page: Page,
  { aggregate, by_day }: Pick<UsageData, 'aggregate' | 'by_day'>,
): Promise<void> {
  const ahead = forecastOf(by_day);
  const forecast = page.locator('[data-part=forecast]');
  await expect(forecast).toContainText(`end of ${ahead.dates.at(-1)}`);
  await expect(forecast).toContainText(
    `Based on 28 complete days, ${by_day.at(-29)?.date} – ${by_day.at(-2)?.date}, excluding today`,
  );
  expect(plain(await forecast.textContent())).toContain(`today:${ahead.perDay}aday`);
  const likely = ahead.likely.at(-1) ?? 0;
  expect(await figure(page, 'likely')).toBe(String(likely));
  const [low = 0, high = 0] = (await figure(page, 'band')).split('–').map(Number);
  for (const [side, exact] of [
    [low, ahead.low.at(-1) ?? 0],
    [high, ahead.high.at(-1) ?? 0],
  ] as const)
    expect(Math.abs(side - exact), `${side} of ${exact}`).toBeLessThanOrEqual(1 + Math.abs(exact - likely) / 1_000);
  const { max_credits: ceiling, flex_credits: flex } = aggregate;
  for (const [name, credits] of [
    ['ceiling_reach', ceiling],
    ['limit_reach', ceiling + flex.limit],
  ] as const) {
    const dayOf = (totals: readonly number[]) => ahead.dates[totals.findIndex((total) => total >= credits)];
    let total = 0;
    const reached = monthOf(by_day).find((day) => (total += day.premium_credits + day.free_credits) >= credits)?.date;
    const [earliest, expected, latest] = [ahead.high, ahead.likely, ahead.low].map(dayOf);
    const possible = `${expected ?? 'possibly'}from${earliest}to${latest ?? 'afterthemonthends'}`;
    const text = earliest === undefined ? 'notthismonth' : possible;
    expect(await figure(page, name), name).toBe(reached === undefined ? text : `reachedon${reached}`);
  }
}

test('[USE-3, USE-10, USE-12, USE-13] every figure is the service’s, in every period, and every panel follows the period', async ({
  page,
  stack,
}) => {
  await open(page, own);
  await page.goto('/usage');
  await expect(page).toHaveTitle('Usage · L4 Desk');
  await expect(page.getByText('Simulated data. The credits of')).toBeVisible();
  for (const [text, months] of [
    ['This month', 1],
    ['3 months', 3],
    ['6 months', 6],
    ['12 months', 12],
  ] as const) {
    await page.getByRole('group', { name: 'Period' }).getByText(text, { exact: true }).click();
    await expect(page).toHaveURL(months === 1 ? '/usage' : `/usage?m=${months}`);
    await expectFigures(page, await askService(stack, own.serviceKey, `duration=${months}`));
  }
  await expect(page.getByText('each bar is a week starting Monday')).toBeVisible();

  const [likely, month] = [await figure(page, 'likely'), await figure(page, 'month_credits')];
  const { by_day } = await askService(stack, own.serviceKey, 'duration=3');
  const days = by_day.slice(5, 25);
  const window = `from=${days[0]?.date}&to=${days.at(-1)?.date}`;
  await visit(page, `/usage?${window}&as=table`);
  await expectFigures(page, await askService(stack, own.serviceKey, window));
  // The month and its forecast are those of today, whatever window is shown.
  await expect.poll(() => figure(page, 'likely')).toBe(likely);
  await expect.poll(() => figure(page, 'month_credits')).toBe(month);
  const grid = page.getByRole('grid', { name: 'Credits by day' });
  await grid.focus();
  const row = grid.getByRole('row').nth(1);
  const cells = async () =>
    (await row.getByRole('gridcell').or(row.getByRole('rowheader')).allTextContents()).map(plain).slice(0, 3);
  const latest = days.at(-1);
  await expect.poll(cells).toEqual([latest?.date, String(latest?.premium_credits), String(latest?.free_credits)]);
});

test('plan, burn rate and forecast follow from the response; the chart is readable by keyboard', async ({
  page,
  stack,
}) => {
  await open(page, own);
  const response = await askService(stack, own.serviceKey, 'duration=3');
  const { aggregate, by_day, period } = response;
  await page.goto('/usage?m=3&chart=month');
  await expect(range(page)).toHaveText(`${period.from} – ${period.to}`);
  const used = monthOf(by_day).reduce((sum, day) => sum + day.premium_credits + day.free_credits, 0);
  await expect.poll(() => figure(page, 'month_credits')).toBe(String(used));
  const share = (used / aggregate.max_credits) * 100;
  // On the first days of a month it may be a part too small to round.
  const rounded = share.toFixed(1);
  const text = used > 0 && rounded === '0.0' ? '< 0.1 %' : `${rounded} %`;
  await expect(page.locator('[data-part=plan-month]')).toContainText(text);
  await expect.poll(() => figure(page, 'burn_rate')).toMatch(/^\d+\.\d\d$/);
  await expectForecast(page, { aggregate, by_day });

  const bars = page.locator('[data-chart] .recharts-bar');
  await expect(bars).toHaveCount(2);
  const legend = page.getByRole('list', { name: 'Legend' });
  await legend.getByRole('button', { name: 'premium' }).click();
  await expect(bars).toHaveCount(1);
  await legend.getByRole('button', { name: 'premium' }).click();
  await expect(bars).toHaveCount(2);

  await page.getByRole('button', { name: 'Picture' }).click();
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save SVG' }).click(),
  ]);
  expect(picture.suggestedFilename()).toMatch(/^.*usage.*\.svg$/);

  const slider = page.getByRole('slider', { name: 'Day of the chart' });
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  const yesterday = by_day.at(-2);
  await expect(page.locator('[data-part=readout]')).toContainText(yesterday?.date ?? '');
  await page.keyboard.press('Home');
  const [start] = by_day;
  // On the first day of a month, the window begins with one too.
  const toDate = period.from.endsWith('-01')
    ? `${((start?.premium_credits ?? 0) + (start?.free_credits ?? 0)).toLocaleString('en')} month to date`
    : 'its month began before the window';
  await expect(page.locator('[data-part=readout]')).toContainText(`${period.from}${toDate}`);

  await test.step('chart and legend stand still while days are read, on a wide and on a narrow screen', async () => {
    await visit(page, '/usage?m=3');
    const readout = page.locator('[data-part=readout]');
    const parts = [page.getByRole('list', { name: 'Legend' }), page.locator('[data-chart]')];
    const places = () => Promise.all(parts.map((part) => part.boundingBox()));
    const bar = page.getByRole('slider', { name: /^Bar of the chart/ });
    for (const width of [1440, 380]) {
      await page.setViewportSize({ width, height: 900 });
      await bar.focus();
      await page.keyboard.press('End');
      await expect(readout).toContainText('(today, in progress)');
      const before = await places();
      await page.keyboard.press('Home');
      await expect(readout).not.toContainText('(today, in progress)');
      expect(await places(), `${width} px wide`).toEqual(before);
    }
  });

  await test.step('on the tenth of a month, with a plan that lasts ten more days and a limit near the month’s end', async () => {
    const past = by_day.slice(0, by_day.findLastIndex(({ date }) => date.endsWith('-10')) + 1);
    const to = past.at(-1)?.date ?? '';
    const { likely } = forecastOf(past);
    const [ceiling, limit] = [(likely[10] ?? 0) - 1, (likely.at(-1) ?? 0) - 1];
    const plan = {
      ...aggregate,
      max_credits: ceiling,
      flex_credits: { ...aggregate.flex_credits, limit: limit - ceiling },
    };
    const data = { ...response, period: { ...period, to }, aggregate: plan, by_day: past };
    await page.route('**/platform/usage/?*', (route) => route.fulfill({ json: { data } }));
    await page.goto('/usage?m=3');
    await expect(range(page)).toContainText(`– ${to}`);
    await expectForecast(page, { aggregate: plan, by_day: past });
  });
});

test('a key is shown by the label of the session, or by a name that is given here and kept', {
  annotation: NEW_PAGE,
}, async ({ page }) => {
  await open(page, own);
  // A call with the session's own key, so that it is among those that used a credit.
  await page.goto('/limits');
  await expect(page.getByRole('table', { name: 'Buckets' })).toBeVisible();
  // On the first day of a month, nobody else has used credits in it.
  await visit(page, '/usage?m=3');
  const keys = page.getByRole('table', { name: 'Credits by key' });
  await expect(keys.getByRole('button', { name: /^usage page: change the label of l4k_….{4}$/ })).toContainText(
    'this session',
  );

  // Labels that the service has appear automatically.
  const labelled = keys.getByRole('button', { name: /^simulated: / }).first();
  const shown = /l4k_….{4}/.exec((await labelled.getAttribute('aria-label')) ?? '')?.[0] ?? '';
  await labelled.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel(`Label of ${shown}`, { exact: true }).getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('market maker');
  await page.keyboard.press('Enter');
  const named = keys.getByRole('button', { name: `market maker: change the label of ${shown}` });
  await expect(named).toBeFocused();
  await page.reload();
  await expect(named).toBeVisible();
  await page.getByRole('region', { name: 'Keys' }).getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save CSV' }).click(),
  ]);
  const text = await (await file.createReadStream()).toArray();
  expect(Buffer.concat(text).toString()).toContain(`${shown},market maker,`);

  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
});

test('credits are shown by kind of use, and an alert is raised from the chosen share of the plan on', async ({
  page,
  stack,
}) => {
  await open(page, own);
  const call = { type: 'maxMarketOrderNtls' };
  const response = await fetch(`${stack.url}/info`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(call),
  });
  expect(response.status).toBe(200);
  // On the first day of a month, nobody else has used credits in it.
  await page.goto('/usage?m=3');
  const { aggregate, period, by_day } = await askService(stack, own.serviceKey, 'duration=3');
  const kinds = async () => (await rowsOf(page, 'Credits by kind')).map(([kind, credits]) => [kind, credits]);
  await expect.poll(async () => (await kinds()).map(([kind]) => kind)).toContain('maxMarketOrderNtls');
  const answer = await page.context().request.get(`/session/usage?from=${period.from}&to=${period.to}`, {
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  type KindUse = { apikey: string; kind: string; credits: number };
  const { by_kind } = (await answer.json()) as { by_kind: readonly KindUse[] };
  const shown = async () => (await kinds()).map(([kind, credits]) => [kind?.replace('·sampledata', ''), credits]);
  const all: Record<string, number> = {};
  for (const { kind, credits } of by_kind) all[kind] = (all[kind] ?? 0) + credits;
  const sums = (await shown()).map(([kind, credits]) => [kind, Number(credits)]);
  expect(Object.fromEntries(sums)).toEqual(all);
  const credits = sums.map(([, sum]) => Number(sum));
  expect(credits, 'highest first').toEqual(credits.toSorted((a, b) => b - a));
  const { apikey } = by_kind.find(({ kind }) => kind === 'simulated') ?? { apikey: '' };
  await page.getByRole('combobox', { name: 'Key whose kinds are shown' }).selectOption(apikey);
  const ofKey = by_kind.filter((use) => use.apikey === apikey).map(({ kind, credits }) => [kind, String(credits)]);
  await expect.poll(shown).toEqual(ofKey);
  await page.getByRole('region', { name: 'Kinds' }).getByRole('button', { name: 'Export' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save CSV' }).click();
  const name = `usage-kinds-${apikey.replaceAll(/[^\w.-]+/g, '-')}-`;
  expect((await saving).suggestedFilename(), 'names the key').toContain(name);
  expect(by_kind.reduce((sum, { credits }) => sum + credits, 0)).toBe(aggregate.credits_consumed);

  const meter = page.getByRole('banner').getByRole('button', { name: /^Credits:/ });
  await expect(meter).not.toHaveAccessibleName(/past your alert/);
  const alert = page.getByRole('combobox', { name: 'Alert at a share of the plan' });
  const used = monthOf(by_day).reduce((sum, day) => sum + day.premium_credits + day.free_credits, 0);
  const reached = (share: number) => used * 100 >= share * aggregate.max_credits;
  for (const share of [90, 75, 50, 25]) {
    await alert.selectOption(String(share));
    const isPast = new RegExp(`past your alert at ${share} %`);
    await (reached(share)
      ? expect(meter).toHaveAccessibleName(isPast)
      : expect(meter).not.toHaveAccessibleName(/past/));
  }
  await visit(page, '/');
  const problems = page.getByRole('main').getByText('Your alert is at 25 %.');
  await expect(problems).toHaveCount(reached(25) ? 1 : 0);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
});

test('an empty account has no usage, no forecast, and nothing to divide by', async ({ page, stack }) => {
  const name = 'nobody';
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await stack.command(...args, '--json');
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as { readonly key: string };
  };
  await run('accounts', 'create', name);
  const { key } = await run('keys', 'create', '--kind', 'service', '--account', name);
  await open(page, { serviceKey: key });
  await page.goto('/usage?m=3');
  await expectFigures(page, { ...(await askService(stack, key, 'duration=3')) });
  await expect(page.getByText('No credits used from')).toBeVisible();
  await expect(page.getByText('No key used credits in this window.')).toBeVisible();
  await expect(page.locator('[data-part=no-forecast]')).toContainText('0 complete days');
  await expect(page.getByText('Simulated data. The credits of')).toHaveCount(0);
});

test.describe('without a ServiceKey', () => {
  test.use({ expectedMessages: [/the server responded with a status of 40[13]/] });

  test('[USE-3] the page says what is missing and how to get it, also when the key is revoked', async ({
    page,
    stack,
  }) => {
    await page.goto('/limits');
    await page.getByRole('button', { name: /^Credits:/ }).click();
    await expect(page.getByText('Also sign in with a ServiceKey')).toBeVisible();
    await page.getByRole('link', { name: 'How to get a ServiceKey' }).click();
    await expect(page).toHaveURL('/usage');
    const advice = page.locator('[data-part=service-key]');
    await expect(advice).toContainText('This session has no ServiceKey');
    await expect(advice).toContainText('keys create --kind service --account demo --label usage');
    await advice.getByRole('link', { name: 'Sign in with both keys' }).click();
    await expect(page).toHaveURL(/\/sign-in\?next=%2Fusage/);
    // The shared session is left alone: the new one would replace it.
    await page.context().clearCookies();
    const api = await createKey(stack, 'both');
    const service = await createKey(stack, 'both', 'service');
    await page.getByLabel('API key').fill(api.key);
    await page.getByLabel('ServiceKey').fill(service.key);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/usage');
    await expect(range(page)).toBeVisible();

    const { code } = await stack.command('keys', 'revoke', service.id);
    expect(code).toBe(0);
    await expect(async () => {
      const refresh = page.getByRole('button', { name: 'Refresh' });
      if (await refresh.isVisible()) await refresh.click({ timeout: 1_000 });
      await expect(advice).toBeVisible({ timeout: 500 });
    }).toPass();
    await expect(advice).toContainText('ServiceKey');
  });
});

test.describe('at 360 px', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('nothing scrolls sideways and axe finds nothing, dark and light', async ({ page }) => {
    const expectSound = (what: string, check: typeof expectAccessible) =>
      test.step(what, async () => {
        await check(page);
        await expectNoSidewaysScroll(page);
      });
    await page.goto('/usage');
    await expect(page.locator('[data-part=service-key]')).toBeVisible();
    await expectSound('advice', expectAccessible);
    await open(page, own);
    await page.goto('/usage?m=3&chart=month');
    await expect(range(page)).toBeVisible();
    await expectSound('chart', expectAccessibleInBothLooks);
    await page.getByText('Table', { exact: true }).click();
    await expect(page.getByRole('grid', { name: 'Credits by day' })).toBeVisible();
    await expectSound('table', expectAccessible);
  });
});
