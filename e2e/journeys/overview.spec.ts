import type { Page } from '@playwright/test';
import { ask } from '../fixtures/ask.ts';
import { PROVEN } from '../fixtures/book-page.ts';
import { canonical, signed, units } from '../fixtures/exact.ts';
import { exampleWallets } from '../fixtures/example-wallets.ts';
import { expectAccessibleInBothLooks, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { refreshByKey } from '../fixtures/menus.ts';
import { textsOfRows } from '../fixtures/pane-rows.ts';
import { allowAutoLoad } from '../fixtures/price-rule.ts';
import { expect, NEW_PAGE, test } from '../fixtures/test.ts';

// With both kinds of key.
test.use({ storageState: async ({ fullSession }, provide) => provide(fullSession) });

const tile = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
/** Shown once the rates are loaded. In some hours of the simulated exchange, all coins have the same rate. */
const RATES = /Rate for the current interval|coins of the canonical dex have the same rate: /;
const rowsOf = async (page: Page, name: string) => {
  const rows = await textsOfRows(page.getByRole('table', { name }));
  return rows.map((texts) => texts.map((text) => text.replaceAll(/[\s,]/g, '')));
};

/** Waits until nothing is loading, because a refresh does nothing before. */
const ready = (page: Page) => expect(page.getByRole('button', { name: /^Refresh all/ })).toBeEnabled();

const ONE = 10n ** 18n;

interface Balance {
  readonly coin: string;
  readonly total: string;
  readonly hold: string;
}

interface Order {
  readonly coin: string;
  readonly side: 'B' | 'A';
  readonly sz: string;
  readonly limitPx: string;
  readonly isTrigger: boolean;
}

test('what the start page and the balances already show stays where it is while the rest arrives', {
  annotation: NEW_PAGE,
}, async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as PerformanceEntry & { readonly value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
    Object.assign(globalThis, { shifted: () => shifts.reduce((all, one) => all + one, 0) });
  });
  const shifted = () => page.evaluate(() => (globalThis as unknown as { shifted: () => number }).shifted());
  const notice = page.getByText(/^The exchange does not know/);
  await page.goto('/');
  await ready(page);
  for (const part of ['worth', 'near-mid', 'own-funding']) {
    await expect(page.locator(`[data-part=${part}]`)).toBeVisible();
  }
  await expect(notice).toBeVisible();
  // The limit for a good page: web.dev/articles/cls.
  expect(await shifted()).toBeLessThan(0.1);
  await page.goto('/balances?view=value');
  await expect(page.locator('[data-part=value-sum]')).toContainText('Worth');
  await expect(notice).toBeVisible();
  expect(await shifted()).toBeLessThan(0.1);
});

