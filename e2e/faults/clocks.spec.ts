import { Stack, type VenueFault } from '@l4desk/testkit/stack';
import type { Page } from '@playwright/test';
import type { BookPage } from '../fixtures/book-page.ts';
import { WINDOW } from '../fixtures/chromium.ts';
import { test as base, createKey, expect, PATIENT } from '../fixtures/test.ts';
import { Visitor } from '../fixtures/visitor.ts';

/** A separate market: one that other tests have stepped is ahead of the clock, so its times are in the future. */
let own: { readonly market: Stack; readonly visitor: Visitor; readonly apiKey: string };

const test = base.extend<{ readonly market: Stack }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs off this pattern
  market: async ({}, provide) => provide(own.market),

  // oxlint-disable-next-line no-empty-pattern -- the same
  context: async ({}, provide) => {
    const { visitor, apiKey } = own;
    await visitor.forgetAll();
    expect((await visitor.context.request.post('/session', { data: { apiKey } })).status()).toBe(200);
    await provide(visitor.context);
    await visitor.closePages();
  },
});

test.beforeAll(async ({ browser }) => {
  // Blocks follow the clock; fewer coins make them cheaper.
  const market = await Stack.start({
    env: { VENUE_SIZE: '0.1', VENUE_COINS: COINS.join(), L4_AUDIT_MS: '10000', ...PATIENT },
  });
  const { key } = await createKey(market, 'clocks');
  const visitor = await Visitor.enter(await browser.newContext({ ...WINDOW, baseURL: market.url }));
  own = { market, visitor, apiKey: key };
});
test.afterAll(async () => {
  await own.visitor[Symbol.asyncDispose]();
  await own.market[Symbol.asyncDispose]();
});

// A page without blocks queries the service's state, which is 503 while the exchange is unreachable.
test.use({ expectedMessages: [/the server responded with a status of 503/] });

/** The age in the title line; each of several ladders has one too. */
const AGE = '[data-part=integrity] [data-part=age]';

/** The parts that show a book's state: the status line, the header of a ladder, a tile of the radar, a row of the overview. */
const SAYING = ['integrity', 'ladder-state', 'radar-tile', 'book-proof'].map((part) => `[data-part=${part}]`);

/** Everything that is green for a live book. None of it may be green otherwise. */
const GREENS = [...SAYING.map((part) => `${part} .text-exact`), 'button[aria-label^="Connection"] .bg-exact'];
const GREEN = GREENS.join();

/** Three ladders, two of them of one coin, with the radar and the strip. */
const SEVERAL = '?books=ETH,BTC@10@mid&pane=radar&strip=1';

/** BTC changes with every block; xyz:GOLD is a quiet coin. */
const LIVELY = 'BTC';
const QUIET = 'xyz:GOLD';

/** All coins that the exchange lists. */
const COINS = [LIVELY, 'ETH', 'SOL', QUIET];

const SILENT = { kind: 'silent', ms: 600_000 } as const satisfies VenueFault;

