import { Chance } from '@l4desk/testkit';
import { afterEach, expect, test } from 'vitest';
import { endNodes, FakeChain, FakeNode, NodeRig } from './test-support/node-rig.ts';

afterEach(endNodes);

test('[NODE-4, UP-10] audits find a block lost by a node that leaves out quiet ones, even if nothing is written after it', async () => {
  const node = await FakeNode.start();
  const chain = new FakeChain(['BTC', 'ETH'], new Chance(43));
  node.snapshot = () => chain.snapshot();
  const files = { filePollMs: 1, fileCheckMs: 5, silentAfterMs: Number.MAX_SAFE_INTEGER };
  const rig = await NodeRig.start(node, {
    auditMs: 20,
    tuning: { ...files, auditShareMax: 1, auditQuietMs: 5, auditSilentMs: 50 },
  });
  rig.feed.acquire('BTC');
  /** Writes a block in which these coins change, after a quiet one that is left out. */
  const write = async (coins?: readonly string[]) => {
    chain.height += 1;
    const { statuses, diffs } = chain.block(coins);
    // An empty line would show that quiet blocks are written.
    expect(`${statuses}${diffs}`).not.toContain('"events":[]');
    await node.append('statuses', statuses);
    await node.append('diffs', diffs);
  };
  for (let index = 0; index < 4; index += 1) await write();
  await rig.until(() => rig.log.lines.some((line) => line.includes('leaves out blocks without events')));
  await rig.until(() => rig.coin('BTC')?.state === 'live' && rig.feed.health().counters.auditsPassed > 0);
  // An audit between the writes of a block's two files above may already have found a difference.
  const losses = () => rig.feed.health().counters.lossesByReason;
  const { 'missing-block': missing, audit: found = 0 } = losses();

  chain.block(['BTC']);
  await write(['ETH']);
  await rig.until(() => (losses().audit ?? 0) > found && rig.coin('BTC')?.state === 'live');
  expect(losses()['missing-block']).toBe(missing);
  const { levels } = await rig.snapshot('BTC');
  expect(levels).toEqual(chain.books.get('BTC')?.levels());
});
