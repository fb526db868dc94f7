import { expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { FakeWorker } from '../test-support/fake-worker.ts';

it('the requotes of a wallet are those of its side, as far as the shown block is kept', () => {
  const worker = new FakeWorker();
  worker.postMessage({ kind: 'follow', generation: 1, coin: 'BTC' });
  worker.follower.goLive('BTC');
  const read = () => must(worker.frame({ owners: { withinBps: '10000', limit: 100 } }).owners, 'owners');
  const before = read();
  expect(before.requoteSpanMs).toBeNull();
  expect(before.bids.owners.map(({ requotes }) => requotes)).toEqual(before.bids.owners.map(() => null));
  worker.runTimers();
  for (let block = 0; block < 200; block += 1) {
    worker.follower.now += 1_000;
    worker.follower.block('BTC');
  }
  const after = read();
  expect(after.requoteSpanMs).toBe(200_000);
  for (const { owners } of [after.bids, after.asks]) {
    for (const { user, requotes } of owners) expect(requotes === null).toBe(user === null);
  }
});
