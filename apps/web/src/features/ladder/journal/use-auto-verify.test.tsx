import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { Live } from '../../../book-worker/live.ts';
import { LiveProvider } from '../../../book-worker/live-context.tsx';
import { liveStatus } from '../../../book-worker/test-support/live-status.ts';
import type { WireMessage } from '../../../book-worker/wire.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { render } from '../../../test-support/render.ts';
import { useAutoVerify, VERIFY_INTERVALS, verifyCreditsPerDay } from './use-auto-verify.ts';

const NOW = Date.UTC(2026, 10, 22, 13);

function Probe() {
  useAutoVerify();
  return null;
}

it('[WEB-44] verifies the book at the chosen interval while it is live, and never by default', async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] });
  const posted: string[] = [];
  let listener: (event: MessageEvent<WireMessage>) => void = () => {};
  const live = new Live(() => ({
    postMessage: ({ kind }) => void posted.push(kind),
    addEventListener: (type: string, added: (event: never) => void) => {
      if (type === 'message') listener = added as typeof listener;
    },
    terminate: () => {},
  }));
  live.open();
  live.follow('BTC');
  const { rerender } = await render(
    <LiveProvider value={live}>
      <Probe />
    </LiveProvider>,
  );
  const pass = (ms: number, kind: 'live' | 'rebuilding' = 'live') =>
    act(async () => {
      const now = Date.now();
      const state = { kind, reason: null, detail: '', since: now };
      listener(new MessageEvent('message', { data: { kind: 'status', status: liveStatus(now + ms, { state }) } }));
      vi.advanceTimersByTime(ms);
    });
  const verifications = () => posted.filter((kind) => kind === 'verify').length;
  await pass(4_000);
  expect(verifications()).toBe(0);
  await act(async () => usePreferences.getState().set({ verifyEveryS: 60 }));
  for (let seconds = 0; seconds < 120; seconds += 4) await pass(4_000);
  expect(verifications()).toBe(2);
  await pass(4_000, 'rebuilding');
  for (let seconds = 0; seconds < 120; seconds += 4) await pass(4_000, 'rebuilding');
  expect(verifications()).toBe(2);
  await rerender(null);
  usePreferences.getState().set({ verifyEveryS: 0 });
  vi.useRealTimers();
});

it('[WEB-44] the daily cost is one credit per comparison', () => {
  expect(VERIFY_INTERVALS.map(verifyCreditsPerDay)).toEqual([0, 1_440, 288, 96, 24]);
});
