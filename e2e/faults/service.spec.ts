import { Stack } from '@l4desk/testkit/stack';
import { BookPage } from '../fixtures/book-page.ts';
import { colourOf } from '../fixtures/colour.ts';
import { createKey, expect, NEW_PAGE, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

const LOST =
  /WebSocket connection to|net::ERR_|the server responded with a status of 401|this page could not be loaded/;
const UNAVAILABLE =
  /the server responded with a status of 503 .*\[http:\/\/[^/]+\/(?:readyz|session|session\/document|assets\/[^\]]+)\]$/;

/**
 * The browser's console reports lost connections and refused sessions as errors, and also correct 503 responses: of
 * `/session`, which the page requests after a lost stream while the service shuts down; of a change of the address book then; of a part that the page preloads;
 * and of `/readyz`, which the header polls until the service has restarted.
 */
test.use({ expectedMessages: [new RegExp(`${LOST.source}|${UNAVAILABLE.source}`)] });

/** A ladder without rows has a lower mean colour: that of its background. */
const DRAWN = 1;

test.describe('with a stack of its own', () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  let stack: Stack;
  test.beforeAll(async () => {
    stack = await Stack.start({ env: { VENUE_SIZE: '0.1' } });
  });
  test.afterAll(() => stack[Symbol.asyncDispose]());

  test('[L4-19] after the service ended, the book is stale with a reason and grey; once it is back, it has a new epoch and is exact', {
    annotation: NEW_PAGE,
  }, async ({ page }) => {
    const desk = new BookPage(page);
    await page.goto(stack.signInLink);
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    await visit(page, '/book/BTC');
    await desk.expectBook(await stack.venue.book('BTC'), '1');
    // The rows are drawn by a thread of their own, possibly a moment after they are reported.
    await expect.poll(() => colourOf(desk.ladder), 'the rows are drawn').toBeGreaterThan(DRAWN);
    const colour = await colourOf(desk.ladder);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await test.step(signal, async () => {
        const { epoch } = await desk.proof();
        await stack.stop(signal);
        await expect(desk.integrity).toHaveAttribute('data-state', 'stale');
        await expect(desk.integrity).toHaveAttribute('data-reason', /connection was closed|stream cannot be opened/);
        await expect(desk.band).toContainText(/STALE .* · /);
        await expect(page.getByRole('button', { name: /^Connection: (?:Reconnecting|Connecting)/ })).toBeVisible();
        await expect(desk.ladder).toHaveAttribute('data-stale', 'true');
        await expect.poll(() => colourOf(desk.ladder)).toBeLessThan(colour / 4);
        if (signal === 'SIGTERM') {
          // A page that was not visited yet cannot be loaded: the window stays, and so does the book.
          await page.getByRole('link', { name: 'Limits' }).click();
          await expect(page.getByRole('heading', { name: 'The service is not responding' })).toBeVisible();
          await page.goBack();
          await expect(desk.integrity).toHaveAttribute('data-epoch', epoch);
        }

        await stack.start();
        await stack.venue.step(3);
        await desk.expectBook(await stack.venue.book('BTC'), '1');
        expect((await desk.proof()).epoch).not.toBe(epoch);
      });
    }
    await page.goto('about:blank');
  });
});

test('a page that could not be loaded opens by itself once the service responds, in the same window', {
  annotation: NEW_PAGE,
}, async ({ page }) => {
  await page.goto('/balances');
  await expect(page.getByRole('heading', { name: 'Balances' })).toBeVisible();
  // While requests are routed, none is answered from the browser's cache, which may have the file from another test.
  await page.route(/\/assets\/limits-page-/, (route) => route.continue());
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Limits' }).click();
  const silent = page.getByRole('heading', { name: 'The service is not responding' });
  await expect(silent).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(silent).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('table', { name: 'Buckets' })).toBeVisible();
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
});

test.describe('in a window from before an update', () => {
  const GONE =
    /(?:the server responded with a status of 404|Failed to fetch dynamically imported module: ).*\/assets\/(?:limits-page|legend)-/;
  test.use({ expectedMessages: [GONE] });

  for (const { times, gone, what } of [
    { times: 1, gone: 'once', what: 'is tried again in the same window' },
    { times: 2, gone: 'twice', what: 'reloads the window' },
  ]) {
    test(`a page whose file is gone ${gone} while the service responds ${what}, and opens`, {
      annotation: NEW_PAGE,
    }, async ({ page }) => {
      await page.goto('/balances');
      await expect(page.getByRole('heading', { name: 'Balances' })).toBeVisible();
      // The window requests a file that the service no longer has; later, it requests the right name.
      let asked = 0;
      await page.route(/\/assets\/limits-page-[^/]+\.js$/, (route) => {
        asked += 1;
        return asked <= times
          ? route.continue({ url: route.request().url().replace(/\.js$/, '-gone.js') })
          : route.continue();
      });
      await page.evaluate(() => document.documentElement.setAttribute('data-old-window', ''));
      await page.getByRole('navigation').getByRole('link', { name: 'Limits', exact: true }).click();
      await expect(page.getByRole('table', { name: 'Buckets' })).toBeVisible();
      await expect(page).toHaveURL('/limits');
      expect(asked).toBeGreaterThan(times);
      await expect(page.locator('[data-old-window]')).toHaveCount(times === 1 ? 1 : 0);
    });
  }

  test('a legend whose file is gone leaves the book, and offers to reload', {
    annotation: NEW_PAGE,
  }, async ({ desk, page, stack }) => {
    await desk.open('BTC', '?tick=1');
    await page.route(/\/assets\/legend-/, (route) => route.fulfill({ status: 404 }));
    await page.keyboard.press('?');
    await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
    await desk.expectBook(await stack.venue.book('BTC'), '1');
  });
});

test('a browser that goes offline is detected by the transport’s own clock, and the book is exact when it is back', {
  annotation: NEW_PAGE,
}, async ({ desk, stack, context }) => {
  await desk.open('BTC', '?tick=1');
  await desk.expectBook(await stack.venue.book('BTC'), '1');
  await context.setOffline(true);
  await stack.venue.step(20);
  await expect(desk.integrity).toHaveAttribute('data-state', 'stale');
  await expect(desk.ladder).toHaveAttribute('data-stale', 'true');
  await context.setOffline(false);
  await desk.expectProven('BTC');
  await stack.venue.step(3);
  await desk.expectBook(await stack.venue.book('BTC'), '1');
});

test.describe('signed in with a key of its own', () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test('[AUTH-9, AUTH-23] a key revoked on the command line ends the page’s stream and leads to sign-in', {
    annotation: NEW_PAGE,
  }, async ({ page, stack }) => {
    const { id, key } = await createKey(stack, 'to be revoked');
    await page.goto('/book/ETH');
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await new BookPage(page).expectProven('ETH');
    const { code, stderr } = await stack.command('keys', 'revoke', id);
    expect(code, stderr).toBe(0);
    await expect(page).toHaveURL('/sign-in?next=%2Fbook%2FETH');
    await expect(page.getByRole('alert')).toContainText(/session ended.*key was revoked/);
  });
});
