import { afterEach, expect, test } from 'vitest';
import { endRigs, FeedRig } from '../test-support/feed-rig.ts';

afterEach(endRigs);

test('[UP-22] does not treat blocks that arrive while the thread is descheduled as late', async () => {
  const rig = await FeedRig.start(['BTC', 'ETH'], { auditMs: 0 });
  await rig.hold('BTC');
  await rig.hold('ETH');
  const waiting: (() => void)[] = [];
  rig.time.afterInput = (run) => {
    waiting.push(run);
  };
  const made = rig.upstream.make();
  rig.upstream.send(made, ['BTC']);
  await rig.until(() => waiting.length === 1);
  // The thread resumes long after its last read and has not read again yet.
  rig.time.advance(90);
  waiting.shift()?.();
  expect(rig.blocks).toEqual([]);
  rig.upstream.send(made, ['ETH']);
  await rig.until(() => waiting.length > 0);
  for (const run of waiting.splice(0)) run();
  await rig.until(() => rig.blocks.length === 1);
  expect(rig.blocks[0]?.entries.map(({ coin }) => coin)).toEqual(['BTC', 'ETH']);
});
