import type { Stack } from '@l4desk/testkit/stack';
import type { Page } from '@playwright/test';
import { BookPage, PROVEN } from '../fixtures/book-page.ts';
import { expectAccessible } from '../fixtures/looks.ts';
import { endSession } from '../fixtures/session.ts';
import { expect, NEW_PAGE, test } from '../fixtures/test.ts';
import { visit } from '../fixtures/visit.ts';

/** A view of a page, described by its address, and a check that its data has arrived. */
interface View {
  readonly link: string;
  readonly arrived: (page: Page) => Promise<void>;
  /** Reads again, for free, data that changed because another browser opened the view. */
  readonly reread?: (page: Page) => Promise<void>;
}

const PAGE_NAMES = ['Overview', 'Book', 'Balances', 'Orders', 'Funding', 'Limits', 'Usage'] as const;

test.beforeEach(async ({ context, keys }) => {
  // Signing in ends the session of the request's cookie, which all tests of this worker share.
  await context.clearCookies();
  const response = await context.request.post('/session', { data: keys });
  expect(response.status()).toBe(200);
});

async function addressOf(stack: Stack, name: string): Promise<string> {
  const wallet = (await stack.venue.wallets()).find((candidate) => candidate.name === name);
  if (wallet === undefined) throw new Error(`no wallet ${name}`);
  return wallet.address;
}

/** Each page, with an example of everything that it can show. */
async function viewsOf(stack: Stack): Promise<Readonly<Record<(typeof PAGE_NAMES)[number], View>>> {
  const [spot, archive] = await Promise.all([addressOf(stack, 'spot-1'), addressOf(stack, 'archive-1')]);
  return {
    Overview: {
      link: `/?w=${spot}`,
      arrived: async (page) => {
        await expect(page.getByRole('table', { name: 'Sums by token' })).toBeVisible();
        await expect(page.locator('[data-part=book-proof]')).toHaveAttribute('data-state', PROVEN);
      },
      // The cost of the view counts as usage.
      reread: async (page) => {
        const refresh = page.getByRole('button', { name: 'Refresh Credits' });
        await refresh.click();
        await expect(refresh).toBeEnabled();
      },
    },
    Book: {
      link: '/book/BTC?tick=10&view=static',
      arrived: async (page) => {
        await new BookPage(page).expectProven('BTC');
        await expect(page.locator('[data-part=ladder-grid]')).toHaveAttribute('data-tick', '10');
      },
    },
    Balances: {
      link: `/balances?w=${spot}&view=tokens&sort=-total`,
      arrived: async (page) => {
        await expect(page.getByRole('grid').locator('[data-row]').first()).toBeVisible();
      },
    },
    Orders: {
      link: `/orders?w=${archive}&show=history&side=A&sort=-limitPx&panel=statistics`,
      arrived: async (page) => {
        await expect(page.locator('[data-row]').first()).toBeVisible();
        await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('Fill ratio');
      },
    },
    Funding: {
      link: '/funding?coin=HYPE,DOGE&days=7&unit=8h&tab=carry&notional=250000&side=short',
      arrived: async (page) => {
        await expect(page.getByRole('img', { name: /^DOGE: \d+ received/ })).toBeVisible();
        await expect(page.getByRole('region', { name: 'Carry' }).getByRole('row')).toHaveCount(3);
      },
    },
    Limits: {
      link: '/limits?n=22&ntl=16000000.25',
      arrived: (page) => expect(page.locator('[data-part=verdict]')).toBeVisible(),
    },
    Usage: {
      link: '/usage?m=3&chart=month',
      arrived: (page) =>
        expect(page.getByRole('region', { name: 'Plan, this month', exact: true })).toContainText('Burn rate'),
    },
  };
}

const load = (page: Page, link: string): Promise<unknown> => page.goto(link);

/** Opens a view, by default inside the open dashboard. */
async function show(page: Page, { link, arrived }: View, go = visit as typeof load): Promise<void> {
  await go(page, link);
  await arrived(page);
}

/** Number of grid rows that are always visible; how many more are drawn depends on the grid. */
const ROWS_COMPARED = 10;

