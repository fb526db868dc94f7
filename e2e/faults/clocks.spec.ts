import type { VenueFault } from '@l4desk/testkit/stack';
import type { Page } from '@playwright/test';
import type { BookPage } from '../fixtures/book-page.ts';
import { expect, test } from '../fixtures/test.ts';

// A page without blocks asks the service how it is, which says 503 while the exchange is away.
test.use({ expectedMessages: [/the server responded with a status of 503/] });

/** The page's lines that would be green over a live book: status line, header, tile. None may be while it is not. */
const GREEN =
  '[data-part=integrity] .text-exact, button[aria-label^="Connection"] .bg-exact, [data-part=book-proof] .text-exact';

/** BTC changes with every block; the other is one of the quiet ones. */
const LIVELY = 'BTC';
const QUIET = 'xyz:GOLD';

const SILENT = { kind: 'silent', ms: 600_000 } as const satisfies VenueFault;

test.describe('a market that runs by the clock', () => {
  test.beforeEach(({ stack }) => stack.venue.pace(1));
  test.afterEach(async ({ stack }) => {
    await stack.venue.fault({ kind: 'clear' });
    await stack.venue.pace(0);
  });

  test('[WEB-40] names its clocks, and the age of the book is that of its last block', async ({ desk }) => {
    await desk.open(LIVELY);
    await expect(desk.integrity).toContainText(/age \d\.\d\d s·link \d+ ms·block/);
    await expect.poll(() => ageOf(desk)).toBeLessThan(1_000);
    await expect(desk.page.locator('[data-part=age]')).toHaveAttribute('title', /from round trips/);
  });

  test('[WEB-41, WEB-2] silent: a lively coin is suspect with how long and what is usual, nowhere green, and comes back', async ({
    desk,
    stack,
  }) => {
    await openWatched(desk, LIVELY);
    await stack.venue.fault(SILENT);
    await expect(desk.integrity).toHaveAttribute('data-state', 'suspect');
    await expect(desk.integrity).toContainText(/SUSPECT · no block for \d+(?:\.\d)? s, usually 0\.\d\d s/);
    await expectNothingGreen(desk.page);
    await expect(desk.ladder).toHaveAttribute('data-stale', 'true');
    await expect(desk.band).toContainText('SUSPECT');
    await expect(desk.page.getByRole('button', { name: /^Connection: Upstream/ })).toBeVisible();
    const first = await ageOf(desk);
    await expect.poll(() => ageOf(desk), 'the age goes on').toBeGreaterThan(first + 1_000);

    await desk.page.getByRole('link', { name: 'Overview' }).click();
    await expect(desk.page.locator('[data-part=book-proof]').first()).toHaveAttribute(
      'data-state',
      /suspect|stale|rebuilding/,
    );
    await expectNothingGreen(desk.page);

    await stack.venue.fault({ kind: 'clear' });
    await desk.page.getByRole('link', { name: 'Book', exact: true }).click();
    await desk.expectLive(LIVELY);
    await expect.poll(() => ageOf(desk)).toBeLessThan(1_000);
  });

  test('[WEB-41] silent: a quiet coin is suspect as soon as the upstream brings no block of any coin', async ({
    desk,
    stack,
    context,
  }) => {
    const other = await context.newPage();
    await other.goto(`/book/${LIVELY}`);
    await expect(other.locator('[data-part=integrity]')).toHaveAttribute('data-state', 'live');
    await desk.open(QUIET);
    await expect.poll(() => isPaceKnown(desk.page)).toBe(true);
    await desk.expectLive(QUIET);
    await stack.venue.fault(SILENT);
    await expect(desk.integrity).toHaveAttribute('data-state', 'suspect');
    await expect(desk.integrity).toContainText(/SUSPECT · (?:no block for|upstream without a block for) \d/);
    await expectNothingGreen(desk.page);
    await other.close();
  });

  test('[WEB-41] late: blocks that come seconds after their time are suspect, however steady, and the age is the true one', async ({
    desk,
    stack,
  }) => {
    await openWatched(desk, LIVELY);
    await stack.venue.fault({ kind: 'delay', ms: 4_000, blocks: 1_000_000 });
    await expect(desk.integrity).toContainText(/SUSPECT · blocks come \d\.\d s late, usually 0\.\d\d s/);
    await expect.poll(() => ageOf(desk)).toBeGreaterThan(3_500);
    await expectNothingGreen(desk.page);
  });

  test('[WEB-41, WEB-2] cut: nothing is green over the last numbers, whose age goes on', async ({ desk, stack }) => {
    await openWatched(desk, LIVELY);
    await stack.venue.fault({ kind: 'refuse', ms: 600_000 });
    await stack.venue.fault({ kind: 'cut' });
    await expect(desk.integrity).toHaveAttribute('data-state', /^(?:suspect|stale|rebuilding)$/);
    await expectNothingGreen(desk.page);
    await expect(desk.page.getByRole('button', { name: 'Connection: Upstream feed disconnected' })).toBeVisible();
    await expect.poll(() => ageOf(desk)).toBeGreaterThan(2_000);
    await expectNothingGreen(desk.page);
    await stack.venue.fault({ kind: 'clear' });
    await desk.expectLive(LIVELY);
  });

  for (const [name, fault] of [
    ['crossed', { kind: 'corrupt', mode: 'crossed', coin: 'ETH' }],
    ['a missing block', { kind: 'drop', blocks: 1, coin: 'ETH' }],
  ] as const satisfies readonly (readonly [string, VenueFault])[]) {
    test(`[WEB-41, WEB-2] ${name}: not green until it is rebuilt, and the outage is counted`, async ({
      desk,
      stack,
    }) => {
      await openWatched(desk, 'ETH');
      const greenWhileBroken = await watchGreen(desk.page);
      await stack.venue.fault(fault);
      await expect.poll(async () => (await desk.proof()).gaps, { timeout: 60_000 }).toBeGreaterThan(0);
      await desk.expectLive('ETH');
      expect(await greenWhileBroken()).toEqual([]);
    });
  }
});

/** Opens a coin and waits until the page knows how often its blocks come. */
async function openWatched(desk: BookPage, coin: string): Promise<void> {
  await desk.open(coin);
  await expect(desk.integrity).toHaveAttribute('data-usual-ms', /\d/, { timeout: 30_000 });
  await desk.expectLive(coin);
}

/** Whether the page has been told what is usual of the upstream. */
async function isPaceKnown(page: Page): Promise<boolean> {
  const answer = await page.request.get('/readyz');
  const { upstreamL4 } = (await answer.json()) as { upstreamL4: { blocks: object | null } };
  return upstreamL4.blocks !== null;
}

async function ageOf(desk: BookPage): Promise<number> {
  return Number(await desk.page.locator('[data-part=age]').getAttribute('data-age-ms'));
}

async function expectNothingGreen(page: Page): Promise<void> {
  await expect(page.locator(GREEN)).toHaveCount(0);
}

/** From here on: what was green while the status line said that the book is not live. */
async function watchGreen(page: Page): Promise<() => Promise<readonly string[]>> {
  const found = await page.evaluateHandle((green) => {
    const seen: string[] = [];
    const look = () => {
      const line = document.querySelector<HTMLElement>('[data-part=integrity]');
      if (line === null || line.dataset.state === 'live') return;
      for (const element of document.querySelectorAll(green)) {
        const text = `${line.dataset.state}: ${element.textContent} ${element.className}`;
        if (line.contains(element) || !element.className.includes('bg-exact')) seen.push(text);
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    return seen;
  }, GREEN);
  return () => found.jsonValue();
}
