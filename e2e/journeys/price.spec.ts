import type { Stack } from '@l4desk/testkit/stack';
import type { Locator, Page } from '@playwright/test';
import { ask } from '../fixtures/ask.ts';
import { colourOf } from '../fixtures/colour.ts';
import { canonical, plain, signed, units } from '../fixtures/exact.ts';
import { expectAccessibleInBothLooks, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { paneRows } from '../fixtures/pane-rows.ts';
import { allowAutoLoad } from '../fixtures/price-rule.ts';
import { expect, type Keys, NEW_PAGE, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

interface Market {
  readonly funding: string;
  readonly openInterest: string;
  readonly prevDayPx: string;
  readonly dayNtlVlm: string;
  readonly markPx: string;
  readonly midPx: string | null;
}

async function marketOf(stack: Stack, keys: Keys, coin: string): Promise<Market> {
  const [meta, markets] = await ask<[{ readonly universe: readonly { readonly name: string }[] }, readonly Market[]]>(
    stack,
    keys,
    { type: 'metaAndAssetCtxs' },
  );
  const market = markets[meta.universe.findIndex(({ name }) => name === coin)];
  if (market === undefined) throw new Error(`no market of ${coin}`);
  return market;
}

/** Percent of a fraction, computed in integers: 1.25 for 0.0125. */
const percentOf = (part: bigint, whole: bigint) => Number((part * 1_000_000n) / whole) / 10_000;

test('the price, its direction and the spread are those of the book; the rest of the line is what the API reports', async ({
  desk,
  stack,
  keys,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1');
  const price = page.locator('[data-part=price]');
  const fact = (name: string) => page.locator(`[data-part=price-line] [data-fact="${name}"] dd`);
  /** Expects the price of the exchange's book; returns its mid in tenths of a tick. */
  const expectPrice = async () => {
    const [bids, asks] = (await stack.venue.book('BTC')).levels;
    const bid = units(bids[0]?.limitPx ?? '');
    const ask = units(asks[0]?.limitPx ?? '');
    const shown = async (part: string) =>
      /[\d.]+/.exec(plain(await page.locator(`[data-part=${part}]`).textContent()))?.[0];
    await expect.poll(async () => signed((await shown('price')) ?? '0')).toBe((bid + ask) / 2n);
    await expect.poll(async () => signed((await shown('price-spread')) ?? '0')).toBe(ask - bid);
    return (bid + ask) / 2n;
  };
  let before = await expectPrice();
  for (let moved = 0; moved < 5; moved += 1) {
    const height = await stack.venue.step(15);
    await expect.poll(async () => (await desk.proof()).height).toBe(height);
    const now = await expectPrice();
    if (now !== before) await expect(price).toHaveAttribute('data-direction', /up|down/);
    before = now;
  }

  await page.getByRole('button', { name: 'Refresh market data' }).click();
  const market = await marketOf(stack, keys, 'BTC');
  await expect.poll(async () => plain(await fact('mark').textContent())).toBe(market.markPx);
  expect(plain(await fact('open interest').textContent())).toBe(market.openInterest);
  expect(plain(await fact('volume 24 h').textContent())).toBe(`${market.dayNtlVlm.split('.')[0]} USDC`);
  expect(signed(plain(await fact('funding').textContent()))).toBe(signed(market.funding) * 100n);
  const [mark, then] = [units(market.markPx), units(market.prevDayPx)];
  const change = plain(await fact('24 h').textContent());
  expect(Number(change.replace(/[ %+]/g, ''))).toBeCloseTo(percentOf(mark - then, then), 2);
  await expectNoSidewaysScroll(page);
  await expectAccessibleInBothLooks(page, '[data-part=price-line]');
});

test('the coin picker shows price, change, volume and funding of every coin, favourites first', {
  annotation: NEW_PAGE,
}, async ({ desk, stack, keys }) => {
  const { page } = desk;
  await desk.open('BTC');
  await page.getByRole('button', { name: 'Coin: BTC' }).click();
  await page.getByRole('button', { name: /^Reload prices/ }).click();
  const option = page.locator('[data-coin=ETH]');
  const market = await marketOf(stack, keys, 'ETH');
  await expect.poll(async () => plain(await option.locator('[data-fact=price]').textContent())).toBe(market.midPx);
  expect(plain(await option.locator('[data-fact=volume]').textContent())).toBe(market.dayNtlVlm.split('.')[0]);
  await option.locator('[data-part=favourite]').click();
  await expect(page.locator('[data-coin][role=option]').first()).toHaveAttribute('data-coin', 'ETH');
  await page.reload();
  await desk.expectProven('BTC');
  await page.getByRole('button', { name: 'Coin: BTC' }).click();
  await expect(page.locator('[data-coin][role=option]').first()).toHaveAttribute('data-coin', 'ETH');
});

test('in a narrow window each of the market’s figures is shown whole or not at all', async ({ desk }) => {
  const { page } = desk;
  await desk.open('BTC');
  await page.getByRole('button', { name: 'Refresh market data' }).click();
  await expect(page.locator('[data-fact=mark]')).toHaveCount(1);
  for (const width of [320, 400]) {
    await page.setViewportSize({ width, height: 800 });
    const shown = await page.locator('[data-part=price-line] dl').evaluate((line) => {
      const { right, bottom } = line.getBoundingClientRect();
      const facts = Array.from(line.children, (fact) => fact.getBoundingClientRect());
      return facts.filter(({ top }) => top < bottom).map((fact) => fact.right - right);
    });
    expect(Math.max(0, ...shown), `cut at ${width} px`).toBeLessThan(1);
  }
});

test('when nothing may be spent automatically, the market is loaded by a press that shows its price', {
  annotation: NEW_PAGE,
}, async ({ desk, visitor }) => {
  await allowAutoLoad(visitor, 0);
  const { page } = desk;
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/info') && request.postData()?.includes('metaAndAssetCtxs') === true) asked += 1;
  });
  await desk.open('ETH');
  await expect(page.locator('[data-part=price]')).toBeVisible();
  await expect(page.locator('[data-fact=mark]')).toHaveCount(0);
  expect(asked).toBe(0);
  await page.getByRole('button', { name: 'Refresh market data' }).click();
  await expect(page.locator('[data-fact=mark]')).toBeVisible();
  expect(asked).toBe(1);
});

interface Resting {
  readonly user: string;
  readonly limitPx: string;
  readonly sz: string;
}

/** The most size that one wallet rests with at one of these prices, and the wallets that do. */
function largestOwner(orders: readonly Resting[], from: bigint, to: bigint) {
  const sizes = new Map<string, bigint>();
  for (const { user, limitPx, sz } of orders) {
    if (units(limitPx) < from || units(limitPx) > to) continue;
    const key = `${user.toLowerCase()} ${canonical(units(limitPx))}`;
    sizes.set(key, (sizes.get(key) ?? 0n) + units(sz));
  }
  const most = [...sizes.values()].reduce((largest, sz) => (sz > largest ? sz : largest), 0n);
  return { sz: most, users: [...sizes].filter(([, sz]) => sz === most).map(([key]) => key.split(' ')[0]) };
}

test('the map of prices reads the size of the book at a price and block, by pointer and by keyboard; a press travels there', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&pane=price');
  const pane = page.locator('[data-part=price-map]');
  const map = pane.getByRole('button', { name: 'Map of prices over time' });
  const books = new Map<number, Awaited<ReturnType<typeof stack.venue.book>>>();
  books.set((await stack.venue.state()).height, await stack.venue.book('BTC'));
  const step = async (count: number) => {
    for (let block = 0; block < count; block += 1) {
      const height = await stack.venue.step(1);
      books.set(height, await stack.venue.book('BTC'));
    }
  };
  await step(30);
  await expect(pane.locator('[data-part=price-summary]')).toContainText(
    /^mid [\d,.]+ to [\d,.]+ · high .* · \d+ prints? · /,
  );
  // Text and surfaces are nearly grey.
  await expect.poll(() => colourOf(map)).toBeGreaterThan(20);

  const readout = pane.locator('[data-part=price-readout]');
  /** Expects the sizes that are read to be those of the exchange's book at that block; returns the block. */
  const expectSizes = async () => {
    await expect(readout).toBeVisible();
    // All of it at once: the next block may draw another readout.
    const { read, largest } = await readout.evaluate((element) => {
      const { user, sz } = element.querySelector<HTMLElement>('[data-part=price-largest]')?.dataset ?? {};
      return { read: Object.assign({}, (element as HTMLElement).dataset), largest: { user, sz } };
    });
    const { height, from = '', to = '', known } = read;
    const book = books.get(Number(height));
    expect([...books.keys()]).toContain(Number(height));
    expect(known).toBe('true');
    const sizes = book?.levels.map((orders) =>
      orders
        .filter(({ limitPx }) => units(limitPx) >= units(from) && units(limitPx) <= units(to))
        .reduce((sum, { sz }) => sum + units(sz), 0n),
    );
    expect([units(read.bid ?? '0'), units(read.ask ?? '0')]).toEqual(sizes);
    const most = largestOwner(book?.levels.flat() ?? [], units(from), units(to));
    expect(units(largest.sz ?? '0')).toBe(most.sz);
    if (most.sz > 0n) expect(most.users).toContain(largest.user?.toLowerCase());
    return { height: Number(height), isEmpty: read.bid === undefined && read.ask === undefined };
  };
  const { width, height } = (await map.boundingBox()) ?? { width: 0, height: 0 };
  let filled = 0;
  for (const share of [0.46, 0.54]) {
    await map.hover({ position: { x: width - 6, y: height * share } });
    if (!(await expectSizes()).isEmpty) filled += 1;
  }
  expect(filled).toBeGreaterThan(0);

  // The demo's wallets are watched: the row beside a wallet's mark holds orders of it.
  const [mark, box] = await Promise.all([
    pane.locator('[data-part=price-own]').first().boundingBox(),
    map.boundingBox(),
  ]);
  const row = (mark?.y ?? 0) + (mark?.height ?? 0) / 2 - (box?.y ?? 0);
  await map.hover({ position: { x: width - 3, y: row } });
  await expectSizes();
  await expect(readout).toHaveAttribute('data-own', /^0\.\d+$|^[1-9]/);

  await map.focus();
  await page.mouse.move(0, 0);
  await expect(readout).toHaveCount(0);
  await pressAndSeeReadout(page, pane, 'ArrowLeft');
  const before = await expectSizes();
  await pressAndSeeReadout(page, pane, 'ArrowLeft');
  const { height: chosen } = await expectSizes();
  expect(chosen).toBeLessThan(before.height);
  await pressAndSeeReadout(page, pane, 'ArrowUp');
  await expectSizes();
  await expectAccessibleInBothLooks(page, '[data-part=price-map]');
  await page.keyboard.press('Enter');
  await expect(desk.grid).toHaveAttribute('data-height', String(chosen));
  await expect(page.locator('[data-part=time]')).toHaveAttribute('data-frozen', 'true');

  // A press travels too, while the book is held; and the market goes on meanwhile.
  await step(5);
  await map.click({ position: { x: width - 6, y: height / 2 } });
  await expect(desk.grid).not.toHaveAttribute('data-height', String(chosen));
  const last = await expectSizes();
  await expect(desk.grid).toHaveAttribute('data-height', String(last.height));

  // A drag selects a span of time: what changed from its first block to its last one, which is shown.
  const startX = (await map.boundingBox())?.x ?? 0;
  const y = ((await map.boundingBox())?.y ?? 0) + height / 2;
  await page.mouse.move(startX + width * 0.4, y);
  const left = () =>
    pane
      .locator('[data-part=price-crosshair] > .border-l')
      .evaluateAll(([line]) => Number.parseFloat((line as HTMLElement).style.left));
  await expect.poll(async () => Math.abs((await left()) - width * 0.4)).toBeLessThanOrEqual(2);
  const { height: first } = await expectSizes();
  await page.mouse.down();
  await page.mouse.move(startX + width * 0.9, y, { steps: 4 });
  await expect(readout).toContainText('what changed from');
  await expect.poll(async () => Math.abs((await left()) - width * 0.9)).toBeLessThanOrEqual(2);
  const final = Number(await readout.getAttribute('data-height'));
  expect(final).toBeGreaterThan(first);
  await page.mouse.up();
  const difference = page.locator('[data-part=difference]');
  await expectDifference(difference, first, final);
  await expect(desk.grid).toHaveAttribute('data-height', String(final));
  const levels = difference.getByRole('grid', { name: 'Levels that differ' }).locator('[data-row]');
  await expect(levels.first()).toBeVisible();
  const sizesOf = (at: number) => {
    const sizes = new Map<string, bigint>();
    for (const [side, orders] of (books.get(at)?.levels ?? []).entries()) {
      for (const { limitPx, sz } of orders) {
        const key = `${side === 0 ? 'bid' : 'ask'} ${canonical(units(limitPx))}`;
        sizes.set(key, (sizes.get(key) ?? 0n) + units(sz));
      }
    }
    return sizes;
  };
  const [then, now] = [sizesOf(first), sizesOf(final)];
  const shown = await paneRows(difference.getByRole('grid', { name: 'Levels that differ' }));
  expect(shown.rows.length).toBeGreaterThan(3);
  for (const { side, px = '', sz = '' } of shown.rows) {
    const key = `${side} ${canonical(units(plain(px).trim()))}`;
    expect([key, signed(plain(sz).trim())]).toEqual([key, (now.get(key) ?? 0n) - (then.get(key) ?? 0n)]);
  }

  await page.setViewportSize({ width: 380, height: 720 });
  await visit(page, '/book/BTC?tick=1&pane=price');
  await expect(map).toBeVisible();
  await expectNoSidewaysScroll(page);
});

