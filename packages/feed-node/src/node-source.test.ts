import { appendFile, copyFile, mkdir, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { L4Book } from '@l4desk/book';
import { Chance, diff, nodeRecording, order, orderStatus, realCapture, wallet } from '@l4desk/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { folderOf, type NodeStream } from './layout.ts';
import type { NodeFeedSettings } from './node-feed.ts';
import { type BlockLines, endNodes, FakeChain, FakeNode, NodeRig } from './test-support/node-rig.ts';

afterEach(endNodes);

const MINUTE_MS = 60_000;

/** A block waits for the line of its fills, however busy the machine is. */
const PATIENT = { filePollMs: 1, fileCheckMs: 5, silentAfterMs: Number.MAX_SAFE_INTEGER, fillsWithinMs: 1_000_000_000 };

/** Both sides of an execution of a resting order. */
function fillsOf(oid: number, sz: string, tid: number, more: object = {}) {
  const fill = { coin: 'BTC', px: '1.0', sz, time: 1, hash: '0x0', tid };
  return [
    [wallet(1), { ...fill, oid: 900_000 + tid, side: 'B', crossed: true }],
    [wallet(2), { ...fill, oid, side: 'A', crossed: false, ...more }],
  ];
}

const withFills = (lines: BlockLines, fills: readonly unknown[]): BlockLines => ({
  ...lines,
  fills: lines.fills.replace('"events":[]', `"events":${JSON.stringify(fills)}`),
});

/** Starts a feed that follows these coins on a node that has begun to write. */
async function following(settings: Partial<NodeFeedSettings> = {}, coins: readonly string[] = ['BTC']) {
  const node = await FakeNode.start();
  const chain = new FakeChain(['BTC', 'ETH', 'SOL'], new Chance(41));
  node.snapshot = () => chain.snapshot();
  const rig = await NodeRig.start(node, settings);
  for (const coin of coins) rig.feed.acquire(coin);
  await node.write(chain.block());
  for (const coin of coins) await rig.live(coin);
  return { node, chain, rig };
}

/** Waits until the feed's books equal the chain's, at its height. */
async function expectExact(rig: NodeRig, chain: FakeChain, coins: readonly string[] = ['BTC']) {
  for (const coin of coins) {
    await rig.until(() => rig.coin(coin)?.height === chain.height && rig.coin(coin)?.state === 'live');
    const { levels } = await rig.snapshot(coin);
    expect(levels).toEqual(chain.books.get(coin)?.levels());
  }
}

describe('the files of a node', () => {
  test('[NODE-1] are detected automatically, and those that were written to last are read if both kinds exist', async () => {
    const node = await FakeNode.start();
    const problem = (settings: NodeRig) => settings.feed.health().upstreamProblem;
    await rm(node.dataDir, { recursive: true });
    const rig = new NodeRig(node);
    await rig.until(() => problem(rig)?.includes('node_raw_book_diffs_by_block or node_raw_book_diffs_streaming'));
    // Both must appear at once, because the first one alone would be read.
    const dataDir = `${node.dataDir}-new`;
    for (const files of ['by_block', 'streaming'] as const) {
      await node.makeFolders(files, dataDir);
      const day = join(dataDir, folderOf('diffs', files), 'hourly', '20260505');
      await mkdir(day, { recursive: true });
      await writeFile(join(day, '17'), '');
      const writtenAt = files === 'streaming' ? 1_778_002_752 : 1_778_002_751;
      await utimes(join(day, '17'), writtenAt, writtenAt);
    }
    await rename(dataDir, node.dataDir);
    await rig.until(() => rig.feed.health().upstreamConnected);
    expect(rig.log.lines.join('\n')).toContain('reading the files of the node {"files":"streaming"}');
  });

  test.each([
    ['has no hours', async () => {}],
    ['cannot be read', (hourly: string) => writeFile(hourly, '')],
    [
      'loses its newest file',
      async (hourly: string) => {
        await mkdir(join(hourly, '20990505'), { recursive: true });
        await symlink('gone', join(hourly, '20990505', '17'));
      },
    ],
  ])('[NODE-1] are read if the folder of the other kind %s', async (_, put) => {
    const node = await FakeNode.start();
    await node.makeFolders('streaming');
    await put(join(node.dataDir, folderOf('diffs', 'streaming'), 'hourly'));
    await node.append('diffs', '');
    const rig = await NodeRig.start(node);
    expect(rig.log.lines.join('\n')).toContain('reading the files of the node {"files":"by_block"}');
  });

  test('[NODE-6] are read without coins that are not followed, even if they share a block with one that is', async () => {
    const { node, chain, rig } = await following();
    for (let index = 0; index < 20; index += 1) await node.write(chain.block());
    await expectExact(rig, chain);
    expect(rig.blocks.flatMap(({ entries }) => entries.map(({ coin }) => coin))).toEqual(Array(20).fill('BTC'));
    rig.feed.acquire('SOL');
    await rig.live('SOL');
    await node.write(chain.block());
    await expectExact(rig, chain, ['BTC', 'SOL']);
    expect(rig.coin('BTC')?.rebuilds).toBe(0);
  });

  test('[L4-74] give a coin without orders an empty live book with one snapshot, and its first order like any other', async () => {
    const node = await FakeNode.start();
    const chain = new FakeChain(['BTC', 'ETH'], new Chance(42));
    node.snapshot = () => {
      const [height, coins] = JSON.parse(chain.snapshot());
      return JSON.stringify([height, coins.filter(([coin]: [string]) => coin !== 'ETH')]);
    };
    const rig = await NodeRig.start(node);
    rig.feed.acquire('ETH');
    await node.write(chain.block(['BTC']));
    await node.write(chain.block(['BTC']));
    await rig.live('ETH');
    expect((await rig.snapshot('ETH')).levels).toEqual([[], []]);
    chain.height += 1;
    const first = order({ coin: 'ETH', oid: 7, side: 'A', limitPx: '3000.0' });
    const time = '2026-05-05T17:39:13.084084407';
    const line = (event: object) =>
      `${JSON.stringify({ local_time: time, block_time: time, block_number: chain.height, events: [event] })}\n`;
    await node.write({
      diffs: line(diff.insert('1.0', { coin: 'ETH', oid: 7, side: 'A', px: '3000.0' })),
      statuses: line({ ...orderStatus(first), hash: null, builder: null }),
      fills: line({}).replace('[{}]', '[]'),
    });
    await node.write(chain.block(['BTC']));
    await node.write(chain.block(['BTC']));
    await rig.until(() => rig.coin('ETH')?.seq === 1);
    const { levels } = await rig.snapshot('ETH');
    expect(levels).toMatchObject([[], [{ oid: 7, limitPx: '3000.0', sz: '1.0', tif: first.tif }]]);
    expect([rig.coin('ETH')?.rebuilds, node.snapshotsAsked]).toEqual([0, 1]);
  });

  test('[NODE-3] cause one rebuild per coin for a missing block, which is detected with the next line and logged', async () => {
    const { node, chain, rig } = await following({}, ['BTC', 'ETH']);
    await node.write(chain.block());
    await expectExact(rig, chain, ['BTC', 'ETH']);
    // A snapshot from before the missing block cannot be used.
    const responses = [chain.snapshot()];
    node.snapshot = () => responses.shift() ?? chain.snapshot();
    const lost = chain.block();
    const { diffs } = chain.block(['SOL']);
    // The gap is detected without the block's statuses.
    await node.append('diffs', diffs);
    await rig.until(() => rig.feed.health().counters.lossesByReason['missing-block'] === 2);
    expect(rig.log.lines.join('\n')).toContain(
      `block ${chain.height - 1} is missing from node_raw_book_diffs_by_block`,
    );
    await node.append('statuses', lost.statuses);
    for (let index = 0; index < 3; index += 1) await node.write(chain.block());
    await expectExact(rig, chain, ['BTC', 'ETH']);
    expect(rig.feed.health().counters.lossesByReason).toEqual({ 'missing-block': 2 });
    expect(responses).toEqual([]);
  });

  test('[NODE-3] do not rebuild a book that is newer than a missing block', async () => {
    const { node, chain, rig } = await following();
    // The snapshot is ahead of the files.
    const ahead = Array.from({ length: 6 }, () => chain.block());
    rig.feed.acquire('ETH');
    await rig.until(() => node.snapshotsAsked >= 2);
    for (const [index, lines] of ahead.entries()) if (index !== 1) await node.write(lines);
    await expectExact(rig, chain, ['BTC', 'ETH']);
    expect(rig.coin('BTC')).toMatchObject({ lastLoss: 'missing-block' });
    expect(rig.coin('ETH')).toMatchObject({ rebuilds: 0 });
  });

  test('[NODE-4] cause no losses for skipped numbers once the node is known, and logged, to leave out blocks without events', async () => {
    const node = await FakeNode.start();
    const chain = new FakeChain(['BTC', 'ETH'], new Chance(42));
    node.snapshot = () => chain.snapshot();
    const rig = await NodeRig.start(node);
    rig.feed.acquire('BTC');
    const writeNext = async () => {
      chain.height += 1;
      const lines = chain.block();
      for (const stream of ['statuses', 'diffs'] as const)
        if (!lines[stream].includes('"events":[]')) await node.append(stream, lines[stream]);
    };
    const isSaid = () => rig.log.lines.some((line) => line.includes('leaves out blocks without events'));
    for (let index = 0; index < 4; index += 1) await writeNext();
    await rig.until(isSaid);
    await rig.until(() => rig.coin('BTC')?.state === 'live');
    const { rebuilds } = rig.coin('BTC') ?? {};
    for (let index = 0; index < 20; index += 1) await writeNext();
    // If its own line of statuses was left out, the last block waits for a later one.
    await node.write(chain.block());
    await expectExact(rig, chain);
    expect(rig.coin('BTC')?.rebuilds).toBe(rebuilds);
  });

  test('[NODE-2] are read from their start if they appear late, of the next hour or the next day', async () => {
    const { node, chain, rig } = await following();
    for (const [day, hour] of [
      ['20260505', 18],
      ['20260505', 23],
      ['20260506', 0],
      ['20260601', 9],
    ] as const) {
      Object.assign(node, { day, hour });
      for (let index = 0; index < 3; index += 1) await node.write(chain.block());
      await expectExact(rig, chain);
    }
    expect(rig.coin('BTC')?.rebuilds).toBe(0);
  });

  test('[NODE-2] lose a block whose line is never finished, and continue with the next ones', async () => {
    const { node, chain, rig } = await following();
    const cut = chain.block();
    await node.append('statuses', cut.statuses);
    await node.append('diffs', cut.diffs.slice(0, -20));
    node.hour += 1;
    for (let index = 0; index < 3; index += 1) await node.write(chain.block());
    await expectExact(rig, chain);
    expect(rig.log.lines.join('\n')).toContain('the last line of 20260505/17 has no end');
    expect(rig.coin('BTC')).toMatchObject({ rebuilds: 1, lastLoss: 'missing-block' });
  });

  test('[NODE-2] are read from their start when shortened, skipping repeated blocks', async () => {
    const { node, chain, rig } = await following();
    const kept = [chain.block(), chain.block()];
    for (const lines of kept) await node.write(lines);
    await expectExact(rig, chain);
    await truncate(node.pathOf('diffs'), 0);
    await rig.until(() => rig.log.lines.some((line) => line.includes('was shortened')));
    for (const { diffs } of kept) await node.append('diffs', diffs);
    await node.write(chain.block());
    await expectExact(rig, chain);
    expect(rig.coin('BTC')?.rebuilds).toBe(0);
  });

  test('[NODE-2] are read past what rotation leaves: compressed copies, and zeros before the next line', async () => {
    const { node, chain, rig } = await following();
    const diffs = node.pathOf('diffs');
    for (const copy of ['.1', '.gz', '.1.gz', '-20260505']) await copyFile(diffs, `${diffs}${copy}`);
    // A writer that does not append goes on at its old offset after the file was truncated.
    const { size } = await stat(diffs);
    await truncate(diffs, 0);
    await rig.until(() => rig.log.lines.some((line) => line.includes('was shortened')));
    await truncate(diffs, size);
    for (let index = 0; index < 3; index += 1) await node.write(chain.block());
    await expectExact(rig, chain);
    expect(rig.coin('BTC')?.rebuilds).toBeLessThanOrEqual(1);
  });

  test('[NODE-2, NODE-10] make books stale when the folder vanishes, and continue exactly when it returns', async () => {
    const { node, chain, rig } = await following({
      tuning: { filePollMs: 1, fileCheckMs: 5, silentAfterMs: MINUTE_MS },
    });
    await rename(node.dataDir, `${node.dataDir}-away`);
    await rig.until(() => rig.log.lines.some((line) => line.includes('was removed')));
    rig.leap(MINUTE_MS);
    await rig.until(() => rig.coin('BTC')?.state === 'stale' && rig.coin('BTC')?.reason === 'files-silent');
    await rename(`${node.dataDir}-away`, node.dataDir);
    for (let index = 0; index < 3; index += 1) await node.write(chain.block());
    await expectExact(rig, chain);
    expect(rig.coin('BTC')).toMatchObject({ rebuilds: 0, state: 'live' });
  });

  test('[NODE-5] rebuild only the coin of a mismatch, from the next snapshot', async () => {
    const { node, chain, rig } = await following({}, ['BTC', 'ETH']);
    const { diffs, ...rest } = chain.block();
    await node.write({
      ...rest,
      diffs: diffs.replace(
        /("coin":"BTC"[^{]*"raw_book_diff":)(\{[^}]*\}\}|"remove")/,
        '$1{"update":{"origSz":"77.7","newSz":"1.0"}}',
      ),
    });
    await rig.until(() => rig.coin('BTC')?.lastLoss === 'finding');
    for (let index = 0; index < 3; index += 1) await node.write(chain.block());
    await expectExact(rig, chain, ['BTC', 'ETH']);
    expect(rig.coin('ETH')?.rebuilds).toBe(0);
  });

  test('[NODE-5, UP-15] are read past lines that are not JSON and events with invalid fields', async () => {
    const { node, chain, rig } = await following({}, ['BTC', 'ETH']);
    await node.append(
      'diffs',
      'not a line of a node\n{"block_number":1}\n\n{"local_time":"","block_time":"x","block_number":7,"events":[]}\n',
    );
    await node.write(chain.block());
    await expectExact(rig, chain, ['BTC', 'ETH']);
    expect(rig.coin('BTC')?.rebuilds).toBe(0);
    const { diffs, ...rest } = chain.block();
    await node.write({ ...rest, diffs: diffs.replace(/("coin":"BTC","side"[^}]*"px":")[^"]*/, '$1much') });
    await rig.until(() => rig.coin('BTC')?.lastLoss === 'malformed');
    await node.write(chain.block());
    await expectExact(rig, chain, ['BTC', 'ETH']);
    const next = chain.block();
    await node.write({ ...next, diffs: `${next.diffs.slice(0, -40)}\n` });
    await rig.until(() => rig.coin('ETH')?.lastLoss !== null);
    await node.write(chain.block());
    await expectExact(rig, chain, ['BTC', 'ETH']);
  });

  test.each([
    ['diffs', 99_999_999_999],
    ['statuses', 999_999_999_999_999],
    ['fills', 99_999_999_999],
  ] as const)('[NODE-3] are read past a line of %s with the impossible block number %d', async (stream, height) => {
    const { node, chain, rig } = await following();
    await node.write(chain.block());
    await expectExact(rig, chain);
    const lines = chain.block();
    await node.write({ ...lines, [stream]: lines[stream].replace(/"block_number":\d+/, `"block_number":${height}`) });
    for (let index = 0; index < 3; index += 1) await node.write(chain.block());
    await expectExact(rig, chain);
    expect(rig.coin('BTC')?.rebuilds).toBe(stream === 'fills' ? 0 : 1);
    expect(rig.log.lines.join('\n')).toContain(
      `a line of a node file is not valid {"folder":"${folderOf(stream, 'by_block')}"}`,
    );
  });

  test.each(['9999-12-31T23:59:59', '1970-01-01T00:00:00'])(
    '[NODE-3] are read past a line with an impossible block number at the time %s',
    async (time) => {
      const { node, chain, rig } = await following();
      await node.write(chain.block());
      await expectExact(rig, chain);
      const { diffs, ...lines } = chain.block();
      const wrong = diffs
        .replace(/"block_number":\d+/, '"block_number":999999999999')
        .replace(/"block_time":"[^"]*"/, `"block_time":"${time}"`);
      await node.write({ ...lines, diffs: wrong });
      for (let index = 0; index < 3; index += 1) await node.write(chain.block());
      await expectExact(rig, chain);
      expect(rig.coin('BTC')?.rebuilds).toBe(1);
    },
  );

  test.each(['diffs', 'statuses', 'fills'] as const)(
    '[NODE-3] are read again from lines that contradict the first one, of %s, and this is logged once',
    async (stream) => {
      const node = await FakeNode.start();
      const chain = new FakeChain(['BTC'], new Chance(47));
      node.snapshot = () => chain.snapshot();
      const rig = await NodeRig.start(node);
      rig.feed.acquire('BTC');
      const lines = chain.block();
      await node.write({
        ...lines,
        [stream]: lines[stream].replace(/"block_number":\d+/, '"block_number":99999999999'),
      });
      for (let index = 0; index < 100; index += 1) await node.write(chain.block());
      const logged = (text: string) => rig.log.lines.filter((line) => line.includes(text));
      await rig.until(() => logged('reading the files of the node {').length === 2);
      await node.write(chain.block());
      await rig.live('BTC', 1);
      await node.write(chain.block());
      await expectExact(rig, chain);
      expect(logged('is not valid')).toHaveLength(1);
    },
  );

  test('[NODE-7] cause a new snapshot request after one that is too old, and after a refusal', async () => {
    const node = await FakeNode.start();
    const chain = new FakeChain(['BTC'], new Chance(43));
    const old = chain.snapshot();
    for (let index = 0; index < 5; index += 1) await node.write(chain.block());
    const responses = [null, old];
    node.snapshot = () => {
      const next = responses.shift();
      return next === undefined ? chain.snapshot() : next;
    };
    const rig = await NodeRig.start(node);
    rig.feed.acquire('BTC');
    await node.write(chain.block());
    await rig.until(() => node.snapshotsAsked >= 2);
    await node.write(chain.block());
    await expectExact(rig, chain);
    expect(rig.log.lines.join('\n')).toContain('the node refused a snapshot with HTTP 500');
  });

  test('[NODE-7] need nothing of the response to a snapshot request but its status', async () => {
    const node = await FakeNode.start();
    const chain = new FakeChain(['BTC'], new Chance(44));
    node.snapshot = () => chain.snapshot();
    node.endsResponses = false;
    const rig = await NodeRig.start(node);
    rig.feed.acquire('BTC');
    await node.write(chain.block());
    await rig.live('BTC');
    await node.write(chain.block());
    await expectExact(rig, chain);
    expect(node.snapshotsAsked).toBe(1);
  });

  test('[NODE-8] yield no second trade for rewritten fills', async () => {
    const { node, chain, rig: first } = await following();
    const tids = ({ trades }: NodeRig) => trades.flatMap((each) => each.trades.map(({ tid }) => tid));
    const blockOf = (tid: number) => withFills(chain.block(), fillsOf(1, '1.0', tid));
    const one = blockOf(1);
    await node.write(one);
    await first.until(() => tids(first).length === 1);
    await rm(node.pathOf('fills'));
    await node.append('fills', one.fills);
    const two = blockOf(2);
    await node.write(two);
    await first.until(() => tids(first).length >= 2);
    expect(tids(first)).toEqual([1, 2]);
    await expectExact(first, chain);
  });

  /** The oid of the first BTC diff in a block, as an order that may have been executed. */
  const firstOid = ({ diffs }: BlockLines): number =>
    JSON.parse(diffs).events.find(({ coin }: { coin: string }) => coin === 'BTC').oid;

  /** The executions in entries of BTC, by height. */
  const executedOf = ({ blocks }: NodeRig) =>
    blocks.flatMap(({ height, entries }) =>
      entries.flatMap(({ executed }) => (executed === undefined ? [] : [[height, executed]])),
    );

  test('delay a block for its fills, and add the executions of its orders to its entry', async () => {
    const { node, chain, rig } = await following({ tuning: PATIENT });
    // Blocks wait for their fills once the first line of fills was read.
    await node.write(withFills(chain.block(), fillsOf(1, '1', 1)));
    await rig.until(() => rig.trades.length === 1);
    await expectExact(rig, chain);
    const lines = chain.block();
    const oid = firstOid(lines);
    const fills = withFills(lines, [
      ...fillsOf(oid, '0.25', 2),
      ...fillsOf(oid, '0.5', 3),
      ...fillsOf(77, '1', 4),
    ]).fills;
    for (const stream of ['diffs', 'statuses'] as const) await node.append(stream, lines[stream]);
    const other = chain.block();
    for (const stream of ['diffs', 'statuses'] as const) await node.append(stream, other[stream]);
    await node.append('fills', fills + other.fills);
    await expectExact(rig, chain);
    expect(executedOf(rig)).toEqual([[chain.height - 1, JSON.stringify([{ oid, sz: '0.75' }])]]);
  });

  test('report missing or invalid lines of fills with the trades, without other effects', async () => {
    const { node, chain, rig } = await following({ tuning: PATIENT }, ['BTC', 'ETH']);
    await node.write(withFills(chain.block(), fillsOf(1, '1', 1)));
    await rig.until(() => rig.trades.length === 1);
    const told = () =>
      rig.trades.flatMap(({ coin, height, missing }) => (missing === undefined ? [] : [[coin, height, missing]]));
    const skipped = chain.block();
    await node.append('diffs', skipped.diffs);
    await node.append('statuses', skipped.statuses);
    await node.write(chain.block());
    const skips = `the fills of block ${chain.height - 1} are missing from node_fills_by_block`;
    await rig.until(() => told().length === 2);
    expect(told()).toEqual(['BTC', 'ETH'].map((coin) => [coin, chain.height - 1, skips]));
    // One coin's fill has an invalid field; the trades of the other coin are reported.
    const odd = fillsOf(5, '1', 2, { sz: 1 });
    const well = fillsOf(6, '1', 3).map(([user, fill]) => [user, { ...(fill as object), coin: 'ETH' }]);
    await node.write(withFills(chain.block(), [...odd, ...well]));
    await rig.until(() => rig.trades.at(-1)?.coin === 'ETH' && rig.trades.at(-1)?.trades.length === 1);
    expect(told().slice(2)).toEqual([['BTC', chain.height, expect.stringContaining('fill.sz')]]);
    const half = chain.block();
    await node.write({ ...half, fills: `${half.fills.slice(0, 60)}\n` });
    await node.write(chain.block());
    await expectExact(rig, chain, ['BTC', 'ETH']);
    await rig.until(() => told().some(([, height]) => height === chain.height - 1));
    expect(rig.coin('BTC')?.rebuilds).toBe(0);
  });
});

