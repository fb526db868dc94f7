import { appendFile } from 'node:fs/promises';
import { L4Book } from '@l4desk/book';
import { Chance, nodeRecording, realCapture } from '@l4desk/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { endNodes, FakeNode, NodeRig } from '../../test-support/node-rig.ts';

afterEach(endNodes);

const capture = realCapture();
const byBlock = nodeRecording('by_block');

/** Writes a line in up to three pieces, as a node's buffers leave it. */
async function writeCut(node: FakeNode, stream: 'diffs' | 'statuses' | 'fills', line: string, chance: Chance) {
  const text = `${line}\n`;
  const cuts = [chance.int(0, text.length), chance.int(0, text.length)].sort((a, b) => a - b);
  await node.append(stream, text.slice(0, cuts[0]));
  for (const piece of [text.slice(cuts[0], cuts[1]), text.slice(cuts[1])]) await appendFile(node.pathOf(stream), piece);
}

describe.skipIf(capture === undefined || byBlock === undefined)(
  'the real files of a node (left out where the recording is not at hand)',
  () => {
    if (capture === undefined || byBlock === undefined) return;

    test('[NODE-2, NODE-3, NODE-5] files by block, written in pieces and over two hours and a day, give the book of the order-level server after each of 51 blocks', async () => {
      const chance = new Chance(14);
      const node = await FakeNode.start();
      const rig = await NodeRig.start(node);
      rig.feed.acquire('BTC');
      node.snapshot = () => byBlock.snapshot;
      const truth = L4Book.build('BTC', capture.levels).book;
      for (const [index, batch] of capture.batches.entries()) {
        if (index === 10) node.hour = 23;
        if (index === 25) Object.assign(node, { day: '20260506', hour: 0 });
        await writeCut(node, 'statuses', byBlock.statuses[index] ?? '', chance);
        await writeCut(node, 'fills', byBlock.fills[index] ?? '', chance);
        await writeCut(node, 'diffs', byBlock.diffs[index] ?? '', chance);
        truth.apply(batch.changes, batch.statuses, batch.time);
        if (index === 0) await rig.live('BTC');
        if (batch.changes.length > 0) await rig.until(() => rig.coin('BTC')?.height === batch.height);
        const { bytes } = await rig.feed.snapshot('BTC', 'identity', AbortSignal.timeout(20_000));
        const expected = Buffer.concat([Buffer.from('"levels":'), ...truth.levelsJson(), Buffer.from('}')]);
        expect(expected.equals(bytes.subarray(-expected.length)), `block ${batch.height}`).toBe(true);
      }
      expect(rig.coin('BTC')).toMatchObject({ rebuilds: 0, state: 'live' });
      expect(truth.best('A')).toMatchObject(capture.end.bestAsk);
      expect(rig.trades.flatMap(({ trades }) => trades)).toHaveLength(11);
    }, 120_000);
  },
);
