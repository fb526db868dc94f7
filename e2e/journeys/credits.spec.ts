import type { Stack } from '@l4desk/testkit/stack';
import type { Page } from '@playwright/test';
import { BookPage } from '../fixtures/book-page.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { expect, test } from '../fixtures/test.ts';

test.use({
  storageState: { cookies: [], origins: [] },
  // Requests refused for lack of credits, and the refused upgrade.
  expectedMessages: [/the server responded with a status of 402|WebSocket connection to .* failed/],
});

/** A signed-in account with a monthly number of credits; the rest can be changed. */
class Account {
  readonly #stack: Stack;
  readonly #name: string;
  readonly key: string;

  private constructor(stack: Stack, name: string, key: string) {
    this.#stack = stack;
    this.#name = name;
    this.key = key;
  }

  static async signIn(page: Page, stack: Stack, name: string, credits: number): Promise<Account> {
    await run(stack, 'accounts', 'create', name);
    const { key } = await run(stack, 'keys', 'create', '--kind', 'api', '--account', name);
    const account = new Account(stack, name, key ?? '');
    await account.limit(credits);
    expect((await page.context().request.post('/session', { data: { apiKey: key } })).status()).toBe(200);
    return account;
  }

  async limit(credits: number): Promise<void> {
    const limits = ['--max-credits', String(credits), '--flex-limit', '0', '--free-credits', '0'];
    await run(this.#stack, 'accounts', 'set-plan', this.#name, ...limits);
  }

  /** Spends the remaining credits, one per call. */
  async spendAll(): Promise<void> {
    await expect.poll(() => this.#spendOne(), { intervals: [1] }).toBe(402);
  }

  /** Makes a call of one credit. Returns its status. */
  async #spendOne(): Promise<number> {
    const response = await fetch(`${this.#stack.url}/info`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'maxMarketOrderNtls' }),
    });
    await response.arrayBuffer();
    return response.status;
  }
}

async function run(stack: Stack, ...args: readonly string[]): Promise<{ readonly key?: string }> {
  const { code, stdout, stderr } = await stack.command(...args, '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as { readonly key?: string };
}

test('a refresh without enough credits keeps every sum and value, with their age, and says what is missing', async ({
  page,
  stack,
}) => {
  await Account.signIn(page, stack, 'balances', 34);
  await page.goto('/balances?w=g:spot');
  const sum = page.getByRole('button', { name: /^USDC: / });
  const amount = sum.locator('[data-amount]');
  await expect(amount).toBeVisible();
  const before = await amount.getAttribute('data-amount');
  await page.getByRole('button', { name: /^Refresh/ }).click();
  await expect(page.getByRole('alert')).toContainText('Not refreshed: 25 credits needed, 9 left');
  await expect(page.getByRole('alert')).toContainText(/they reset at 20\d\d-\d\d-01 00:00:00 UTC/);
  await expect(amount).toHaveAttribute('data-amount', before ?? '');
  await expect(amount).toHaveAttribute('title', /^12 wallets, all not refreshed recently$/);
  await expect(page.getByRole('main')).not.toContainText(/failed|No sum/);
  await expect(page.locator('[data-row]').first()).toContainText('stale: Not refreshed');
  await expect(page.getByText(/oldest data \d+ (?:s|m) old/)).toBeVisible();
  await expectAccessible(page);
});

test('a ladder whose credits run out says so with advice, keeps its rows, and recovers automatically', async ({
  page,
  stack,
}) => {
  const account = await Account.signIn(page, stack, 'ladder', 40);
  const desk = new BookPage(page);
  await desk.open('BTC');
  const { height } = await desk.proof();
  await account.spendAll();
  // The book breaks, and the snapshot to rebuild it from cannot be paid for.
  await stack.venue.fault({ kind: 'corrupt', mode: 'origSz', coin: 'BTC' });
  const notice = page.locator('[data-part=stopped]');
  // Until a block changes the size of an order.
  await expect(async () => {
    await stack.venue.step(20);
    await expect(notice).toContainText('No credits left: the book is not updating.', { timeout: 2_000 });
  }).toPass();
  await expect(notice).toContainText(/40 of 40 credits of this month are used; they reset at/);
  await expect(notice).toContainText('“l4desk accounts set-plan”');
  await expect(desk.integrity).toHaveAttribute('data-state', 'stale');
  await expect(desk.band).toContainText(/^STALE .* no credits are left: 40 of 40 of this month are used/);
  await expect.poll(async () => (await desk.twin()).rows.length).toBeGreaterThan(10);
  expect((await desk.proof()).height).toBeGreaterThanOrEqual(height);
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  await account.limit(1_000);
  await desk.expectProven('BTC');
  await expect(notice).toHaveCount(0);
  await desk.expectBook(await stack.venue.book('BTC'), await page.getByLabel('Grouping').inputValue());
});
