import { expect, it } from 'vitest';
import { followedPage } from '../../book-worker/test-support/followed-page.ts';
import { LiveProvider } from '../../book-worker/use-book.ts';
import { only, render } from '../../test-support/render.ts';
import { OtherBlock } from './other-block.tsx';

it('the block of a pane is seen only while it is far behind the live ladder, or not the one of a held ladder', async () => {
  const { worker, live, deliver } = followedPage();
  const at = (height: number, instead?: string) => (
    <LiveProvider value={live}>
      <OtherBlock height={height} title="" instead={instead} />
    </LiveProvider>
  );
  const { container, rerender } = await render(at(0));
  worker.follower.goLive('BTC');
  await deliver();
  const height = live.book().shown?.height ?? 0;
  const isSeen = async (behind: number, instead?: string) => {
    await rerender(at(height - behind, instead));
    return !only(container, '[data-part=other-block]').className.includes('invisible');
  };
  expect([await isSeen(0), await isSeen(15)]).toEqual([false, false]);
  expect([await isSeen(16), await isSeen(0, 'held')]).toEqual([true, true]);
  live.travel({ kind: 'height', height });
  await deliver();
  expect(live.book().shown?.frozen).toBe(true);
  expect([await isSeen(0), await isSeen(1)]).toEqual([false, true]);
});
