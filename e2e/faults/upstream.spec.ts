import type { Stack, VenueFault } from '@l4desk/testkit/stack';
import type { BookPage } from '../fixtures/book-page.ts';
import { recordHistory } from '../fixtures/history.ts';
import { expect, test } from '../fixtures/test.ts';

// A page without blocks asks the service how it is, which says 503 while the exchange is away.
test.use({ expectedMessages: [/the server responded with a status of 503/] });

/** Until it is cleared: however slow the machine is, what follows happens meanwhile. */
const LONG_MS = 600_000;

/** Each fault has a coin of its own: one that is lost again and again is joined again ever more slowly. */
const BROKEN = [
  { coin: 'BTC', name: 'lost blocks', fault: { kind: 'drop', blocks: 5 } },
  { coin: 'ETH', name: 'a change of an order nobody knows', fault: { kind: 'corrupt', mode: 'oid' } },
  { coin: 'SOL', name: 'a change from another size', fault: { kind: 'corrupt', mode: 'origSz' } },
  { coin: 'HYPE', name: 'an order that crosses the book', fault: { kind: 'corrupt', mode: 'crossed' } },
  { coin: 'XRP', name: 'a torn message', fault: { kind: 'corrupt', mode: 'json' } },
] as const satisfies readonly { readonly coin: string; readonly name: string; readonly fault: VenueFault }[];

test("[WEB-1, WEB-2, L4-27] what is broken in the exchange's feed: a gap is shown with its reason, and healed to exact", async ({
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

test('[L4-12, WEB-7] blocks that come twice, in another order or with other fields are put right before anybody sees them', async ({
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

test('[WEB-1, WEB-7] the exchange cut off, away or silent while it makes blocks: found out, joined again, and exact', async ({
  desk,
  stack,
}) => {
  await test.step('the line cut', async () => {
    const tick = await follow(desk, 'AVAX');
    await stack.venue.fault({ kind: 'cut' });
    await expectGap(desk, stack);
    await desk.expectBook(await stack.venue.book('AVAX'), tick);
  });
  for (const { coin, fault, blocks } of [
    { coin: 'LINK', fault: { kind: 'restart', ms: LONG_MS }, blocks: 50 },
    { coin: 'ARB', fault: { kind: 'silent', ms: LONG_MS }, blocks: 200 },
  ] as const satisfies readonly { readonly coin: string; readonly fault: VenueFault; readonly blocks: number }[]) {
    await test.step(fault.kind, async () => {
      const tick = await follow(desk, coin);
      await stack.venue.fault(fault);
      await stack.venue.step(blocks);
      await stack.venue.fault({ kind: 'clear' });
      await expectGap(desk, stack);
      await desk.expectBook(await stack.venue.book(coin), tick);
    });
  }
});

test('[WEB-1, WEB-2] the exchange gone for long: the page does not call frozen numbers exact', async ({
  desk,
  stack,
}) => {
  const tick = await desk.open('DOGE');
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

test('[WEB-2, WEB-7] the exchange away while its book changed, and no block since: the page finds out by itself', async ({
  desk,
  stack,
}) => {
  const tick = await desk.open('SUI');
  await stack.venue.fault({ kind: 'restart', ms: LONG_MS });
  await stack.venue.step(50);
  await stack.venue.fault({ kind: 'clear' });
  await expect.poll(async () => (await desk.proof()).gaps).toBeGreaterThan(0);
  await desk.expectBook(await stack.venue.book('SUI'), tick);
});

/** Opens one coin after another, and resolves with its tick once it is exact, without a gap. */
async function follow(desk: BookPage, coin: string): Promise<string> {
  const isFirst = !new URL(desk.page.url()).pathname.startsWith('/book/');
  const tick = await (isFirst ? desk.open(coin) : desk.openNext(coin));
  await expect.poll(async () => (await desk.proof()).gaps, `gaps of ${coin}`).toBe(0);
  return tick;
}

/** Makes blocks until the page has seen that something is missing: a loss may come to light with a later block only. */
async function expectGap(desk: BookPage, stack: Stack): Promise<void> {
  await expect(async () => {
    await stack.venue.step(10);
    expect((await desk.proof()).gaps).toBeGreaterThan(0);
  }).toPass();
}
