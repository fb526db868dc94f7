import { sum } from '@l4desk/decimal';
import { expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { FakeWorker } from '../test-support/fake-worker.ts';

it('the map of the whole book contains every order in its bars', () => {
  const worker = FakeWorker.live();
  const map = must(worker.frame({ map: { bars: 20 } }).map, 'map');
  const [bids, asks] = worker.follower.levels('BTC');
  const total = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
  expect(total(map.bids)).toBeCloseTo(Number(sum(bids.map(({ sz }) => sz))), 6);
  expect(total(map.asks)).toBeCloseTo(Number(sum(asks.map(({ sz }) => sz))), 6);
});
