import { type FileHandle, mkdir, open, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { NodeFiles } from '@l4desk/protocol/upstream';
import { Chance } from '@l4desk/testkit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { NodeStream } from './layout.ts';
import { asRows, type BlockLines, endNodes, FakeChain, FakeNode, NodeRig } from './test-support/node-rig.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await endNodes();
});

const STREAMS = ['diffs', 'statuses', 'fills'] as const;

/** Resolves once every open file was read this often from now on, each time after at least 1 ms. */
async function fileReads(path: string, times: number, rig: NodeRig): Promise<void> {
  const handle = await open(path);
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const read: unknown = Reflect.get(prototype, 'read');
  if (typeof read !== 'function') throw new Error('a file handle cannot be read');
  const counts = new Map<number, number>();
  const spy = vi.spyOn(prototype, 'read').mockImplementation(function (this: FileHandle, ...parameters: unknown[]) {
    counts.set(this.fd, (counts.get(this.fd) ?? 0) + 1);
    return Reflect.apply(read, this, parameters);
  });
  await rig.until(() => [...counts.values()].filter((count) => count >= times).length >= STREAMS.length);
  spy.mockRestore();
}

/** A feed that follows BTC on a node that has written three blocks. */
async function following(files: NodeFiles) {
  const node = await FakeNode.start(files);
  const chain = new FakeChain(['BTC', 'ETH'], new Chance(71), 917);
  node.snapshot = () => chain.snapshot();
  const rig = await NodeRig.start(node);
  rig.feed.acquire('BTC');
  let tid = 0;
  const block = (): BlockLines => {
    const lines = chain.block();
    tid += 1;
    const fill = { coin: 'BTC', px: '1.0', sz: '1.0', time: 1, hash: '0x0', tid };
    const sides = [
      ['0x00000000000000000000000000000000000000a1', { ...fill, oid: 900_000 + tid, side: 'B', crossed: true }],
      ['0x00000000000000000000000000000000000000b2', { ...fill, oid: 1, side: 'A', crossed: false }],
    ];
    const withFills = { ...lines, fills: lines.fills.replace('[]', JSON.stringify(sides)) };
    return files === 'by_block' ? withFills : asRows(withFills);
  };
  const write = async (lines: BlockLines, hour: { day: string; hour: number }, streams: readonly NodeStream[]) => {
    Object.assign(node, hour);
    for (const stream of streams) await node.append(stream, lines[stream]);
  };
  // In streaming files only the second block shows that the first is complete.
  for (let index = 0; index < 3; index += 1) await write(block(), { day: '20260505', hour: 17 }, STREAMS);
  await rig.live('BTC');
  return { node, chain, rig, block, write };
}

const HOURS = [
  [
    { day: '20260505', hour: 17 },
    { day: '20260505', hour: 18 },
  ],
  [
    { day: '20260505', hour: 18 },
    { day: '20260505', hour: 23 },
  ],
  [
    { day: '20260505', hour: 23 },
    { day: '20260506', hour: 0 },
  ],
] as const;

describe.each(['by_block', 'streaming'] as const)('rows for the old hour after the new file appeared, %s', (files) => {
  test('[NODE-20] are neither lost nor a reason to rebuild, in any of the three files', async () => {
    const { node, chain, rig, block, write } = await following(files);
    for (const [index, [old, next]] of HOURS.entries()) {
      const onTime = block();
      const late = block();
      const first = block();
      await write(onTime, old, STREAMS);
      // Whole blocks are late, or the last rows of one.
      const isSplit = files === 'streaming' && index === 1;
      const [head, rest] = isSplit ? split(late) : [{ diffs: '', statuses: '', fills: '' }, late];
      await write(head, old, STREAMS);
      await write(first, next, STREAMS);
      await fileReads(node.pathOf('diffs'), 30, rig);
      await write(rest, old, STREAMS);
      rig.leap(2_000);
      Object.assign(node, next);
      for (let more = 0; more < 3; more += 1) await write(block(), next, STREAMS);
      await rig.until(() => rig.coin('BTC')?.height === chain.height - (files === 'streaming' ? 1 : 0));
    }
    await write(block(), HOURS[2][1], STREAMS);
    await write(block(), HOURS[2][1], STREAMS);
    await rig.until(() => (rig.coin('BTC')?.height ?? 0) >= chain.height - (files === 'streaming' ? 1 : 0));
    expect(rig.feed.health().counters.lossesByReason).toEqual({});
    const trades = () => rig.trades.flatMap((each) => each.trades);
    await rig.until(() => trades().at(-1)?.tid === chain.height - 917);
    expect(rig.trades.filter(({ missing }) => missing !== undefined)).toEqual([]);
    const first = trades()[0]?.tid ?? 0;
    expect(trades().map(({ tid }) => tid)).toEqual(trades().map((_, index) => first + index));
    const heights = rig.blocks.map(({ height }) => height);
    expect(heights).toEqual(heights.map((_, index) => (heights[0] ?? 0) + index));
  });

  test('[NODE-20] are read while the new file is empty', async () => {
    const { node, chain, rig, block, write } = await following(files);
    const [old, next] = HOURS[0];
    Object.assign(node, next);
    for (const stream of STREAMS) {
      await mkdir(dirname(node.pathOf(stream)), { recursive: true });
      await writeFile(node.pathOf(stream), '');
    }
    Object.assign(node, old);
    await fileReads(node.pathOf('diffs'), 30, rig);
    await write(block(), old, STREAMS);
    for (let more = 0; more < 3; more += 1) await write(block(), next, STREAMS);
    await fileReads(node.pathOf('diffs'), 30, rig);
    rig.leap(2_000);
    await rig.until(() => (rig.coin('BTC')?.height ?? 0) >= chain.height - (files === 'streaming' ? 1 : 0));
    expect(rig.feed.health().counters.lossesByReason).toEqual({});
  });
});

/** The first row of each file, and the rest. */
function split(lines: BlockLines): readonly [BlockLines, BlockLines] {
  const at = (stream: NodeStream) => lines[stream].indexOf('\n') + 1;
  const part = (cut: (stream: NodeStream) => string): BlockLines => ({
    diffs: cut('diffs'),
    statuses: cut('statuses'),
    fills: cut('fills'),
  });
  return [part((stream) => lines[stream].slice(0, at(stream))), part((stream) => lines[stream].slice(at(stream)))];
}
