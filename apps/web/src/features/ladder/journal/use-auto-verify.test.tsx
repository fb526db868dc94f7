import { infoCredits } from '@l4desk/protocol';
import { afterEach, expect, it, vi } from 'vitest';
import { liveStatus } from '../../../book-worker/test-support/live-status.ts';
import { statusLive } from '../../../book-worker/test-support/status-live.ts';
import { LiveProvider } from '../../../book-worker/use-book.ts';
import { notePaid, spentLately } from '../../../state/burn.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { act, render } from '../../../test-support/render.ts';
import { useAutoVerify } from './use-auto-verify.ts';

const NOW = Date.UTC(2026, 10, 22, 13);

function Probe() {
  useAutoVerify();
  return null;
}

afterEach(async () => {
  await act(async () => usePreferences.getState().set({ verifyEveryS: 0 }));
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The book page's status line over a book whose state the test sets, at a time that it advances. */
async function open() {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  const { live, posted, send } = statusLive();
  const line = (
    <LiveProvider value={live}>
      <Probe />
    </LiveProvider>
  );
  const { rerender } = await render(line);
  let isHidden = false;
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden);
  return {
    live,
    pass: async (ms: number, kind: 'live' | 'rebuilding' = 'live') => {
      const now = Date.now();
      await send(liveStatus(now + ms, { state: { kind, reason: null, detail: '', since: now } }));
      await act(async () => vi.advanceTimersByTime(ms));
    },
    hide: (next: boolean) =>
      act(async () => {
        isHidden = next;
        document.dispatchEvent(new Event('visibilitychange'));
      }),
    every: (verifyEveryS: number) => act(async () => usePreferences.getState().set({ verifyEveryS })),
    leave: () => rerender(null),
    comeBack: () => rerender(line),
    verifications: () => posted.filter(({ kind }) => kind === 'verify').length,
  };
}

it('verifies the book at the chosen interval while it is live, and never by default', async () => {
  const { live, pass, every, verifications } = await open();
  await pass(4_000);
  expect(verifications()).toBe(0);
  await every(60);
  for (let seconds = 0; seconds < 120; seconds += 4) await pass(4_000);
  expect([verifications(), live.isVerifiedAtIntervals]).toEqual([2, true]);
  // Its rate is in the credit meter already.
  const before = spentLately(Date.now());
  notePaid(infoCredits('l4BookSnapshot'));
  expect(spentLately(Date.now())).toBe(before);
  await pass(4_000, 'rebuilding');
  for (let seconds = 0; seconds < 120; seconds += 4) await pass(4_000, 'rebuilding');
  expect(verifications()).toBe(2);
});

it('verifies in time, and not more often, although the book is rebuilt or the page hidden more often than that', async () => {
  const { pass, hide, every, verifications } = await open();
  await pass(1_000);
  await every(300);
  for (let minute = 0; minute < 60; minute += 1) {
    await pass(20_000);
    await pass(10_000, 'rebuilding');
    await pass(10_000);
    await hide(true);
    await pass(10_000);
    await hide(false);
    await pass(10_000);
  }
  expect(verifications()).toBeGreaterThanOrEqual(11);
  expect(verifications()).toBeLessThanOrEqual(12);
});

it('makes up for what became due while the page was hidden or another one was open, once and at once', async () => {
  const { pass, hide, every, leave, comeBack, verifications } = await open();
  await pass(1_000);
  await every(60);
  await hide(true);
  for (let minute = 0; minute < 10; minute += 1) await pass(60_000);
  expect(verifications()).toBe(0);
  await hide(false);
  await pass(0);
  expect(verifications()).toBe(1);
  await pass(50_000);
  await leave();
  await pass(600_000);
  await comeBack();
  await pass(0);
  expect(verifications()).toBe(2);
  await pass(59_000);
  expect(verifications()).toBe(2);
  await pass(2_000);
  expect(verifications()).toBe(3);
});
