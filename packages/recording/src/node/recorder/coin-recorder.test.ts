import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PublishedBlock } from '@l4desk/feed';
import { decodeL4BookSnapshot, decodeUpdates } from '@l4desk/protocol';
import { temporaryDirectory } from '@l4desk/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replayRecording, snapshotAt } from '../../index.ts';
import { openRecordingFile } from '../index.ts';
import { CoinRecorder, type RecorderNote } from './coin-recorder.ts';
import { RecordingsFolder } from './recordings-folder.ts';
import { SourceFeed } from './test-support/source-feed.ts';

let base: Awaited<ReturnType<typeof temporaryDirectory>>;
let path: string;

beforeEach(async () => {
  base = await temporaryDirectory();
  path = join(base.path, 'recordings');
});

afterEach(() => base[Symbol.asyncDispose]());

/** A recorder of a feed, in this thread, with a clock that the test controls. */
class Rig {
  readonly feed: SourceFeed;
  readonly folder: RecordingsFolder;
  readonly notes: RecorderNote[] = [];
  readonly errors: string[] = [];
  readonly recorder: CoinRecorder;
  now: number;
  #fetches: Promise<void> = Promise.resolve();

  constructor({
    feed = new SourceFeed(),
    now = 1_795_000_000_000,
    keepBytes = 1e9,
    source = 'a test',
    after = undefined as { readonly height: number; readonly reason: string } | undefined,
  } = {}) {
    this.feed = feed;
    this.now = now;
    this.folder = new RecordingsFolder(path, keepBytes);
    this.recorder = new CoinRecorder('BTC', after, {
      folder: this.folder,
      source,
      statuses: 'book',
      rotateMs: 60_000,
      fileBytesMax: 1e9,
      now: () => this.now,
      fetchSnapshot: (coin, request) => {
        this.#fetches = this.#fetch(coin, request);
      },
      note: (what) => this.notes.push(what),
      log: {
        info: () => {},
        warn: () => {},
        error: (fields, message) => this.errors.push(`${message} ${JSON.stringify(fields)}`),
      },
    });
    feed.onBlock((block) => this.#take(block));
    feed.onBookStatus(({ state, reason }) => this.recorder.onStatus(state === 'live' ? null : (reason ?? '')));
    this.recorder.start();
  }

  /** Resolves when the requested snapshot has arrived. */
  async settled(): Promise<void> {
    await this.#fetches;
  }

  async #fetch(coin: string, request: number): Promise<void> {
    const { bytes } = await this.feed.snapshot();
    this.recorder.onSnapshot(request, decodeL4BookSnapshot(JSON.parse(bytes.toString()), coin));
  }

  pass(ms: number): void {
    this.now += ms;
    this.recorder.tick();
  }

  #take({ epoch, height, time, entries }: PublishedBlock): void {
    for (const { book, checksum } of entries) {
      const entry = { ...JSON.parse(book.plain.toString()), checksum };
      for (const batch of decodeUpdates({ epoch, block_height: height, time, book_diffs: [entry] }).coins)
        this.recorder.onBatch(batch);
    }
  }
}

const files = () => readdirSync(path).toSorted();

/** Reads the files in order, comparing every book in them with the feed's. */
async function read(feed: SourceFeed) {
  const found = [];
  for (const name of files()) {
    using file = await openRecordingFile(join(path, name));
    const { checksums, gaps, from, to } = await replayRecording(file.recording, { verify: true });
    expect(checksums).toBe('equal');
    for (let height = from ?? 0; height <= (to ?? -1); height += 1) {
      if (gaps.some(({ after, before }) => height > after && (before === null || height < before))) continue;
      const { levels } = await snapshotAt(file.recording, height);
      expect(levels).toEqual(feed.truth.get(height));
    }
    found.push({ from, to, gaps, end: file.recording.end.kind });
  }
  return found;
}

