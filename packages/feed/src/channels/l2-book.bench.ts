// What `l2Book` costs the feed thread a block, by its grouping, beside applying the block to the book.
import { L4Book } from '@l4desk/book';
import type { BenchRow } from '@l4desk/config/bench';
import { generatedCapture, realCapture } from '@l4desk/testkit';
import { CoinLevels } from './coin-levels.ts';
import type { Grouping } from './levels.ts';

const ROUNDS = 30;
const WARM_ROUNDS = 10;
const LEVELS = 20;

/** What it may take of the time of applying the block, whatever the machine is busy with. */
const BAR = 0.06;

const GROUPINGS: readonly Grouping[] = [
  { nSigFigs: null, mantissa: null },
  { nSigFigs: 5, mantissa: null },
  { nSigFigs: 5, mantissa: 2 },
  { nSigFigs: 5, mantissa: 5 },
  { nSigFigs: 4, mantissa: null },
  { nSigFigs: 3, mantissa: null },
  { nSigFigs: 2, mantissa: null },
];

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

export default async function* bench(): AsyncGenerator<BenchRow> {
  const capture = realCapture() ?? generatedCapture();
  const batches = capture.batches.filter(({ changes }) => changes.length > 0);
  for (const grouping of GROUPINGS) {
    const times = { apply: [] as number[], view: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const { book } = L4Book.build('BTC', capture.levels);
      const levels = new CoinLevels(book);
      const show = () => levels.json('B', grouping, LEVELS) + levels.json('A', grouping, LEVELS);
      let shown = show().length;
      let [apply, view] = [0, 0];
      for (const { changes, statuses, time } of batches) {
        const began = performance.now();
        book.apply(changes, statuses, time);
        const applied = performance.now();
        levels.follow(changes);
        shown += show().length;
        view += performance.now() - applied;
        apply += applied - began;
      }
      if (shown === 0) throw new Error('nothing was shown');
      if (round < WARM_ROUNDS) continue;
      times.apply.push((apply * 1_000) / batches.length);
      times.view.push((view * 1_000) / batches.length);
    }
    const [apply, view] = [median(times.apply), median(times.view)];
    const name =
      grouping.nSigFigs === null ? 'ungrouped' : `nSigFigs ${grouping.nSigFigs}, mantissa ${grouping.mantissa ?? 1}`;
    yield {
      item: `l2Book a block, ${name} (${capture.name})`,
      ours: `${view.toFixed(1)} µs`,
      limit: `applying the block ${apply.toFixed(1)} µs`,
      ratio: view / apply,
      bar: `≤ ${BAR}`,
      pass: view / apply <= BAR,
    };
  }
}
