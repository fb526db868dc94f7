import type { Stack } from '@l4desk/testkit/stack';
import type { Page } from '@playwright/test';
import { ask } from '../fixtures/ask.ts';
import { signed } from '../fixtures/exact.ts';
import { exampleWallets } from '../fixtures/example-wallets.ts';
import { expectAccessibleInBothLooks, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { expect, type Keys, NEW_PAGE, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

interface SpotMarkets {
  readonly universe: readonly { readonly name: string; readonly tokens: readonly number[] }[];
}

interface SpotSlot {
  readonly user: string;
  readonly balances: readonly { readonly token: number; readonly total: string }[];
  readonly tokenToAvailableAfterMaintenance?: readonly unknown[];
}

interface PerpSlot {
  readonly user: string;
  readonly marginSummary: { readonly accountValue: string; readonly totalMarginUsed: string };
  readonly assetPositions: readonly {
    readonly position: {
      readonly coin: string;
      readonly szi: string;
      readonly entryPx: string;
      readonly positionValue: string;
      readonly marginUsed: string;
      readonly leverage: { readonly type: string; readonly value: number };
      readonly unrealizedPnl: string;
      readonly liquidationPx: string | null;
      readonly cumFunding: { readonly sinceOpen: string };
    };
  }[];
}

const ONE = 10n ** 18n;

/** A quotient of integers, rounded half up to so many decimals. */
function rounded(part: bigint, whole: bigint, decimals: number): string {
  const digits = ((part * 10n ** BigInt(decimals) * 2n + whole) / (whole * 2n)).toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** A distance as the page writes it, of a fraction in hundredths of a percent. */
const awayOf = (percent: string) => (Number(percent) > 1_000 ? '> 1,000 %' : `${grouped(percent)} %`);

const grouped = (text: string) => text.replaceAll(/\B(?=(?:\d{3})+\.)/g, ',');

/** What the API reports, in integers: the worth of each wallet, and every position. */
async function reported(stack: Stack, keys: Keys, users: readonly string[], ...dexes: readonly string[]) {
  const perpsOf = (more: object) => ask<PerpSlot[]>(stack, keys, { type: 'batchClearinghouseState', users, ...more });
  const [spot, perps, ofDexes, [{ universe }, markets]] = await Promise.all([
    ask<SpotSlot[]>(stack, keys, { type: 'batchSpotClearinghouseState', users }),
    perpsOf({}),
    Promise.all(dexes.map((dex) => perpsOf({ dex }))),
    ask<[SpotMarkets, { coin: string; midPx: string | null }[]]>(stack, keys, { type: 'spotMetaAndAssetCtxs' }),
  ]);
  const mids = new Map([[0, ONE]]);
  for (const { name, tokens } of universe) {
    const [base, quote] = tokens;
    const mid = markets.find(({ coin }) => coin === name)?.midPx;
    if (base !== undefined && quote === 0 && typeof mid === 'string') mids.set(base, signed(mid));
  }
  const worths = new Map<string, bigint>();
  const parts = new Map<string, Readonly<Record<'spot' | 'equity' | 'pnl' | 'margin', bigint>>>();
  const leverages = new Map<string, string>();
  for (const [at, { user, balances, tokenToAvailableAfterMaintenance }] of spot.entries()) {
    const ofSpot = balances.reduce(
      (sum, { token, total }) => sum + (signed(total) * (mids.get(token) ?? 0n)) / ONE,
      0n,
    );
    const isUnified =
      tokenToAvailableAfterMaintenance !== undefined &&
      (await ask<string>(stack, keys, { type: 'userAbstraction', user })) === 'unifiedAccount';
    const equities = [perps, ...ofDexes].map((of) => signed(of[at]?.marginSummary.accountValue ?? '0'));
    const equity = equities.reduce((all, one) => all + one, 0n);
    worths.set(user, ofSpot + (isUnified ? 0n : equity));
    const pnls = perps[at]?.assetPositions.map(({ position }) => signed(position.unrealizedPnl)) ?? [];
    const pnl = pnls.reduce((sum, one) => sum + one, 0n);
    parts.set(user, { spot: ofSpot, equity, pnl, margin: signed(perps[at]?.marginSummary.totalMarginUsed ?? '0') });
    const values = perps[at]?.assetPositions.map(({ position }) => signed(position.positionValue)) ?? [];
    if (equity > 0n)
      leverages.set(
        user,
        rounded(
          values.reduce((sum, one) => sum + one, 0n),
          equity,
          2,
        ),
      );
  }
  const positions = perps.flatMap(({ user, assetPositions }) =>
    assetPositions.map(({ position }) => ({ user, ...position })),
  );
  return {
    worths,
    parts,
    leverages,
    positions,
    noPrice: spot.some(({ balances }) => balances.some(({ token }) => !mids.has(token))),
  };
}

const totalOf = (worths: ReadonlyMap<string, bigint>) => [...worths.values()].reduce((sum, worth) => sum + worth, 0n);

interface PerpMarkets {
  readonly universe: readonly { readonly name: string }[];
}

/** On the overview: what open positions paid and pay now, and the orders near the mid, by the API. */
async function expectMorning(page: Page, stack: Stack, keys: Keys, users: readonly string[]): Promise<void> {
  const [perps, [{ universe }, contexts], [, pairs], ...orders] = await Promise.all([
    ask<PerpSlot[]>(stack, keys, { type: 'batchClearinghouseState', users }),
    ask<[PerpMarkets, { funding: string; oraclePx: string; midPx: string | null }[]]>(stack, keys, {
      type: 'metaAndAssetCtxs',
    }),
    ask<[SpotMarkets, { coin: string; midPx: string | null }[]]>(stack, keys, { type: 'spotMetaAndAssetCtxs' }),
    ...users.map((user) =>
      ask<{ coin: string; side: string; limitPx: string; isTrigger: boolean }[]>(stack, keys, {
        type: 'frontendOpenOrders',
        user,
      }),
    ),
  ]);
  const positions = perps.flatMap(({ assetPositions }) => assetPositions.map(({ position }) => position));
  const paid = positions.reduce((sum, { cumFunding }) => sum + signed(cumFunding.sinceOpen), 0n);
  const due = positions.reduce((sum, { coin, szi }) => {
    const context = contexts[universe.findIndex(({ name }) => name === coin)];
    return sum + signed(szi) * signed(context?.oraclePx ?? '0') * signed(context?.funding ?? '0');
  }, 0n);
  const funding = page.locator('[data-part=own-funding]');
  await expect.poll(async () => signed((await funding.getAttribute('data-paid')) ?? '0')).toBe(paid);
  expect(signed((await funding.getAttribute('data-due')) ?? '0') * ONE * ONE).toBe(due);

  const rows = page.getByRole('table', { name: 'Positions by coin' }).locator('[data-row]');
  await expect(rows.first()).toBeVisible();
  const shown = await rows.evaluateAll((items) =>
    items.map((item) => ['key', 'net', 'pnl'].map((name) => item.getAttribute(`data-${name}`) ?? '')),
  );
  expect(shown.map(([, net = '', pnl = '']) => [signed(net), signed(pnl)])).toEqual(
    shown.map(([key]) => {
      const own = positions.filter(({ coin }) => coin === key);
      const net = own.map(({ szi, positionValue }) => (szi.startsWith('-') ? -1n : 1n) * signed(positionValue));
      const pnl = own.map(({ unrealizedPnl }) => signed(unrealizedPnl));
      return [net, pnl].map((amounts) => amounts.reduce((sum, one) => sum + one, 0n));
    }),
  );

  const mids = new Map(pairs.map(({ coin, midPx }) => [coin, midPx]));
  for (const [at, { name }] of universe.entries()) mids.set(name, contexts[at]?.midPx ?? null);
  const near = orders.flat().filter(({ coin, side, limitPx, isTrigger }) => {
    const mid = mids.get(coin);
    if (isTrigger || typeof mid !== 'string') return false;
    const away = side === 'B' ? signed(mid) - signed(limitPx) : signed(limitPx) - signed(mid);
    return away * 1_000n <= signed(mid);
  });
  await expect.poll(() => page.locator('[data-part=near-mid]').getAttribute('data-near')).toBe(String(near.length));
}

test('the worth of every wallet and their sum are what the API reports at mid; positions too', {
  annotation: NEW_PAGE,
}, async ({ page, stack, keys }) => {
  await stack.venue.step(40);
  await page.goto('/balances?view=value');
  const bar = page.locator('[data-part=value-sum]');
  await expect(bar).toHaveAttribute('data-total', /\d/);
  await expect(page.getByRole('button', { name: /^Refresh.*credits/ })).toBeEnabled();
  const wallets = await exampleWallets(page);
  const { worths, parts, leverages, positions, noPrice } = await reported(stack, keys, wallets);
  const sum = totalOf(worths);
  await expect.poll(async () => signed((await bar.getAttribute('data-total')) ?? '0')).toBe(sum);
  await expect(bar.locator('[data-part=value-missing]')).toHaveCount(noPrice ? 1 : 0);
  const rows = page.getByRole('grid', { name: 'Value by wallet' }).locator('[data-row]');
  await expect(rows.first()).toBeVisible();
  for (const row of (await rows.all()).slice(0, 5)) {
    const user = (await row.getAttribute('data-key')) ?? '';
    const total = await row.locator('[data-column=total] [data-amount]').getAttribute('data-amount');
    expect(signed(total ?? '0'), user).toBe(worths.get(user));
    for (const [column, value] of Object.entries(parts.get(user) ?? {})) {
      const shown = await row.locator(`[data-column=${column}] [data-amount]`).getAttribute('data-amount');
      expect(signed(shown ?? '0'), `${column} of ${user}`).toBe(value);
    }
    const leverage = leverages.get(user);
    const text = leverage === undefined ? '—' : `${grouped(leverage)}x`;
    await expect(row.locator('[data-column=leverage]'), user).toHaveText(text);
  }
  await expectNoSidewaysScroll(page);
  await expectAccessibleInBothLooks(page);

  // The perps of a builder dex are part of the worth once it is chosen.
  const dex = await page.evaluate(async () => {
    const { coins } = (await (await fetch('/session/coins')).json()) as { readonly coins: { readonly coin: string }[] };
    return coins.find(({ coin }) => coin.includes(':'))?.coin.split(':')[0] ?? '';
  });
  expect(dex).not.toBe('');
  await visit(page, `/balances?view=value&dex=${dex}`);
  const withDex = totalOf((await reported(stack, keys, wallets, dex)).worths);
  await expect.poll(async () => signed((await bar.getAttribute('data-total')) ?? '0')).toBe(withDex);
  await visit(page, '/balances?view=value');

  // What was loaded is on the overview too.
  await expect.poll(async () => signed((await bar.getAttribute('data-total')) ?? '0')).toBe(sum);
  const total = (await bar.getAttribute('data-total')) ?? '';
  await visit(page, '/');
  await expect(page.locator('[data-part=worth]')).toHaveAttribute('data-total', total);
  await expectMorning(page, stack, keys, wallets);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 2560, height: 1440 });
  const ranked = page.getByRole('table', { name: 'Wallets by worth' }).locator('tbody tr');
  await expect(ranked.first()).toBeVisible();
  const listed = await ranked.evaluateAll((rows) =>
    rows.map((row) => [
      row.getAttribute('data-key') ?? '',
      row.querySelector('[data-column=worth] [data-amount]')?.getAttribute('data-amount') ?? '',
      row.querySelector('[data-column=pnl] [data-amount]')?.getAttribute('data-amount') ?? '',
      row.querySelector('[data-column=leverage]')?.textContent,
    ]),
  );
  // A worth that is not whole comes first; what has no price is missing in it.
  for (const [user, amount, pnl, leverage] of listed) {
    const known = leverages.get(user ?? '');
    const amounts = [amount, pnl].map((text) => signed(text ?? ''));
    expect([...amounts, leverage], user ?? '').toEqual([
      worths.get(user ?? ''),
      parts.get(user ?? '')?.pnl,
      known === undefined ? '—' : `${grouped(known)}x`,
    ]);
  }
  if (!noPrice) {
    const largest = [...worths.values()].toSorted((a, b) => (a < b ? 1 : -1)).slice(0, listed.length);
    expect(listed.map(([, amount]) => signed(amount ?? ''))).toEqual(largest);
  }
  expect(listed.length).toBeGreaterThan(20);
  if (size) await page.setViewportSize(size);
  const nearest = page.locator('[data-part=nearest-liquidation]');
  await expect(nearest).toContainText(/[\d,.]+ % away$/);
  const away = await nearest.locator('.num').textContent();
  await visit(page, '/balances?view=value');
  await expect(rows.first()).toBeVisible();
  const ofWallets = await rows.evaluateAll((items) =>
    items.map((item) => [item.getAttribute('data-key'), item.querySelector('[data-column=nearest]')?.textContent]),
  );
  await page.getByText('Positions', { exact: true }).first().click();
  await expect(page).toHaveURL(/view=positions/);
  const open = page.getByRole('grid', { name: 'Open perp positions' }).locator('[data-row]');
  await expect(open.first()).toBeVisible();
  const [{ universe }, contexts] = await ask<[PerpMarkets, { markPx: string }[]]>(stack, keys, {
    type: 'metaAndAssetCtxs',
  });
  const marks = new Map(universe.map(({ name }, at) => [name, contexts[at]?.markPx]));
  const distanceOf = ({ coin, liquidationPx }: (typeof positions)[number]) => {
    const mark = signed(marks.get(coin) ?? '0');
    if (liquidationPx === null || mark === 0n) return undefined;
    const distance = mark - signed(liquidationPx);
    return rounded((distance < 0n ? -distance : distance) * 100n, mark, 2);
  };
  const distances = positions.flatMap((position) => distanceOf(position) ?? []);
  expect(away).toBe(awayOf(distances.toSorted((a, b) => Number(a) - Number(b))[0] ?? ''));
  for (const [user, text] of ofWallets) {
    const own = positions.filter((position) => position.user === user && distanceOf(position) !== undefined);
    const [first] = own.toSorted((a, b) => Number(distanceOf(a)) - Number(distanceOf(b)));
    const percent = first && (distanceOf(first) ?? '');
    const side = first?.szi.startsWith('-') ? 'short' : 'long';
    const near = Number(percent) < 10 ? '! ' : '';
    expect(text, user ?? '').toBe(percent === undefined ? '—' : `${first?.coin} ${side} ${near}${awayOf(percent)}`);
  }
  for (const row of (await open.all()).slice(0, 5)) {
    const [user, coin] = ((await row.getAttribute('data-key')) ?? '').split(' ');
    const position = positions.find((one) => one.user === user && one.coin === coin);
    const of = (column: string) => row.locator(`[data-column=${column}] [data-amount]`).getAttribute('data-amount');
    expect(await of('szi')).toBe(position?.szi);
    expect(await of('entry')).toBe(position?.entryPx);
    expect(await of('pnl')).toBe(position?.unrealizedPnl);
    expect(await of('value')).toBe(position?.positionValue);
    expect(await of('margin')).toBe(position?.marginUsed);
    expect(signed((await of('funding')) ?? '')).toBe(-signed(position?.cumFunding.sinceOpen ?? ''));
    expect(await of('mark'), coin).toBe(marks.get(coin ?? ''));
    const { value, type } = position?.leverage ?? {};
    await expect(row.locator('[data-column=leverage]')).toHaveText(`${value}x ${type}`);
    const distance = position && distanceOf(position);
    const isNear = Number(distance) < 10;
    await expect(row.locator('[data-column=distance]')).toHaveText(
      distance === undefined ? '—' : `${isNear ? '! ' : ''}${awayOf(distance)}`,
    );
    if (position?.liquidationPx) expect(await of('liquidation')).toBe(position.liquidationPx);
    else await expect(row.locator('[data-column=liquidation]')).toHaveText('—');
  }
});

test('sub-accounts are rolled up under their master, with the role and the exact sum that the API reports', {
  annotation: NEW_PAGE,
}, async ({ page, stack, keys }) => {
  const walls = (await stack.venue.wallets()).filter(({ role }) => role === 'wall').slice(0, 3);
  const users = walls.map(({ address }) => address.toLowerCase());
  const [master = '', sub = ''] = users;
  const role = await ask<{ role: string; data: { master: string } }>(stack, keys, { type: 'userRole', user: sub });
  expect(role).toEqual({ role: 'subAccount', data: { master } });
  await page.goto(`/balances?view=value&group=master&w=${users.join()}`);
  const grid = page.getByRole('treegrid', { name: 'Value by wallet' });
  const total = (key: string) =>
    grid.locator(`[data-key="${key}"] [data-column=total] [data-amount]`).getAttribute('data-amount');
  await expect(grid.locator('[data-row]')).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^Refresh.*credits/ })).toBeEnabled();
  const { worths } = await reported(stack, keys, users);
  const sum = totalOf(worths);
  expect(signed((await total(`m:${master}`)) ?? '0')).toBe(sum);
  await grid.locator('[data-toggle]').first().click();
  await expect(grid.locator('[data-row]')).toHaveCount(4);
  for (const user of users) expect(signed((await total(user)) ?? '0'), user).toBe(worths.get(user));
  const tag = grid.locator(`[data-key="${sub}"] [data-part=role]`);
  await expect(tag).toContainText('sub-account of');
  await expect(tag).toContainText(walls[0]?.name ?? '');
  await grid.locator(`[data-key="${master}"] [data-column=total]`).click();
  const chosen = grid.locator('[data-row][aria-selected=true]');
  await expect(chosen, 'not also the sum of its accounts').toHaveCount(1);
  await expect(chosen).toHaveAttribute('data-key', master);

  await page.getByText('Wallets', { exact: true }).first().click();
  const byToken = page.getByRole('treegrid', { name: 'Balances by wallet and token' });
  await expect(byToken.locator('[data-row]')).toHaveCount(1);
  await expect(byToken.locator('[data-row]')).toContainText('3 accounts');
});
