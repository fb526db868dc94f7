import { beforeEach, expect, it } from 'vitest';
import { followedPage } from '../book-worker/test-support/followed-page.ts';
import { changeAccount } from '../state/account.ts';
import { must } from '../test-support/must.ts';
import { act, render } from '../test-support/render.ts';
import { Toasts } from '../ui/toast.tsx';
import { bookActions } from './palette-book.ts';

// Toasts of other tests disappear with their account.
beforeEach(() => {
  changeAccount('acc_toasts');
  changeAccount(undefined);
});

it('offers verify only for a live book, and retry only for one that has stopped', () => {
  const { worker, live } = followedPage();
  const offered = () => bookActions(live, '/limits').map(({ label }) => label);
  worker.deliver();
  expect(offered()).toEqual([]);
  worker.follower.goLive('BTC');
  worker.deliver();
  expect(offered()).toEqual(['Verify the BTC book']);
  worker.follower.stop({ kind: 'credits', message: 'none are left' });
  worker.deliver();
  expect(offered()).toEqual(['Retry following the BTC book']);
});

it('reports the result of a verification on every page but the book’s own', async () => {
  const { container } = await render(<Toasts />);
  const { worker, live } = followedPage();
  worker.follower.goLive('BTC');
  worker.deliver();
  const verify = async (pathname: string, height: number) => {
    worker.follower.now += 1_000;
    const at = worker.follower.now;
    worker.follower.verification = Promise.resolve({ kind: 'equal', height, seq: 1, at });
    must(bookActions(live, pathname)[0], 'verify').run();
    const reported = async () => {
      await act(async () => void worker.deliver());
      return live.book().status?.verification;
    };
    await expect.poll(reported).toMatchObject({ kind: 'equal', at });
    return container.textContent;
  };
  expect(await verify('/book/BTC', 100)).toBe('');
  // The latest status may still carry the previous verification.
  live.pause(true);
  expect(await verify('/limits', 105)).toMatch(/^BTC verified: [\d,]+ orders match a fresh snapshot at block 105/);
});
