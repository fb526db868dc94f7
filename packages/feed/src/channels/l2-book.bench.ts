// Cost of `l2Book` on the feed thread per block, by grouping, compared with `JSON.parse` of the block's text.
import { L4Book } from '@l4desk/book';
import type { BenchRow } from '@l4desk/config/bench';
import { generatedCapture, realCapture } from '@l4desk/testkit';
import { median, messagesOf } from '../test-support/measured-blocks.ts';
import { type Grouping, levelsJson } from './levels.ts';

const ROUNDS = 30;
const WARM_ROUNDS = 10;
const LEVELS = 20;

/** Limit per block, as a share of the time to parse it: of the 20 best levels, and of wide groups, which read most of the book. */
const SHARE_MAX = { levels: 0.03, groups: 1 };

const GROUPINGS: readonly Grouping[] = [
  { nSigFigs: null, mantissa: null },
  { nSigFigs: 5, mantissa: null },
  { nSigFigs: 5, mantissa: 2 },
  { nSigFigs: 5, mantissa: 5 },
  { nSigFigs: 4, mantissa: null },
  { nSigFigs: 3, mantissa: null },
  { nSigFigs: 2, mantissa: null },
];

export default async function* bench(): AsyncGenerator<BenchRow> {
  const capture = realCapture() ?? generatedCapture();
  const batches = capture.batches.filter(({ changes }) => changes.length > 0);
  const texts = messagesOf(capture);
  for (const grouping of GROUPINGS) {
    const times = { parse: [] as number[], view: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const { book } = L4Book.build('BTC', capture.levels);
      const show = () => levelsJson(book, 'B', grouping, LEVELS) + levelsJson(book, 'A', grouping, LEVELS);
      let shown = show().length;
      let [parse, view] = [0, 0];
      for (const [index, { changes, statuses, time }] of batches.entries()) {
        const began = performance.now();
        JSON.parse(texts[index] ?? '');
        parse += performance.now() - began;
        book.apply(changes, statuses, time);
        const applied = performance.now();
        shown += show().length;
        view += performance.now() - applied;
      }
      if (shown === 0) throw new Error('nothing was shown');
      if (round < WARM_ROUNDS) continue;
      times.parse.push((parse * 1_000) / batches.length);
      times.view.push((view * 1_000) / batches.length);
    }
    const [parse, view] = [median(times.parse), median(times.view)];
    const shareMax = grouping.nSigFigs === null ? SHARE_MAX.levels : SHARE_MAX.groups;
    const name =
      grouping.nSigFigs === null ? 'ungrouped' : `nSigFigs ${grouping.nSigFigs}, mantissa ${grouping.mantissa ?? 1}`;
    yield {
      item: `l2Book a block, ${name} (${capture.name})`,
      ours: `${view.toFixed(1)} µs`,
      limit: `JSON.parse of the text ${parse.toFixed(0)} µs`,
      ratio: view / parse,
      bar: `≤ ${shareMax}× parsing`,
      pass: view / parse <= shareMax,
    };
  }
}
