import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, it, onTestFinished, vi } from 'vitest';
import { SessionProvider } from '../../../api/session-context.tsx';
import type { Sweep } from '../../../book-worker/panes/sweep.ts';
import { followedPage } from '../../../book-worker/test-support/followed-page.ts';
import { LiveProvider } from '../../../book-worker/use-book.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { FakeService } from '../../../test-support/fake-service.ts';
import { must } from '../../../test-support/must.ts';
import { render } from '../../../test-support/render.ts';
import { DEFAULT_SWEEP } from '../search.ts';
import { SweepResult } from './sweep-result.tsx';

const SWEEP: Sweep = {
  side: 'buy',
  filledSz: '1',
  filledNtl: '100',
  unfilled: '0',
  vwap: '100',
  bestPx: '100',
  worstPx: '100',
  slippageBps: '0',
  orders: 1,
  levels: 1,
  owners: [],
};

it('names the block of a sweep', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  usePreferences.getState().set({ autoLoadCredits: 0 });
  onTestFinished(() => usePreferences.getState().set({ autoLoadCredits: undefined }));
  const { worker, live } = followedPage();
  worker.follower.goLive('BTC');
  worker.deliver();
  const { generation, frozen, sizeDecimals } = must(live.book().shown);
  const queries = new QueryClient();
  const { session } = new FakeService();
  const page = (height: number) => (
    <SessionProvider value={session}>
      <QueryClientProvider client={queries}>
        <LiveProvider value={live}>
          <SweepResult
            choice={DEFAULT_SWEEP}
            result={{ generation, height, frozen, sizeDecimals, sweep: SWEEP, orders: [] }}
            coin={undefined}
          />
        </LiveProvider>
      </QueryClientProvider>
    </SessionProvider>
  );
  const { container, rerender } = await render(page(1_000));
  expect(container.textContent).toContain('at block 1,000');
  await rerender(page(1_001));
  expect(container.textContent).toContain('at block 1,001');
});
