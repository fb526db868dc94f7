// Recordings in the book page: time per jump to any height of an hour of BTC, and how much its keyframes add to the file size.
import { L4Book } from '@l4desk/book';
import type { BenchRow } from '@l4desk/config/bench';
import { type CoinBatch, UnreadStatuses } from '@l4desk/protocol';
import { packRecording, type RawFrame, RECORDER_DEFAULTS, Recorder } from '@l4desk/recording';
import { BusyFeed, Chance } from '@l4desk/testkit';
import { percentile } from '../../../../bench/support/figures.ts';
import { deflate } from './browser-codec.ts';
import { RecordedLine } from './recorded-line.ts';

const ORDERS = 51_000;
/** An hour at 15 blocks a second, or the number of hours in L4DESK_JUMP_HOURS. */
const BLOCKS = Math.round(Number(process.env.L4DESK_JUMP_HOURS ?? '1') * 54_000);
const JUMPS = 20;
const SIZE_BAR = 1.1;
const JUMP_BAR_MS = 1_500;

export default async function* bench(): AsyncGenerator<BenchRow> {
  const feed = new BusyFeed(ORDERS);
  const { book } = L4Book.build('BTC', feed.levels());
  const recorders = { ours: recorder({}), rare: recorder({ keyframeMsMin: RECORDER_DEFAULTS.keyframeMs }) };
  const both = Object.values(recorders);
  for (const { recorder: one } of both) one.onBook(book, feed.start);
  for (let block = 0; block < BLOCKS; block += 1) {
    const batch = read(feed.block());
    book.apply(batch.changes, batch.statuses, batch.time);
    for (const { recorder: one } of both) one.onBlock(book, batch);
  }
  const files = { ours: await file(recorders.ours), rare: await file(recorders.rare) };
  const jumps = { ours: await jumpsIn(files.ours.blob), rare: await jumpsIn(files.rare.blob) };
  const p95 = (list: readonly number[]) => percentile(list, 0.95);
  const text = (list: readonly number[]) => `${p95(list).toFixed(0)} ms (p50 ${percentile(list, 0.5).toFixed(0)} ms)`;
  yield {
    item: `a jump to any height of ${BLOCKS} recorded blocks of BTC in the page's worker, processor time, p95`,
    ours: text(jumps.ours),
    limit: `with a keyframe every 15 minutes ${text(jumps.rare)}`,
    ratio: p95(jumps.ours) / p95(jumps.rare),
    bar: `≤ ${JUMP_BAR_MS} ms`,
    pass: p95(jumps.ours) <= JUMP_BAR_MS,
  };
  const growth = files.ours.blob.size / files.rare.blob.size;
  yield {
    item: 'the file of the same',
    ours: `${(files.ours.blob.size / 1e6).toFixed(1)} MB, ${files.ours.keyframes} keyframes`,
    limit: `with one every 15 minutes ${(files.rare.blob.size / 1e6).toFixed(1)} MB, ${files.rare.keyframes} keyframes`,
    ratio: growth,
    bar: `≤ ${SIZE_BAR}×`,
    pass: growth <= SIZE_BAR,
  };
}

function recorder(settings: { readonly keyframeMsMin?: number }) {
  const frames: RawFrame[] = [];
  const about = { coin: 'BTC', source: 'a bench', statuses: 'book', ...settings } as const;
  return {
    frames,
    recorder: new Recorder(
      about,
      (frame) => frames.push(frame),
      () => 0,
    ),
  };
}

async function file({ recorder: one, frames }: ReturnType<typeof recorder>) {
  one.end();
  const keyframe = frames[1]?.kind;
  const blob = new Blob((await packRecording(frames, deflate)) as Uint8Array<ArrayBuffer>[]);
  return { blob, keyframes: frames.filter(({ kind }) => kind === keyframe).length };
}

/** Reads unread statuses once, for both recordings. */
function read(batch: CoinBatch): CoinBatch {
  const { statuses } = batch;
  return statuses instanceof UnreadStatuses ? { ...batch, statuses: statuses.read() } : batch;
}

/** CPU times, in ms, of jumps to heights all over the file, in ascending order. */
async function jumpsIn(blob: Blob): Promise<readonly number[]> {
  const line = await RecordedLine.open(blob, 'bench.l4rec');
  const chance = new Chance(5);
  const { from, to } = line.facts;
  const times: number[] = [];
  for (let jump = 0; jump < JUMPS; jump += 1) {
    const height = chance.int(from.height, to.height);
    const before = process.cpuUsage();
    await line.load(height);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return times.sort((a, b) => a - b);
}
