import { sum } from '@l4desk/decimal';
import { describe, expect, it } from 'vitest';
import { must } from '../../../test-support/must.ts';
import { FakeWorker } from '../../test-support/fake-worker.ts';
import { mapPane } from './draw-map.ts';

const shownOf = (worker: FakeWorker) => {
  const { book, height = 0, blockTime = 0 } = must(worker.follower.coin('BTC'), 'coin');
  return { book: must(book, 'book'), position: { height, seq: 1, epoch: 'e', blockTime }, frozen: false };
};

describe('the map of the whole book', () => {
  it('contains every order in its bars, and is computed at most once a second', () => {
    const worker = new FakeWorker();
    worker.postMessage({ kind: 'follow', generation: 1, coin: 'BTC' });
    worker.follower.goLive('BTC');
    const pane = mapPane();
    const ask = { serial: 1, bars: 20 };
    const first = pane.respond(shownOf(worker), ask, { at: 0, clock: 0 });
    const response = must(first === undefined || first === 'later' ? undefined : first.response, 'response');
    const [bids, asks] = worker.follower.levels('BTC');
    const total = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
    expect(total(response.bids)).toBeCloseTo(Number(sum(bids.map(({ sz }) => sz))), 6);
    expect(total(response.asks)).toBeCloseTo(Number(sum(asks.map(({ sz }) => sz))), 6);
    worker.follower.block('BTC');
    expect(pane.respond(shownOf(worker), ask, { at: 300, clock: 0 })).toBe('later');
    expect(pane.respond(shownOf(worker), ask, { at: 1_000, clock: 0 })).toHaveProperty('response');
  });
});
