import type { Locator, Page } from '@playwright/test';
import { expectAccessibleInBothLooks, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { expect, test } from '../fixtures/test.ts';

/** Moves the focus with Tab until it is on the element. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} is not among the stops of the keyboard`);
}

const boxesOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) =>
    all.map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return { left, top, right, bottom };
    }),
  );

test('a preset sets the columns in the address, and the menu says which they are, or that they are an own choice', async ({
  desk,
}) => {
  const { page } = desk;
  await page.setViewportSize({ width: 1440, height: 900 });
  await desk.open('BTC');
  const addressed = () => Object.fromEntries(new URL(page.url()).searchParams);
  const headings = () =>
    page.locator('[data-heading][title]').evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.heading));
  await expect.poll(headings).toEqual(['price', 'size', 'count', 'cumulative', 'notional', 'flow', 'lane']);
  await page.getByRole('button', { name: 'Columns' }).click();
  const menu = page.getByRole('dialog', { name: 'Columns' });
  await expect(menu.getByRole('radio', { name: 'All' })).toBeChecked();
  for (const [preset, columns, texts] of [
    ['Simple', ['price', 'size', 'cumulative', 'lane'], { n: '0', cum: '1', ntl: 'none', flow: '0', lane: '1' }],
    ['Flow', ['price', 'size', 'flow', 'lane'], { n: '0', cum: '0', ntl: 'none', flow: '1', lane: '1' }],
    ['Queue', ['price', 'size', 'count', 'lane'], { n: '1', cum: '0', ntl: 'none', flow: '0', lane: '1' }],
  ] as const) {
    await menu.getByText(preset, { exact: true }).click();
    await expect.poll(addressed).toMatchObject(texts);
    await expect.poll(headings).toEqual(columns);
  }
  await expect(menu.getByRole('group', { name: 'Preset', exact: true })).toBeVisible();
  await menu.getByText('More', { exact: true }).click();
  await menu.getByRole('checkbox', { name: 'Orders (n)' }).uncheck();
  await expect(menu.getByRole('group', { name: 'Preset: own choice' })).toBeVisible();
  await expect.poll(headings).toEqual(['price', 'size', 'lane']);
  await page.keyboard.press('Escape');
  // The columns are those of the address, and the single ones are in view at once.
  await page.goto('/book/BTC?n=1&cum=1&ntl=none&flow=0&lane=0');
  await page.getByRole('button', { name: 'Columns' }).click();
  await expect(menu.getByRole('checkbox', { name: 'Queue lane' })).not.toBeChecked();
});

test('the legend is drawn over the page: each label whole, none over another, and the keys are a press away', async ({
  desk,
}) => {
  const { page } = desk;
  await page.setViewportSize({ width: 1440, height: 900 });
  await desk.open('BTC');
  await expect(page.locator('[data-heading=bar]')).toHaveCount(1);
  // The market is stopped: what comes later moves no row, after which the legend would explain it too.
  for (const part of ['price-map', 'scrubber']) await expect(page.locator(`[data-part=${part}]`)).toBeVisible();
  await page.keyboard.press('?');
  const legend = page.getByRole('dialog', { name: 'Legend' });
  for (const name of ['Price', 'Queue', 'Marks', 'Mid bar', 'Sweep', 'Ruler', 'Price map', 'Tape', 'State', 'Time'])
    await expect(legend.locator(`[data-label="${name}"]`)).toBeVisible();
  const boxes = await boxesOf(page, '[data-part=legend] li');
  for (const [at, box] of boxes.entries()) {
    expect(
      Math.min(box.left, box.top, 1440 - box.right, 900 - box.bottom),
      `label ${at} is whole`,
    ).toBeGreaterThanOrEqual(0);
    const over = boxes.slice(0, at).filter((other) => {
      return box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom;
    });
    expect(over, `label ${at} covers none before it`).toEqual([]);
  }
  await expectAccessibleInBothLooks(page, '[data-part=legend]');
  await page.keyboard.press('Escape');
  await expect(legend).toHaveCount(0);

  await page.keyboard.press('?');
  await legend.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toContainText('Explain this page');
  await expect(legend).toHaveCount(0);
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 380, height: 800 });
  await page.keyboard.press('?');
  await expect(legend).toContainText('drag up to buy, down to sell');
  await expectNoSidewaysScroll(page);
});

test('what a title explains opens at the focus of the keyboard, and at a finger that taps a figure or a heading, or rests on a control', async ({
  desk,
}) => {
  const { page } = desk;
  await page.setViewportSize({ width: 1440, height: 900 });
  await desk.open('BTC', '?pane=owners');
  const hint = page.getByRole('tooltip');
  await tabTo(page, '[aria-label="Price and market"]');
  await expect(hint).toContainText(/^Mid: between the best bid .*\nSpread: best ask minus best bid/);
  await expect(hint).toContainText("mark: mark price; the oracle's is");
  await page.keyboard.press('Escape');
  await expect(hint).toHaveCount(0);
  await tabTo(page, '[aria-label="Columns of the ladder"]');
  await expect(hint).toContainText('n: number of orders at the price');
  await tabTo(page, '[aria-label="Figures"]');
  await expect(hint).toContainText('±10 bps: imbalance of what rests this near to the mid');
  const box = await hint.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0), 'above the lower edge').toBeLessThanOrEqual(900);
  // A heading of a table is one step above its rows.
  await page.getByRole('grid', { name: 'Asks by wallet' }).press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  await expect(hint).toHaveText("Part of this side's size within the distance");
  await page.keyboard.press('ArrowDown');
  await expect(hint).toHaveCount(0);

  await touch(page.locator('[data-part=price]'));
  await expect(hint).toContainText('Mid: between the best bid and the best ask');
  await touch(page.locator('[data-heading=size]'));
  await expect(hint).toContainText('size: what rests at the price');
  await touch(page.locator('[data-part=counts]'));
  await expect(hint).toHaveCount(0);
  await touch(page.getByRole('button', { name: 'Recentre' }), true);
  await expect(hint).toContainText('Recentre (Space)');
  await touch(page.getByRole('grid', { name: 'Asks by wallet' }).locator('[data-wallet]').first(), true);
  await expect(page.locator('[data-part=context-menu]')).toBeVisible();
});

/** A finger that touches, and is lifted unless it rests. */
async function touch(target: Locator, rests = false): Promise<void> {
  const box = await target.boundingBox();
  if (box === null) throw new Error(`${String(target)} is not on the page`);
  const finger = { pointerType: 'touch', isPrimary: true, clientX: box.x + 4, clientY: box.y + 4 };
  await target.dispatchEvent('pointerdown', finger);
  if (!rests) await target.dispatchEvent('pointerup', finger);
}
