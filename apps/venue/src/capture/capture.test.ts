import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sum } from '@l4desk/decimal';
import type { L4Order } from '@l4desk/protocol';
import { recordedData } from '@l4desk/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVenue, type Venue } from '../server.ts';
import { L4Client } from '../test-support/l4-client.ts';
import { NaiveFollower, rowsOf } from '../test-support/naive-follower.ts';
import {
  type CaptureLayout,
  DIFFS,
  FILLS,
  generateCapture,
  SNAPSHOT,
  STATUSES,
  writeCapture,
} from '../test-support/write-capture.ts';
import { CaptureError } from './capture-error.ts';
import { CaptureSource } from './capture-source.ts';

const made = generateCapture();

async function openGenerated(layout: CaptureLayout): Promise<CaptureSource> {
  await using directory = await writeCapture(made.files, layout);
  return await CaptureSource.open(directory.path);
}

describe('a generated capture', () => {
  it.each(['plain', 'gz', 'tar', 'tar.gz'] as const)('as %s plays to the book it was made from', async (layout) => {
    const source = await openGenerated(layout);
    expect(source.height).toBe(made.firstHeight);
    expect(source.coins.map(({ name }) => name)).toEqual(made.coins);
    for (let i = 1; i <= made.blocks; i += 1) expect(source.advance()?.height).toBe(made.firstHeight + i);
    for (const [coin, levels] of made.books) expect(source.book(coin)).toEqual(levels);
  });

  it('keeps its last state', async () => {
    const source = await openGenerated('plain');
    while (source.advance() !== null);
    expect(source.nextDelay).toBeNull();
    expect(source.advance()).toBeNull();
    expect(source.height).toBe(made.firstHeight + made.blocks);
    expect(source.counts.blocks).toBe(made.blocks);
  });

  it('keeps the time between its blocks', async () => {
    const source = await openGenerated('plain');
    source.advance();
    expect(source.nextDelay).toBe(67);
  });

  it('shows the parts of a block that the order-level server passes on', async () => {
    const source = await openGenerated('plain');
    const part = source.advance()?.coin('XRP');
    expect(Object.keys(part?.statuses[0] ?? {})).toEqual(['time', 'user', 'status', 'order']);
    expect(part?.statuses[0]?.order).not.toHaveProperty('children');
    expect(part?.statuses[0]?.order).not.toHaveProperty('origSz');
    expect(part?.statuses[0]?.order.user).toBeNull();
  });

  it('skips blocks up to the snapshot and gives a diff without a side the side of its order', async () => {
    const lines = (made.files.get(DIFFS) ?? '').trimEnd().split('\n');
    const early = (lines[0] ?? '').replace(String(made.firstHeight + 1), String(made.firstHeight));
    const statusLines = (made.files.get(STATUSES) ?? '').split('\n');
    const earlyStatuses = (statusLines[0] ?? '').replace(String(made.firstHeight + 1), String(made.firstHeight));
    await using directory = await writeCapture(
      new Map(made.files)
        .set(DIFFS, [early, ...lines].join('\n').replaceAll(/"side":"[AB]",/g, ''))
        .set(STATUSES, [earlyStatuses, ...statusLines].join('\n')),
    );
    const source = await CaptureSource.open(directory.path);
    const sides = new Set<unknown>();
    for (let block = source.advance(); block !== null; block = source.advance()) {
      for (const diff of block.coin('XRP')?.diffs ?? []) sides.add(diff.side);
    }
    expect(sides).toEqual(new Set(['A', 'B']));
    expect(source.book('XRP')).toEqual(made.books.get('XRP'));
  });
});

/** The snapshot with its first bid repeated at the end. */
function twice(snapshot: string): string {
  const data = JSON.parse(snapshot) as [number, [string, [unknown[], unknown[]]][]];
  const bids = data[1][0]?.[1][0];
  bids?.push(bids[0]);
  return JSON.stringify(data);
}

