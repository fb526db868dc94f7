import type { Stack } from '@l4desk/testkit/stack';
import type { Page } from '@playwright/test';
import { createKey, expect, NEW_PAGE, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

test.use({
  storageState: { cookies: [], origins: [] },
  expectedMessages: [/the server responded with a status of 40[13]/],
});

/** Runs the command line and returns its JSON document. */
async function run(stack: Stack, ...args: readonly string[]): Promise<{ readonly id: string; readonly key: string }> {
  const { code, stdout, stderr } = await stack.command(...args, '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as { readonly id: string; readonly key: string };
}

/** Everything that the page shows, with its title and address, but without what only scripts can read. */
async function everythingShown(page: Page): Promise<string> {
  return page.evaluate(() => [document.title, location.href, document.body.textContent].join('\n'));
}

test('after one account’s session was revoked, the next account to sign in sees none of its data', {
  annotation: NEW_PAGE,
}, async ({ page, stack }) => {
  const [api, service] = await Promise.all([createKey(stack, 'first'), createKey(stack, 'first', 'service')]);
  await page.goto('/sign-in');
  await page.getByLabel('API key').fill(api.key);
  await page.getByLabel('ServiceKey').fill(service.key);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  // On the first days of a month, its credits may be a number that is on other pages too.
  await visit(page, '/usage?m=3');
  const figure = page.locator('[data-figure=credits_consumed]');
  await expect(figure).toHaveText(/\d/);
  const consumed = (await figure.textContent()) ?? '';
  const share = page.getByRole('button', { name: /^Credits: .* of plan$/ });
  await expect(share).toBeVisible();
  const book = page.getByRole('dialog', { name: 'Address book' });
  await page.getByRole('button', { name: 'Address book' }).click();
  await book.getByText('spot-1', { exact: true }).click();
  await book.getByRole('textbox', { name: 'Label' }).fill('ours alone');
  await page.keyboard.press('Escape');

  await run(stack, 'accounts', 'create', 'second');
  const other = await run(stack, 'keys', 'create', '--kind', 'api', '--account', 'second');
  for (const { id } of [api, service]) await run(stack, 'keys', 'revoke', id);
  await expect(async () => {
    const refresh = page.getByRole('button', { name: 'Refresh' });
    if (await refresh.isVisible()) await refresh.click({ timeout: 1_000 });
    await expect(page.getByRole('alert')).toContainText('Your session ended', { timeout: 500 });
  }).toPass();
  expect(await everythingShown(page)).not.toContain(consumed);

  await page.getByLabel('API key').fill(other.key);
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/usage|sign-in/);
  await expect(page.getByRole('button', { name: 'Session' })).toBeVisible();
  const meter = page.getByRole('button', { name: /^Credits: / });
  await expect(meter).not.toHaveAccessibleName(/of plan/);
  await meter.click();
  await expect(page.getByRole('dialog', { name: 'Credits' })).toContainText('Also sign in with a ServiceKey');
  await page.keyboard.press('Escape');
  for (const name of ['Usage', 'Balances', 'Orders', 'Limits']) {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeAttached();
    const shown = await everythingShown(page);
    expect(shown, name).not.toContain(consumed);
    expect(shown, name).not.toContain('of plan');
    expect(shown, name).not.toContain('ours alone');
  }
  await page.getByRole('button', { name: 'Address book' }).click();
  await expect(book.getByText('spot-1', { exact: true })).toBeVisible();
  await expect(book).not.toContainText('ours alone');
});

test.describe('a second browser of the account', () => {
  test('has the address book and the workspaces of the first one, and neither writes over the other', {
    annotation: NEW_PAGE,
  }, async ({ browser, stack, page: first }) => {
    const account = `shared ${Date.now()}`;
    await run(stack, 'accounts', 'create', account);
    const { key } = await run(stack, 'keys', 'create', '--kind', 'api', '--account', account);
    const signIn = async (page: Page) => {
      await page.goto('/sign-in');
      await page.getByLabel('API key').fill(key);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('button', { name: 'Session' })).toBeVisible();
    };
    const book = (page: Page) => page.getByRole('dialog', { name: 'Address book' });
    const kept = (page: Page) => expect(book(page).locator('[data-part=kept]')).toContainText('Kept on the account');
    const rename = async (page: Page, from: string, to: string) => {
      await book(page).getByText(from, { exact: true }).click();
      await book(page).getByRole('textbox', { name: 'Label' }).fill(to);
      await kept(page);
    };

    await signIn(first);
    await visit(first, '/book/BTC');
    await expect(first.locator('[data-part=ladder]')).toBeVisible();
    await first.keyboard.press('w');
    const workspaces = first.getByRole('dialog', { name: 'Workspaces' });
    await workspaces.getByRole('textbox').fill('Morning');
    await first.keyboard.press('Enter');
    await expect(workspaces.getByRole('button', { name: /^Morning/ })).toBeVisible();
    await first.keyboard.press('Escape');
    await first.getByRole('button', { name: 'Address book' }).click();
    await rename(first, 'spot-1', 'treasury');

    await using context = await browser.newContext({ baseURL: stack.url });
    const second = await context.newPage();
    await signIn(second);
    await second.getByRole('button', { name: 'Address book' }).click();
    await expect(book(second).getByText('treasury', { exact: true })).toBeVisible();
    await kept(second);
    await second.keyboard.press('Escape');
    await second.keyboard.press('Control+k');
    await second.getByRole('combobox', { name: /^Search pages/ }).fill('Workspace Morning');
    await expect(second.getByRole('option', { name: /^Workspace Morning/ })).toBeVisible();
    await second.keyboard.press('Escape');
    await second.getByRole('button', { name: 'Address book' }).click();

    // Each changes another wallet, without having read the other's change.
    await rename(second, 'spot-2', 'trading');
    await rename(first, 'treasury', 'cold wallet');
    await expect(book(first).getByText('trading', { exact: true })).toBeVisible();
    await second.reload();
    await second.getByRole('button', { name: 'Address book' }).click();
    for (const label of ['trading', 'cold wallet'])
      await expect(book(second).getByText(label, { exact: true })).toBeVisible();
  });
});