test.describe('a market that runs by the clock', () => {
  test.beforeEach(({ market }) => market.venue.pace(1));
  test.afterEach(async ({ market }) => {
    await market.venue.fault({ kind: 'clear' });
    await market.venue.pace(0);
  });

  test('shows clocks in the status line; in a silence, and after crossed, missing, late and cut blocks, nothing wrong is green, its age is shown, other coins continue, and all recover', async ({
    desk,
    market,
  }) => {
    await openSeveral(desk);
    await expect(desk.integrity).toContainText(/^● EXACT· age \d\.\d\d s/);
    await desk.integrity.getByRole('button').click();
    const details = desk.page.locator('[data-part=proof-details]');
    await expect(details).toContainText(/link\d[\d.]* m?s.*block[\d,]+.*proved at every block/s);
    await desk.page.keyboard.press('Escape');
    await expect(details).toHaveCount(0);
    await expect.poll(() => ageOf(desk)).toBeLessThan(1_000);
    await expect(desk.page.locator(AGE)).toHaveAttribute('title', /from round trips/);

    await market.venue.fault(SILENT);
    await expect(desk.integrity).toHaveAttribute('data-state', 'suspect');
    await expect(desk.integrity).toContainText(/SUSPECT · no block for \d+(?:\.\d)? s, usually \d[\d.]* s/);
    await expectNothingGreen(desk.page);
    await expectAges(desk.page, 1_000);
    const ladders = desk.page.locator('[data-part=ladder]');
    await expect(ladders).toHaveCount(3);
    for (const ladder of await ladders.all()) {
      await expect(ladder).toHaveAttribute('data-stale', 'true');
      await expect(ladder.locator('[data-part=pane-state]')).toContainText('SUSPECT');
    }
    await expect(desk.page.getByRole('button', { name: /^Connection: Upstream/ })).toBeVisible();
    await test.step('a block that is held of such a book is no better', async () => {
      await desk.page.keyboard.press('p');
      const message = ladders.first().locator('[data-part=pane-state]');
      await expect(message).toContainText(/^PAUSED.* · SUSPECT.* · how far the market has moved is unknown$/);
      await expectNothingGreen(desk.page);
      await expectAges(desk.page, 1_000);
      for (const ladder of await ladders.all()) await expect(ladder).toHaveAttribute('data-stale', 'true');
      await desk.page.keyboard.press('p');
      await expect(message).toContainText(/^SUSPECT/);
    });
    await test.step('a chip at the edge of such a ladder has no colours, and leads back to the best prices', async () => {
      const ladder = ladders.first();
      await ladder.getByRole('grid').focus();
      for (const key of ['PageUp', 'PageUp']) await desk.page.keyboard.press(key);
      const chip = ladder.locator('[data-part=touch-chip]');
      await expect(chip).toHaveCSS('filter', 'grayscale(1)');
      await chip.click();
      await expect(chip).toHaveCount(0);
    });
    const first = await ageOf(desk);
    const shown = (await desk.page.locator(AGE).textContent()) ?? '';
    await expect.poll(() => ageOf(desk), 'the age goes on').toBeGreaterThan(first + 1_000);
    await expect(desk.page.locator(AGE), 'and is written').not.toHaveText(shown);

    await desk.page.getByRole('link', { name: 'Overview' }).click();
    await expect(desk.page.locator('[data-part=book-proof]').first()).toHaveAttribute(
      'data-state',
      /suspect|stale|rebuilding/,
    );
    await expectNothingGreen(desk.page);

    await market.venue.fault({ kind: 'clear' });
    await desk.page.goBack();
    await desk.expectLive(LIVELY);
    await expect.poll(() => ageOf(desk)).toBeLessThan(1_000);
    await expectAllLive(desk.page);
    for (const [name, fault] of [
      ['crossed', { kind: 'corrupt', mode: 'crossed', coin: 'ETH' }],
      ['a missing block', { kind: 'drop', blocks: 1, coin: 'ETH' }],
    ] as const satisfies readonly (readonly [string, VenueFault])[]) {
      await test.step(`${name}: the ladder and the tile of that coin are not green until it is rebuilt`, async () => {
        const seen = await watchSaid(desk.page);
        await market.venue.fault(fault);
        const broken = desk.page.locator('[data-part=ladder-column][data-coin=ETH] [data-part=ladder-state]');
        await expect.poll(async () => (await seen()).states.ETH).toContain('rebuilding');
        await expect(broken).toHaveAttribute('data-state', 'live');
        await expectAllLive(desk.page);
        const { greens, states } = await seen();
        expect(greens).toEqual([]);
        expect(states[LIVELY]).not.toContain('rebuilding');
      });
    }
    await test.step('late: blocks that come seconds after their time are suspect, however steady, and the age is the true one', async () => {
      await market.venue.fault({ kind: 'delay', ms: 4_000, blocks: 1_000_000 });
      await expect(desk.integrity).toContainText(/SUSPECT · blocks come \d\.\d s late, usually \d[\d.]* s/);
      await expect.poll(() => ageOf(desk)).toBeGreaterThan(3_500);
      await expectNothingGreen(desk.page);
      await expectAges(desk.page, 3_500);
    });
    await test.step('cut: nothing is green over the last numbers, whose age goes on', async () => {
      await market.venue.fault({ kind: 'refuse', ms: 600_000 });
      await market.venue.fault({ kind: 'cut' });
      await expect(desk.page.getByRole('button', { name: 'Connection: Upstream feed disconnected' })).toBeVisible();
      await expect(desk.integrity).toHaveAttribute('data-state', /^(?:suspect|stale|rebuilding)$/);
      await expectNothingGreen(desk.page);
      // It was about 4 s before.
      await expect.poll(() => ageOf(desk)).toBeGreaterThan(7_000);
      await expectNothingGreen(desk.page);
      await expectAges(desk.page, 7_000);
    });
    await market.venue.fault({ kind: 'clear' });
    await desk.expectLive(LIVELY);
    await expectAllLive(desk.page);
  });

  test("in a silence, a quiet coin and a pane's window turn suspect once the upstream sends no block of any coin", async ({
    desk,
    market,
    context,
  }) => {
    const other = await context.newPage();
    await other.goto(`/book/${LIVELY}?pop=owners`);
    const popped = other.locator('[data-part=ladder-state]');
    await expect(popped).toHaveAttribute('data-state', 'live');
    await desk.open(QUIET);
    await expect.poll(() => isPaceKnown(desk.page)).toBe(true);
    await desk.expectLive(QUIET);
    await market.venue.fault(SILENT);
    await expect(desk.integrity).toHaveAttribute('data-state', 'suspect');
    await expect(desk.integrity).toContainText(/SUSPECT · (?:no block for|upstream without a block for) \d/);
    await expectNothingGreen(desk.page);
    await expect(popped).not.toHaveAttribute('data-state', 'live');
    await expectNothingGreen(other);
    await expectAges(other, 500);
    await other.close();
  });
});

