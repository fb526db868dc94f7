// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { Live } from './live.ts';
import { FakeWorker } from './test-support/fake-worker.ts';

it('[WEB-12] a hold asked for before the worker stands goes to it, ahead of the coin', () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker);
  const hold = { coin: 'BTC', height: 100 };
  live.hold(hold);
  live.follow('BTC');
  live.open();
  expect(worker.received).toEqual([
    { kind: 'hold', hold },
    { kind: 'follow', generation: 1, coin: 'BTC' },
  ]);
  worker.follower.goLive('BTC');
  worker.deliver();
  expect(live.status()).toMatchObject({ holdAt: undefined, frozen: { height: 100, asked: 100 } });
});

it('a hold that was taken back before that does not', () => {
  const worker = new FakeWorker();
  const live = new Live(() => worker);
  live.hold({ coin: 'BTC', height: 100 });
  live.hold(undefined);
  live.open();
  expect(worker.received).toEqual([]);
});
