import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { compareBooks, L4Book } from '@l4desk/book';
import { type DecimalString, l4BookSnapshot, type ReadCoinBatch, UnreadStatuses } from '@l4desk/protocol';
import { type BookCapture, generatedCapture, PlainReplay, realCapture, temporaryDirectory } from '@l4desk/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headerFrame } from '../format/documents.ts';
import { FRAME_HEADER_BYTES, FRAME_KIND, readFrameHead } from '../format/frame.ts';
import { SegmentWriter } from '../format/segment-writer.ts';
import type { RecordedBlock } from '../format/types.ts';
import { openRecordingFile, RecordingFile } from '../node/index.ts';
import { recordCapture } from './test-support/recorded-capture.ts';
import { bookAt, snapshotAt } from './time-travel.ts';
import { replayRecording } from './verification.ts';

/** A small book, because damaged files and gaps can be tested at any size. */
const capture = generatedCapture();
const { batches } = capture;
const [first, last] = endsOf(capture);

let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
let path: string;

/** The frame heads of a file, with the offset of each. */
function framesOf(bytes: Uint8Array) {
  const frames: { readonly kind: number; readonly at: number; readonly end: number; readonly to: number }[] = [];
  for (let at = 8; ; ) {
    const head = readFrameHead(bytes.subarray(at, at + FRAME_HEADER_BYTES));
    if (head === undefined) return frames;
    const end = at + FRAME_HEADER_BYTES + head.storedLength;
    frames.push({ kind: head.kind, at, end, to: head.to });
    at = end;
  }
}

function flip(bytes: Uint8Array, at: number): void {
  bytes[at] = (bytes[at] ?? 0) ^ 1;
}

/** The heights of the snapshot and of the last block. */
function endsOf({ batches }: BookCapture): readonly [first: number, last: number] {
  return [(batches[0]?.height ?? 0) - 1, batches.at(-1)?.height ?? 0];
}

/** Records a whole capture to a file, with several keyframes and checksums. */
function recordWhole(whole: BookCapture, directory: string): string {
  const recording = recordCapture(whole, directory, { keyframeMs: 1_500, checksumMs: 500, chunkMs: 300 });
  recording.record(whole.batches);
  recording.end();
  return recording.path;
}

beforeAll(async () => {
  folder = await temporaryDirectory();
  path = recordWhole(capture, folder.path);
});

afterAll(async () => {
  await folder[Symbol.asyncDispose]();
});

