import { readFile } from 'node:fs/promises';
import { Stack } from '@l4desk/testkit/stack';
import type { Page } from '@playwright/test';
import { BookPage, type Twin } from '../fixtures/book-page.ts';
import { closeMenu } from '../fixtures/menus.ts';
import { createKey, expect, NEW_PAGE, PATIENT, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

/** Drops a file on the page, as a user would. */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const data = await page.evaluateHandle(
    ({ file, text }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], file));
      return transfer;
    },
    { file: name, text: bytes.toString('base64') },
  );
  await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
  await expect(page.getByLabel('Drop target')).toBeVisible();
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

/** Expects rows that are visible both now and then to be unchanged. */
async function expectRowsOf(desk: BookPage, { height, rows }: Twin): Promise<void> {
  // Read at once: the live book may have had the same height until a moment ago.
  let twin = await desk.twin();
  await expect.poll(async () => (twin = await desk.twin()).height).toBe(height);
  const before = new Map(rows.map((row) => [`${row.side}${row.px}`, row]));
  const again = twin.rows.filter(({ side, px }) => before.has(`${side}${px}`));
  expect(again.length).toBeGreaterThan(5);
  for (const row of again) expect(row).toEqual(before.get(`${row.side}${row.px}`));
}

test('a saved recording is opened again by a drop, the same at each height; a broken file changes nothing', async ({
  desk,
  stack,
}) => {
  const { page } = desk;
  await desk.open('BTC', '?tick=1&time=1');
  await expect(page.locator('[data-part=scrubber]')).toBeVisible();
  const strip = page.locator('[data-part=time]');
  // So many that they are played for ten seconds.
  await stack.venue.step(150);
  const lived = await desk.expectBook(await stack.venue.book('BTC'), '1');
  await stack.venue.step(9);
  const { height: newest } = await stack.venue.state();
  await expect(strip).toHaveAttribute('data-height', String(newest));

  // By keyboard: the menu and its first entry.
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Recordings' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('The service has recorded nothing.')).toBeVisible();
  await page.getByRole('button', { name: 'Save the kept minutes (.l4rec)' }).press('Enter');
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^BTC-\d{8}T\d{9}Z\.l4rec$/);
  const bytes = await readFile(await saved.path());

  await stack.venue.step(4);
  const live = await desk.expectBook(await stack.venue.book('BTC'), '1');
  const problem = page.locator('[data-part=recording-problem]');
  await drop(
    page,
    'broken.l4rec',
    Buffer.concat([bytes.subarray(0, 8), Buffer.from('and then nothing of a recording')]),
  );
  await expect(problem).toHaveText('broken.l4rec: The recording ends before its header: nothing was recorded.');
  await drop(page, 'notes.txt', Buffer.from('bought the dip'));
  await expect(problem).toHaveText('notes.txt: The file is not a .l4rec recording.');
  expect((await desk.twin()).height).toBe(live.height);
  await expect(strip).toHaveAttribute('data-frozen', 'false');

  await drop(page, saved.suggestedFilename(), bytes);
  const band = page.locator('[data-part=recorded]');
  await expect(page.getByRole('button', { name: 'Refresh market data' }), 'nothing of today').toHaveCount(0);
  const day = saved.suggestedFilename().replace(/^BTC-(\d{4})(\d\d)(\d\d)T.*$/, '$1-$2-$3');
  await expect(band).toContainText(`Recorded ${day} BTC`);
  await expect(band).toHaveAttribute('data-to', String(newest));
  await expect(problem).toBeHidden();
  const badge = page.getByRole('banner').getByText(/^(Recorded|Simulated)/);
  await expect(badge).toHaveText(/^Recorded \d{4}-\d\d-\d\d$/);
  // The status chip belongs to the recording; the live book is neither followed nor paid for.
  await expect(desk.integrity).toHaveAttribute('data-state', 'recorded');
  await desk.integrity.getByRole('button').click();
  await expect(page.locator('[data-part=proof-details]')).toContainText('The live book is not followed');
  await page.keyboard.press('Escape');
  const meter = page.getByRole('button', { name: /^Credits: / });
  await meter.click();
  await expect(page.getByText('BTC book', { exact: true })).toHaveCount(0);
  // The closed menu gives the focus back, which must not take it from the scrubber.
  await closeMenu(page);
  await expect(strip).toHaveAttribute('data-frozen', 'true');
  await page.locator('[data-part=scrubber]').press('End');
  await expect(strip).toHaveAttribute('data-height', String(newest));
  await expect(desk.integrity).toHaveAttribute('data-height', String(newest));
  for (let back = newest; back > lived.height; back -= 1) await page.keyboard.press(',');
  await expectRowsOf(desk, lived);
  await expect(desk.band).toBeHidden();

  // The ladder says that the recording is played, and at which block.
  await page.locator('[data-part=scrubber]').press('Home');
  await expect(strip).not.toHaveAttribute('data-height', String(lived.height));
  await page.getByRole('button', { name: 'Play from here (K)' }).click();
  await expect(desk.band).toHaveText(/^PLAYING at block [\d,]+$/);
  await page.keyboard.press('p');
  await expect(desk.band).toBeHidden();
  // Whatever the title line offers of a recording, it does not leave it.
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(desk.band).toHaveText(/^PLAYING at block [\d,]+$/);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(desk.band).toBeHidden();
  await expect(band).toBeVisible();

  await page.keyboard.press('v');
  await expect(page.getByText(/^Not verified: a recording is shown; the live book is not followed/)).toBeVisible();

  // The live book is followed again when the recording is closed.
  await stack.venue.step(2);
  await page.locator('[data-part=scrubber]').focus();
  await page.keyboard.press('l');
  await expect(band).toBeHidden();
  await expect(page.locator('[data-part=scrubber]')).toBeVisible();
  await expect(page.getByRole('main'), 'what had the focus was gone meanwhile').toBeFocused();
  await expect(badge).toHaveText('Simulated data');
  await desk.expectBook(await stack.venue.book('BTC'), '1');
  await meter.click();
  await expect(page.getByText('BTC book', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
});

test.describe('with a service that records', () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  let own: Stack;
  test.beforeAll(async () => {
    own = await Stack.start({ env: { VENUE_SIZE: '0.1', RECORD_COINS: 'ETH', ...PATIENT } });
  });
  test.afterAll(() => own[Symbol.asyncDispose]());

  test('a recording in progress is opened from the list, and orders are searched in it', {
    annotation: NEW_PAGE,
  }, async ({ page }) => {
    const { key } = await createKey(own, 'recordings');
    expect((await page.context().request.post(`${own.url}/session`, { data: { apiKey: key } })).status()).toBe(200);
    const desk = new BookPage(page);
    await page.goto(`${own.url}/book/ETH`);
    await desk.expectProven('ETH');
    await own.venue.step(12);
    const book = await own.venue.book('ETH');
    const lived = await desk.expectBook(book, await page.getByLabel('Grouping').inputValue());
    // Blocks are written to the file a moment after they are recorded.
    const listed = () =>
      page.evaluate(async () => {
        const response = await fetch('/session/recordings');
        const { recordings } = (await response.json()) as {
          readonly recordings: readonly { readonly name: string; readonly to: number; readonly state: string }[];
        };
        return recordings.map(({ to, state }) => ({ to, state }));
      });
    await expect.poll(listed).toEqual([{ to: book.height, state: 'writing' }]);

    await page.getByRole('button', { name: 'Recordings' }).click();
    const entry = page.getByRole('region', { name: 'Recordings of the service' }).getByRole('button');
    await expect(entry).toHaveText(/^ETH.*recording · \d\.\d MB$/);
    const name = (await entry.getAttribute('title')) ?? '';
    await entry.click();
    const band = page.locator('[data-part=recorded]');
    await expect(band).toHaveAttribute('data-to', String(book.height));
    await expect(band).toContainText('no gaps · still being recorded ·');
    await expect(desk.integrity).toHaveAttribute('data-state', 'recorded');
    await page.locator('[data-part=scrubber]').press('End');
    await expectRowsOf(desk, lived);

    // An order by its oid alone, from the recording.
    const [order] = book.levels[0];
    const passport = page.locator('[data-part=passport]');
    await visit(page, `/order/${order?.oid}`);
    await expect(passport).toHaveAttribute('data-oid', String(order?.oid));
    await expect(band).toBeVisible();
    await visit(page, '/order/1');
    await page.getByRole('button', { name: 'Look through the whole recording' }).press('Enter');
    await expect(passport).toContainText(`It is nowhere in ${name}.`);
    await band.getByRole('button', { name: 'Leave' }).press('Enter');
    await expect(band).toBeHidden();
    await expect(page.getByRole('main')).toBeFocused();
    // Leave the page first, because the service ends before the browser.
    await page.goto('about:blank');
  });
});
