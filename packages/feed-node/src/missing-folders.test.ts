import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeFiles } from '@l4desk/protocol/upstream';
import { Chance } from '@l4desk/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { folderOf, type NodeStream } from './layout.ts';
import { endNodes, FakeChain, FakeNode, NodeRig } from './test-support/node-rig.ts';

afterEach(endNodes);

const TAIL = { filePollMs: 1, fileCheckMs: 5, silentAfterMs: 60_000 };

async function nodeWithout(streams: readonly NodeStream[], files: NodeFiles = 'by_block') {
  const node = await FakeNode.start(files);
  const chain = new FakeChain(['BTC', 'ETH'], new Chance(91));
  node.snapshot = () => chain.snapshot();
  for (const stream of streams) await rm(join(node.dataDir, folderOf(stream, files)), { recursive: true });
  return { node, chain };
}

const logOf = (rig: NodeRig) => rig.log.lines.join('\n');

describe('a node that lacks a folder', () => {
  test.each([
    ['by_block', 'node_order_statuses_by_block: start the node with --write-order-statuses --batch-by-block'],
    ['streaming', 'node_order_statuses_streaming: start the node with --write-order-statuses --stream-with-block-info'],
  ] as const)(
    '[NODE-22] of statuses is not read; log and health name it and its options: %s',
    async (files, problem) => {
      const { node } = await nodeWithout(['statuses', 'fills'], files);
      const rig = new NodeRig(node);
      await rig.until(() => rig.feed.health().upstreamProblem?.includes(`NODE_DATA_DIR holds no ${problem}`));
      expect(rig.feed.health().upstreamConnected).toBe(false);
      // The reason with which subscribers of trades are refused.
      expect(rig.feed.health().executionsProblem).toContain(problem);
      expect(logOf(rig)).toContain(problem);
      await node.makeFolders(files);
      await rig.until(() => rig.feed.health().upstreamConnected);
      expect(rig.feed.health()).toMatchObject({ executions: 'exact', executionsProblem: null });
    },
  );

  test.each([
    ['ENOENT', async () => {}],
    ['ENOTDIR', (path: string) => writeFile(path, '')],
  ])('[NODE-22] that is itself missing or no folder is not blamed on the node: %s', async (code, put) => {
    const { node } = await nodeWithout([]);
    await rm(node.dataDir, { recursive: true });
    await put(node.dataDir);
    const rig = new NodeRig(node);
    await rig.until(() => rig.feed.health().upstreamProblem?.includes(`NODE_DATA_DIR cannot be read (${code})`));
    expect(logOf(rig)).not.toContain('start the node with');
    await rm(node.dataDir, { recursive: true, force: true });
    await node.makeFolders('by_block');
    await rig.until(() => rig.feed.health().upstreamConnected);
    expect(rig.feed.health().executionsProblem).toBeNull();
  });

  test('[NODE-1, NODE-22] reads the kind that is complete if only diffs of the other are left', async () => {
    const { node } = await nodeWithout([]);
    await mkdir(join(node.dataDir, folderOf('diffs', 'streaming')));
    const rig = await NodeRig.start(node);
    expect(logOf(rig)).toContain('reading the files of the node {"files":"by_block"}');
  });

  test('[NODE-22] of fills has exact books, no executions, and the reason', async () => {
    const { node, chain } = await nodeWithout(['fills']);
    const rig = await NodeRig.start(node);
    rig.feed.acquire('BTC');
    const problem = 'NODE_DATA_DIR holds no node_fills_by_block: start the node with --write-fills --batch-by-block';
    for (let index = 0; index < 3; index += 1) {
      const lines = chain.block();
      for (const stream of ['statuses', 'diffs'] as const) await node.append(stream, lines[stream]);
    }
    await rig.live('BTC');
    expect(rig.feed.health()).toMatchObject({
      executions: 'inferred',
      executionsProblem: problem,
      warnings: [problem],
    });
    expect(logOf(rig)).toContain(problem);
    await node.makeFolders('by_block');
    await rig.until(() => rig.feed.health().executions === 'exact');
    expect(rig.feed.health().warnings).toEqual([]);
  });

  test('[NODE-22] but keeps an old one of fills without new lines, tells subscribers of trades', async () => {
    const { node, chain } = await nodeWithout([]);
    const rig = await NodeRig.start(node, { tuning: TAIL });
    rig.feed.acquire('BTC');
    for (let index = 0; index < 160; index += 1) {
      const lines = chain.block();
      for (const stream of ['statuses', 'diffs'] as const) await node.append(stream, lines[stream]);
    }
    const missing = await rig.until(() => rig.trades.find((trades) => trades.missing?.includes('node_fills_by_block')));
    expect(missing.missing).toContain('--write-fills');
    expect(rig.feed.health().executions).toBe('inferred');
    await node.append('fills', chain.block().fills);
    await rig.until(() => rig.feed.health().executions === 'exact');
  });

  test('[NODE-22] in which nothing is ever written, has a stale upstream beside the warning', async () => {
    const { node, chain } = await nodeWithout([]);
    const rig = await NodeRig.start(node, { tuning: TAIL });
    rig.feed.acquire('BTC');
    rig.leap(60_000);
    await rig.until(() => (rig.feed.health().warnings ?? []).length > 0);
    expect(rig.feed.health().upstreamBlocks).toMatchObject({ usualMs: 0, suspectAfterMs: 0 });
    expect(rig.feed.health().upstreamBlocks?.ageMs).toBeGreaterThan(0);
    await node.write(chain.block());
    await rig.live('BTC');
    expect(rig.feed.health()).toMatchObject({ upstreamBlocks: null, warnings: [] });
  });

  test('[NODE-22, OPS-50] but keeps an old one of statuses without new lines, is reported with its options', async () => {
    const { node, chain } = await nodeWithout([]);
    const rig = await NodeRig.start(node, { tuning: TAIL });
    rig.feed.acquire('BTC');
    await node.write(chain.block());
    await rig.live('BTC');
    rig.leap(60_000);
    const before = rig.feed.health().counters.upstreamBytes;
    await node.append('diffs', chain.block().diffs);
    await rig.until(() => rig.feed.health().counters.upstreamBytes > before);
    await rig.until(() => (rig.feed.health().warnings ?? []).length > 0);
    expect(rig.feed.health().warnings?.[0]).toBe(
      'the node writes no blocks to node_order_statuses_by_block (--write-order-statuses --batch-by-block)',
    );
  });
});

describe('a snapshot that the node refuses', () => {
  const needed = 'NODE_INFO_URL must be the info server of a node that was started with --serve-info';

  test('[NODE-23] is reported with what to change, until one succeeds', async () => {
    const { node, chain } = await nodeWithout([]);
    node.snapshot = () => null;
    const rig = await NodeRig.start(node);
    rig.feed.acquire('BTC');
    await rig.until(() => (rig.feed.health().warnings ?? []).length > 0);
    expect(rig.feed.health().warnings?.[0]).toMatch(`refused a snapshot with HTTP 500: ${needed}`);
    expect(logOf(rig)).toContain(needed);
    node.snapshot = () => chain.snapshot();
    await node.write(chain.block());
    await rig.until(() => rig.coin('BTC')?.state === 'live' && rig.feed.health().warnings?.length === 0);
  });

  test('[NODE-23] is reported if there is no info server', async () => {
    const { node } = await nodeWithout([]);
    node.stopInfo();
    const rig = await NodeRig.start(node);
    rig.feed.acquire('BTC');
    await rig.until(() => (rig.feed.health().warnings ?? []).length > 0);
    expect(rig.feed.health().warnings?.[0]).toContain(`cannot be reached: ${needed}`);
  });
});
