import type { NodeFiles } from '@l4desk/protocol/upstream';
import { order as orderOf, wallet } from '@l4desk/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { asRows, type BlockLines, endNodes, FakeNode, NodeRig } from './test-support/node-rig.ts';

afterEach(endNodes);

/** A chain on which each block opens one order of BTC, and none ever leaves. */
class Openings {
  height = 500;
  readonly oids: number[] = [];
  readonly #files: NodeFiles;

  constructor(files: NodeFiles) {
    this.#files = files;
  }

  block(status = 'open'): BlockLines {
    this.height += 1;
    const oid = this.height;
    this.oids.push(oid);
    const time = `2026-05-05T17:39:13.${String(this.height).padStart(9, '0')}`;
    const line = (events: readonly unknown[]) =>
      `${JSON.stringify({ local_time: time, block_time: time, block_number: this.height, events })}\n`;
    const order = { ...this.#order(oid), children: [], origSz: '1.0' };
    const lines = {
      diffs: line([
        { user: wallet(1), oid, coin: 'BTC', side: 'B', px: '10.0', raw_book_diff: { new: { sz: '1.0' } } },
      ]),
      statuses: line([{ time, user: wallet(1), hash: null, builder: null, status, order }]),
      fills: line([]),
    };
    return this.#files === 'by_block' ? lines : asRows(lines);
  }

  snapshot(): string {
    const bids = this.oids.map((oid) => [wallet(1), { ...this.#order(oid), children: [], origSz: '1.0' }]);
    return JSON.stringify([this.height, [['BTC', [bids, []]]]]);
  }

  #order(oid: number): object {
    const { user: _, ...order } = orderOf({ coin: 'BTC', side: 'B', oid, user: wallet(1), limitPx: '10.0', sz: '1.0' });
    return order;
  }
}

const withoutEvents = (text: string) => text.replace(/"events":\[.*\]\}/, '"events":[]}');

/** A feed that follows BTC, whose node has written 20 blocks. */
async function following(files: NodeFiles) {
  const node = await FakeNode.start(files);
  const chain = new Openings(files);
  const bases: number[] = [];
  node.snapshot = () => {
    bases.push(chain.height);
    return chain.snapshot();
  };
  const rig = await NodeRig.start(node, { tuning: { filePollMs: 1, fileCheckMs: 5, silentAfterMs: 4_000 } });
  const states: string[] = [];
  rig.feed.onBookStatus(({ state, reason }) => states.push(reason === null ? state : `${state} ${reason}`));
  rig.feed.acquire('BTC');
  for (let index = 0; index < 20; index += 1) await node.write(chain.block());
  await rig.live('BTC');
  /** Waits until every row that was written is read. */
  const isRead = async (bytes: number) => rig.until(() => rig.feed.health().counters.upstreamBytes >= bytes);
  let bytes = rig.feed.health().counters.upstreamBytes;
  const write = async (lines: BlockLines) => {
    bytes += `${lines.diffs}${lines.statuses}${lines.fills}`.length;
    await node.write(lines);
  };
  const expectExact = async () => {
    while (rig.coin('BTC')?.state !== 'live') {
      await write(chain.block());
      await isRead(bytes);
    }
    const { height, levels } = await rig.snapshot('BTC');
    expect(levels[0].map(({ oid }) => oid)).toEqual(chain.oids.filter((oid) => oid <= height));
  };
  await isRead(bytes);
  return { node, chain, rig, bases, states, write, expectExact, isRead: () => isRead(bytes) };
}

describe.each(['by_block', 'streaming'] as const)('diffs that stall while statuses go on, %s', (files) => {
  const stalls =
    files === 'streaming'
      ? [['no lines', () => ''] as const]
      : [['lines without events', withoutEvents] as const, ['no lines', () => ''] as const];

  test.each(stalls)(
    '[NODE-21] rebuild the book from a snapshot that has the first height with diffs again: %s',
    async (_, stalled) => {
      const { chain, rig, bases, states, write, expectExact, isRead } = await following(files);
      for (let index = 0; index < 150; index += 1) {
        const lines = chain.block();
        await write({ ...lines, diffs: stalled(lines.diffs) });
        if (index % 30 > 0) continue;
        await isRead();
        rig.leap(3_000);
      }
      await rig.until(() => rig.coin('BTC')?.state === 'stale');
      expect(rig.coin('BTC')).toMatchObject({ reason: 'missing-changes', rebuilds: 0 });
      const firstAgain = chain.height + 1;
      for (let index = 0; index < 3; index += 1) await write(chain.block());
      await expectExact();
      expect(rig.coin('BTC')?.rebuilds).toBe(1);
      expect(bases.at(-1)).toBeGreaterThanOrEqual(firstAgain);
      const from = states.findIndex((state) => state.startsWith('stale'));
      expect(states.slice(from)).toEqual(['stale missing-changes', expect.stringContaining('rebuilding'), 'live']);
    },
  );

  test('[NODE-21] are noticed if orders leave without one', async () => {
    const { chain, rig, node, write, expectExact, isRead } = await following(files);
    const [gone = 0] = chain.oids;
    const lines = chain.block('canceled');
    chain.oids.splice(chain.oids.indexOf(gone), 1);
    chain.oids.splice(chain.oids.indexOf(chain.height), 1);
    const withGone = lines.statuses.replace(`"oid":${chain.height}`, `"oid":${gone}`);
    await write({ ...lines, diffs: files === 'streaming' ? '' : withoutEvents(lines.diffs), statuses: withGone });
    await write(chain.block());
    await isRead();
    rig.leap(3_000);
    await write(chain.block());
    await rig.until(() => rig.coin('BTC')?.rebuilds === 1);
    await expectExact();
    expect(node.snapshotsAsked).toBe(2);
  });

  test('[NODE-21] make the book stale, and are not lost if they come late', async () => {
    const { chain, node, rig, states, write, expectExact, isRead } = await following(files);
    const late: string[] = [];
    for (let index = 0; index < 30; index += 1) {
      const lines = chain.block();
      late.push(lines.diffs);
      await write({ ...lines, diffs: '' });
    }
    await isRead();
    rig.leap(3_000);
    await rig.until(() => rig.coin('BTC')?.state === 'stale');
    await node.append('diffs', late.join(''));
    await expectExact();
    expect(rig.coin('BTC')?.rebuilds).toBe(0);
    expect(states.slice(-2)).toEqual(['stale missing-changes', 'live']);
  });
});

test.each(['by_block', 'streaming'] as const)(
  '[NODE-11] a node that goes on further ahead after a silence lacks the blocks between: %s',
  async (files) => {
    const { chain, rig, write, expectExact, isRead } = await following(files);
    // In streaming files the last block is complete only when the next one is read.
    await rig.until(() => rig.coin('BTC')?.height === chain.height - (files === 'streaming' ? 1 : 0));
    for (let index = 0; index < 60; index += 1) chain.block();
    rig.leap(5_000);
    for (let index = 0; index < 3; index += 1) await write(chain.block());
    await isRead();
    await rig.until(() => rig.coin('BTC')?.lastLoss === 'missing-block');
    await expectExact();
    expect(rig.coin('BTC')?.rebuilds).toBe(1);
  },
);
