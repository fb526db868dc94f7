import { expect, it, onTestFinished } from 'vitest';
import { SessionProvider } from '../../api/session-context.tsx';
import { followedPage } from '../../book-worker/test-support/followed-page.ts';
import { LiveProvider } from '../../book-worker/use-book.ts';
import { usePreferences } from '../../state/preferences.ts';
import { FakeService } from '../../test-support/fake-service.ts';
import { act, only, render } from '../../test-support/render.ts';
import { StatusLine } from './status-line.tsx';

async function open() {
  const { worker, live, deliver } = followedPage();
  const { container } = await render(
    <SessionProvider value={new FakeService().session}>
      <LiveProvider value={live}>
        <StatusLine />
      </LiveProvider>
    </SessionProvider>,
  );
  return { container, worker, deliver };
}

it('shows the number of orders and the block time in the last line, and follows the stream', async () => {
  const { container, worker, deliver } = await open();
  expect(container.textContent).toContain('no book yet');
  worker.follower.goLive('BTC');
  await deliver();
  const block = only(container, '[data-part=shown-block]');
  const expected = () =>
    `block ${Number(block.dataset.height).toLocaleString('en-US')} · ${block.dataset.time?.slice(11, 23)} UTC`;
  const { height, time = '' } = block.dataset;
  expect(block.textContent).toBe(expected());
  expect(only(container, '[data-part=counts]').textContent).toMatch(/^\d+ orders · \d+ B · \d+ A · \d+ levels?$/);
  expect(block.title).toContain(`${time.slice(0, 10)} ${time.slice(11, 23)} UTC`);
  worker.follower.now += 67;
  worker.follower.block('BTC');
  await deliver();
  expect(Number(block.dataset.height)).toBe(Number(height) + 1);
  expect(Date.parse(block.dataset.time ?? '')).toBe(Date.parse(time) + 67);
  expect(block.textContent).toBe(expected());
});

it('names the key of the legend only while it works', async () => {
  const { container } = await open();
  expect(container.textContent).toContain('? explains this page');
  await act(async () => usePreferences.getState().set({ characterKeys: false }));
  onTestFinished(() => usePreferences.getState().set({ characterKeys: true }));
  expect(container.textContent).not.toContain('explains');
});
