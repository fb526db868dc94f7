// Memory use of the book page's worker with every pane open, over hours, after garbage collection. `L4DESK_DESK_HOURS=8 npm run
// bench -- desk-memory` runs eight hours of blocks; without it, one.
import type { BenchRow } from '@l4desk/config/bench';
import { BusyFeed } from '@l4desk/testkit';
import { BLOCK_MS, InProcessWorker } from './test-support/in-process-worker.ts';

const ORDERS = 51_000;
const GROWTH_BAR = 1.05;
const HOURS = Number(process.env.L4DESK_DESK_HOURS ?? '1');
const BLOCKS_AN_HOUR = 3_600_000 / BLOCK_MS;
/** Samples memory use. Growth is allowed during the first third of the run. */
const SAMPLES = 12;

export default async function* bench(): AsyncGenerator<BenchRow> {
  const worker = await InProcessWorker.start(new BusyFeed(ORDERS), { checksums: true });
  const sizes: number[] = [];
  const start = performance.now();
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    for (let block = 0; block < (HOURS * BLOCKS_AN_HOUR) / SAMPLES; block += 1) worker.block();
    sizes.push(heapMb());
    const minutes = ((performance.now() - start) / 60_000).toFixed(1);
    process.stderr.write(`${sample + 1} of ${SAMPLES}: ${sizes.at(-1)?.toFixed(1)} MB after ${minutes} min\n`);
  }
  worker.close();
  const { height, provedHeight } = worker.proved;
  if (height === undefined || height !== provedHeight) throw new Error(`proved up to ${provedHeight} of ${height}`);
  const third = Math.max(...sizes.slice(0, SAMPLES / 3));
  const end = sizes.at(-1) ?? Number.NaN;
  yield {
    item: `worker of the book page, ${ORDERS} orders, all panes open: heap and buffers after ${HOURS} h of ${Math.round(1_000 / BLOCK_MS)} blocks a second`,
    ours: `${end.toFixed(1)} MB, ${worker.frames} updates sent, proved at every block`,
    limit: `at most ${third.toFixed(1)} MB in the first third`,
    ratio: end / third,
    bar: `≤ ${GROWTH_BAR}×`,
    pass: end / third <= GROWTH_BAR,
  };
}

function heapMb(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}