describe.each([realCapture(), capture].filter((each) => each !== undefined))('a recording of $name', (whole) => {
  const { batches } = whole;
  const [first, last] = endsOf(whole);
  let own: Awaited<ReturnType<typeof temporaryDirectory>>;
  let path: string;

  beforeAll(async () => {
    own = await temporaryDirectory();
    path = recordWhole(whole, own.path);
  });

  afterAll(async () => {
    await own[Symbol.asyncDispose]();
  });

  it('returns the book of each height as the snapshot of that height', async () => {
    using file = await openRecordingFile(path);
    const plain = new PlainReplay(whole.levels);
    const { book } = L4Book.build('BTC', whole.levels);
    for (const [index, batch] of [undefined, ...batches].entries()) {
      if (batch !== undefined) {
        plain.apply(batch);
        book.apply(batch.changes, batch.statuses, batch.time);
      }
      const height = first + index;
      const { epoch, seq, time } = batch ?? { epoch: batches[0]?.epoch, seq: 0, time: (batches[0]?.time ?? 0) - 67 };
      // Comparing a book of 51,000 orders takes half a second, so it is read at every 19th height, which covers all distances
      // from a keyframe sooner or later, and at the last one.
      if (whole !== capture && index % 19 !== 0 && height !== last) continue;
      const position = { height, epoch, seq, time };
      const recorded = await bookAt(file.recording, height);
      expect(recorded.position).toEqual(position);
      expect(compareBooks(book, recorded.book)).toBeUndefined();
      // Texts of 16 MB and plain lists are slow to compare: only at the start and at the end, and for a small book at every 20th
      // height.
      if (index % (whole === capture ? 20 : batches.length) !== 0 && height !== last) continue;
      const { levels, ...head } = await snapshotAt(file.recording, height);
      expect(head).toEqual({ coin: 'BTC', ...position });
      expect(JSON.stringify(levels) === JSON.stringify(plain.levels())).toBe(true);
    }
    expect(l4BookSnapshot.safeParse(await snapshotAt(file.recording)).success).toBe(true);
  });

  it('returns every block unchanged, with the statuses of its orders', async () => {
    using file = await openRecordingFile(path);
    const blocks: RecordedBlock[] = [];
    for await (const event of file.recording.events()) if (event.kind === 'block') blocks.push(event.block);
    const expected = batches.map(({ height, time, seq, prevSeq, changes, statuses }) => {
      const oids = new Set(changes.map(({ oid }) => oid));
      return { height, time, seq, prevSeq, changes, statuses: statuses.filter(({ order }) => oids.has(order.oid)) };
    });
    const told = blocks.map(({ height, time, seq, prevSeq, changes, statuses }) => {
      return { height, time, seq, prevSeq, changes, statuses };
    });
    // Fast for 100,000 statuses. On failure it shows the first block that differs.
    const different = told.findIndex((block, index) => !isDeepStrictEqual(block, expected[index]));
    expect(told[different]).toEqual(expected[different]);
    expect(told).toHaveLength(expected.length);
  });

  it('verifies: every checksum and every keyframe equals the replayed book', async () => {
    using file = await openRecordingFile(path);
    const report = await replayRecording(file.recording, { verify: true });
    expect(report).toMatchObject({
      coin: 'BTC',
      from: first,
      to: last,
      blocks: batches.length,
      entries: batches.length,
      changes: batches.reduce((sum, { changes }) => sum + changes.length, 0),
      gaps: [],
      checksums: 'equal',
      differences: [],
      orders: whole.end.bids + whole.end.asks,
    });
    expect(report.keyframes).toBeGreaterThan(2);
    expect(report.compared).toBeGreaterThan(2 * report.keyframes);
    expect(file.recording.end).toEqual({ kind: 'complete' });
    expect((await replayRecording(file.recording, { verify: false })).checksums).toBe('not compared');
  });
});

