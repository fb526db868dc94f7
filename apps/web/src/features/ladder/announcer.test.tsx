import { expect, it } from 'vitest';
import { liveStatus } from '../../book-worker/test-support/live-status.ts';
import { statusLive } from '../../book-worker/test-support/status-live.ts';
import { LiveProvider } from '../../book-worker/use-book.ts';
import { only, render } from '../../test-support/render.ts';
import { Announcer } from './books/ladder-column.tsx';

const NOW = Date.now();
const equal = { kind: 'equal', at: NOW, height: 1_000, orders: 50_730, tookMs: 12 } as const;
const failed = { kind: 'failed', at: NOW, detail: 'no credits' } as const;

async function open() {
  const { live, send } = statusLive();
  const { container } = await render(
    <LiveProvider value={live}>
      <Announcer coin="BTC" paused={false} />
    </LiveProvider>,
  );
  const said = async (
    verification: typeof equal | typeof failed | { readonly kind: 'running'; readonly since: number },
  ) => {
    await send({ ...liveStatus(NOW), verification });
    return only(container, '[data-part=compared]').textContent;
  };
  return { live, said };
}

it('the result of a comparison is announced', async () => {
  const { said } = await open();
  expect(await said({ kind: 'running', since: NOW })).toBe('');
  expect(await said(equal)).toBe('50,730 orders match at block 1,000, in 12 ms.');
  expect(await said(failed)).toBe('no credits.');
});

it('of comparisons at intervals, only those that did not find an equal book are announced', async () => {
  const { live, said } = await open();
  live.verify({ isAtInterval: true });
  expect(await said(equal)).toBe('');
  expect(await said(failed)).toBe('no credits.');
  live.verify();
  expect(await said({ ...equal, at: NOW + 1 })).toBe('50,730 orders match at block 1,000, in 12 ms.');
});
