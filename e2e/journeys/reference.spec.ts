import type { Page } from '@playwright/test';
import { expect, NEW_PAGE, test } from '../fixtures/test.ts';

/** Records every request of a page to another origin, and every violation of its content security policy. */
async function watch(page: Page, origin: string): Promise<string[]> {
  const found: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) found.push(request.url());
  });
  await page.exposeFunction('tellBreach', (directive: string) => found.push(directive));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      (globalThis as unknown as { tellBreach(text: string): void }).tellBreach(`${violatedDirective} ${blockedURI}`);
    });
  });
  return found;
}

test.describe('the API reference, without a session', () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test('[INFO-25] shows every query kind, and sends a request with a key that the reader enters', {
    annotation: NEW_PAGE,
  }, async ({ page, stack, keys }) => {
    const breaches = await watch(page, stack.url);
    await page.goto('/docs');
    await expect(page.getByRole('link', { name: 'L4 Desk', exact: true })).toHaveAttribute('href', '/');
    await expect(page.getByRole('link', { name: 'asyncapi.json' })).toHaveAttribute('href', '/asyncapi.json');
    await page.getByRole('button', { name: /POST.*\/info/ }).click();
    await expect(page.getByRole('cell', { name: 'batchSpotClearinghouseState', exact: true })).toBeVisible();

    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    await page.locator('.auth-container', { hasText: 'apiKey' }).getByRole('textbox').first().fill(keys.apiKey);
    await page
      .locator('.auth-container', { hasText: 'apiKey' })
      .getByRole('button', { name: /apply|authorize/i })
      .first()
      .click();
    await page
      .getByRole('button', { name: /^close$/i })
      .first()
      .click();

    await page
      .locator('.body-param select, .opblock-section-request-body .examples-select select')
      .first()
      .selectOption('meta');
    const arrived = page.waitForResponse((response) => response.url() === `${stack.url}/info`);
    await page.getByRole('button', { name: 'Execute' }).click();
    const response = await arrived;
    expect(response.status()).toBe(200);
    expect(await response.json()).toHaveProperty('universe');
    expect(breaches).toEqual([]);
  });
});