/** The texts of the main part, without ages, which change. A proven book is quiet if its last change was a while ago. */
async function saidBy(page: Page): Promise<readonly string[]> {
  const texts = await page.getByRole('main').evaluate((main, rows) => {
    const found: string[] = [];
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const row = walker.currentNode.parentElement?.closest<HTMLElement>('[data-row]')?.dataset.row;
      if (row === undefined || Number(row) < rows) found.push(walker.currentNode.textContent ?? '');
    }
    return found.join('\n');
  }, ROWS_COMPARED);
  return texts
    .replaceAll(/(?:\d+ [dh] )?\d+\s*(?:ms|s|m|h)\s*(?:old|ago)/g, '(age)')
    .replaceAll(/^EXACT(?:, quiet \d+ \w+)?$/gm, 'PROVEN')
    .split('\n');
}

async function choose(page: Page, typed: string, command: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search pages, coins/ }).pressSequentially(typed);
  await expect(page.getByRole('option', { name: command })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('the command palette leads to a page, a coin, a wallet and an order, by keyboard alone', async ({
  page,
  stack,
}) => {
  const spot = await addressOf(stack, 'spot-2');
  const [order] = (await stack.venue.book('BTC')).levels[0];
  await page.goto('/limits');
  await expect(page.getByRole('table', { name: 'Buckets' })).toBeVisible();
  await choose(page, 'usage', 'Open Usage');
  await expect(page).toHaveURL('/usage');
  await choose(page, 'doge f', 'DOGE funding');
  await expect(page).toHaveURL('/funding?coin=DOGE');
  await choose(page, 'kpepe', 'kPEPE book');
  await expect(page).toHaveURL('/book/kPEPE');
  await choose(page, 'etherium', 'ETH book');
  await expect(page).toHaveURL('/book/ETH');
  await choose(page, 'hyperliquid limits', 'HYPE limits');
  await expect(page).toHaveURL('/limits?coin=HYPE');
  await choose(page, 'balances of spot-2', 'Balances of spot-2');
  await expect(page).toHaveURL(`/balances?w=${spot}`);
  await choose(page, spot.slice(0, 9), 'Balances of spot-2');
  await choose(page, String(order?.oid), `Find open order ${order?.oid}`);
  await expect(page).toHaveURL(`/orders?q=${order?.oid}`);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search pages, coins/ }).pressSequentially('nothing of that name');
  await expect(page.getByText('Nothing matches “nothing of that name”.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toContainText('Command palette');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
});

test.describe('in another time zone', () => {
  test.use({ timezoneId: 'Asia/Kolkata', colorScheme: 'dark' });

  test('look and time zone are kept; a file transfers them, the address book and the layouts to another browser', async ({
    page,
    browser,
    baseURL,
    stack,
  }) => {
    const html = page.locator('html');
    const spot = await addressOf(stack, 'spot-1');
    await page.goto('/limits');
    await page.getByRole('button', { name: 'Appearance' }).click();
    await page.getByText('Light', { exact: true }).click();
    await page.getByText('Comfortable', { exact: true }).click();
    await page.getByText('Local', { exact: true }).click();
    await page.getByLabel('Colours').selectOption('blue-orange');
    await page.keyboard.press('Escape');
    await visit(page, '/funding?coin=BTC&days=1');
    const coin = page.getByRole('list', { name: 'Coins' }).getByRole('listitem');
    await expect(coin).toContainText(/\d\d:\d\d:\d\d \+05:30/);
    for (const [name, value] of [
      ['theme', 'light'],
      ['density', 'comfortable'],
      ['palette', 'blue-orange'],
    ] as const) {
      await expect(html).toHaveAttribute(`data-${name}`, value);
    }

    await page.getByRole('button', { name: 'Address book' }).click();
    await page.getByRole('dialog').getByText('spot-1', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Label' }).fill('our trader');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Appearance' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toMatch(/settings.*\.json$/);

    await using context = await browser.newContext({
      baseURL: baseURL ?? '',
      timezoneId: 'Asia/Kolkata',
      storageState: await page
        .context()
        .storageState()
        .then(({ cookies }) => ({ cookies, origins: [] })),
    });
    const other = await context.newPage();
    await other.goto(`/orders?w=${spot}`);
    // The account may keep the new label by now.
    await expect(other.getByRole('button', { name: /^Wallets: (?:spot-1|our trader)$/ })).toBeVisible();
    await other.getByRole('button', { name: 'Appearance' }).click();
    const load = other.getByRole('dialog').locator('input[type=file]');
    await load.setInputFiles({ name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('{"a":1}') });
    await expect(other.getByRole('alert')).toContainText('notes.json isn’t an L4 Desk settings file');
    await load.setInputFiles(await file.path());
    await expect(other.getByText(/^Settings loaded, with \d+ wallets/)).toBeVisible();
    await expect(other.locator('html')).toHaveAttribute('data-palette', 'blue-orange');
    await expect(other.locator('html')).toHaveAttribute('data-theme', 'light');
    await expect(other.getByRole('button', { name: 'Wallets: our trader' })).toBeVisible();
    await visit(other, '/funding?coin=BTC&days=1');
    await expect(other.getByRole('list', { name: 'Coins' })).toContainText('+05:30');
  });
});

test('a list of wallets is checked line by line before anything is imported', { annotation: NEW_PAGE }, async ({
  page,
  stack,
}) => {
  const known = await addressOf(stack, 'spot-1');
  const fresh = `0x${'ab'.repeat(20)}`;
  await page.goto('/limits');
  await page.getByRole('button', { name: 'Address book' }).click();
  const dialog = page.getByRole('dialog', { name: 'Address book' });
  // The demo's wallets are added to an empty address book after the first page.
  const list = dialog.getByRole('tab').first();
  await expect(list).toHaveText(/^[1-9]\d* wallets$/);
  const count = Number.parseInt((await list.textContent()) ?? '', 10);
  await dialog.getByRole('tab', { name: 'Add or import' }).click();
  const lines = [
    'address,label,group',
    `${fresh},"Desk, new",ours`,
    `${fresh.toUpperCase().replace('0X', '0x')},again,ours`,
    `${known},renamed,`,
    '0x1234,short,',
    'vitalik.eth,a name,',
  ];
  await dialog.getByRole('textbox').fill(lines.join('\n'));
  await expect(dialog.getByText('1 new · 1 existing · 1 duplicate · 2 invalid')).toBeVisible();
  const preview = dialog.getByRole('region', { name: 'Preview' });
  await expect(preview).toContainText('not imported: has 4 digits after 0x, not 40');
  await expect(preview).toContainText('not imported: does not start with 0x');
  await expect(preview).toContainText('not imported: duplicate of line 2 in different letter case');
  await expectAccessible(page, '[role=dialog], dialog');
  await dialog.getByRole('button', { name: 'Import 2 wallets' }).click();
  await expect(dialog.getByRole('tab', { name: `${count + 1} wallets` })).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Find' }).fill('Desk, new');
  await expect(dialog.getByText('Desk, new', { exact: true })).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Address book' }).click();
  await expect(dialog.getByRole('tab', { name: `${count + 1} wallets` })).toBeVisible();
});

test.describe('when the session has ended', () => {
  test.use({ expectedMessages: [/the server responded with a status of 401/] });

  test('[AUTH-13] signing in again leads back to the same view', { annotation: NEW_PAGE }, async ({
    page,
    stack,
    keys,
  }) => {
    const { Orders } = await viewsOf(stack);
    await show(page, Orders, load);
    // The names of the demo's wallets are added to an empty address book after the first page.
    await expect(page.getByRole('button', { name: 'Wallets: archive-1' })).toBeVisible();
    const before = await saidBy(page);
    await endSession(page);
    await expect(page.getByRole('alert')).toContainText('Your session ended');
    await page.getByLabel('API key').fill(keys.apiKey);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(Orders.link);
    await Orders.arrived(page);
    await expect.poll(() => saidBy(page)).toEqual(before);
  });
});

test('a link of every page shows the same in another browser', async ({ page, browser, baseURL, stack }) => {
  await using context = await browser.newContext({
    baseURL: baseURL ?? '',
    storageState: await page
      .context()
      .storageState()
      .then(({ cookies }) => ({ cookies, origins: [] })),
  });
  const other = await context.newPage();
  for (const [name, view] of Object.entries(await viewsOf(stack))) {
    // Views with wallets are loaded again in both browsers, because data that one had read before would be older than the
    // other's.
    await show(page, view, ['Book', 'Funding', 'Limits', 'Usage'].includes(name) ? visit : load);
    await other.goto(page.url());
    await view.arrived(other);
    const shownBy = (each: Page) => (name === 'Book' ? new BookPage(each).twin() : saidBy(each));
    await expect(async () => {
      for (const each of [page, other]) await view.reread?.(each);
      expect(await shownBy(other), name).toEqual(await shownBy(page));
    }).toPass();
    expect(new URL(other.url()).search, 'the address stays as it was pasted').toBe(new URL(page.url()).search);
  }
});

test('axe finds nothing in the dialogs that open over every page', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/limits');
  await expect(page.getByRole('table', { name: 'Buckets' })).toBeVisible();
  const openers: readonly (() => Promise<void>)[] = [
    () => page.keyboard.press('Control+k'),
    () => page.keyboard.press('?'),
    () => page.getByRole('button', { name: 'Address book' }).click(),
    () => page.getByRole('button', { name: /^Credits: / }).click(),
  ];
  for (const open of openers) {
    await open();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page, '[role=dialog], dialog[open]');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});

test('without colours, signs and words still convey what colours do', async ({ page, stack }) => {
  const main = page.getByRole('main');
  const views = await viewsOf(stack);
  await page.emulateMedia({ forcedColors: 'active' });

  const desk = new BookPage(page);
  await show(page, views.Book, load);
  // While the market is stopped, the book is correctly suspect.
  await expect(async () => {
    await stack.venue.step();
    await expect(desk.integrity).toContainText(/● EXACT/, { timeout: 2_000 });
  }).toPass();
  const twin = await desk.expectBook(await stack.venue.book('BTC'), '10');
  const best = twin.rows.find(({ side }) => side === 'B');
  await visit(page, `/book/BTC?tick=10&level=B${best?.px}`);
  await expect(desk.inspector.getByRole('heading')).toContainText('Bid');
  // The button of a held book is highlighted as a selected tab is.
  await page.keyboard.press('p');
  await expect(desk.band.first()).toContainText('PAUSED');
  const ground = (what: string) =>
    page
      .locator(what)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  const selected = await ground('[aria-selected=true]');
  await expect.poll(() => ground('[data-on]')).toBe(selected);
  // The position of the held block, and what it is a position in.
  const border = (what: string) =>
    page.locator(what).evaluate((element) => {
      const { borderLeftWidth, borderLeftColor } = getComputedStyle(element);
      return [borderLeftWidth, borderLeftColor, getComputedStyle(document.body).color];
    });
  const [, , text] = await border('[data-part=scrubber]');
  await expect.poll(() => border('[data-part=playhead]')).toEqual(['2px', text, text]);
  await expect.poll(() => border('[data-part=scrubber]')).toEqual(['1px', text, text]);

  const user = await addressOf(stack, 'spot-1');
  await stack.venue.fault({
    kind: 'info',
    effect: 'error',
    type: 'spotClearinghouseState',
    user,
    message: 'too busy',
  });
  await visit(page, '/balances?w=g:spot');
  const row = page.locator(`[data-key="${user}"]`);
  await expect(row).toContainText(/error|never/);
  await expect(page.getByRole('button', { name: /^USDC: ≥ / })).toContainText('≥');
  await stack.venue.fault({ kind: 'clear' });

  await show(page, views.Limits);
  await expect(page.locator('[data-part=verdict]')).toContainText('✗');
  await expect(main.getByRole('row', { name: /40×/ })).toContainText('✗ over');

  await visit(page, '/usage');
  await views.Usage.arrived(page);
  // The hairlines between panels are the background that shows through their gaps.
  const grounds = await page.getByRole('region', { name: 'Window' }).evaluate((panel) => {
    let box: Element | null = panel;
    while (box !== null && getComputedStyle(box).overflowY !== 'auto') box = box.parentElement;
    return [box, document.body].map((each) => each && getComputedStyle(each).backgroundColor);
  });
  expect(grounds[0]).not.toBe(grounds[1]);
  expect(grounds[0]).toMatch(/^rgb\(/);
});
