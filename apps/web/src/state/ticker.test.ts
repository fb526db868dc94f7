// @vitest-environment happy-dom
import { expect, it, onTestFinished, vi } from 'vitest';

it('reports one time to everybody until the next tick, and none while the page is hidden', async () => {
  vi.useFakeTimers({ now: 1_000 });
  onTestFinished(() => void vi.useRealTimers());
  // A clock of its own: other tests may have started the one of the page.
  vi.resetModules();
  const { ticker } = await import('./ticker.ts');
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
