import { expect, it } from 'vitest';
import { act, render } from '../test-support/render.ts';
import { Live } from './live.ts';
import { FakeWorker } from './test-support/fake-worker.ts';
import { LiveProvider, useBook } from './use-book.ts';

it('a component renders when what it reads of the book changes, and only then', async () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker, 'simulated');
  live.open();
  live.follow('BTC');
  worker.follower.goLive('BTC');
  const rendered: unknown[] = [];
  function Probe() {
    rendered.push(useBook(({ shown }) => shown && { coin: shown.coin, isOdd: shown.height % 2 === 1 }));
    return null;
  }
  const deliver = () =>
    act(async () => {
      worker.runTimers();
      worker.deliver();
    });
  await deliver();
  await render(
    <LiveProvider value={live}>
      <Probe />
    </LiveProvider>,
  );
  const isOdd = (live.book().shown?.height ?? 0) % 2 === 1;
  const first = { coin: 'BTC', isOdd };
  expect(rendered).toEqual([first]);
  for (let block = 0; block < 2; block += 1) worker.follower.block('BTC');
  await deliver();
  expect(rendered, 'equal parts of another block').toEqual([first]);
  worker.follower.block('BTC');
  await deliver();
  expect(rendered).toEqual([first, { coin: 'BTC', isOdd: !isOdd }]);
});