describe('a changed or damaged recording', () => {
  /** A recording of one keyframe with a wrong checksum, and with this head. */
  function openWrong(directory: string, head: { readonly from?: number }) {
    const [batch] = batches;
    if (batch === undefined) throw new Error('no blocks');
    const { epoch, height, time, prevSeq: seq } = batch;
    const header = {
      coin: 'BTC',
      source: 'a test',
      epoch,
      pxDecimals: 0,
      szDecimals: 0,
      statuses: 'book',
      createdAt: 0,
    } as const;
    const position = { epoch, height, time, seq };
    const content = new SegmentWriter('BTC').keyframe(position, capture.levels, '0'.repeat(32));
    const wrong = join(directory, 'wrong.l4rec');
    const writer = new RecordingFile(wrong);
    writer.write(headerFrame(header, height));
    writer.write({ kind: FRAME_KIND.keyframe, ...content, ...head });
    writer.end();
    return openRecordingFile(wrong);
  }

  it('reports a recorded checksum that is not that of the book as a difference', async () => {
    await using own = await temporaryDirectory();
    using file = await openWrong(own.path, {});
    const report = await replayRecording(file.recording, { verify: true });
    expect(report.checksums).toBe('different');
    expect(report.differences).toEqual([
      expect.stringContaining(`block ${first + 1}: checksum ${'0'.repeat(32)} was recorded`),
    ]);
  });

  it('opens when cut at any byte of its last blocks frame, and reports where it ends', async () => {
    const bytes = readFileSync(path);
    const frames = framesOf(bytes);
    const chunks = frames.filter(({ kind }) => kind === FRAME_KIND.blocks);
    const chunk = chunks.at(-1);
    const before = frames.filter(({ end }) => end <= (chunk?.at ?? 0)).at(-1);
    if (chunk === undefined || before === undefined) throw new Error('too few frames');
    const cut = join(folder.path, 'cut.l4rec');
    writeFileSync(cut, bytes.subarray(0, chunk.end));
    for (let length = chunk.end - 1; length >= chunk.at; length -= 1) {
      truncateSync(cut, length);
      using file = await openRecordingFile(cut);
      expect(file.recording.end).toEqual({ kind: 'cut', bytes: before.end, unreadableBytes: length - before.end });
      expect(file.recording.range).toEqual({ from: first, to: before.to });
    }
    writeFileSync(cut, bytes.subarray(0, chunk.end));
    using whole = await openRecordingFile(cut);
    expect(whole.recording.end).toEqual({ kind: 'cut', bytes: chunk.end, unreadableBytes: 0 });
    const report = await replayRecording(whole.recording, { verify: true });
    expect(report).toMatchObject({ to: last, blocks: batches.length, checksums: 'equal', gaps: [] });
    // And at some bytes before: in the header and in the keyframe.
    for (const length of [0, 7, 8, 30, (frames[0]?.end ?? 0) - 1]) {
      writeFileSync(cut, bytes.subarray(0, length));
      await expect(openRecordingFile(cut)).rejects.toMatchObject({ code: 'not_a_recording' });
    }
    writeFileSync(cut, bytes.subarray(0, (frames[1]?.end ?? 0) - 1));
    using empty = await openRecordingFile(cut);
    expect(empty.recording.range).toBeNull();
    await expect(snapshotAt(empty.recording)).rejects.toMatchObject({ code: 'not_recorded' });
  });

  it('rebuilds an index that cannot be read', async () => {
    const bytes = readFileSync(path);
    const index = framesOf(bytes).find(({ kind }) => kind === FRAME_KIND.index);
    const broken = join(folder.path, 'broken-index.l4rec');
    for (const at of [(index?.at ?? 0) + FRAME_HEADER_BYTES + 3, (index?.at ?? 0) + 2, bytes.length - 12]) {
      const changed = Uint8Array.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x40;
      writeFileSync(broken, changed);
      using file = await openRecordingFile(broken);
      const report = await replayRecording(file.recording, { verify: true });
      expect(report).toMatchObject({ from: first, to: last, blocks: batches.length, checksums: 'equal', gaps: [] });
    }
  });

  it.each(['content', 'head', 'head without index'])(
    'makes a changed %s of a frame a gap up to the next keyframe',
    async (where) => {
      const bytes = Uint8Array.from(readFileSync(path));
      const frames = framesOf(bytes);
      const at = frames.findIndex(({ kind }, index) => kind === FRAME_KIND.blocks && index > 4);
      const damaged = frames[at];
      const next = frames.slice(at).find(({ kind }) => kind === FRAME_KIND.keyframe);
      const known = frames.slice(0, at).findLast(({ kind }) => kind !== FRAME_KIND.header);
      if (damaged === undefined || next === undefined || known === undefined) throw new Error('too few frames');
      const changed = join(folder.path, `changed-${where}.l4rec`);
      flip(bytes, damaged.at + (where === 'content' ? FRAME_HEADER_BYTES + 5 : 9));
      writeFileSync(changed, where === 'head without index' ? bytes.subarray(0, bytes.length - 16) : bytes);
      using file = await openRecordingFile(changed);
      const report = await replayRecording(file.recording, { verify: true });
      const gap = { after: known.to, before: next.to, reason: 'damaged' };
      expect(report).toMatchObject({ to: last, gaps: [gap], checksums: 'equal' });
      await expect(snapshotAt(file.recording, known.to + 1)).rejects.toThrow(
        `Block ${known.to + 1} is in a gap: the blocks after ${known.to} and before block ${next.to} were not seen (damaged).`,
      );
      expect(await snapshotAt(file.recording, next.to)).toMatchObject({ height: next.to });
    },
  );

  it('finds the next frame after damage of any length', async () => {
    const bytes = readFileSync(path);
    const frames = framesOf(bytes);
    const at = frames[2]?.at ?? 0;
    const end = frames.find(({ kind }) => kind === FRAME_KIND.index)?.at;
    const changed = join(folder.path, 'long-damage.l4rec');
    // Damage is searched 65,536 bytes at a time, so these heads lie across the end of a part.
    for (const length of [65_533, 65_534, 65_535, 65_536, 65_537]) {
      writeFileSync(changed, Buffer.concat([bytes.subarray(0, at), Buffer.alloc(length), bytes.subarray(at, end)]));
      using file = await openRecordingFile(changed);
      const report = await replayRecording(file.recording, { verify: true });
      expect(report, `${length} bytes`).toMatchObject({
        to: last,
        blocks: batches.length,
        gaps: [],
        checksums: 'equal',
      });
    }
  });

  it('rejects a recording with a changed byte before its first keyframe', async () => {
    const whole = readFileSync(path);
    const [header] = framesOf(whole);
    const changed = join(folder.path, 'changed-header.l4rec');
    for (let at = 0; at < (header?.end ?? 0); at += 1) {
      const bytes = Uint8Array.from(whole);
      flip(bytes, at);
      writeFileSync(changed, bytes);
      await expect(openRecordingFile(changed), `byte ${at}`).rejects.toMatchObject({
        code: at < 8 ? 'not_a_recording' : 'damaged',
      });
    }
  });

  it('makes a changed entry of the list of gaps a gap with the reason damaged', async () => {
    await using own = await temporaryDirectory();
    const recording = recordCapture(capture, own.path);
    recording.record(batches.slice(0, 10));
    recording.miss(batches.slice(10, 20), 'disconnected');
    recording.record(batches.slice(20, 30));
    recording.end();
    const bytes = Uint8Array.from(readFileSync(recording.path));
    const entry = framesOf(bytes).find(({ kind }) => kind === FRAME_KIND.gap);
    flip(bytes, (entry?.at ?? 0) + FRAME_HEADER_BYTES + 5);
    writeFileSync(recording.path, bytes);
    using file = await openRecordingFile(recording.path);
    const gap = { after: first + 10, before: first + 20, reason: 'damaged' };
    expect((await replayRecording(file.recording, { verify: true })).gaps).toEqual([gap]);
    await expect(snapshotAt(file.recording, first + 15)).rejects.toMatchObject({ code: 'not_recorded' });
  });

  it('reports a block that is not the recorded one as a difference', async () => {
    await using own = await temporaryDirectory();
    const recording = recordCapture(capture, own.path, { keyframeMs: 1_500, checksumMs: 300, chunkMs: 300 });
    // Appends a digit to the size of one order.
    const wrong = batches.map((batch, index): ReadCoinBatch => {
      if (index !== 10) return batch;
      const at = batch.changes.findIndex(({ kind }) => kind === 'insert');
      const changes = batch.changes.map((change, place) =>
        place === at && change.kind === 'insert' ? { ...change, sz: `${change.sz}1` as DecimalString } : change,
      );
      return { ...batch, changes };
    });
    const book = L4Book.build('BTC', capture.levels).book;
    for (const [index, batch] of batches.entries()) {
      book.apply(batch.changes, batch.statuses, batch.time);
      const told = wrong[index];
      if (told !== undefined) recording.recorder.onBlock(book, told);
    }
    recording.end();
    using file = await openRecordingFile(recording.path);
    const report = await replayRecording(file.recording, { verify: true });
    expect(report.checksums).toBe('different');
    expect(report.differences[0]).toMatch(/^block \d+: /);
  });
});

