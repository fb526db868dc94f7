import { createRef } from 'react';
import { expect, it } from 'vitest';
import { Live } from '../../../book-worker/live.ts';
import { FakeWorker } from '../../../book-worker/test-support/fake-worker.ts';
import { FRAME_ASK } from '../../../book-worker/test-support/frame-ask.ts';
import { LiveProvider } from '../../../book-worker/use-book.ts';
import { must } from '../../../test-support/must.ts';
import { act, only, render } from '../../../test-support/render.ts';
import { sansNumbers } from '../../../test-support/sans-numbers.ts';
import { LaneTip, type LaneTipHandle } from './lane-tip.tsx';

it.each([
  ['rests', 0, /1 of \d/],
  ['has left', 999, /^This order has left [\d,.]+\.$/],
])('sets the numbers of an order that %s in the number font', async (_, place, says) => {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated', 0);
  live.open();
  live.follow('BTC');
  live.onFrame((__, panes) => live.showPanes(panes));
  const tip = createRef<LaneTipHandle>();
  const { container } = await render(
    <LiveProvider value={live}>
      <LaneTip ref={tip} width={800} height={600} />
    </LiveProvider>,
  );
  worker.follower.goLive('BTC');
  const px = must(worker.follower.coin('BTC')?.book?.best('B')?.px, 'bids');
  const serial = live.nextSerial();
  const level = { side: 'B', px, tick: '0.1' } as const;
  live.wantLane({ serial, level, place });
  await act(async () => {
    live.ask({ ...FRAME_ASK, generation: live.generation });
    worker.deliver();
    tip.current?.show({ serial, level, by: 'pointer', y: 100, rowHeight: 20, x: 200, touch: undefined });
  });
  const shown = only(container, '[data-part=lane-tip]');
  expect(shown.textContent).toMatch(says);
  expect(sansNumbers(shown)).toEqual([]);
});
