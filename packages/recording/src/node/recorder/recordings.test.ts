import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { L4Feed } from '@l4desk/feed';
import { bundleProgram, KeptLog, temporaryDirectory, until } from '@l4desk/testkit';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { replayRecording, snapshotAt } from '../../index.ts';
import { openRecordingFile } from '../index.ts';
import type { Recordings } from './api.ts';
import { startRecordings } from './recordings.ts';
import { SourceFeed } from './test-support/source-feed.ts';

let workerUrl: URL;
let base: Awaited<ReturnType<typeof temporaryDirectory>>;
let folder: string;
const open: Recordings[] = [];

beforeAll(async () => {
  workerUrl = await bundleProgram('packages/recording/src/node/recorder/worker.ts', 'bff/dist/recorder');
});

beforeEach(async () => {
  base = await temporaryDirectory();
  folder = join(base.path, 'recordings');
});

afterEach(async () => {
  for (const recordings of open.splice(0)) await recordings[Symbol.asyncDispose]();
  await base[Symbol.asyncDispose]();
});

interface Recorded {
  readonly coins?: readonly string[];
  readonly statuses?: 'book' | 'all';
  readonly unreadBytesMax?: number;
}

function record(feed: SourceFeed, { coins = ['BTC'], statuses = 'book', unreadBytesMax }: Recorded = {}) {
  const log = new KeptLog();
  const recordings = startRecordings(
    { folder, coins, statuses, rotateMs: 3_600_000, keepBytes: 1e9, source: 'a test' },
    // The recorder uses no other methods of a feed.
    feed as unknown as L4Feed,
    log,
    { workerUrl, ...(unreadBytesMax === undefined ? {} : { unreadBytesMax }) },
  );
  open.push(recordings);
  const reaches = (height: number) =>
    until(
      () => `block ${height} is recorded: ${JSON.stringify(recordings.health())}\n${log.lines.join('\n')}`,
      () => recordings.health().coins[0]?.height === height,
    );
  return { recordings, reaches, log };
}

