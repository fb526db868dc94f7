import { L4Book } from '@l4desk/book';
import { BusyFeed } from '@l4desk/testkit';
import { expect, it } from 'vitest';
import { FRAME_KIND, type RawFrame } from '../format/frame.ts';
import { RECORDER_DEFAULTS, Recorder } from './recorder.ts';

/** Seconds between two blocks. */
const STEP_S = 3;

/** The frames of half an hour of a book with that many orders. */
function recorded(orders: number): readonly RawFrame[] {
  const feed = new BusyFeed(orders);
  const { book } = L4Book.build('BTC', feed.levels());
  const frames: RawFrame[] = [];
  const recorder = new Recorder(
    { coin: 'BTC', source: 'a test', statuses: 'book' },
    (frame) => frames.push(frame),
    () => 0,
  );
  recorder.onBook(book, feed.start);
  for (let block = 1; block <= 1_800 / STEP_S; block += 1) {
    const batch = { ...feed.block(), time: feed.start.time + block * STEP_S * 1_000 };
    book.apply(batch.changes, batch.statuses, batch.time);
    recorder.onBlock(book, batch);
  }
  recorder.end();
  return frames;
}

const bytesOf = (frames: readonly RawFrame[]) => frames.reduce((sum, { bytes }) => sum + bytes.length, 0);

it.each([
  { orders: 60, seconds: [60, 300] },
  { orders: 4_000, seconds: [600, 900] },
])('keyframes of $orders orders come as often as a tenth of the bytes of the blocks allows', ({ orders, seconds }) => {
  const frames = recorded(orders);
  const keyframes = frames.filter(({ kind }) => kind === FRAME_KIND.keyframe);
  const blocks = frames.filter(({ kind }) => kind === FRAME_KIND.blocks);
  const distances = keyframes.slice(1).map(({ from }, index) => (from - (keyframes[index]?.from ?? 0)) * STEP_S);
  const [least = 0, most = 0] = seconds;
  expect(distances.length).toBeGreaterThan(1);
  for (const distance of distances) {
    expect(distance).toBeGreaterThanOrEqual(least);
    expect(distance).toBeLessThanOrEqual(most);
  }
  const rarely = 1_800_000 / RECORDER_DEFAULTS.keyframeMs;
  const added = (bytesOf(keyframes) * (keyframes.length - 1 - rarely)) / keyframes.length;
  expect(added).toBeLessThanOrEqual(RECORDER_DEFAULTS.keyframeShare * bytesOf(blocks));
});
