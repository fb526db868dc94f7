import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ListedOrder, SpecBook, type SpecDiff } from '@l4desk/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startVenue, type Venue } from '../server.ts';
import { NodeWriter } from './node-writer.ts';

let directory: string;
let venue: Venue;

async function start(nodeFiles: 'by_block' | 'streaming') {
  venue = await startVenue({
    pace: 0,
    size: 0.02,
    rate: 4,
    seed: 'node',
    coins: ['BTC', 'SOL', 'XRP'],
    startTime: 1_778_002_752_957,
    nodeDir: join(directory, 'data'),
    nodeFiles,
  });
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'venue-node-'));
});

afterEach(async () => {
  await venue[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

interface Line {
  readonly block_number: number;
  readonly block_time: string;
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

interface FillFields {
  readonly coin: string;
  readonly tid: number;
  readonly px: string;
  readonly sz: string;
  readonly side: string;
  readonly time: number;
  readonly crossed: boolean;
}

type Fill = readonly [user: string, fill: FillFields];

/** The texts of a stream's files by their path in its folder. */
function filesOf(folder: string, root = join(directory, 'data')): ReadonlyMap<string, string> {
  const hourly = join(root, folder, 'hourly');
  const days = readdirSync(hourly).sort();
  const names = days.flatMap((day) => readdirSync(join(hourly, day)).map((hour) => `${day}/${hour}`));
  return new Map(names.map((name) => [name, readFileSync(join(hourly, name), 'utf8')]));
}

function linesOf(folder: string): Line[] {
  const text = [...filesOf(folder).values()].join('');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

type SnapshotSide = readonly (readonly [user: string, order: Omit<ListedOrder, 'user'>])[];
type SnapshotSides = readonly [bids: SnapshotSide, asks: SnapshotSide];

async function snapshot(): Promise<[number, [string, SnapshotSides][]]> {
  const outPath = join(directory, 'snapshot.json');
  const response = await ask({ outPath, includeHeightInOutput: true });
  expect([response.status, await response.json()]).toEqual([200, null]);
  return JSON.parse(readFileSync(outPath, 'utf8'));
}

function ask(more: object): Promise<Response> {
  const request = { type: 'l4Snapshots', includeUsers: true, includeTriggerOrders: false };
  const body = JSON.stringify({ type: 'fileSnapshot', request, ...more });
  return fetch(venue.infoUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
}

/** The oids and sizes of a book followed by its diffs alone, in queue order. */
function follow([bids, asks]: SnapshotSides, diffs: readonly Line[], coin: string) {
  const book = new SpecBook((problem) => {
    throw new Error(problem);
  });
  const listed = (side: SnapshotSide) => side.map(([user, order]) => ({ ...order, user }));
  book.fill([listed(bids), listed(asks)]);
  const events = diffs.flatMap((line) => line.events as unknown as readonly (SpecDiff & { readonly coin: string })[]);
  book.apply(events.filter((diff) => diff.coin === coin));
  return (['B', 'A'] as const).map((side) => book.side(side).map(({ oid, sz, px }) => [oid, sz, px]));
}

function truth(coin: string) {
  return (venue.book(coin)?.levels ?? []).map((side) => side.map(({ oid, sz, limitPx }) => [oid, sz, limitPx]));
}

describe('the files of a node', () => {
  test('by block have a line per file and block, and lead from the snapshot to the book', async () => {
    await start('by_block');
    const [height, coins] = await snapshot();
    expect([height, coins.map(([coin]) => coin)]).toEqual([venue.state().height, ['BTC', 'SOL', 'XRP']]);
    await venue.step(40);
    const diffs = linesOf('node_raw_book_diffs_by_block');
    const heights = Array.from({ length: 40 }, (_, index) => height + 1 + index);
    for (const folder of ['node_raw_book_diffs_by_block', 'node_order_statuses_by_block', 'node_fills_by_block'])
      expect(linesOf(folder).map((line) => line.block_number)).toEqual(heights);
    for (const [coin, levels] of coins) expect(follow(levels, diffs, coin)).toEqual(truth(coin));
    expect([...filesOf('node_fills_by_block').keys()]).toEqual(['20260505/17']);
  });

  test('streaming have a line per event, run ahead of each other, and lead to the same book', async () => {
    await start('streaming');
    const [, coins] = await snapshot();
    await venue.step(40);
    const diffs = linesOf('node_raw_book_diffs_streaming');
    for (const { events } of diffs) expect(events).toHaveLength(1);
    for (const [coin, levels] of coins) expect(follow(levels, diffs, coin)).toEqual(truth(coin));
    const statuses = linesOf('node_order_statuses_streaming');
    expect(statuses.at(-1)?.block_number).toBe(venue.state().height);
    const { counts } = venue.state();
    expect(diffs).toHaveLength(counts.diffs);
    expect(statuses.length).toBeLessThan(counts.statuses);
  });

  test('contain two fills per trade with the same id and opposite sides, one of them crossing', async () => {
    await start('by_block');
    await venue.step(60);
    const fills = linesOf('node_fills_by_block').flatMap(({ events }) => events as unknown as Fill[]);
    expect(fills).toHaveLength(venue.state().counts.fills * 2);
    const byNumber = new Map<string, Fill[]>();
    for (const fill of fills) {
      const number = `${fill[1].coin} ${fill[1].tid}`;
      byNumber.set(number, [...(byNumber.get(number) ?? []), fill]);
    }
    for (const pair of byNumber.values()) {
      expect(pair.map(([, { crossed }]) => crossed)).toEqual([true, false]);
      const [taker, maker] = pair.map(([, fill]) => fill);
      expect(taker).toMatchObject({ px: maker?.px, sz: maker?.sz, time: maker?.time });
      expect(new Set([taker?.side, maker?.side]).size).toBe(2);
    }
    expect(byNumber.size).toBeGreaterThan(0);
  });

  test('can have skipped, cut, broken and late lines, the next hour early, and an emptied file', async () => {
    await start('by_block');
    const { height } = venue.state();
    const numbers = () => linesOf('node_raw_book_diffs_by_block').map((line) => line.block_number - height);
    const fault = (effect: 'rotate' | 'truncate') => venue.applyFault({ kind: 'node', effect });
    venue.applyFault({ kind: 'node', effect: 'skip', blocks: 2 });
    await venue.step(3);
    expect(numbers()).toEqual([3]);
    venue.applyFault({ kind: 'node', effect: 'cut', stream: 'diffs' });
    await venue.step(1);
    const whole = () => [...filesOf('node_raw_book_diffs_by_block').values()].join('').endsWith('\n');
    expect(whole()).toBe(false);
    await venue.step(1);
    expect([whole(), numbers()]).toEqual([true, [3, 4, 5]]);
    fault('rotate');
    await venue.step(1);
    expect([...filesOf('node_raw_book_diffs_by_block').keys()]).toEqual(['20260505/17', '20260505/18']);
    fault('truncate');
    venue.applyFault({ kind: 'node', effect: 'break', stream: 'diffs' });
    await venue.step(2);
    expect(filesOf('node_raw_book_diffs_by_block').get('20260505/18')?.split('\n')).toHaveLength(3);
  });

  test('streaming can have a row after the first one of the next block', async () => {
    await start('streaming');
    venue.applyFault({ kind: 'node', effect: 'late', stream: 'diffs' });
    await venue.step(3);
    const numbers = linesOf('node_raw_book_diffs_streaming').map((line) => line.block_number);
    expect(numbers.filter((number, index) => number < (numbers[index - 1] ?? 0))).toHaveLength(1);
    expect(numbers).toHaveLength(venue.state().counts.diffs);
  });

  test('refuse a snapshot that cannot be written or whose request is invalid', async () => {
    await start('by_block');
    expect((await ask({ outPath: '', includeHeightInOutput: true })).status).toBe(422);
    expect((await ask({ outPath: join(directory, 'no', 'such', 'folder'), includeHeightInOutput: true })).status).toBe(
      500,
    );
    await venue[Symbol.asyncDispose]();
    venue = await startVenue({ pace: 0, size: 0.02, coins: ['XRP'] });
    expect((await ask({ outPath: join(directory, 'x'), includeHeightInOutput: true })).status).toBe(422);
  });
});

test('quiet blocks that are left out have their lines', async () => {
  await start('by_block');
  const writer = new NodeWriter(join(directory, 'data'), 'by_block', ['BTC']);
  const coin = () => null;
  writer.write({ height: 10, time: 1_778_002_752_957, coin });
  writer.write({ height: 15, time: 1_778_002_754_000, quiet: 4, coin });
  for (const folder of ['node_raw_book_diffs_by_block', 'node_order_statuses_by_block', 'node_fills_by_block']) {
    const lines = linesOf(folder);
    expect(lines.map(({ block_number }) => block_number)).toEqual([10, 11, 12, 13, 14, 15]);
    const times = lines.map(({ block_time }) => block_time);
    expect(times).toEqual([...new Set(times)].toSorted());
  }
});
