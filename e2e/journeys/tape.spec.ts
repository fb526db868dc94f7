import type { Page } from '@playwright/test';
import { canonical, plain, units } from '../fixtures/exact.ts';
import { expectAccessibleInBothLooks } from '../fixtures/looks.ts';
import { paneRows } from '../fixtures/pane-rows.ts';
import { expect, test } from '../fixtures/test.ts';

interface Entry {
  readonly coin: string;
  readonly order_statuses: readonly { readonly status: string; readonly order: { readonly oid: number } }[];
  readonly book_diffs: readonly {
    readonly oid: number;
    readonly user: string;
    readonly side: 'B' | 'A';
    readonly raw_book_diff:
      | 'remove'
      | {
          readonly new?: { readonly sz: string };
          readonly update?: { readonly origSz: string; readonly newSz: string };
        };
  }[];
}

interface Batch {
  readonly time: number;
  readonly block_height: number;
  readonly book_diffs: readonly Entry[];
}

/** Collects what the service's stream sends of BTC, as a program would: with the statuses of the orders that changed. Returns the last `count` batches. */
async function listen(page: Page): Promise<(count?: number) => Promise<readonly Batch[]>> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const received: unknown[] = [];
        Object.assign(window, { received });
        const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws`);
        socket.addEventListener('open', () =>
          socket.send(
            JSON.stringify({
              method: 'subscribe',
              subscription: { type: 'l4BookUpdates', coin: 'BTC', statuses: 'book' },
            }),
          ),
        );
        socket.addEventListener('message', ({ data }) => {
          const message = JSON.parse(String(data)) as { readonly channel: string; readonly data: { Updates: unknown } };
          if (message.channel === 'subscriptionResponse') resolve();
          if (message.channel === 'l4BookUpdates') received.push(message.data.Updates);
        });
      }),
  );
  return (count = 1_000) =>
    page.evaluate((last) => (window as unknown as { received: Batch[] }).received.slice(-last), count);
}

/** What was executed in a block, by the taker's side: `buy 1.5 in 3 · 2`. Computed from the stream alone. */
function executedIn({ book_diffs }: Batch, sizes: Map<number, bigint>): readonly string[] {
  const taken = new Map<string, { sz: bigint; readonly orders: Set<number>; readonly owners: Set<string> }>();
  for (const { order_statuses, book_diffs: diffs } of book_diffs) {
    for (const [place, { oid, user, side, raw_book_diff }] of diffs.entries()) {
      const before = sizes.get(oid) ?? 0n;
      const update = raw_book_diff === 'remove' ? { newSz: '0' } : (raw_book_diff.update ?? raw_book_diff.new);
      const after = units((update as { newSz?: string; sz?: string }).newSz ?? (update as { sz: string }).sz);
      sizes.set(oid, after);
      const words = order_statuses.filter(({ order, status }) => order.oid === oid && status !== 'open');
      const leaves = diffs.slice(place + 1).some((later) => later.oid === oid && later.raw_book_diff === 'remove');
      const isFilled = words.length === 0 || words.some(({ status }) => status === 'filled');
      if (after >= before || !(isFilled || (raw_book_diff !== 'remove' && leaves))) continue;
      const taker = side === 'A' ? 'buy' : 'sell';
      const own = taken.get(taker) ?? { sz: 0n, orders: new Set(), owners: new Set() };
      own.sz += before - after;
      own.orders.add(oid);
      own.owners.add(user.toLowerCase());
      taken.set(taker, own);
    }
  }
  return [...taken].map(
    ([side, { sz, orders, owners }]) => `${side} ${canonical(sz)} in ${orders.size} · ${owners.size}`,
  );
}

/** By how much the resting size grew in a block, computed from the stream alone. */
function grownIn({ book_diffs }: Batch, sizes: Map<number, bigint>): bigint {
  let grown = 0n;
  for (const { oid, raw_book_diff } of book_diffs.flatMap(({ book_diffs: diffs }) => diffs)) {
    const before = sizes.get(oid) ?? 0n;
    const after = raw_book_diff === 'remove' ? 0n : units(raw_book_diff.update?.newSz ?? raw_book_diff.new?.sz ?? '0');
    sizes.set(oid, after);
    grown += after - before;
  }
  return grown;
}

/** The same by what a line of the tape says of its block: `+ added 3 changes, 0.5` and so on. */
function grownBy(said: string): bigint {
  const kinds = [...said.matchAll(/^([+−×↻↺]) [\w ]+\*? [\d,]+ changes?, ([\d,.]+)$/gm)];
  return kinds.reduce((sum, [, sign = '', sz = '']) => sum + (/[+↻]/.test(sign) ? 1n : -1n) * units(plain(sz)), 0n);
}

test('the tape lists prints: one line a block and side, with the sizes, orders and owners that the stream reports', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&pane=tape');
  const batches = await listen(page);
  const sizes = new Map((await stack.venue.book('BTC')).levels.flat().map(({ oid, sz }) => [oid, units(sz)]));
  const before120 = [...sizes];
  const height = await stack.venue.step(120);
  const tape = page.locator('[data-part=tape]');
  await expect(tape).toHaveAttribute('data-height', String(height));
  await expect.poll(async () => (await batches(1))[0]?.block_height).toBe(height);
  const clock = (time: number) => new Date(time).toISOString().slice(11, 23);
  const received = await batches();
  const expected = received.flatMap((batch) =>
    executedIn(batch, sizes).map((print) => `${clock(batch.time)} ${print}`),
  );
  expect(expected.length, 'something was executed').toBeGreaterThan(3);
  const grid = page.getByRole('grid', { name: 'Prints, newest first' });
  const listed = async () =>
    (await paneRows(grid)).rows.map(({ time, side, sz, took }) => {
      const size = canonical(plain(sz ?? '').replace('◆ ', ''));
      return `${time} ${side} ${size} in ${took}`;
    });
  await expect(async () => {
    const shown = await listed();
    // Two sides of a block may be listed in either order; the last row may be one of two.
    const newest = expected.slice(-shown.length + 1);
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.slice(0, newest.length).sort()).toEqual(newest.sort());
  }).toPass();
  await expect(grid.locator('[data-column=px]').first()).toContainText(/^[\d,.]+/);
  await expectAccessibleInBothLooks(page, '[data-part=tape]');

  // A press shows the book right after the print; all events are the second choice.
  const blockOf = async (row: number) =>
    (await grid.locator(`[data-row="${row}"]`).getAttribute('data-key'))?.split(' ')[0];
  const block = await blockOf(2);
  await grid.locator('[data-row="2"] [data-column=sz]').click();
  await expect(page.locator('[data-part=shown-block]')).toHaveAttribute('data-frozen', 'true');
  await expect.poll(() => blockOf(0)).toBe(block);
  await page.keyboard.press('l');
  await tape.getByText('All events', { exact: true }).click();
  await expect(page).toHaveURL(/tape=events/);
  // Single changes would be too many to read: a block is one line, with everything that the stream reports of it.
  const blocks = page.getByRole('grid', { name: 'Blocks, newest first' });
  await expect(tape.locator('[data-part=other-block]')).toHaveText(/^by block, [\d,]+\/s\s*$/);
  const before = new Map(before120);
  const grown = new Map(received.map((batch) => [clock(batch.time), grownIn(batch, before)]));
  const said = await blocks
    .locator('[data-row] [data-column=time]')
    .evaluateAll((cells) => cells.map((cell) => [cell.textContent, cell.closest('[title]')?.getAttribute('title')]));
  expect(said.length).toBeGreaterThan(8);
  for (const [time, title] of said) expect([time, grownBy(title ?? '')]).toEqual([time, grown.get(time ?? '')]);
  await expectAccessibleInBothLooks(page, '[data-part=tape]');

  // A press shows the book after that block, and single changes while it is held.
  const line = blocks.locator('[data-row="3"]');
  const place = (await line.getAttribute('data-key'))?.split(' ')[0];
  await line.locator('[data-column=time]').click();
  const changes = page.getByRole('grid', { name: 'Changes, newest first' });
  await expect(changes.locator('[data-row="0"]')).toHaveAttribute('data-key', new RegExp(`^${place} `));
  await expect(page.locator('[data-part=shown-block]')).toHaveAttribute('data-frozen', 'true');
});

test('without a chosen order, the order pane shows the order of a watched wallet that changed last', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&pane=order');
  const pane = page.locator('[data-part=passport]');
  const batches = await listen(page);
  const watchedNow = () =>
    page.evaluate(() => {
      const kept = Object.entries(localStorage).flatMap(([, value]) => String(value).match(/0x[\da-f]{40}/gi) ?? []);
      return kept.map((address) => address.toLowerCase());
    });
  // The demo's wallets are added after the first page.
  await expect.poll(watchedNow).not.toEqual([]);
  const watched = new Set(await watchedNow());
  /** The orders of watched wallets that changed in the newest blocks: each is shown for two seconds of the market at least. */
  const changedLately = async () => {
    const diffs = (await batches(40)).flatMap(({ book_diffs }) => book_diffs);
    const changed = diffs.flatMap(({ book_diffs }) => book_diffs).filter(({ user }) => watched.has(user.toLowerCase()));
    return changed.map(({ oid }) => String(oid));
  };
  await expect(async () => {
    const height = await stack.venue.step(40);
    await expect(pane).toHaveAttribute('data-height', String(height));
    expect(await changedLately()).toContain(await pane.getAttribute('data-oid'));
  }).toPass();
  await expect(pane).toHaveAttribute('data-following', 'true');
  await page.keyboard.press('p');
  await expect(pane).toContainText('changed last');
  await expect(pane).toContainText(/in the shown book/);
  await expectAccessibleInBothLooks(page, '[data-part=panel]');
  const keep = pane.getByRole('button', { name: 'Keep' });
  await keep.focus();
  // The held book may still be coming, and with it another order: the one that is shown at the press is kept.
  const oid = await pane.evaluate((element) => {
    const { oid: shown } = (element as HTMLElement).dataset;
    (document.activeElement as HTMLElement).click();
    return shown;
  });
  await expect(page).toHaveURL(new RegExp(`order=${oid}`));
  await expect(pane).toHaveAttribute('data-following', 'false');
  await expect(keep).toBeFocused();
  await keep.press('Enter');
  await expect(pane).toHaveAttribute('data-following', 'true');
  await expect(pane).toHaveAttribute('data-oid', /\d/);
  await expect(keep).toBeFocused();
});