const BEFORE_FIRST = 985_148_181;
const BOOK_STREAMS = ['diffs', 'statuses'] as const;

const recorded = realCapture();
const byBlock = nodeRecording('by_block');
const streaming = nodeRecording('streaming');

/** Whether the last published block, if it is this one, has the checksum of the truth, which covers queues. */
function hasChecksum(rig: NodeRig, truth: L4Book, height: number): boolean {
  const last = rig.blocks.at(-1);
  return last?.height !== height || last.entries[0]?.checksum === truth.rollingChecksum();
}

/** Compares the served snapshot with the truth, byte by byte. */
async function expectSame(rig: NodeRig, truth: L4Book, height: number): Promise<void> {
  const { bytes } = await rig.feed.snapshot('BTC', 'identity', AbortSignal.timeout(120_000));
  const expected = Buffer.concat([Buffer.from('"levels":'), ...truth.levelsJson(), Buffer.from('}')]);
  expect(expected.equals(bytes.subarray(-expected.length)), `block ${height}`).toBe(true);
}

/** Writes lines in up to three pieces, like a node's buffered writes. */
async function writeCut(node: FakeNode, stream: NodeStream, lines: readonly string[], chance: Chance) {
  const text = lines.map((line) => `${line}\n`).join('');
  const cuts = [chance.int(0, text.length), chance.int(0, text.length)].sort((a, b) => a - b);
  await node.append(stream, text.slice(0, cuts[0]));
  for (const piece of [text.slice(cuts[0], cuts[1]), text.slice(cuts[1])]) await appendFile(node.pathOf(stream), piece);
}

