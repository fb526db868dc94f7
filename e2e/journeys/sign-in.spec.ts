import { Stack } from '@l4desk/testkit/stack';
import type { Page } from '@playwright/test';
import { BookPage } from '../fixtures/book-page.ts';
import { expectAccessible } from '../fixtures/looks.ts';
import { createKey, expect, NEW_PAGE, PATIENT, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

/** Nobody is signed in, which is not an error: the browser's console stays silent. */
test.use({ storageState: { cookies: [], origins: [] } });

/** The browser itself prints an error for a link or a key that the service refuses. */
const REFUSED = [/the server responded with a status of 40[13] .*\[http:\/\/[^/]+\/session(?:\/document)?\]$/];

/** A stack with an unused sign-in link and only the demo account. */
let own: Stack;
test.beforeAll(async () => {
  own = await Stack.start({ env: { VENUE_SIZE: '0.1', ...PATIENT } });
});
test.afterAll(() => own[Symbol.asyncDispose]());

test.describe('the printed link', () => {
  test.use({ expectedMessages: REFUSED });

  test('[AUTH-21, AUTH-22] signs in once, leaves the address clean, and gives advice once it is used', {
    annotation: NEW_PAGE,
  }, async ({ page, browser }) => {
    const link = new URL(own.signInLink);
    expect(link.origin).toBe(own.url);
    expect(link.search).toBe('');
    const token = new URLSearchParams(link.hash.slice(1)).get('token') ?? '';
    // A prefetch sends no fragment and does not use up the link.
    expect((await fetch(link)).status).toBe(200);

    await page.goto(link.href);
    await expect(page).toHaveURL(`${own.url}/`);
    await visit(page, '/book/BTC');
    const desk = new BookPage(page);
    await desk.expectProven('BTC');
    await own.venue.pace(1);
    const { height } = await desk.proof();
    await expect.poll(async () => (await desk.proof()).height, 'the book moves').toBeGreaterThan(height + 20);
    await own.venue.pace(0);
    await expectNoTrace(page, token);
    await page.goto(link.href);
    await expect(page.getByRole('main'), 'a spent link is no matter to who is signed in').toContainText(
      'You are signed in',
    );

    const elsewhere = await browser.newContext();
    const stranger = await elsewhere.newPage();
    await stranger.goto(link.href);
    await expect(stranger.getByRole('alert')).toHaveText(/has been used.*(?:restart the service|sign in with a key)/i);
    await expect(stranger).toHaveURL(`${own.url}/sign-in`);
    await expect(stranger.getByLabel('API key')).toBeVisible();
    await elsewhere.close();
    expect(own.log.split(token).length - 1, 'the token is printed once, and in no log').toBe(1);
    // Leave the page first, because the service ends before the browser.
    await page.goto('about:blank');
  });
});

test('[AUTH-12, AUTH-13] a pasted key signs in, and the browser stores no part of it', {
  annotation: NEW_PAGE,
}, async ({ page, stack }) => {
  const { key } = await createKey(stack, 'pasted');
  await page.goto('/book/ETH?tick=0.5');
  await expect(page).toHaveURL(/\/sign-in/);
  await page.getByLabel('API key').fill(` ${key}\n`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page, 'back where one wanted to go').toHaveURL('/book/ETH?tick=0.5');
  await new BookPage(page).expectBook(await stack.venue.book('ETH'), '0.5');
  await expectNoTrace(page, key);
  const [cookie, ...others] = await page.context().cookies();
  expect(others).toEqual([]);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', secure: false, path: '/' });
});

test('the page explains itself and where the link is; its suggested command leads to a key that signs in, even with several accounts', {
  annotation: NEW_PAGE,
}, async ({ page }) => {
  await page.goto(`${own.url}/sign-in`);
  const main = page.getByRole('main');
  await expect(main).toContainText('An exchange’s order book, order by order');
  await expect(page.getByLabel('API key')).toBeFocused();
  await expect(main).toContainText('open the link that the service printed on startup as “Sign in: …”');
  const command = (await main.locator('code').filter({ hasText: 'l4desk' }).textContent()) ?? '';
  expect(await run(own, command)).toMatchObject({ code: 0, stderr: '' });

  // With a second account, the command creates no key: it lists the accounts, as the page says, and a command that creates one.
  expect(await own.command('accounts', 'create', 'desk')).toMatchObject({ code: 0 });
  await expect(main).toContainText('If there are several accounts, the command lists them; choose one with --account.');
  const { code, stdout: none, stderr } = await run(own, command);
  expect({ code, none }).toEqual({ code: 2, none: '' });
  expect(stderr).toMatch(/^There are 2 accounts\. Choose one with --account:\n {2}demo\n {2}desk\n/);
  const [, complete = ''] = /^For example: (.+)$/m.exec(stderr) ?? [];
  expect(complete).toContain('--account demo');
  const { stdout } = await run(own, complete);
  await page.getByLabel('API key').fill(stdout.trim().split('\n').at(-1) ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Session' })).toBeVisible();
  await expectAccessible(page, 'header');
  // Leave the page first, because the service ends before the browser.
  await page.goto('about:blank');
});

test('a visitor who was never signed in is led to sign-in without an error in the console', {
  annotation: NEW_PAGE,
}, async ({ page }) => {
  for (const [path, at] of [
    ['/sign-in', '/sign-in'],
    ['/orders', '/sign-in?next=%2Forders'],
  ] as const) {
    const asked = page.waitForResponse((response) => new URL(response.url()).pathname === '/session');
    await page.goto(path);
    expect((await asked).status()).toBe(200);
    await expect(page.getByLabel('API key')).toBeVisible();
    await expect(page).toHaveURL(at);
  }
});

test.describe('rejected by the service', () => {
  test.use({ expectedMessages: REFUSED });

  test('[AUTH-4, AUTH-5] a wrong key and the wrong kind of key are reported at their field', {
    annotation: NEW_PAGE,
  }, async ({ page, stack }) => {
    await page.goto('/sign-in');
    const field = page.getByLabel('API key');
    await field.fill('l4k_nonsense');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toHaveText(/Unknown or revoked key/);
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toBeFocused();

    const { key } = await createKey(stack, 'service', 'service');
    await field.fill(key);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toHaveText(/belongs in the other field/);
    await expect(page).toHaveURL('/sign-in');
  });

  test('a browser with the cookie of an ended session is led to sign-in, and back', {
    annotation: NEW_PAGE,
  }, async ({ page, stack, baseURL }) => {
    const { key } = await createKey(stack, 'ended');
    await page.goto('/sign-in');
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    const cookies = await page.context().cookies();
    await page.goto('about:blank');
    const ended = await page.request.delete('/session', { headers: { origin: baseURL ?? '' } });
    expect(ended.status()).toBe(204);
    await page.context().addCookies(cookies);
    const asked = page.waitForResponse((response) => new URL(response.url()).pathname === '/session');
    await page.goto('/orders');
    expect((await asked).status()).toBe(401);
    await expect(page).toHaveURL('/sign-in?next=%2Forders');
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/orders');
  });
});

test.describe('with calls of the page under way', () => {
  // They are refused once the session has ended.
  test.use({ expectedMessages: [/the server responded with a status of 401/] });

  test('[AUTH-13] sign-in shows who is already signed in, and continues or signs out, as every page does', {
    annotation: NEW_PAGE,
  }, async ({ page, stack }) => {
    const { key } = await createKey(stack, 'twice');
    await page.goto('/sign-in');
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    await page.goto('/sign-in?next=/limits');
    const main = page.getByRole('main');
    await expect(main).toContainText('Account demo, signed in with');
    await expect(page.getByLabel('API key')).toHaveCount(0);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL('/limits');
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Sign in with other keys' }).click();
    await expect(page.getByLabel('API key')).toBeVisible();
    await page.goto('/sign-in?next=/limits');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByLabel('API key')).toBeVisible();
    expect((await page.request.get('/session')).status(), 'nobody is signed in').toBe(401);
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/limits');

    await page.getByRole('button', { name: 'Session' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page).toHaveURL('/sign-in');
    await page.goto('/book/BTC');
    await expect(page).toHaveURL(/\/sign-in\?next=/);
  });
});

/** Runs a command of the project as it is shown on a page or in a terminal. */
function run(stack: Stack, command: string): ReturnType<Stack['command']> {
  const [, words = ''] = /^npm run -s l4desk -- (.+)$/.exec(command) ?? [];
  return stack.command(...words.split(' '));
}

/** Expects the secret in no address, history entry, storage or element of the page. */
async function expectNoTrace(page: Page, secret: string): Promise<void> {
  const kept = await page.evaluate(() =>
    JSON.stringify([
      location.href,
      history.state,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      document.cookie,
      document.documentElement.outerHTML,
    ]),
  );
  expect(kept).not.toContain(secret);
  await page.goBack();
  expect(page.url()).not.toContain(secret);
  await page.goForward();
}