/** Presses a key and waits until something else is read than before. */
async function pressAndSeeReadout(page: Page, pane: Locator, key: string): Promise<void> {
  const read = () => pane.locator('output').evaluateAll(([element]) => element?.textContent);
  const before = await read();
  await page.keyboard.press(key);
  await expect.poll(read).not.toBe(before);
}

async function expectDifference(difference: Locator, from: number, to: number): Promise<void> {
  await expect(difference).toHaveAttribute('data-from', String(from));
  await expect(difference).toHaveAttribute('data-to', String(to));
}

test('below the map of prices are whole times, none over another, on a narrow and on a wide screen', {
  annotation: NEW_PAGE,
}, async ({ desk, stack }) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&pane=price');
  await stack.venue.step(400);
  const ticks = page.locator('[data-part=price-times] [data-time]');
  for (const width of [380, 1440]) {
    await page.setViewportSize({ width, height: 1000 });
    await expect
      .poll(() => ticks.evaluateAll((all) => all.filter((tick) => tick.textContent !== '').length), {
        message: `${width}`,
      })
      .toBeGreaterThan(0);
    // After another size, until it is painted, the axis is that of the last one.
    await expect(async () => {
      const written = await page.locator('[data-part=price-times]').evaluate((line) =>
        [...line.querySelectorAll('span')]
          .filter(({ childElementCount, textContent }) => childElementCount === 0 && textContent !== '')
          .flatMap((label) => {
            const [box] = label.getClientRects();
            const time = label.parentElement?.dataset.time;
            return box === undefined ? [] : { text: label.textContent, time, left: box.left, right: box.right };
          })
          .sort((a, b) => a.left - b.left),
      );
      for (const [at, { left, text }] of written.slice(1).entries())
        expect(left, `${text} at ${width} px`).toBeGreaterThanOrEqual(written[at]?.right ?? 0);
      for (const { text, time } of written.filter((label) => label.time !== undefined))
        expect(new Date(Number(time)).toISOString().slice(11, 19)).toBe(text.padEnd(8, ':00'));
    }).toPass();
  }
});