/** The rows of each block, in order. */
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

/** Starts a feed that follows BTC from the recorded snapshot, with the truth to compare with. */
async function followRecording(files: 'by_block' | 'streaming', levels: NonNullable<typeof recorded>['levels']) {
  const node = await FakeNode.start(files);
  const rig = await NodeRig.start(node, { tuning: PATIENT });
  rig.feed.acquire('BTC');
  node.snapshot = () => byBlock?.snapshot ?? null;
  return { node, rig, truth: L4Book.build('BTC', levels).book };
}

/** The executed sizes of the makers' fills of a block, by oid. */
function makersOf(line: string): readonly unknown[] {
  const { events } = JSON.parse(line) as {
    readonly events: readonly (readonly [string, Readonly<Record<string, unknown>>])[];
  };
  return events.flatMap(([, { crossed, oid, sz }]) => (crossed === true ? [] : [{ oid, sz }]));
}

const recordings = [recorded].filter((recording) => recording !== undefined);

describe.each(recordings)('the real files of a node (skipped without the recording)', (capture) => {
  if (byBlock === undefined || streaming === undefined) throw new Error('a part of the recording is missing');
  const { batches, end, levels } = capture;

  test('[NODE-2, NODE-3, NODE-5] by block, written in pieces over two hours and a day, give the order-level server’s book after each of 51 blocks', async () => {
    const chance = new Chance(14);
    const { node, rig, truth } = await followRecording('by_block', levels);
    for (const [index, { changes, height, statuses, time }] of batches.entries()) {
      if (index === 10) node.hour = 23;
      if (index === 25) Object.assign(node, { day: '20260506', hour: 0 });
      for (const stream of ['statuses', 'fills', 'diffs'] as const)
        await writeCut(node, stream, [byBlock[stream][index] ?? ''], chance);
      truth.apply(changes, statuses, time);
      // Blocks wait for their fills once the first fills were read.
      if (index === 0) {
        await rig.live('BTC');
        await rig.until(() => rig.trades.length > 0);
      }
      if (changes.length > 0) await rig.until(() => rig.coin('BTC')?.height === height);
      expect(hasChecksum(rig, truth, height), `block ${height}`).toBe(true);
      // A snapshot of 16 MB is slow, and the checksum covers every order and queue as well.
      if (index === 0 || index === batches.length - 1) await expectSame(rig, truth, height);
    }
    expect(rig.coin('BTC')).toMatchObject({ rebuilds: 0, state: 'live' });
    expect(truth.best('A')).toMatchObject(end.bestAsk);
    expect(rig.trades.flatMap(({ trades }) => trades)).toHaveLength(11);
    const executed = rig.blocks.flatMap(({ height, entries }) =>
      entries[0]?.executed === undefined ? [] : [[height, JSON.parse(entries[0].executed)]],
    );
    const made = batches.map(({ height }, index) => [height, makersOf(byBlock.fills[index] ?? '')] as const);
    expect(executed).toEqual(made.slice(1).filter(([, makers]) => makers.length > 0));
    expect(executed).toHaveLength(10);
  });

  test('[NODE-11, NODE-2] as streaming files that run ahead of each other, in pieces over two hours, give the same book after each block', async () => {
    const chance = new Chance(15);
    const { node, rig, truth } = await followRecording('streaming', levels);
    const left = { diffs: rowsByBlock(streaming.diffs), statuses: rowsByBlock(streaming.statuses) };
    const heights = { diffs: [...left.diffs.keys()], statuses: [...left.statuses.keys()] };
    const written = { diffs: 0, statuses: 0 };
    /** The rest of a block, and the start of the next one: at least one row, never all. */
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
      expect(hasChecksum(rig, truth, height), `block ${height}`).toBe(true);
      // A snapshot of 16 MB is slow, and the checksum covers every order and queue as well.
      if (index === 0 || index === batches.length - 1) await expectSame(rig, truth, height);
    }
    expect(rig.coin('BTC')).toMatchObject({ rebuilds: 0, state: 'live' });
    expect(rig.trades.flatMap(({ trades }) => trades)).toHaveLength(11);
  });
});