test('the start page of a demo shows everything at once, and more on a wide screen; every figure is the service’s and leads to its page', {
  annotation: NEW_PAGE,
}, async ({ page, stack, keys }) => {
  // Its rates are those of this response: a later one of the API may have others.
  const markets = page.waitForResponse((response) => {
    const { type, dex = '' } = (response.request().postDataJSON() ?? {}) as {
      readonly type?: string;
      readonly dex?: string;
    };
    return type === 'metaAndAssetCtxs' && dex === '';
  });
  await page.goto('/');
  await expect(page).toHaveTitle('Overview · L4 Desk');
  const steps = page.getByRole('complementary', { name: 'First steps' });
  await expect(steps).toContainText('This is a demo: the wallets, their orders and the credits are examples.');
  await expect(steps.getByRole('link', { name: /^Open the .+ ladder$/ })).toHaveAttribute('href', /^\/book\/.+/);
  await expect(page.locator('[data-part=book-proof]')).toHaveAttribute('data-state', PROVEN);
  await expect(page.locator('[data-part=book-proof]')).toHaveText(/· ?block [\d,]+ ?· ?\d+ gaps?/);
  await ready(page);
  const addresses = await exampleWallets(page);
  expect(addresses).toHaveLength(43);

  await expect(page.getByRole('table', { name: 'Sums by token' })).toBeVisible();
  const slots = await ask<readonly { readonly balances: readonly Balance[] }[]>(stack, keys, {
    type: 'batchSpotClearinghouseState',
    users: addresses,
  });
  /** The sums of an amount, by coin. */
  const sumsOf = (field: 'total' | 'hold') => {
    const found = new Map<string, bigint>();
    for (const { coin, [field]: amount } of slots.flatMap(({ balances }) => balances)) {
      found.set(coin, (found.get(coin) ?? 0n) + units(amount));
    }
    return Object.fromEntries([...found].map(([coin, sum]) => [coin, canonical(sum)]));
  };
  const sums = async () =>
    Object.fromEntries(
      (await rowsOf(page, 'Sums by token')).map(([coin = '', total = '0']) => [coin, canonical(total)]),
    );
  await expect.poll(sums).toEqual(sumsOf('total'));

  await expect(page.getByRole('table', { name: 'Open orders by coin' })).toBeVisible();
  const orders = await Promise.all(
    addresses.map((user) => ask<readonly Order[]>(stack, keys, { type: 'frontendOpenOrders', user })),
  );
  const resting = orders.flat().filter(({ coin, isTrigger }) => coin === 'BTC' && !isTrigger);
  const side = (of: 'B' | 'A') => {
    const own = resting.filter((order) => order.side === of);
    return [String(own.length), canonical(own.reduce((sum, { sz }) => sum + units(sz), 0n))];
  };
  const sides = async () => {
    const [btc] = (await rowsOf(page, 'Open orders by coin')).filter(([coin]) => coin === 'BTC');
    const [, buys, buySize = '0', sells, sellSize = '0'] = btc ?? [];
    return [buys, canonical(buySize), sells, canonical(sellSize)];
  };
  await expect.poll(sides).toEqual([...side('B'), ...side('A')]);

  await expect(tile(page, 'Funding')).toContainText(RATES);
  const [{ universe }, contexts] = (await (await markets).json()) as [
    { universe: readonly { name: string; isDelisted?: boolean }[] },
    readonly { funding: string; markPx: string; prevDayPx: string }[],
  ];
  const rates = contexts.filter((_, at) => universe[at]?.isDelisted !== true).map(({ funding }) => signed(funding));
  const ends = [rates.reduce((a, b) => (a > b ? a : b)), rates.reduce((a, b) => (a < b ? a : b))];
  for (const [at, name] of ['Highest', 'Lowest'].entries()) {
    const funding = tile(page, 'Funding');
    // Until blocks are made, all coins have one rate.
    const first =
      ends[0] === ends[1]
        ? funding.getByText('have the same rate')
        : funding
            .getByRole('region', { name: `${name} funding` })
            .getByRole('listitem')
            .first();
    await expect
      .poll(async () => signed((await first.locator('.num').last().textContent()) ?? ''))
      .toBe((ends[at] ?? 0n) * 100n);
  }

  await test.step('on a wide screen: figures of the followed book, holds, notionals and the next order', async () => {
    const usual = page.viewportSize();
    await page.setViewportSize({ width: 2560, height: 1440 });
    /** Of a number that has not arrived yet, what is shown in its place. */
    const exact = (text: string) => (text === '—' ? text : canonical(text));
    const book = await stack.venue.book('BTC');
    const [bid, offer] = book.levels.map(([best]) => units(best?.limitPx ?? '0')) as [bigint, bigint];
    const figures = async () => {
      const row = tile(page, 'Books').getByRole('row').filter({ hasText: /^BTC/ });
      return (await row.locator('td.num').allTextContents()).map((text) => text.replaceAll(/[\s,]/g, ''));
    };
    const prices = new Set(book.levels.flatMap((own, at) => own.map(({ limitPx }) => `${at} ${limitPx}`)));
    // Of their mean, rounded half up.
    const hundredths = ((offer - bid) * 2_000_000n * 2n + (bid + offer)) / ((bid + offer) * 2n);
    await expect
      .poll(async () => {
        const [mid = '0', , best = '0', worst = '0', ...others] = await figures();
        return [...[mid, best, worst].map(exact), ...others];
      })
      .toEqual([
        canonical((bid + offer) / 2n),
        canonical(bid),
        canonical(offer),
        `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}bps`,
        String(book.levels.flat().length),
        String(prices.size),
      ]);
    await expect
      .poll(async () =>
        Object.fromEntries(
          (await rowsOf(page, 'Sums by token')).map(([coin = '', , , hold = '0']) => [coin, exact(hold)]),
        ),
      )
      .toEqual(sumsOf('hold'));
    const notional = (of: 'B' | 'A') =>
      canonical(
        resting
          .filter((order) => order.side === of)
          .reduce((sum, { sz, limitPx }) => sum + (units(sz) * units(limitPx)) / ONE, 0n),
      );
    await expect
      .poll(async () => {
        const [btc = []] = (await rowsOf(page, 'Open orders by coin')).filter(([coin]) => coin === 'BTC');
        return [exact(btc[3] ?? '0'), exact(btc[6] ?? '0')];
      })
      .toEqual([notional('B'), notional('A')]);
    await expect(page.locator('[data-part=near-mid]')).toContainText(/, [\d.,]+ bps away/);
    const { markPx = '', prevDayPx = '' } = contexts[universe.findIndex(({ name }) => name === 'BTC')] ?? {};
    const [, change = ''] = await figures();
    const moved = Number(((units(markPx) - units(prevDayPx)) * ONE) / units(prevDayPx)) / 1e16;
    expect(Number(change.replace('−', '-').replace('%', ''))).toBeCloseTo(moved, 1);
    if (usual) await page.setViewportSize(usual);
  });

  await expect(tile(page, 'Credits')).toContainText('Forecast for month end');
  await expect(async () => {
    await tile(page, 'Credits').getByRole('button', { name: 'Refresh Credits' }).click();
    const month = new Date().toISOString().slice(0, 7);
    const answer = await fetch(`${stack.url}/platform/usage/?duration=1`, {
      headers: { authorization: `Bearer ${keys.serviceKey}` },
    });
    const { data } = (await answer.json()) as {
      data: { aggregate: { credits_consumed: number; max_credits: number } };
    };
    const used = `Used in ${month}${data.aggregate.credits_consumed.toLocaleString('en')} ·`;
    await expect(tile(page, 'Credits')).toContainText(used, { timeout: 2_000 });
    await expect(tile(page, 'Credits')).toContainText(`Ceiling${data.aggregate.max_credits.toLocaleString('en')}`);
  }).toPass();
  // If an earlier test made blocks slowly, on a busy machine, their absence is a problem.
  await expect(async () => {
    await stack.venue.step(1);
    await expect(tile(page, 'Alarms')).toContainText('No problems.', { timeout: 2_000 });
  }).toPass();
  for (const [name, price] of [
    ['Balances', '68 credits'],
    ['Open orders', '43 credits'],
    ['Funding', '1 credit'],
    ['Credits', 'free'],
  ] as const) {
    await expect(tile(page, name)).toContainText(/\d+ (?:s|m) old/);
    await expect(tile(page, name).getByRole('button', { name: `Refresh ${name}` })).toContainText(price);
  }
  for (const [name, url] of [
    ['Books', /\/book\/BTC$/],
    ['Balances', /\/balances$/],
    ['Open orders', /\/orders$/],
    ['Funding', /\/funding$/],
    ['Credits', /\/usage$/],
  ] as const) {
    await tile(page, name).getByRole('heading', { name }).getByRole('link').click();
    await expect(page).toHaveURL(url);
    await page.getByRole('link', { name: 'L4 Desk' }).click();
    await expect(page).toHaveURL('/');
  }
  await steps.getByRole('button', { name: 'Dismiss the first steps' }).click();
  await expect(steps).toHaveCount(0);
  await page.reload();
  await ready(page);
  await expect(steps, 'dismissed for good').toHaveCount(0);
});