describe('the recordings of a service', () => {
  test('are written while the feed runs, listed, and continued in a new file after a restart', async () => {
    const feed = new SourceFeed();
    const first = record(feed);
    await first.reaches(100);
    feed.step(50);
    await first.reaches(150);
    expect(first.recordings.health().coins).toMatchObject([{ coin: 'BTC', state: 'recording', problem: null }]);
    expect((await first.recordings.list()).map(({ state }) => state)).toEqual(['writing']);
    await first.recordings[Symbol.asyncDispose]();
    expect(feed.holders).toBe(0);
    feed.step(7);
    const second = record(feed);
    await second.reaches(157);
    feed.step(3);
    await second.reaches(160);
    await second.recordings[Symbol.asyncDispose]();

    const { recordings } = record(feed, { coins: [] });
    const [newest, oldest] = await recordings.list();
    expect(oldest).toMatchObject({ coin: 'BTC', source: 'a test', from: 100, to: 150, gaps: 0, state: 'complete' });
    expect(newest).toMatchObject({ from: 157, to: 160, gaps: 1, state: 'complete' });
    for (const listed of [newest, oldest]) {
      const path = recordings.pathOf(listed?.name ?? '') ?? '';
      expect(readFileSync(path)).toHaveLength(listed?.bytes ?? 0);
      using file = await openRecordingFile(path);
      expect((await replayRecording(file.recording, { verify: true })).checksums).toBe('equal');
      const height = listed?.to ?? 0;
      expect((await snapshotAt(file.recording, height)).levels).toEqual(feed.truth.get(height));
    }
    using file = await openRecordingFile(recordings.pathOf(newest?.name ?? '') ?? '');
    expect(file.recording.gaps).toEqual([{ after: 150, before: 157, reason: 'recorder-stopped' }]);
  });

  test.each(['book', 'all'] as const)('contain the configured order statuses and no others: %s', async (statuses) => {
    const feed = new SourceFeed();
    const { recordings, reaches } = record(feed, { statuses });
    expect(feed.wantsAll).toBe(statuses === 'all');
    await reaches(100);
    feed.step(5);
    await reaches(105);
    // A recording of all statuses skips a block that lacks some.
    feed.lacksAll = true;
    feed.step(1);
    feed.lacksAll = false;
    feed.step(1);
    await reaches(107);
    await recordings[Symbol.asyncDispose]();
    using file = await openRecordingFile(recordings.pathOf(recordings.health().coins[0]?.file ?? '') ?? '');
    expect(file.recording.header.statuses).toBe(statuses);
    expect((await replayRecording(file.recording, { verify: true })).checksums).toBe('equal');
    const refused: number[] = [];
    for await (const event of file.recording.events()) {
      if (event.kind !== 'block') continue;
      if (event.block.statuses.some(({ status }) => status === 'tickRejected')) refused.push(event.block.height);
    }
    expect(refused).toEqual(statuses === 'all' ? [101, 102, 103, 104, 105] : []);
    expect(file.recording.gaps).toEqual(
      statuses === 'all' ? [{ after: 105, before: 107, reason: 'upstream-gap' }] : [],
    );
  });

  test('leave the shared texts of a recorded block intact for other listeners', async () => {
    const feed = new SourceFeed();
    // As received from another thread. Pooled Buffers would not do: their memory is never transferred.
    feed.place = inLargerMemory;
    const published: { readonly text: Uint8Array; readonly said: string }[] = [];
    // This listener receives each block before the recorder does.
    feed.onBlock(({ entries }) => {
      for (const { book } of entries) published.push({ text: book.plain, said: textOf(book.plain) });
    });
    const { recordings, reaches } = record(feed);
    await reaches(100);
    feed.step(5);
    expect(published).toHaveLength(5);
    for (const { text, said } of published) expect(textOf(text)).toBe(said);
    await reaches(105);
    await recordings[Symbol.asyncDispose]();
    using file = await openRecordingFile(recordings.pathOf(recordings.health().coins[0]?.file ?? '') ?? '');
    expect((await snapshotAt(file.recording, 105)).levels).toEqual(feed.truth.get(105));
  });

  test('skip blocks and report it if the recorder is too far behind', async () => {
    const feed = new SourceFeed();
    const { recordings, reaches, log } = record(feed, { unreadBytesMax: 1 });
    await reaches(100);
    // The second block arrives while the first one is unread.
    feed.step(2);
    await until('the recorder says that it was behind', () => recordings.health().counters.fallenBehind === 1);
    await reaches(102);
    feed.step(1);
    await reaches(103);
    await recordings[Symbol.asyncDispose]();
    expect(log.lines.filter((line) => line.includes('too far behind'))).toHaveLength(1);
    using file = await openRecordingFile(recordings.pathOf(recordings.health().coins[0]?.file ?? '') ?? '');
    expect(file.recording.gaps).toEqual([{ after: 101, before: 102, reason: 'recorder-behind' }]);
  });

  test('have no gap because a book was doubted of which nothing was missed', async () => {
    const feed = new SourceFeed();
    const { recordings, reaches } = record(feed);
    await reaches(100);
    feed.step(1);
    feed.doubt('upstream-stale');
    await reaches(101);
    await recordings[Symbol.asyncDispose]();
    using file = await openRecordingFile(recordings.pathOf(recordings.health().coins[0]?.file ?? '') ?? '');
    expect(file.recording.gaps).toEqual([]);
  });

  test('resolve only valid recording names to paths', () => {
    const { recordings } = record(new SourceFeed(), { coins: [] });
    expect(recordings.pathOf('BTC-20261122T140000000Z.l4rec')).toBe(join(folder, 'BTC-20261122T140000000Z.l4rec'));
    for (const name of ['', '.', '..', '../l4desk.db', 'BTC.l4rec', '/etc/passwd', 'a/BTC-20261122T140000000Z.l4rec'])
      expect(recordings.pathOf(name)).toBeUndefined();
  });
});

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

function inLargerMemory(text: Buffer): Buffer {
  const memory = Buffer.from(new ArrayBuffer(text.length + 32));
  memory.set(text, 16);
  return memory.subarray(16, 16 + text.length);
}
