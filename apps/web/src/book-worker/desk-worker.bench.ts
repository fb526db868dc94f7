// Time per block of the book page's worker with every pane open. For its memory use, see desk-memory.bench.ts.
import type { BenchRow } from '@l4desk/config/bench';
import { BusyFeed } from '@l4desk/testkit';
import { ms, percentile } from '../../bench/support/figures.ts';
import { type BlockCost, InProcessWorker } from './test-support/in-process-worker.ts';

const ORDERS = 51_000;

/** Blocks before and during the measurement: seven minutes of blocks fill the kept history. */
const FILL = Number(process.env.L4DESK_DESK_FILL ?? '6500');
const MEASURED = 3_000;

const BLOCK_BAR_MS = 2;

export default async function* bench(): AsyncGenerator<BenchRow> {
  const bare = await measured(false);
  const proved = await measured(true);
  const p95 = percentile(sorted(proved, 'book'), 0.95);
  yield {
    item: `worker of the book page, ${ORDERS} orders, all panes open: apply, insight and history, processor time a block, p95`,
    ours: spread(proved, 'book'),
    limit: `its checksums not compared ${spread(bare, 'book')}`,
    ratio: null,
    bar: `≤ ${BLOCK_BAR_MS} ms`,
    pass: p95 <= BLOCK_BAR_MS,
  };
  yield {
    item: "the same with the ladder's rows and all that is sent to the page",
    ours: spread(proved, 'all'),
    limit: `its checksums not compared ${spread(bare, 'all')}`,
    ratio: null,
    bar: 'none',
    pass: true,
  };
}

type Costs = readonly BlockCost[];

async function measured(checksums: boolean): Promise<Costs> {
  const worker = await InProcessWorker.start(new BusyFeed(ORDERS), { checksums });
  for (let block = 0; block < FILL; block += 1) worker.block();
  const costs = Array.from({ length: MEASURED }, () => worker.block());
  const inParts = Array.from({ length: MEASURED / 2 }, () => worker.block({ timesParts: true }));
  worker.close();
  for (const part of ['book', 'history', 'insight', 'panes'] as const) {
    process.stderr.write(`${checksums ? 'proved' : 'bare'}, timed in parts: ${part} ${spread(inParts, part)}\n`);
  }
  return costs;
}

function sorted(costs: Costs, part: keyof BlockCost): readonly number[] {
  return costs.map((cost) => cost[part]).sort((a, b) => a - b);
}

function spread(costs: Costs, part: keyof BlockCost): string {
  const times = sorted(costs, part);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return `p95 ${ms(percentile(times, 0.95))} (p50 ${ms(percentile(times, 0.5))}, mean ${ms(mean)})`;
}