test('a second reading shows what changed, in the sums and per wallet', { annotation: NEW_PAGE }, async ({
  page,
  stack,
}) => {
  await page.goto('/');
  await expect(tile(page, 'Balances')).toContainText('no earlier data to compare with yet');
  const moves = page.getByRole('region', { name: 'Changes in the last refresh' });
  const changed = async () =>
    (await rowsOf(page, 'Sums by token')).map(([, , delta]) => delta).find((delta) => delta !== '—');
  // Until the total of the wallets changes, which the market decides.
  await expect(async () => {
    await stack.venue.step(100);
    await ready(page);
    await refreshByKey(page);
    await expect(moves.getByRole('listitem').first()).toContainText(/[+−]\d/, { timeout: 10_000 });
    await ready(page);
    await expect.poll(changed, { timeout: 10_000 }).toMatch(/^[+−][\d.]+$/);
  }).toPass();
  await expect(tile(page, 'Balances')).toContainText(/Δ since \d+ (?:s|m) ago/);
  await page.reload();
  await expect(tile(page, 'Balances'), 'the browser keeps what was read').toContainText(/Δ since \d/);
  await expect(tile(page, 'Balances')).toContainText(/\d+ (?:s|m) old/);
  await expect(tile(page, 'Balances'), 'a reload makes nothing old').not.toContainText('stale');
  const change = page.locator('[data-part=worth-change][data-since="last visit"]');
  await expect(change, 'and what it was worth').toHaveAttribute('data-delta', /\d/);
});

