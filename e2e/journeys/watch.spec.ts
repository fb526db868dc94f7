import type { VenueBook } from '@l4desk/testkit/stack';
import type { Page } from '@playwright/test';
import { canonical, type Side, units } from '../fixtures/exact.ts';
import { expect, test } from '../fixtures/test.ts';

/** The wallet of which the most orders are new in the second of two books. */
function busiest(before: VenueBook, after: VenueBook): string {
  const known = new Set(before.levels.flat().map(({ oid }) => oid));
  const fresh = new Map<string, number>();
  for (const { oid, user } of after.levels.flat())
    if (!known.has(oid)) fresh.set(user.toLowerCase(), (fresh.get(user.toLowerCase()) ?? 0) + 1);
  return [...fresh].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? '';
}

/** What a wallet rests on each side, in exact units. */
function restingOf(book: VenueBook, user: string): Readonly<Record<Side, bigint>> {
  const [B, A] = book.levels.map((orders) =>
    orders.filter((order) => order.user.toLowerCase() === user).reduce((sum, { sz }) => sum + units(sz), 0n),
  );
  return { B: B ?? 0n, A: A ?? 0n };
}

/** Records the toasts about placed orders from now on, because each is shown for a few seconds only, with what is around it. */
function recordToasts(page: Page) {
  return page.evaluateHandle(() => {
    const seen: { text: string; bottom: number; right: number; strips: number[] }[] = [];
    const look = () => {
      for (const toast of document.querySelectorAll('output[aria-live=polite]')) {
        const text = toast.textContent ?? '';
        if (!text.includes('placed')) continue;
        const { bottom, right } = toast.getBoundingClientRect();
        const strips = [...document.querySelectorAll('[data-part=strip]')];
        seen.push({ text, bottom, right, strips: strips.map((strip) => strip.getBoundingClientRect().top) });
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    return seen;
  });
}

test('by keyboard: a rule on a watched wallet fires with the block in which it places, and the journal keeps it', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&pane=watch');
  const quiet = await stack.venue.book('BTC');
  await stack.venue.step(20);
  let before = await stack.venue.book('BTC');
  const user = busiest(quiet, before);
  await expect(desk.grid).toHaveAttribute('data-height', String(before.height));
  const form = page.getByRole('form', { name: 'New watch rule' });
  await expect(form).toContainText('A rule watches a book while it is open in a ladder or a window.');
  await form.getByLabel('Rule').selectOption('placed');
  await form.getByRole('combobox', { name: 'Wallet' }).fill(user);
  await form.getByRole('textbox', { name: 'Size at least' }).fill('0.00001');
  await form.getByRole('button', { name: 'Add' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Watch rules' }).getByRole('listitem')).toHaveCount(1);

  const toasts = await recordToasts(page);
  // One block at a time, until the wallet rests more on a side than before.
  const grown: { readonly side: string; readonly sz: string }[] = [];
  while (grown.length === 0) {
    await stack.venue.step(1);
    const after = await stack.venue.book('BTC');
    const [was, is] = [restingOf(before, user), restingOf(after, user)];
    if (is.B > was.B) grown.push({ side: 'bid', sz: canonical(is.B - was.B) });
    if (is.A > was.A) grown.push({ side: 'ask', sz: canonical(is.A - was.A) });
    before = after;
  }
  await expect.poll(async () => (await toasts.jsonValue()).length).toBeGreaterThan(0);
  const [first] = await toasts.jsonValue();
  expect(first?.text).toMatch(/^BTC: .+ placed [\d,.]+ on the (?:bid|ask) side/);
  expect(first?.strips).toHaveLength(2);
  expect(first?.bottom).toBeLessThan(Math.min(...(first?.strips ?? [])));
  const [, sz = '', side] = /placed ([\d,.]+) on the (bid|ask) side/.exec(first?.text ?? '') ?? [];
  expect(grown).toContainEqual({ side, sz: canonical(sz.replaceAll(',', '')) });

  await page.getByRole('tab', { name: 'Journal', exact: true }).click();
  const hits = page.getByRole('list', { name: 'Journal' }).locator('[data-kind=watch]');
  await expect(hits).toHaveCount(grown.length);
  await expect(hits.first()).toContainText(/watch: .+ placed/);
  await expect(page.locator('[data-part=journal-counts]')).toContainText(
    grown.length === 1 ? '1 watch hit' : '2 watch hits',
  );

  // Without a pane, the notice that only one wallet is shown is below the toasts, and the panes' tabs are beside them.
  await desk.open('BTC', `?tick=1&pane=none&only=${user}`);
  const notice = page.locator('[data-part=only]');
  await expect(notice).toBeVisible();
  const rail = page.locator('[data-part=rail]');
  await expect(rail).toBeVisible();
  const later = await recordToasts(page);
  const isFree = async () => {
    await stack.venue.step(1);
    const seen = (await later.jsonValue()).at(-1);
    const { y = Number.NaN } = (await notice.boundingBox()) ?? {};
    const { x = Number.NaN } = (await rail.boundingBox()) ?? {};
    return seen !== undefined && seen.bottom < y && seen.right < x;
  };
  await expect.poll(isFree, { intervals: [100] }).toBe(true);
});
