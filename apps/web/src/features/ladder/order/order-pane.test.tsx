import { expect, it } from 'vitest';
import type { FakeWorker } from '../../../book-worker/test-support/fake-worker.ts';
import { followedPage } from '../../../book-worker/test-support/followed-page.ts';
import { onBookPage } from '../../../test-support/book-page.tsx';
import { must } from '../../../test-support/must.ts';
import { act, only, render } from '../../../test-support/render.ts';
import { OrderPane } from './order-pane.tsx';

/** The pane of an order in a book that was just built. */
async function open(oidOf: (worker: FakeWorker) => number | undefined) {
  const { worker, live, deliver } = followedPage();
  worker.follower.goLive('BTC');
  const oid = oidOf(worker);
  const { container } = await render(onBookPage(live, <OrderPane />, { order: oid }));
  const text = () => only(container, '[data-part=passport]').textContent;
  const draw = () =>
    act(async () => {
      worker.deliver();
    });
  /** Adds blocks until the pane shows this text. */
  const until = async (says: RegExp) => {
    for (let blocks = 0; !says.test(text()); blocks += 1) {
      if (blocks === 1_000) throw new Error(`after ${blocks} blocks the pane says ${text()}`);
      worker.follower.now += 1_000;
      await act(async () => worker.follower.block('BTC'));
      await deliver();
    }
  };
  return { worker, oid, text, draw, until };
}

const bestBid = ({ follower }: FakeWorker) => {
  const book = follower.coin('BTC')?.book;
  return must(book?.queue('B', must(book.best('B')?.px, 'bids'))[0]?.order.oid, 'order');
};

it('shows that an order rests, with its place, while nothing of the book is kept, and then shows its life', async () => {
  const { worker, oid, text, draw, until } = await open(bestBid);
  await draw();
  expect(text()).toMatch(
    new RegExp(
      String.raw`Order ${oid} rests in the shown book: [\d.]+, 0 orders and [\d.]+ ahead\. No change of it is known since the book was built\.$`,
    ),
  );
  worker.runTimers();
  await until(/born2026-05-05 \d\d:\d\d:\d\d\.\d{3} UTC, before what is kept/);
});

it('shows how long an order lived, in time and in blocks', async () => {
  const { worker, text, until } = await open(heldAtBirth);
  await act(async () => worker.postMessage({ kind: 'pause', paused: false }));
  await until(/leftblock/);
  expect(text()).toMatch(/lifetime\d+ (?:ms|s|m)[^,]*, [\d,]+ blocks?/);
});

/** The oid of an order that arrives in a block, at which the book is then held while three more arrive. */
const heldAtBirth = (worker: FakeWorker) => {
  worker.runTimers();
  const block = () => {
    worker.follower.now += 1_000;
    worker.follower.block('BTC');
  };
  const resting = () => {
    const levels = worker.follower.coin('BTC')?.book?.levels() ?? [];
    return levels.flatMap((side) => side.map(({ oid }) => oid));
  };
  const before = new Set(resting());
  for (;;) {
    block();
    const born = resting().find((oid) => !before.has(oid));
    if (born === undefined) continue;
    worker.postMessage({ kind: 'pause', paused: true });
    for (let later = 0; later < 3; later += 1) block();
    return born;
  }
};

it('counts the lifetime of an order that rests up to the shown block', async () => {
  const { text, draw } = await open(heldAtBirth);
  await draw();
  expect(text()).toContain('lifetime0 blocks so far');
});

it('shows that an order neither rests nor was seen', async () => {
  const { oid, text, draw } = await open(() => 99_000_000_000);
  await draw();
  expect(text()).toContain(`No order ${oid} rests in this book, and none was seen since the book was built.`);
});
