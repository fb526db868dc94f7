import type { Stack } from '@l4desk/testkit/stack';
import { units } from '../fixtures/exact.ts';
import { expectAccessibleInBothLooks, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { allowAutoLoad } from '../fixtures/price-rule.ts';
import { expect, type Keys, NEW_PAGE, test } from '../fixtures/test.ts';

interface Market {
  readonly funding: string;
  readonly openInterest: string;
  readonly prevDayPx: string;
  readonly dayNtlVlm: string;
  readonly markPx: string;
  readonly midPx: string | null;
}

/** The service's response to a program. */
async function ask<T>(stack: Stack, { apiKey }: Keys, body: object): Promise<T> {
  const response = await fetch(`${stack.url}/info`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
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

const plain = (text: string | null) => (text ?? '').replaceAll(',', '').replace('−', '-');

/** A shown number, with its sign, as integers of 10⁻¹⁸. */
function signed(text: string): bigint {
  const digits = text.replace(/[ %+]/g, '');
  return digits.startsWith('-') ? -units(digits.slice(1)) : units(digits);
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
  await expectAccessibleInBothLooks(page);
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
  await expectAccessibleInBothLooks(page);
  await page.reload();
  await desk.expectProven('BTC');
  await page.getByRole('button', { name: 'Coin: BTC' }).click();
  await expect(page.locator('[data-coin][role=option]').first()).toHaveAttribute('data-coin', 'ETH');
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
