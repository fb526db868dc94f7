import { sum } from '@l4desk/decimal';
import { expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { FakeWorker } from '../test-support/fake-worker.ts';

it('the map of the whole book contains every order in its bars, and is computed at most once a second', () => {
  const worker = new FakeWorker();
  worker.postMessage({ kind: 'follow', generation: 1, coin: 'BTC' });
  worker.follower.goLive('BTC');
  const mapNow = () => must(worker.frame({ map: { bars: 20 } }).map, 'map');
  const map = mapNow();
  const [bids, asks] = worker.follower.levels('BTC');
  const total = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
  expect(total(map.bids)).toBeCloseTo(Number(sum(bids.map(({ sz }) => sz))), 6);
  expect(total(map.asks)).toBeCloseTo(Number(sum(asks.map(({ sz }) => sz))), 6);
  worker.follower.now += 300;
  worker.follower.block('BTC');
  expect(mapNow().height).toBe(map.height);
  worker.follower.now += 700;
  expect(mapNow().height).toBe(map.height + 1);
  // A clock that was set back lengthens no wait.
  worker.follower.now -= 60_000;
  worker.follower.block('BTC');
  expect(mapNow().height).toBe(map.height + 1);
  expect(Math.max(...worker.waits)).toBeLessThanOrEqual(1_000);
});
