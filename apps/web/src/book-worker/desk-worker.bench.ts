// The worker of the book page with every pane open: what a block costs it, and what it takes of memory over hours.
import type { BenchRow } from '@l4desk/config/bench';
import { BusyFeed } from '@l4desk/testkit';
import { ms, percentile } from '../../bench/support/figures.ts';
import { BLOCK_MS, WorkerDesk } from './test-support/worker-desk.ts';

const ORDERS = 51_000;

/** Blocks before and while a block's cost is measured: five minutes fill what is kept. */
const FILL = 5_000;
const MEASURED = 3_000;

const BLOCK_BAR_MS = 2;
const GROWTH_BAR = 1.05;
const HOURS = Number(process.env.L4DESK_DESK_HOURS ?? '1');
const BLOCKS_AN_HOUR = 3_600_000 / BLOCK_MS;
/** Looks at the memory; the first third of the time it may still grow. */
const SAMPLES = 12;

export default async function* bench(): AsyncGenerator<BenchRow> {
  const bare = await measured(false);
  const proved = await measured(true);
  const p95 = percentile(proved.times, 0.95);
  yield {
    item: `worker of the book page, ${ORDERS} orders, all panes open: processor time a block, text to frame, p95`,
    ours: `${ms(p95)} (p50 ${ms(percentile(proved.times, 0.5))})`,
    limit: `its checksums not compared ${ms(percentile(bare.times, 0.95))} (p50 ${ms(percentile(bare.times, 0.5))})`,
    ratio: null,
    bar: `≤ ${BLOCK_BAR_MS} ms`,
    pass: p95 <= BLOCK_BAR_MS,
  };
  const { desk } = proved;
  const mean = proved.times.reduce((sum, time) => sum + time, 0) / proved.times.length;
  const minutes = (HOURS * BLOCKS_AN_HOUR * mean) / 60_000;
  process.stderr.write(
    `${HOURS} h are ${Math.round(HOURS * BLOCKS_AN_HOUR)} blocks: some ${Math.ceil(minutes)} min here\n`,
  );
  const sizes: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    for (let block = 0; block < (HOURS * BLOCKS_AN_HOUR) / SAMPLES; block += 1) desk.block();
    sizes.push(heapMb());
  }
  const { height, provedHeight } = desk.proved;
  if (height === undefined || height !== provedHeight) throw new Error(`proved up to ${provedHeight} of ${height}`);
  const third = Math.max(...sizes.slice(0, SAMPLES / 3));
  const end = sizes.at(-1) ?? Number.NaN;
  yield {
    item: `the same, heap and buffers after ${HOURS} h of ${Math.round(1_000 / BLOCK_MS)} blocks a second`,
    ours: `${end.toFixed(1)} MB, ${desk.frames} frames sent, proved at every block`,
    limit: `at most ${third.toFixed(1)} MB in the first third`,
    ratio: end / third,
    bar: `≤ ${GROWTH_BAR}×`,
    pass: end / third <= GROWTH_BAR,
  };
}

async function measured(checksums: boolean) {
  const desk = await WorkerDesk.start(new BusyFeed(ORDERS), { checksums });
  for (let block = 0; block < FILL; block += 1) desk.block();
  const times = Array.from({ length: MEASURED }, () => desk.block()).sort((a, b) => a - b);
  return { desk, times };
}

function heapMb(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}