test('when nothing may be spent automatically, each tile waits with its price, and a press reads it alone', {
  annotation: NEW_PAGE,
}, async ({ page, visitor }) => {
  await allowAutoLoad(visitor, 0);
  const asked: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/info')) asked.push((request.postDataJSON() as { readonly type: string }).type);
  });
  await page.goto('/');
  await expect(tile(page, 'Balances').getByRole('button', { name: 'Load 43 wallets 25 credits' })).toBeVisible();
  await expect(tile(page, 'Open orders').getByRole('button', { name: 'Load 43 wallets 44 credits' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Follow BTC' })).toBeVisible();
  await expect(page.getByText('loads nothing automatically')).toBeVisible();
  expect(asked).toEqual([]);
  await tile(page, 'Funding').getByRole('button', { name: 'Load rates 1 credit' }).click();
  await expect(tile(page, 'Funding')).toContainText(RATES);
  await expect.poll(() => asked).toEqual(['metaAndAssetCtxs']);

  await page.reload();
  await expect(tile(page, 'Funding'), 'with its age').toContainText(/\d+ (?:s|m) old/);
  await expect(page.getByRole('row', { name: /^ETH/ }), 'and so the mid of it').toContainText(/mid \d+ (?:s|m) old/);
  expect(asked).toHaveLength(1);
  await page.getByRole('button', { name: 'Follow ETH' }).click();
  const proof = page.getByRole('row', { name: /^ETH/ }).locator('[data-part=book-proof]');
  await expect(proof).toHaveAttribute('data-state', PROVEN);
});

test('sums of orders appear only once every wallet has a response, and until then the page says how many have one; axe finds nothing, dark and light, and at 360 px nothing scrolls sideways', {
  annotation: NEW_PAGE,
}, async ({ page }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = false;
  await page.route('**/info', async (route) => {
    const { type } = route.request().postDataJSON() as { readonly type: string };
    if (type === 'frontendOpenOrders' && !isHeld) {
      isHeld = true;
      await released;
    }
    await route.continue();
  });
  await page.goto('/');
  await expect(tile(page, 'Open orders')).toContainText('Loading orders: 42 of 43 wallets…');
  await expect(page.getByRole('table', { name: 'Open orders by coin' })).toHaveCount(0);
  release();
  await expect(page.getByRole('table', { name: 'Open orders by coin' })).toBeVisible();
  await expect(tile(page, 'Open orders')).toContainText('waiting · 43 wallets');

  await expect(page.locator('[data-part=book-proof]')).toHaveAttribute('data-state', PROVEN);
  await ready(page);
  await expectAccessibleInBothLooks(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  // A rate has one line, even if the words next to it are cut off.
  const rates = page.getByRole('region', { name: / funding$/ }).locator('li .num');
  const heights = () => rates.evaluateAll((spans) => spans.map((span) => span.getBoundingClientRect().height));
  await expect(tile(page, 'Funding')).toContainText(RATES);
  await expect.poll(async () => Math.max(0, ...(await heights()))).toBeLessThan(20);
  const amounts = page.getByRole('cell').locator('[data-amount]');
  await expect(page.getByRole('table', { name: 'Positions by coin' })).toBeVisible();
  const cut = await amounts.evaluateAll((all) =>
    all.filter(
      (amount) => amount.getBoundingClientRect().left < (amount.closest('td')?.getBoundingClientRect().left ?? 0),
    ),
  );
  expect(cut, 'no amount lacks its first digits').toEqual([]);
});

test.describe('when the exchange fails', () => {
  test.use({ expectedMessages: [/the server responded with a status of 50\d/] });

  test('each tile reports its own failure and keeps its data', async ({ page, stack }) => {
    await stack.venue.fault({ kind: 'info', effect: 'status', type: 'metaAndAssetCtxs', status: 503 });
    await page.goto('/');
    const funding = tile(page, 'Funding');
    await expect(funding.getByRole('alert')).toContainText('The exchange failed');
    await expect(funding.getByRole('button', { name: 'Refresh Funding' })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Sums by token' })).toBeVisible();
    const [user = ''] = await exampleWallets(page);
    await stack.venue.fault({ kind: 'clear' });
    await stack.venue.fault({ kind: 'info', effect: 'status', type: 'spotClearinghouseState', user, status: 500 });
    await ready(page);
    await refreshByKey(page);
    await expect(tile(page, 'Balances')).toContainText('1 failed');
    await expect(tile(page, 'Alarms').getByRole('link', { name: '1 of 43 wallets failed' })).toBeVisible();
    await expect(funding).toContainText(RATES);
    await tile(page, 'Alarms').getByRole('link', { name: '1 of 43 wallets failed' }).click();
    await expect(page).toHaveURL('/balances?failed=1');
    await stack.venue.fault({ kind: 'clear' });
  });
});
