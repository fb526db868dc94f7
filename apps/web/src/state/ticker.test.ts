// @vitest-environment happy-dom
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTicker } from './ticker.ts';

it('reports one time to everybody until the next tick, and none while the page is hidden', () => {
  vi.useFakeTimers({ now: 1_000 });
  onTestFinished(() => void vi.useRealTimers());
  const ticker = createTicker();
  const end = ticker.subscribe(() => {});
  vi.advanceTimersByTime(40);
  expect(ticker.get()).toBe(1_000);
  vi.advanceTimersByTime(460);
  expect(ticker.get()).toBe(1_500);
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  vi.advanceTimersByTime(1_000);
  expect(ticker.get()).toBe(1_500);
  hidden.mockRestore();
  document.dispatchEvent(new Event('visibilitychange'));
  expect(ticker.get()).toBe(2_500);
  end();
});