describe('the recorder of a coin', () => {
  test('starts the next file only once the book is known', async () => {
    const rig = new Rig();
    await rig.settled();
    rig.feed.step(30);
    rig.recorder.onBehind();
    rig.pass(60_000);
    expect(files()).toHaveLength(1);
    await rig.settled();
    rig.pass(1_000);
    expect(files()).toHaveLength(2);
    rig.recorder.end();
    expect(await read(rig.feed)).toMatchObject([
      { to: 130, gaps: [] },
      { from: 130, gaps: [] },
    ]);
  });

  test('starts the next file on time, where the last one ends, without a gap', async () => {
    const rig = new Rig();
    await rig.settled();
    rig.feed.step(30);
    rig.pass(60_000);
    rig.feed.step(20);
    rig.recorder.end();
    expect(await read(rig.feed)).toEqual([
      { from: 100, to: 130, gaps: [], end: 'complete' },
      { from: 130, to: 150, gaps: [], end: 'complete' },
    ]);
  });

  test('records gaps with the feed’s reason, and a book that differs from the feed’s as one', async () => {
    const rig = new Rig();
    await rig.settled();
    rig.feed.step(5);
    rig.feed.miss(3, 'missing-block');
    rig.feed.step(1);
    await rig.settled();
    rig.feed.step(4);
    rig.feed.isWrong = true;
    rig.feed.step(1);
    rig.feed.isWrong = false;
    await rig.settled();
    rig.feed.step(2);
    rig.recorder.end();
    const [file] = await read(rig.feed);
    expect(file?.gaps).toEqual([
      { after: 105, before: 109, reason: 'missing-block' },
      { after: 113, before: 114, reason: 'audit' },
    ]);
    expect(rig.notes.filter((note) => note === 'gap')).toHaveLength(2);
  });

  test('starts a new file without a gap when the height goes back to another chain', async () => {
    const rig = new Rig();
    await rig.settled();
    rig.feed.step(5);
    rig.feed.goBackTo(50, '00000000-0000-4000-8000-000000000002');
    rig.pass(1_000);
    rig.feed.step(1);
    await rig.settled();
    rig.feed.step(1);
    rig.recorder.end();
    expect((await read(rig.feed)).map(({ from, to }) => [from, to])).toEqual([
      [100, 105],
      [51, 52],
    ]);
  });

  test('leaves a readable file when killed, and records what was missed in the next one', async () => {
    const feed = new SourceFeed();
    const killed = new Rig({ feed });
    await killed.settled();
    feed.step(5);
    killed.pass(1_000);
    // Blocks after the last flush are in memory only.
    feed.step(3);
    const now = killed.now + 5_000;
    const after = await new RecordingsFolder(path, 1e9).lastOf('BTC', 'a test');
    expect(after).toEqual({ height: 105, reason: 'recorder-failed' });
    feed.step(2);
    const next = new Rig({ feed, now, after });
    await next.settled();
    feed.step(1);
    next.recorder.end();
    const [, second] = await read(feed);
    expect(second?.gaps).toEqual([{ after: 105, before: 110, reason: 'recorder-failed' }]);
    using opened = await openRecordingFile(join(path, files()[1] ?? ''));
    await expect(snapshotAt(opened.recording, 107)).rejects.toThrow(/Block 107 is in a gap.*recorder-failed/);
    const folder = new RecordingsFolder(path, 1e9);
    expect(await folder.lastOf('BTC', 'a test')).toEqual({ height: 111, reason: 'recorder-stopped' });
    expect(await folder.lastOf('BTC', 'another exchange')).toBeUndefined();
    expect(await folder.lastOf('ETH', 'a test')).toBeUndefined();
    const other = new Rig({ feed, now: now + 5_000, source: 'another exchange' });
    await other.settled();
    other.recorder.end();
    expect(await folder.lastOf('BTC', 'a test'), 'another source was recorded since').toBeUndefined();
  });

  test('removes the oldest files first, and never files being written or other files', async () => {
    const rig = new Rig();
    await rig.settled();
    for (let count = 0; count < 4; count += 1) {
      rig.feed.step(40);
      rig.pass(60_000);
    }
    writeFileSync(join(path, 'notes.txt'), 'x'.repeat(1_000_000));
    const before = files();
    expect(before).toHaveLength(6);
    const sizes = before.map((name) => statSync(join(path, name)).size);
    const keep = (sizes[2] ?? 0) + (sizes[3] ?? 0) + (sizes[4] ?? 0);
    const written = new Set([rig.recorder.health.file ?? '']);
    expect(new RecordingsFolder(path, keep).prune(written)).toEqual(before.slice(0, 2));
    expect(new RecordingsFolder(path, 1).prune(written)).toEqual(before.slice(2, 4));
    expect(files()).toEqual(before.slice(4));
    rig.recorder.end();
  });

  test('continues while the disk cannot be written, reports it, and records the gap in a new file', async () => {
    const rig = new Rig();
    await rig.settled();
    rig.feed.step(5);
    rig.pass(1_000);
    expect(rig.recorder.health).toMatchObject({ state: 'recording', height: 105 });
    // A file in place of the folder: nothing can be created below it.
    rmSync(path, { recursive: true });
    writeFileSync(path, '');
    rig.feed.step(2);
    rig.pass(60_000);
    expect(rig.recorder.health).toMatchObject({ state: 'failed', file: null });
    expect(rig.recorder.health.problem).toMatch(/^the disk cannot be written \(/);
    expect(rig.errors).toHaveLength(1);
    rig.feed.step(3);
    rig.pass(1_000);
    expect(rig.errors).toHaveLength(1);
    rig.pass(10_000);
    expect(rig.errors).toHaveLength(2);
    rmSync(path);
    mkdirSync(path);
    rig.pass(60_000);
    expect(rig.recorder.health).toMatchObject({ state: 'recording', problem: null });
    rig.feed.step(1);
    rig.recorder.end();
    const [file] = await read(rig.feed);
    expect(file).toMatchObject({ from: 110, to: 111, gaps: [{ after: 107, before: 110, reason: 'disk-failed' }] });
    expect(rig.feed.snapshots).toBe(1);
  });

  test('leaves the file complete up to its last frame when the disk is full', async () => {
    const rig = new Rig();
    const create = rig.folder.create.bind(rig.folder);
    let isFull = false;
    rig.folder.create = (coin, now) => {
      const { name, file } = create(coin, now);
      const write = file.write.bind(file);
      file.write = (frame) => {
        if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
        write(frame);
      };
      return { name, file };
    };
    await rig.settled();
    rig.feed.step(5);
    rig.pass(1_000);
    isFull = true;
    rig.feed.step(2);
    rig.pass(1_000);
    expect(rig.recorder.health).toMatchObject({ state: 'failed', problem: 'the disk is full', height: 105 });
    // A file that could not be started is not left behind.
    rig.pass(60_000);
    expect(files()).toHaveLength(1);
    isFull = false;
    rig.pass(60_000);
    rig.recorder.end();
    expect((await read(rig.feed)).map(({ gaps, end }) => [gaps, end])).toEqual([
      [[], 'cut'],
      [[{ after: 105, before: 107, reason: 'disk-failed' }], 'complete'],
    ]);
  });
});
