import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { expect, it } from 'vitest';
import { Live } from '../../../book-worker/live.ts';
import { FakeWorker } from '../../../book-worker/test-support/fake-worker.ts';
import { LiveProvider } from '../../../book-worker/use-book.ts';
import { BOOK_PAGE } from '../../../test-support/book-page.ts';
import { act, only, render } from '../../../test-support/render.ts';
import { BookPageProvider } from '../book-page.ts';
import { TapePane } from './tape-pane.tsx';

/** The tape of a new book; `blocks` adds blocks that are this long apart. */
async function openTape() {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated');
  live.open();
  live.follow('BTC');
  worker.follower.goLive('BTC');
  const Component = () => (
    <LiveProvider value={live}>
      <BookPageProvider value={BOOK_PAGE}>
        <TapePane />
      </BookPageProvider>
    </LiveProvider>
  );
  const router = createRouter({
    routeTree: createRootRoute({ component: Component }),
    history: createMemoryHistory({ initialEntries: ['/?tape=events'] }),
  });
  await router.load();
  const { container } = await render(<RouterProvider router={router} />);
  const blocks = async (count: number, apartMs: number) => {
    for (let block = 0; block < count; block += 1) {
      worker.follower.now += apartMs;
      await act(async () => worker.follower.block('BTC'));
    }
    worker.runTimers();
    await act(async () => worker.deliver());
  };
  return { container, blocks, name: () => only(container, '[role=grid]').getAttribute('aria-label') };
}

it('the focus stays in the tape when its rows become blocks', async () => {
  const { container, blocks, name } = await openTape();
  await blocks(3, 2_000);
  expect(name()).toBe('Changes, newest first');
  const table = only(container, '[role=grid]');
  await act(async () => table.focus());
  await blocks(100, 67);
  expect(name()).toBe('Blocks, newest first');
  expect(document.activeElement).toBe(table);
});