describe('the list of gaps', () => {
  it('lists what was not seen, and a height inside a gap is an error that names the gap', async () => {
    await using own = await temporaryDirectory();
    const recording = recordCapture(capture, own.path);
    recording.record(batches.slice(0, 10));
    recording.miss(batches.slice(10, 20), 'disconnected');
    recording.record(batches.slice(20, 30));
    recording.recorder.onLost('upstream-gap');
    // What went wrong first is the reason.
    recording.recorder.onLost('disconnected');
    recording.end();
    using file = await openRecordingFile(recording.path);
    const { recording: read } = file;
    const [after, before, end] = [first + 10, first + 20, first + 30];
    const gaps = [
      { after, before, reason: 'disconnected' },
      { after: end, before: null, reason: 'upstream-gap' },
    ];
    expect(read.gaps).toEqual(gaps);
    const report = await replayRecording(read, { verify: true });
    expect(report).toMatchObject({ from: first, to: end, blocks: 20, gaps, keyframes: 2, checksums: 'equal' });
    for (const height of [after, before, end]) expect(await snapshotAt(read, height)).toMatchObject({ height });
    for (const height of [after + 1, before - 1]) {
      await expect(snapshotAt(read, height)).rejects.toMatchObject({
        code: 'not_recorded',
        message: `Block ${height} is in a gap: the blocks after ${after} and before block ${before} were not seen (disconnected).`,
      });
    }
    await expect(snapshotAt(read, end + 1)).rejects.toThrow(
      `Block ${end + 1} is in a gap: the blocks after ${end} and before the end were not seen (upstream-gap).`,
    );
    await expect(snapshotAt(read, first - 1)).rejects.toThrow(
      `Block ${first - 1} is not recorded: the recording begins at ${first}.`,
    );
  });

  it('has no entry if nothing was missed, and lists a sequence loss that was not reported', async () => {
    await using own = await temporaryDirectory();
    const recording = recordCapture(capture, own.path);
    recording.record(batches.slice(0, 10));
    // The connection was lost and restored before the next block.
    recording.miss([], 'disconnected');
    const tenth = batches[9];
    if (tenth === undefined) throw new Error('too few blocks');
    const book = L4Book.build('BTC', capture.levels).book;
    for (const batch of batches.slice(0, 10)) book.apply(batch.changes, batch.statuses, batch.time);
    recording.recorder.onBook(book, tenth);
    for (const batch of batches.slice(10, 13)) book.apply(batch.changes, batch.statuses, batch.time);
    const thirteenth = batches[12];
    if (thirteenth === undefined) throw new Error('too few blocks');
    recording.recorder.onBlock(book, thirteenth);
    recording.end();
    using file = await openRecordingFile(recording.path);
    const gap = { after: first + 10, before: first + 13, reason: 'upstream-gap' };
    const report = await replayRecording(file.recording, { verify: true });
    expect(report).toMatchObject({ gaps: [gap], checksums: 'equal', keyframes: 3 });
    expect(() => recording.recorder.onBook(book, { ...tenth, height: 5 })).toThrow('The chain went back from block');
  });

  it('starts a gap at unreadable statuses, until the book is rebuilt', async () => {
    await using own = await temporaryDirectory();
    const recording = recordCapture(capture, own.path);
    const book = L4Book.build('BTC', capture.levels).book;
    const [one, two] = batches;
    if (one === undefined || two === undefined) throw new Error('too few blocks');
    recording.recorder.onBlock(book, { ...one, statuses: new UnreadStatuses('[{}]', 'order_statuses') });
    recording.recorder.onBlock(book, two);
    for (const batch of batches.slice(0, 5)) book.apply(batch.changes, batch.statuses, batch.time);
    const fifth = batches[4];
    if (fifth !== undefined) recording.recorder.onBook(book, fifth);
    recording.end();
    using file = await openRecordingFile(recording.path);
    expect(file.recording.gaps).toEqual([{ after: first, before: first + 5, reason: 'malformed' }]);
  });

  it('an error names the end for heights after it', async () => {
    using file = await openRecordingFile(path);
    await expect(snapshotAt(file.recording, last + 1)).rejects.toThrow(
      `Block ${last + 1} is not recorded: the recording ends at ${last}.`,
    );
  });
});

it.each([
  ['another file', 'hello, this is text', 'The file is not a .l4rec recording.'],
  ['a newer version', 'L4REC\r\n\u0002rest', 'The recording has version 2 of the format; only 1 is known.'],
])('a file that is not a recording rejects %s', async (_, text, message) => {
  const other = join(folder.path, 'other.l4rec');
  writeFileSync(other, text);
  await expect(openRecordingFile(other)).rejects.toMatchObject({ code: 'not_a_recording', message });
});
