import { appendFile } from 'node:fs/promises';
import { L4Book } from '@l4desk/book';
import { Chance, nodeRecording, realCapture } from '@l4desk/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { endNodes, FakeNode, NodeRig } from '../../test-support/node-rig.ts';
import type { NodeStream } from './layout.ts';

afterEach(endNodes);

const BEFORE_FIRST = 985_148_181;
const BOOK_STREAMS = ['diffs', 'statuses'] as const;

const capture = realCapture();
const byBlock = nodeRecording('by_block');
const streaming = nodeRecording('streaming');

/** Compares what the feed serves with the truth, byte by byte. */
async function expectSame(rig: NodeRig, truth: L4Book, height: number): Promise<void> {
  const { bytes } = await rig.feed.snapshot('BTC', 'identity', AbortSignal.timeout(20_000));
  const expected = Buffer.concat([Buffer.from('"levels":'), ...truth.levelsJson(), Buffer.from('}')]);
  expect(expected.equals(bytes.subarray(-expected.length)), `block ${height}`).toBe(true);
}

/** Writes lines in up to three pieces, as a node's buffers leave them. */
async function writeCut(node: FakeNode, stream: NodeStream, lines: readonly string[], chance: Chance) {
  const text = lines.map((line) => `${line}\n`).join('');
  const cuts = [chance.int(0, text.length), chance.int(0, text.length)].sort((a, b) => a - b);
  await node.append(stream, text.slice(0, cuts[0]));
  for (const piece of [text.slice(cuts[0], cuts[1]), text.slice(cuts[1])]) await appendFile(node.pathOf(stream), piece);
}

/** The rows of each block, in their order. */
function rowsByBlock(lines: readonly string[]): ReadonlyMap<number, readonly string[]> {
  const rows = new Map<number, string[]>();
  for (const line of lines) {
    const height = Number(/"block_number":(\d+)/.exec(line)?.[1]);
    const known = rows.get(height);
    if (known === undefined) rows.set(height, [line]);
    else known.push(line);
  }
  return rows;
}

/** A row of another coin. */
function otherRow(stream: NodeStream, height: number): string {
  const user = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';
  const time = '2026-05-05T17:39:13.024084407';
  const event =
    stream === 'diffs'
      ? { user, oid: 1, coin: 'ETH', side: 'A', px: '1.0', raw_book_diff: 'remove' }
      : { time, user, hash: null, builder: null, status: 'open', order: { coin: 'ETH' } };
  return JSON.stringify({ local_time: time, block_time: time, block_number: height, events: [event] });
}

/** A feed that follows BTC from the recorded snapshot, and the truth to compare with. */
async function followRecording(files: 'by_block' | 'streaming', levels: NonNullable<typeof capture>['levels']) {
  const node = await FakeNode.start(files);
  const rig = await NodeRig.start(node);
  rig.feed.acquire('BTC');
  node.snapshot = () => byBlock?.snapshot ?? null;
  return { node, rig, truth: L4Book.build('BTC', levels).book };
}

describe.skipIf(capture === undefined)('the real files of a node (left out where the recording is not at hand)', () => {
  if (capture === undefined || byBlock === undefined || streaming === undefined) return;
  const { batches, end, levels } = capture;

  test('[NODE-2, NODE-3, NODE-5] files by block, written in pieces and over two hours and a day, give the book of the order-level server after each of 51 blocks', async () => {
    const chance = new Chance(14);
    const { node, rig, truth } = await followRecording('by_block', levels);
    for (const [index, { changes, height, statuses, time }] of batches.entries()) {
      if (index === 10) node.hour = 23;
      if (index === 25) Object.assign(node, { day: '20260506', hour: 0 });
      for (const stream of ['statuses', 'fills', 'diffs'] as const)
        await writeCut(node, stream, [byBlock[stream][index] ?? ''], chance);
      truth.apply(changes, statuses, time);
      if (index === 0) await rig.live('BTC');
      if (changes.length > 0) await rig.until(() => rig.coin('BTC')?.height === height);
      await expectSame(rig, truth, height);
    }
    expect(rig.coin('BTC')).toMatchObject({ rebuilds: 0, state: 'live' });
    expect(truth.best('A')).toMatchObject(end.bestAsk);
    expect(rig.trades.flatMap(({ trades }) => trades)).toHaveLength(11);
  }, 120_000);

  test('[NODE-11, NODE-2] streaming files that run ahead of each other, in pieces and over two hours, give the same book after each block', async () => {
    const chance = new Chance(15);
    const { node, rig, truth } = await followRecording('streaming', levels);
    const left = { diffs: rowsByBlock(streaming.diffs), statuses: rowsByBlock(streaming.statuses) };
    const heights = { diffs: [...left.diffs.keys()], statuses: [...left.statuses.keys()] };
    const written = { diffs: 0, statuses: 0 };
    /** The rest of a block, and the beginning of the one after it: at least a row, never all. */
    const linesTo = (stream: 'diffs' | 'statuses', height: number) => {
      const rest = (left[stream].get(height) ?? []).slice(written[stream]);
      const next = heights[stream].find((each) => each > height);
      const following = next === undefined ? [otherRow(stream, height + 1)] : (left[stream].get(next) ?? []);
      written[stream] = chance.int(1, Math.max(2, following.length));
      return [...rest, ...following.slice(0, written[stream])];
    };
    await writeCut(node, 'fills', streaming.fills, chance);
    for (const stream of BOOK_STREAMS)
      await writeCut(node, stream, [otherRow(stream, BEFORE_FIRST), ...linesTo(stream, BEFORE_FIRST)], chance);
    for (const [index, { changes, height, statuses, time }] of batches.entries()) {
      if (index === 20) node.hour = 18;
      truth.apply(changes, statuses, time);
      if (!left.diffs.has(height)) continue;
      for (const stream of chance.happens(0.5) ? BOOK_STREAMS : BOOK_STREAMS.toReversed())
        await writeCut(node, stream, linesTo(stream, height), chance);
      await rig.until(() => rig.coin('BTC')?.height === height);
      await expectSame(rig, truth, height);
    }
    expect(rig.coin('BTC')).toMatchObject({ rebuilds: 0, state: 'live' });
    expect(rig.trades.flatMap(({ trades }) => trades)).toHaveLength(11);
  }, 120_000);
});
