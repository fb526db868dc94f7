import { L4Book } from '@l4desk/book';
import type { BenchRow } from '@l4desk/config/bench';
import type { Address } from '@l4desk/protocol';
import { generatedCapture, realCapture } from '@l4desk/testkit';
import { figures, History, OwnersMemory, ownerLens, QueueLives, sweep } from './index.ts';

/** What the worker may spend on a block, in total, at the 95th percentile. */
const BLOCK_BUDGET_MS = 2;

const capture = realCapture() ?? generatedCapture();

/** How often the capture is replayed, and how often before measuring to warm up the code, because it has few blocks. */
const ROUNDS = 12;
const WARM_ROUNDS = 6;

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

const msText = (ms: number) => `${ms.toFixed(2)} ms`;

/** Processor time of a task, in ms; excludes other processes of the machine. */
function timed(task: () => void): number {
  const start = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** The time of one computation after each block, compared with that of applying the block. */
function computeRow(item: string, compute: (book: L4Book, time: number) => void, bar: number): BenchRow {
  const applied: number[] = [];
  const computed: number[] = [];
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round += 1) {
    const { book } = L4Book.build('BTC', capture.levels);
    for (const { changes, statuses, time } of capture.batches) {
      const applying = timed(() => book.apply(changes, statuses, time));
      const took = timed(() => compute(book, time));
      if (round < WARM_ROUNDS) continue;
      applied.push(applying);
      computed.push(took);
    }
  }
  const ratio = percentile(computed, 0.5) / percentile(applied, 0.5);
  return {
    item: `${item}, ${capture.name}, processor time, p50 / p95`,
    ours: `${msText(percentile(computed, 0.5))} / ${msText(percentile(computed, 0.95))}`,
    limit: `applying a block, p50 ${msText(percentile(applied, 0.5))}`,
    ratio,
    bar: `≤ ${bar}×`,
    pass: ratio <= bar,
  };
}

/**
 * Time to apply a block, keep it in the history, update the queues of ten wallets and pass its changes to owners and figures,
 * both of which are read four times a second, as the worker does.
 */
function blockRow(): BenchRow {
  const totals: number[] = [];
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round += 1) {
    const { book } = L4Book.build('BTC', capture.levels);
    const history = new History('BTC');
    const lives = new QueueLives();
    const [first] = capture.batches;
    if (first === undefined) throw new Error('the capture has no blocks');
    const moment = { height: first.height - 1, time: first.time };
    history.begin(book, { ...moment, epoch: 'e', seq: first.seq - 1 }, 'start');
    lives.watch(book, busiest(10), moment);
    const memories = { lens: new OwnersMemory(), figures: new OwnersMemory() };
    for (const [index, batch] of capture.batches.entries()) {
      const { changes, statuses, time, height } = batch;
      const took = timed(() => {
        book.apply(changes, statuses, time);
        const block = history.add({ ...batch, epoch: 'e' });
        if (block === undefined) throw new Error(`block ${height} does not follow`);
        const events = block.events();
        lives.apply(book, events, { height, time });
        memories.lens.note(book, events);
        memories.figures.note(book, events);
        if (index % 4 !== 0) return;
        figures(book, '1', memories.figures);
        ownerLens(book, { withinBps: '10', clock: time, limit: 100 }, memories.lens);
      });
      if (round >= WARM_ROUNDS) totals.push(took);
    }
  }
  const p95 = percentile(totals, 0.95);
  return {
    item: `worker's block: apply, past, queues of 10 wallets; owners and figures every 4th; ${capture.name}, p50 / p95`,
    ours: `${msText(percentile(totals, 0.5))} / ${msText(p95)}`,
    limit: msText(BLOCK_BUDGET_MS),
    ratio: p95 / BLOCK_BUDGET_MS,
    bar: `p95 ≤ ${BLOCK_BUDGET_MS} ms`,
    pass: p95 <= BLOCK_BUDGET_MS,
  };
}

/** The wallets that change most orders. */
function busiest(count: number): readonly Address[] {
  const changes = new Map<Address, number>();
  for (const { user } of capture.batches.flatMap((batch) => batch.changes)) {
    changes.set(user, (changes.get(user) ?? 0) + 1);
  }
  return [...changes]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([user]) => user);
}

export default function bench(): readonly BenchRow[] {
  const within = (withinBps: '10' | '100') => (book: L4Book, clock: number) => {
    ownerLens(book, { withinBps, clock, limit: 100 });
  };
  return [
    computeRow('owners within 10 bps, 100 a side', within('10'), 4),
    computeRow('owners within 100 bps, 100 a side', within('100'), 14),
    computeRow('figures', (book) => figures(book, '1'), 1.5),
    computeRow('sweep of 100 BTC', (book) => sweep(book, 'buy', { sz: '100' }), 1.5),
    blockRow(),
  ];
}
