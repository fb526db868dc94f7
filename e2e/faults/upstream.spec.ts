import type { Stack, VenueFault } from '@l4desk/testkit/stack';
import type { BookPage } from '../fixtures/book-page.ts';
import { recordHistory } from '../fixtures/history.ts';
import { expect, test } from '../fixtures/test.ts';

// A page without blocks queries the service's state, which is 503 while the exchange is unreachable.
test.use({ expectedMessages: [/the server responded with a status of 503/] });

/** Lasts until it is cleared, so that everything that follows happens during the fault even on a slow machine. */
const LONG_MS = 600_000;

/** Each fault has a coin of its own, because a coin that is lost repeatedly is joined again with increasing delays. */
const BROKEN = [
  { coin: 'BTC', name: 'lost blocks', fault: { kind: 'drop', blocks: 5 } },
  { coin: 'ETH', name: 'a change of an order nobody knows', fault: { kind: 'corrupt', mode: 'oid' } },
  { coin: 'SOL', name: 'a change from another size', fault: { kind: 'corrupt', mode: 'origSz' } },
  { coin: 'HYPE', name: 'an order that crosses the book', fault: { kind: 'corrupt', mode: 'crossed' } },
  { coin: 'XRP', name: 'a torn message', fault: { kind: 'corrupt', mode: 'json' } },
] as const satisfies readonly { readonly coin: string; readonly name: string; readonly fault: VenueFault }[];

test("[L4-27] broken messages in the exchange's feed show a gap with its reason and are repaired to an exact book", async ({
  desk,
  stack,
}) => {
  for (const { coin, name, fault } of BROKEN) {
    await test.step(name, async () => {
      const tick = await follow(desk, coin);
      await desk.expectBook(await stack.venue.book(coin), tick);
      const { epoch } = await desk.proof();
      const history = await recordHistory(desk.page);
      await stack.venue.fault({ ...fault, coin });
      await expectGap(desk, stack);
      await desk.expectBook(await stack.venue.book(coin), tick);
      await stack.venue.step(20);
      await desk.expectBook(await stack.venue.book(coin), tick);
      expect((await desk.proof()).epoch, 'the service itself did not start again').toBe(epoch);

      const said = await history();
      const broken = said.filter(({ state }) => state === 'rebuilding');
      expect(broken, JSON.stringify(said)).not.toEqual([]);
      for (const { reason } of broken) expect(reason).not.toBe('');
      for (const { state, stale } of said) expect(stale).toBe(state !== 'live');
    });
  }
});

const HARMLESS = [
  { kind: 'duplicate', blocks: 5 },
  { kind: 'reorder', blocks: 5 },
  { kind: 'corrupt', mode: 'fields', blocks: 5 },
] as const satisfies readonly VenueFault[];

test('[L4-12] duplicated, reordered and extended blocks are corrected without users noticing', async ({
  desk,
  stack,
}) => {
  const tick = await desk.open('BTC');
  await desk.expectBook(await stack.venue.book('BTC'), tick);
  for (const fault of HARMLESS) {
    await test.step(fault.kind, async () => {
      await stack.venue.fault(fault);
      await stack.venue.step(30);
      await desk.expectBook(await stack.venue.book('BTC'), tick);
      expect((await desk.proof()).gaps).toBe(0);
    });
  }
});

test('an exchange that is cut off, away or silent while it makes blocks is detected and joined again, and the book is exact', async ({
  desk,
  stack,
}) => {
  await test.step('the line cut', async () => {
    const tick = await follow(desk, 'AVAX');
    await stack.venue.fault({ kind: 'cut' });
    await expectGap(desk, stack);
    await desk.expectBook(await stack.venue.book('AVAX'), tick);
  });
  await test.step('silent', async () => {
    const tick = await follow(desk, 'ARB');
    await stack.venue.fault({ kind: 'silent', ms: LONG_MS });
    await stack.venue.step(200);
    await stack.venue.fault({ kind: 'clear' });
    await expectGap(desk, stack);
    await desk.expectBook(await stack.venue.book('ARB'), tick);
  });
  await test.step('away for long: frozen numbers are not shown as exact', async () => {
    const tick = await follow(desk, 'DOGE');
    await desk.expectBook(await stack.venue.book('DOGE'), tick);
    await stack.venue.fault({ kind: 'refuse', ms: LONG_MS });
    await stack.venue.fault({ kind: 'cut' });
    await expect(desk.integrity).toHaveAttribute('data-state', /^(?:stale|rebuilding)$/);
    await expect(desk.integrity).toHaveAttribute('data-reason', /disconnected from the exchange/);
    await expect(desk.ladder).toHaveAttribute('data-stale', 'true');
    await stack.venue.fault({ kind: 'clear' });
    await expectGap(desk, stack);
    await desk.expectBook(await stack.venue.book('DOGE'), tick);
  });
  await test.step('away while the book changed, and no block follows: the page detects it on its own', async () => {
    const tick = await follow(desk, 'SUI');
    await stack.venue.fault({ kind: 'restart', ms: LONG_MS });
    await stack.venue.step(50);
    await stack.venue.fault({ kind: 'clear' });
    await expect.poll(async () => (await desk.proof()).gaps).toBeGreaterThan(0);
    await desk.expectBook(await stack.venue.book('SUI'), tick);
  });
});

/** Opens a coin and resolves with its tick once it is exact, without a gap. */
async function follow(desk: BookPage, coin: string): Promise<string> {
  const isFirst = !new URL(desk.page.url()).pathname.startsWith('/book/');
  const tick = await (isFirst ? desk.open(coin) : desk.openNext(coin));
  await expect.poll(async () => (await desk.proof()).gaps, `gaps of ${coin}`).toBe(0);
  return tick;
}

/** Makes blocks until the page has noticed the gap: a loss may only show with a later block. */
async function expectGap(desk: BookPage, stack: Stack): Promise<void> {
  await expect(async () => {
    await stack.venue.step(10);
    expect((await desk.proof()).gaps).toBeGreaterThan(0);
  }).toPass();
}