/** Opens three ladders with the radar and the figures. Waits until all are live and the usual block interval of each is known. */
async function openSeveral(desk: BookPage): Promise<void> {
  const { page } = desk;
  await openWatched(desk, LIVELY, SEVERAL);
  await page
    .locator('[data-part=radar]')
    .getByRole('button', { name: /^Start/ })
    .click();
  await expect(page.locator('[data-part=ladder-state]')).toHaveCount(3);
  await expectAllLive(page);
}

/** Expects every ladder and every tile to show its book as live. */
async function expectAllLive(page: Page): Promise<void> {
  for (const part of ['ladder-state', 'radar-tile']) {
    const all = page.locator(`[data-part=${part}]`);
    await expect(all).not.toHaveCount(0);
    await expect(page.locator(`[data-part=${part}]:not([data-state=live])`)).toHaveCount(0);
  }
  // The green parts whose absence is checked while books are not live do exist now.
  for (const green of GREENS.filter((each) => !each.includes('book-proof')))
    await expect(page.locator(green), green).not.toHaveCount(0);
}

/**
 * Expects everything with numbers (ladders, tiles, figures and the open pane) to show an age of at least this. Parts that
 * show the book have lost their colour.
 */
async function expectAges(page: Page, atLeastMs: number): Promise<void> {
  const young = () =>
    page.evaluate((least) => {
      const within = (parts: string) => [...document.querySelectorAll<HTMLElement>(parts)];
      const aged = within('[data-part=ladder-state], [data-part=radar-tile][data-height], [data-part=unproven-age]');
      const panels = 'aside[data-part=panel]:not(:has([data-part=pane])), [data-part=pane]';
      const places = within(`[data-part=figures], ${panels}, header:has([data-part=shown-block])`);
      const age = '[data-part=unproven-age], [data-part=ladder-state]';
      const without = places.filter(
        (place) => (place.closest('[data-part=strip]') ?? place).querySelector(age) === null,
      );
      return [
        ...[aged, places].filter(({ length }) => length === 0).map(() => 'nothing of a kind is there'),
        ...aged.filter(({ dataset }) => !(Number(dataset.ageMs) >= least)).map(({ textContent }) => textContent),
        ...aged
          .filter(({ textContent }) => Number(/age ([\d.]+) s/.exec(textContent)?.[1] ?? least) * 1_000 < least - 100)
          .map(({ textContent }) => `says another age than it has: ${textContent}`),
        ...without.map(({ dataset }) => `${dataset.part} says no age`),
        ...within('[data-greyed-out=false]').map(({ textContent }) => `has its colours: ${textContent}`),
      ];
    }, atLeastMs);
  await expect.poll(young).toEqual([]);
}

/** Opens a coin and waits until the page knows its usual block interval. */
async function openWatched(desk: BookPage, coin: string, search = ''): Promise<void> {
  await desk.open(coin, search);
  await expect(desk.integrity).toHaveAttribute('data-usual-ms', /\d/);
  await desk.expectLive(coin);
}

/** Whether the service knows the usual block interval of the upstream. */
async function isPaceKnown(page: Page): Promise<boolean> {
  const response = await page.request.get('/readyz');
  const { upstreamL4 } = (await response.json()) as { upstreamL4: { blocks: object | null } };
  return upstreamL4.blocks !== null;
}

async function ageOf(desk: BookPage): Promise<number> {
  return Number(await desk.page.locator(AGE).getAttribute('data-age-ms'));
}

async function expectNothingGreen(page: Page): Promise<void> {
  await expect(page.locator(GREEN)).toHaveCount(0);
}

interface Said {
  /** Parts that were green while their book was not shown as live. */
  readonly greens: readonly string[];
  /** By coin, every state that a ladder of it was in. */
  readonly states: Readonly<Record<string, readonly string[]>>;
}

/** Records from now on the states of the books and the parts that were green meanwhile. */
async function watchSaid(page: Page): Promise<() => Promise<Said>> {
  const found = await page.evaluateHandle((saying) => {
    const greens: string[] = [];
    const states: Record<string, string[]> = {};
    const look = () => {
      for (const place of document.querySelectorAll<HTMLElement>(saying)) {
        const { state = '', part } = place.dataset;
        const coin = place.closest<HTMLElement>('[data-coin]')?.dataset.coin ?? '';
        if (part === 'ladder-state' && states[coin]?.includes(state) !== true) (states[coin] ??= []).push(state);
        if (state !== 'live' && place.querySelector('.text-exact') !== null) greens.push(`${coin} ${part} ${state}`);
      }
    };
    look();
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    return { greens, states };
  }, SAYING.join());
  return () => found.jsonValue();
}
