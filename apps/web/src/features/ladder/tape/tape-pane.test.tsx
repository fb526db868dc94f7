import { expect, it } from 'vitest';
import { followedPage } from '../../../book-worker/test-support/followed-page.ts';
import { onBookPage } from '../../../test-support/book-page.tsx';
import { must } from '../../../test-support/must.ts';
import { act, click, only, type } from '../../../test-support/render.ts';
import { renderRoute } from '../../../test-support/render-route.tsx';
import { TapePane } from './tape-pane.tsx';

async function open() {
  const { worker, live, deliver } = followedPage();
  worker.follower.goLive('BTC');
  const Component = () => onBookPage(live, <TapePane />);
  const { container } = await renderRoute(Component, '/?tape=events');
  /** Adds blocks that are this long apart. */
  const blocks = async (count: number, apartMs: number) => {
    for (let block = 0; block < count; block += 1) {
      worker.follower.now += apartMs;
      await act(async () => worker.follower.block('BTC'));
    }
    await deliver();
  };
  return { container, worker, blocks };
}

it('the focus stays in the tape when its rows become blocks', async () => {
  const { container, blocks } = await open();
  const name = () => only(container, '[role=grid]').getAttribute('aria-label');
  await blocks(3, 2_000);
  expect(name()).toBe('Changes, newest first');
  const table = only(container, '[role=grid]');
  await act(async () => table.focus());
  await blocks(100, 67);
  expect(name()).toBe('Blocks, newest first');
  expect(document.activeElement).toBe(table);
});

it('a gap is a row, but no change that is counted', async () => {
  const { container, worker, blocks } = await open();
  // The changes are kept from here on.
  await blocks(1, 2_000);
  await blocks(5, 2_000);
  await act(async () => worker.follower.goLive('BTC', { height: 200, seq: 50 }));
  await blocks(1, 2_000);
  expect(container.textContent).toContain('95 blocks (2 s) unseen');
  const rows = Number(only(container, '[role=grid]').getAttribute('aria-rowcount'));
  const counted = Number.parseInt(only(container, '[data-part=tape] > p > span.num').textContent, 10);
  // One row is that of the headings, and one the gap.
  expect(rows).toBeGreaterThan(3);
  expect(counted).toBe(rows - 2);
});

it('takes the wallet of a pasted link to an explorer', async () => {
  const { container } = await open();
  const button = must(
    [...container.querySelectorAll('button')].find(({ textContent }) => textContent === 'Wallet and size'),
  );
  await click(button);
  const wallet = must(document.querySelector<HTMLInputElement>('[role=dialog] input'));
  await type(wallet, 'https://app.hyperliquid.xyz/explorer/address/0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5');
  await expect.poll(() => button.textContent).toBe('Wallet and size1');
});
