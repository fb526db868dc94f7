// Recordings: how fast one core writes and verifies them compared with the exchange's pace, and how many bytes a block takes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { L4Book } from '@l4desk/book';
import type { BenchRow } from '@l4desk/config/bench';
import type { BookChange, OrderStatus, ReadCoinBatch } from '@l4desk/protocol';
import { type BookCapture, generatedCapture, realCapture } from '@l4desk/testkit';
import { openRecordingFile, RecordingFile } from '../node/index.ts';
import { RECORDER_DEFAULTS, Recorder } from './recorder.ts';

const ROUNDS = 9;

/** How often the exchange makes a block, and how many blocks pass between keyframes and between checksums. */
const BLOCK_MS = 67;
const BLOCKS_A_KEYFRAME = RECORDER_DEFAULTS.keyframeMs / BLOCK_MS;
const BLOCKS_A_CHECKSUM = RECORDER_DEFAULTS.checksumMs / BLOCK_MS;

/** Milliseconds for a keyframe, for a block, and for a checksum. */
interface Times {
  readonly keyframe: number;
  readonly block: number;
  readonly checksum: number;
}

/** The times of one round, and the bytes it wrote. */
interface Round extends Times {
  readonly keyframeBytes: number;
  readonly blockBytes: number;
}

/** Milliseconds per block, including its share of keyframes and checksums. */
const share = ({ keyframe, block, checksum }: Times) =>
  block + keyframe / BLOCKS_A_KEYFRAME + checksum / BLOCKS_A_CHECKSUM;

function timed(call: () => unknown): number {
  const start = performance.now();
  call();
  return performance.now() - start;
}

/** Records the capture. */
function write({ levels, batches }: BookCapture, path: string): Round {
  const { book } = L4Book.build('BTC', levels);
  const file = new RecordingFile(path);
  const recorder = new Recorder(
    { coin: 'BTC', source: 'a capture', statuses: 'book' },
    (frame) => file.write(frame),
    () => 0,
  );
  const [first] = batches;
  if (first === undefined) throw new Error('a capture without blocks');
  const { epoch, height, time, prevSeq } = first;
  const start = { epoch, height: height - 1, time: time - BLOCK_MS, seq: prevSeq };
  const keyframe = timed(() => recorder.onBook(book, start));
  const keyframeBytes = file.size;
  let blocks = 0;
  for (const batch of batches) {
    book.apply(batch.changes, batch.statuses, batch.time);
    blocks += timed(() => recorder.onBlock(book, batch));
  }
  blocks += timed(() => recorder.flush());
  const blockBytes = (file.size - keyframeBytes) / batches.length;
  const checksum = timed(() => book.checksum());
  recorder.end();
  file.end();
  return { keyframe, block: blocks / batches.length, checksum, keyframeBytes, blockBytes };
}

/** Reads the recording and applies it, as verification does. */
async function verify(path: string): Promise<Times> {
  using file = await openRecordingFile(path);
  let book: L4Book | undefined;
  let [keyframe, blocks, count] = [0, 0, 0];
  let start = performance.now();
  for await (const event of file.recording.events()) {
    if (event.kind === 'keyframe') {
      book = L4Book.build('BTC', event.keyframe.levels).book;
      if (book.checksum() !== event.keyframe.checksum) throw new Error('the keyframe is not the book');
      keyframe += performance.now() - start;
    } else if (event.kind === 'block' && book !== undefined) {
      const { changes, statuses, time } = event.block;
      if (book.apply(changes, statuses, time).length > 0) throw new Error('a block is not of the book');
      blocks += performance.now() - start;
      count += 1;
    }
    start = performance.now();
  }
  return { keyframe, block: blocks / count, checksum: timed(() => book?.checksum()) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

const round = (value: number) => Number(value.toPrecision(3));

/** A change as the stream prints it. */
function diffOf(change: BookChange): object {
  const { user, oid, side, px } = change;
  const raw = {
    insert: () => ({ new: { sz: change.kind === 'insert' ? change.sz : '' } }),
    resize: () => (change.kind === 'resize' ? { update: { origSz: change.origSz, newSz: change.newSz } } : {}),
    remove: () => 'remove',
  }[change.kind]();
  return { user, oid, side, px, coin: 'BTC', raw_book_diff: raw };
}

/** The statuses as an order-level server sends them. A node's files add a hash, which does not compress. */
function asServed(batch: ReadCoinBatch): ReadCoinBatch {
  const statuses = batch.statuses.map(({ time, user, status, order }): OrderStatus => ({ time, user, status, order }));
  return { ...batch, statuses };
}

export default async function* bench(): AsyncGenerator<BenchRow, void, undefined> {
  const recorded = realCapture() ?? generatedCapture();
  const capture = { ...recorded, batches: recorded.batches.map(asServed) };
  const folder = mkdtempSync(join(tmpdir(), 'l4desk-bench-'));
  try {
    const rounds: Round[] = [];
    const readings: Times[] = [];
    for (let index = 0; index < ROUNDS; index += 1) {
      const path = join(folder, `${index}.l4rec`);
      rounds.push(write(capture, path));
      readings.push(await verify(path));
    }
    const times = (list: readonly Times[]) => median(list.map(share));
    const [written, verified] = [times(rounds), times(readings)];
    const row = (item: string, ms: number, bar: number): BenchRow => ({
      item: `${item}, ${capture.name}`,
      ours: `${round(ms)} ms a block`,
      limit: `real time ${BLOCK_MS} ms`,
      ratio: round(BLOCK_MS / ms),
      bar: `≥ ${bar}×`,
      pass: BLOCK_MS / ms >= bar,
    });
    yield row('a recording written', written, 20);
    yield row('a recording verified', verified, 50);
    const last = rounds.at(-1);
    if (last === undefined) return;
    const bytes = last.blockBytes + last.keyframeBytes / BLOCKS_A_KEYFRAME;
    const sizes = capture.batches.map(({ changes }) => gzipSync(JSON.stringify(changes.map(diffOf))).length);
    const gzip = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    yield {
      item: 'bytes a recorded block, statuses and keyframes included',
      ours: `${Math.round(bytes)} bytes`,
      limit: `its diffs alone in gzip ${Math.round(gzip)} bytes`,
      ratio: round(bytes / gzip),
      bar: '≤ 0.5×',
      pass: bytes / gzip <= 0.5,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
