import { expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { FakeWorker } from '../test-support/fake-worker.ts';

it('the requotes of a wallet are those of its side, as far as the shown block is kept', () => {
  const worker = new FakeWorker();
  worker.follow('BTC');
  worker.follower.goLive('BTC');
  const read = () => must(worker.frame({ owners: { withinBps: '10000', limit: 100 } }).owners, 'owners');
  const before = read();
  expect(before.requoteSpanMs).toBeNull();
  expect(before.bids.owners.map(({ requotes }) => requotes)).toEqual(before.bids.owners.map(() => null));
  worker.runTimers();
  worker.blocks(200, 1_000);
  const after = read();
  expect(after.requoteSpanMs).toBe(200_000);
  for (const { owners } of [after.bids, after.asks]) {
    for (const { user, requotes } of owners) expect(requotes === null).toBe(user === null);
  }
});
