import { expect, it } from 'vitest';
import { FakeWorker } from '../../../book-worker/test-support/fake-worker.ts';
import { must } from '../../../test-support/must.ts';
import { only, render } from '../../../test-support/render.ts';
import { LaneTip } from './lane-tip.tsx';

it.each([
  ['rests', 0, /1 of \d/],
  ['has left', 999, /^This order has left [\d,.]+\.$/],
])('sets the numbers of an order that %s in the number font', async (_, place, says) => {
  const worker = FakeWorker.live();
  const px = must(worker.follower.coin('BTC')?.book?.best('B')?.px, 'bids');
  const level = { side: 'B', px, tick: '0.1' } as const;
  const order = must(worker.openCanvas().lane(level, { place, oid: undefined }));
  const position = { y: 100, rowHeight: 20, x: 200, touch: undefined, sizeDecimals: 5 };
  const target = { serial: 1, level, by: 'pointer', ageMs: 4_000, ...order, ...position } as const;
  const { container } = await render(<LaneTip target={target} width={800} height={600} />);
  const shown = only(container, '[data-part=lane-tip]');
  expect(shown.textContent).toMatch(says);
});