describe('a damaged capture', () => {
  const lineOf = (file: string, index: number) => (made.files.get(file) ?? '').trimEnd().split('\n')[index] ?? '';
  const withLine = (file: string, index: number, line: string) => {
    const lines = (made.files.get(file) ?? '').trimEnd().split('\n');
    lines[index] = line;
    return new Map(made.files).set(file, `${lines.filter((each) => each !== '').join('\n')}\n`);
  };
  const without = (file: string) => new Map([...made.files].filter(([name]) => name !== file));
  const snapshot = made.files.get(SNAPSHOT) ?? '';
  const blockWith = (pattern: RegExp) => {
    const lines = (made.files.get(DIFFS) ?? '').split('\n');
    return lines.findIndex((line) => pattern.test(line));
  };
  const resized = blockWith(/"origSz"/);
  const removed = blockWith(/"remove"/);

  it.each<readonly [string, ReadonlyMap<string, string>, RegExp]>([
    ['no snapshot', without(SNAPSHOT), /holds no snapshot file/],
    ['no diffs', without(DIFFS), /holds no file of node_raw_book_diffs_by_block/],
    ['no statuses', without(STATUSES), /holds no file of node_order_statuses_by_block/],
    ['an empty directory', new Map(), /holds no snapshot file/],
    ['a snapshot that is not JSON', new Map(made.files).set(SNAPSHOT, 'hello'), /snapshot_1\.json: is not JSON/],
    [
      'a snapshot cut off',
      new Map(made.files).set(SNAPSHOT, snapshot.slice(0, -40)),
      /snapshot_1\.json: the JSON is cut off/,
    ],
    ['a snapshot of another shape', new Map(made.files).set(SNAPSHOT, '[1,{}]'), /snapshot_1\.json: \[1\]: /],
    [
      'a snapshot with a bad size',
      new Map(made.files).set(SNAPSHOT, snapshot.replace(/"sz":"[^"]*"/, '"sz":"1e5"')),
      /snapshot_1\.json: \[1\]\[0\]\[1\]\[0\]\[0\]\[1\]\.sz: /,
    ],
    [
      'a snapshot with an order twice',
      new Map(made.files).set(SNAPSHOT, twice(snapshot)),
      /snapshot_1\.json: the order \d+ is already in the book/,
    ],
    [
      'a snapshot with an order on the wrong side',
      new Map(made.files).set(SNAPSHOT, snapshot.replace('"side":"B"', '"side":"A"')),
      /snapshot_1\.json: the order \d+ is in the wrong list/,
    ],
    [
      'a snapshot without perps',
      new Map(made.files).set(SNAPSHOT, `[${made.firstHeight},[["@1",[[],[]]]]]`),
      /holds no perp coin/,
    ],
    [
      'a line cut off',
      withLine(DIFFS, 3, lineOf(DIFFS, 3).slice(0, -30)),
      /node_raw_book_diffs_by_block.*17, line 4: the JSON is cut off/,
    ],
    ['a line that is not JSON', withLine(STATUSES, 2, 'oops'), /node_order_statuses_by_block.*17, line 3: is not JSON/],
    [
      'a line of another shape',
      withLine(STATUSES, 0, '{"block_number":1}'),
      /node_order_statuses_by_block.*17, line 1: (?:block_time|events): /,
    ],
    [
      'an event of another shape',
      withLine(DIFFS, 0, lineOf(DIFFS, 0).replace('"oid":', '"id":')),
      /line 1: events\[\d+\]\.oid: /,
    ],
    [
      'a time that is none',
      withLine(DIFFS, 0, lineOf(DIFFS, 0).replaceAll(/"block_time":"[^"]*"/g, '"block_time":"noon"')),
      /line 1: block_time: must be a time/,
    ],
    [
      'a fill of another shape',
      withLine(FILLS, 1, lineOf(FILLS, 1).replace('"events":[]', '"events":[3]')),
      /node_fills_by_block.*17, line 2: events\[0\]/,
    ],
    ['a block missing', withLine(DIFFS, 5, ''), /line 7: block|line 6: block \d+ is missing|has statuses but no line/],
    ['a block twice', withLine(DIFFS, 5, lineOf(DIFFS, 4)), /line 6: block \d+ was already given in .*, line 5/],
    ['statuses of a block missing', withLine(STATUSES, 5, ''), /has diffs but no line of node_order_statuses_by_block/],
    [
      'a resize of another size',
      withLine(DIFFS, resized, lineOf(DIFFS, resized).replace(/"origSz":"[^"]*"/, '"origSz":"123456.0"')),
      /events\[\d+\]: the order \d+ has size .*, not 123456\.0/,
    ],
    [
      'a diff of an unknown order',
      withLine(DIFFS, removed, lineOf(DIFFS, removed).replace(/"oid":\d+(?=[^{}]*"remove")/, '"oid":7')),
      /events\[\d+\]: the order 7 is not in the book/,
    ],
  ])('with %s is refused with the file and the problem', async (_name, files, message) => {
    await using directory = await writeCapture(files);
    await mkdir(directory.path, { recursive: true });
    const opening = CaptureSource.open(directory.path);
    await expect(opening).rejects.toThrow(CaptureError);
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toThrow(directory.path);
  });

  it('is refused if its directory does not exist or is not a directory', async () => {
    await expect(CaptureSource.open('/nowhere/at/all')).rejects.toThrow('/nowhere/at/all: directory not found');
    await using directory = await writeCapture(made.files);
    const file = join(directory.path, 'snapshot_1.json');
    await expect(CaptureSource.open(file)).rejects.toThrow(`${file}: is not a directory`);
  });

  it('is refused if there is a second snapshot', async () => {
    await using directory = await writeCapture(made.files);
    await writeFile(join(directory.path, 'snapshot_2.json'), snapshot);
    await expect(CaptureSource.open(directory.path)).rejects.toThrow(
      /snapshot_2\.json: is a second snapshot beside .*snapshot_1\.json/,
    );
  });

  it.each([
    ['gz', /snapshot_1\.json\.gz$/],
    ['gz', /17\.jsonl\.gz$/],
    ['tar.gz', /blocks\.tar\.gz$/],
    ['tar', /blocks\.tar$/],
  ] as const)('a %s file that lost its end: %s', async (layout, pattern) => {
    await using directory = await writeCapture(made.files, layout);
    const names = await readdir(directory.path, { recursive: true });
    const file = join(directory.path, names.find((name) => pattern.test(name)) ?? '');
    const { length } = await readFile(file);
    await truncate(file, Math.floor(length * 0.6));
    const opening = CaptureSource.open(directory.path);
    await expect(opening).rejects.toThrow(CaptureError);
    await expect(opening).rejects.toThrow(file);
  });

  it('is not served', async () => {
    await using directory = await writeCapture(without(STATUSES));
    await expect(startVenue({ capture: directory.path })).rejects.toThrow(CaptureError);
  });
});

describe('a capture served by the feed', () => {
  it('gives a client that joins midway the book of the capture when stepped', async () => {
    await using directory = await writeCapture(made.files, 'tar.gz');
    await using venue = await startVenue({ capture: directory.path, pace: 0 });
    await venue.step(7);
    await using client = await L4Client.open(venue.l4Url);
    const follower = new NaiveFollower(await client.subscribe('XRP'));
    expect(follower.height).toBe(made.firstHeight + 7);
    expect(await venue.step(1_000)).toBe(made.firstHeight + made.blocks);
    await client.settled();
    for (const updates of client.updates('XRP')) follower.apply(updates);
    expect(follower.rows).toEqual(rowsOf(made.books.get('XRP') ?? [[], []]));
    expect(venue.state()).toMatchObject({ source: 'capture', ended: true });
    expect(venue.source).toEqual({ kind: 'recorded', from: made.firstTime, to: venue.state().time });
    expect(await venue.step(1)).toBe(made.firstHeight + made.blocks);
  });

  it.each([1, 50])('plays to its end on its own at pace %d', async (pace) => {
    await using directory = await writeCapture(made.files);
    await using venue = await startVenue({ capture: directory.path, pace: 0 });
    await using client = await L4Client.open(venue.l4Url);
    const follower = new NaiveFollower(await client.subscribe('kPEPE'));
    venue.setPace(pace);
    await client.until(() => client.heights().at(-1) === made.firstHeight + made.blocks, 'the last block');
    for (const updates of client.updates('kPEPE')) follower.apply(updates);
    expect(follower.rows).toEqual(rowsOf(made.books.get('kPEPE') ?? [[], []]));
  });
});

// Registered only where the recorded data is available; elsewhere the tests above take its place.
describe.each([recordedData('btc-capture')].filter((path) => path !== undefined))(
  'the real capture of BTC, %s',
  (path) => {
    let venue: Venue;
    let client: L4Client;

    beforeAll(async () => {
      venue = await startVenue({ capture: path, pace: 0 });
      client = await L4Client.open(venue.l4Url);
    });

    afterAll(async () => {
      await client[Symbol.asyncDispose]();
      await venue[Symbol.asyncDispose]();
    });

    it('ends with the known book, and so does a client that follows it', async () => {
      await venue.step(20);
      const follower = new NaiveFollower(await client.subscribe('BTC'));
      expect(await venue.step(100)).toBe(985_148_232);
      await client.settled();
      for (const updates of client.updates()) follower.apply(updates);
      const levels = venue.book('BTC')?.levels ?? [[], []];
      expect(follower.rows).toEqual(rowsOf(levels));
      expect(levels.map((side) => side.length)).toEqual([34_588, 16_748]);
      const best = (side: readonly L4Order[]) => {
        const px = side[0]?.limitPx;
        const queue = side.filter(({ limitPx }) => limitPx === px);
        return { px, count: queue.length, sz: sum(queue.map(({ sz }) => sz)) };
      };
      expect(levels.map(best)).toEqual([
        { px: '81307.0', count: 9, sz: '2.80623' },
        { px: '81308.0', count: 58, sz: '8.81056' },
      ]);
      expect(venue.state().counts).toMatchObject({ blocks: 51, diffs: 1_332, statuses: 41_592, fills: 22 });
    });
  },
);
