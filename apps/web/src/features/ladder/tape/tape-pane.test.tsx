import { expect, it } from 'vitest';
import { followedPage } from '../../../book-worker/test-support/followed-page.ts';
import { LiveProvider } from '../../../book-worker/use-book.ts';
import { BOOK_PAGE } from '../../../test-support/book-page.ts';
import { act, only } from '../../../test-support/render.ts';
import { renderRoute } from '../../../test-support/render-route.tsx';
import { BookPageProvider } from '../book-page.ts';
import { TapePane } from './tape-pane.tsx';

it('the focus stays in the tape when its rows become blocks', async () => {
  const { worker, live, deliver } = followedPage();
  worker.follower.goLive('BTC');
  const Component = () => (
    <LiveProvider value={live}>
      <BookPageProvider value={BOOK_PAGE}>
        <TapePane />
      </BookPageProvider>
    </LiveProvider>
  );
  const { container } = await renderRoute(Component, '/?tape=events');
  const name = () => only(container, '[role=grid]').getAttribute('aria-label');
  /** Adds blocks that are this long apart. */
  const blocks = async (count: number, apartMs: number) => {
    for (let block = 0; block < count; block += 1) {
      worker.follower.now += apartMs;
      await act(async () => worker.follower.block('BTC'));
    }
    await deliver();
  };
  await blocks(3, 2_000);
  expect(name()).toBe('Changes, newest first');
  const table = only(container, '[role=grid]');
  await act(async () => table.focus());
  await blocks(100, 67);
  expect(name()).toBe('Blocks, newest first');
  expect(document.activeElement).toBe(table);
});
