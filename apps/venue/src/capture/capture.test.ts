import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
    [
      'a second snapshot',
      new Map(made.files).set('snapshot_2.json', snapshot),
      /snapshot_2\.json: is a second snapshot beside .*snapshot_1\.json/,
    ],
    ['no diffs', without(DIFFS), /holds no file of node_raw_book_diffs_by_block/],
    ['a snapshot of another shape', new Map(made.files).set(SNAPSHOT, '[1,{}]'), /snapshot_1\.json: \[1\]: /],
    [
      'a snapshot with an order twice',
      new Map(made.files).set(SNAPSHOT, twice(snapshot)),
      /snapshot_1\.json: the order \d+ is already in the book/,
    ],
    [
      'a line cut off',
      withLine(DIFFS, 3, lineOf(DIFFS, 3).slice(0, -30)),
      /node_raw_book_diffs_by_block.*17, line 4: the JSON is cut off/,
    ],
    [
      'an event of another shape',
      withLine(DIFFS, 0, lineOf(DIFFS, 0).replace('"oid":', '"id":')),
      /line 1: events\[\d+\]\.oid: /,
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
});
