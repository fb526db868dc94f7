// Time per block of the book page's worker with every pane open. For its memory use, see desk-memory.bench.ts.
import type { BenchRow } from '@l4desk/config/bench';
import { BusyFeed, wallet } from '@l4desk/testkit';
import { ms, percentile } from '../../bench/support/figures.ts';
import { type BlockCost, InProcessWorker } from './test-support/in-process-worker.ts';
import type { WatchRule } from './watch.ts';

const ORDERS = 51_000;

/** Blocks before and during the measurement: seven minutes of blocks fill the kept history. */
const FILL = Number(process.env.L4DESK_DESK_FILL ?? '6500');
const MEASURED = 3_000;

const BLOCK_BAR_MS = 2;

/** A watch rule of every kind, with the values that its form offers first. */
const RULES: readonly WatchRule[] = [
  { kind: 'wallet', user: wallet(1), event: 'placed', minSz: '10' },
  { kind: 'wallet', user: wallet(1), event: 'pulled', minSz: '10' },
  { kind: 'place', user: wallet(1), place: 1 },
  { kind: 'wall', withinBps: '10', minSz: '10' },
  { kind: 'spread', aboveBps: '5' },
  { kind: 'imbalance', withinBps: '10', above: '0.8' },
  { kind: 'suspect' },
  { kind: 'epoch' },
];

export default async function* bench(): AsyncGenerator<BenchRow> {
  const { costs: bare } = await measured(false);
  const { costs: proved, watched } = await measured(true);
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
  yield {
    item: 'apply, insight and history with a watch rule of every kind',
    ours: spread(watched, 'book'),
    limit: `without rules ${spread(proved, 'book')}`,
    ratio: null,
    bar: `≤ ${BLOCK_BAR_MS} ms`,
    pass: percentile(sorted(watched, 'book'), 0.95) <= BLOCK_BAR_MS,
  };
}

type Costs = readonly BlockCost[];

/** `watched`: of further blocks, with the rules. */
interface Measured {
  readonly costs: Costs;
  readonly watched: Costs;
}

async function measured(checksums: boolean): Promise<Measured> {
  const worker = await InProcessWorker.start(new BusyFeed(ORDERS), { checksums });
  for (let block = 0; block < FILL; block += 1) worker.block();
  const costs = Array.from({ length: MEASURED }, () => worker.block());
  const inParts = Array.from({ length: MEASURED / 2 }, () => worker.block({ timesParts: true }));
  worker.tell({ kind: 'rules', rules: RULES });
  const watched = Array.from({ length: MEASURED }, () => worker.block());
  worker.close();
  for (const part of ['book', 'history', 'insight', 'panes'] as const) {
    process.stderr.write(`${checksums ? 'proved' : 'bare'}, timed in parts: ${part} ${spread(inParts, part)}\n`);
  }
  return { costs, watched };
}

function sorted(costs: Costs, part: keyof BlockCost): readonly number[] {
  return costs.map((cost) => cost[part]).sort((a, b) => a - b);
}

function spread(costs: Costs, part: keyof BlockCost): string {
  const times = sorted(costs, part);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return `p95 ${ms(percentile(times, 0.95))} (p50 ${ms(percentile(times, 0.5))}, mean ${ms(mean)})`;
}
