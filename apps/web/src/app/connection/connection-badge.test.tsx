import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Profiler } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { Live } from '../../book-worker/live.ts';
import { FakeWorker } from '../../book-worker/test-support/fake-worker.ts';
import { LiveProvider } from '../../book-worker/use-book.ts';
import { ticker } from '../../state/ticker.ts';
import { FakeService } from '../../test-support/fake-service.ts';
import { act, click, only, render } from '../../test-support/render.ts';
import { ConnectionBadge } from './connection-badge.tsx';

/** Waits for what a call or a loaded part brings. */
async function until(isSo: () => boolean): Promise<void> {
  for (let waits = 0; waits < 150 && !isSo(); waits += 1) {
    await act(() => new Promise<void>((done) => setTimeout(done, 10)));
  }
  expect(isSo()).toBe(true);
}

beforeEach(() => void new FakeService());

it('is not rendered again by blocks and by the clock while all is well; its menu counts the seconds', async () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated');
  live.open();
  live.follow('BTC');
  worker.follower.connection = { kind: 'open', since: worker.follower.now };
  worker.follower.goLive('BTC');
  vi.spyOn(ticker, 'get').mockImplementation(() => worker.follower.now);
  const ticks = new Set<() => void>();
  vi.spyOn(ticker, 'subscribe').mockImplementation((listener) => {
    ticks.add(listener);
    return () => ticks.delete(listener);
  });
  let rendered = 0;
  const { container } = await render(
    <QueryClientProvider client={new QueryClient()}>
      <LiveProvider value={live}>
        <Profiler id="badge" onRender={() => void (rendered += 1)}>
          <ConnectionBadge />
        </Profiler>
      </LiveProvider>
    </QueryClientProvider>,
  );
  const button = () => only(container, 'button');
  const block = () =>
    act(async () => {
      worker.follower.now += 1_000;
      worker.follower.block('BTC');
      worker.runTimers();
      worker.deliver();
      for (const tick of ticks) tick();
    });
  await block();
  const shown = () => button().getAttribute('aria-label');
  await until(() => shown() === 'Connection: Upstream connected');
  const before = rendered;
  const heights = [];
  for (let count = 0; count < 3; count += 1) {
    await block();
    heights.push(live.book().status?.position?.height);
  }
  expect(new Set(heights).size).toBe(3);
  expect(rendered).toBe(before);

  await click(button());
  const page = () => document.body.textContent ?? '';
  const seconds = () => Number(/Connected for (\d+) s/.exec(page())?.[1]);
  await until(() => seconds() > 0);
  const open = seconds();
  await block();
  expect(seconds()).toBe(open + 1);
});
