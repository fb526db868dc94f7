import type { Address } from '@l4desk/protocol';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { act, only, render } from '../../test-support/render.ts';
import { OrderChunk } from './order-chunk.ts';
import { StatisticsPanel } from './statistics-panel.tsx';
import { entry, responseOf } from './test-support/orders.ts';

const WALLETS: readonly Address[] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];

/** The panel for this many orders of each wallet, all of them filled. */
function panelOf(orders: number) {
  const chunks = WALLETS.map((wallet) => {
    const entries = Array.from({ length: orders }, (_, oid) => entry('filled', { oid, sz: '0.0' }));
    return new OrderChunk(responseOf(entries, 'historicalOrders', wallet));
  });
  return <StatisticsPanel rows={chunks.flatMap(({ rows }) => rows)} noneText="None." coinText={String} />;
}

const figures = () => document.querySelector('[aria-busy] p')?.textContent;
const isBusy = () => document.querySelector('[aria-busy=true]') !== null;
const words = () => only(document.body, 'output').textContent;
/** Runs the queued slice. */
const slice = () => act(async () => vi.advanceTimersToNextTimer());

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // The clock advances by more than a slice at every read, so that each slice counts one response.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
});

afterEach(() => {
  vi.useRealTimers();
});

it('keeps the figures, marked as busy, until the next ones are counted', async () => {
  const { rerender } = await render(panelOf(3));
  expect([figures(), words()]).toEqual([undefined, 'Computing the outcomes of 6 rows…']);
  while (figures() === undefined) await slice();
  expect([figures(), isBusy(), words()]).toEqual([expect.stringMatching(/^6 orders/), false, '']);

  await rerender(panelOf(5));
  expect([figures(), isBusy()]).toEqual([expect.stringMatching(/^6 orders/), true]);
  expect(words()).toBe('Computing the outcomes of 10 rows…');
  await slice();
  // Responses arrive faster than they are counted.
  await rerender(panelOf(7));
  expect([figures(), isBusy()]).toEqual([expect.stringMatching(/^6 orders/), true]);
  while (isBusy()) await slice();
  expect(figures()).toMatch(/^14 orders/);
  expect(vi.getTimerCount()).toBe(0);
});

it('does not say that nothing is in view while orders are still being counted', async () => {
  const { rerender, container } = await render(panelOf(0));
  while (vi.getTimerCount() > 0) await slice();
  expect(container.textContent).toBe('None.');
  await rerender(panelOf(2));
  expect(container.textContent).toBe('Computing the outcomes of 4 rows…');
});
