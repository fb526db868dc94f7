// The map of prices after half an hour of BTC: what its columns hold in memory, and how long the worker computes a frame of it.
import { L4Book } from '@l4desk/book';
import type { BenchRow } from '@l4desk/config/bench';
import { History } from '@l4desk/insight';
import { BusyFeed } from '@l4desk/testkit';
import { ms, percentile } from '../../../../bench/support/figures.ts';
import { heatPixels } from '../../../features/ladder/price/paint-price.ts';
import { Marks } from '../marks.ts';
import type { Shown } from '../shown.ts';
import { PriceColumns } from './price-columns.ts';
import { factsOf, priceView } from './price-view.ts';

const ORDERS = 51_000;
/** Half an hour at 15 blocks a second. */
const BLOCKS = 27_000;
/** The map of a window of 1,920 px, in CSS pixels. */
const EXTENT = { width: 520, height: 460, spanMs: 0 } as const;
const FRAMES = 300;
const MEMORY_BAR_MB = 25;
const FRAME_BAR_MS = 4;

export default async function* bench(): AsyncGenerator<BenchRow> {
  const feed = new BusyFeed(ORDERS);
  const { book } = L4Book.build('BTC', feed.levels());
  const line = new History('BTC');
  line.begin(book, feed.start, '');
  const marks = new Marks();
  const owners = [...book.orders('B')].map(({ user }) => user?.toLowerCase());
  marks.watch([...new Set(owners)].slice(0, 3).flatMap((address, at) => watched(address, at + 1)));
  const map = new PriceColumns(marks);
  const shown = { frozen: false, past: { line } } as Shown;
  const reads: number[] = [];
  for (let block = 0; block < BLOCKS; block += 1) {
    line.add(feed.block());
    if (block % 4 !== 3) continue;
    reads.push(
      processorMs(() => {
        while (map.read(shown, block * 67) === 0);
      }),
    );
  }
  reads.sort((a, b) => a - b);
  const frames: number[] = [];
  for (let frame = 0; frame < FRAMES; frame += 1) {
    frames.push(
      processorMs(() => {
        const view = priceView(map.columns, EXTENT);
        if (view === undefined) throw new Error('the map is empty');
        heatPixels(view, '#2a9d8f', '#d1604d');
        factsOf(view, map);
      }),
    );
  }
  frames.sort((a, b) => a - b);
  const [columns, prints] = [map.columns.length, map.dots.length];
  const history = line.size;
  const full = heldMegabytes();
  map.forget();
  const without = heldMegabytes();
  line.forget();
  const kept = without - heldMegabytes();
  yield {
    item: `price map: memory of ${BLOCKS} blocks of BTC`,
    ours: `${(full - without).toFixed(1)} MB in ${columns} columns and ${prints} prints`,
    limit: `the book's history ${kept.toFixed(0)} MB for ${history.blocks} blocks with ${history.changes} changes`,
    ratio: null,
    bar: `≤ ${MEMORY_BAR_MB} MB`,
    pass: full - without <= MEMORY_BAR_MB,
  };
  yield {
    item: 'price map: a frame of all of them in the worker, without the rasterization, processor time p95',
    ours: `${ms(percentile(frames, 0.95))} (p50 ${ms(percentile(frames, 0.5))})`,
    limit: `reading a column p50 ${ms(percentile(reads, 0.5))}, p95 ${ms(percentile(reads, 0.95))}, four a second`,
    ratio: null,
    bar: `≤ ${FRAME_BAR_MS} ms`,
    pass: percentile(frames, 0.95) <= FRAME_BAR_MS,
  };
}

function watched(address: string | undefined, mark: number) {
  return address === undefined ? [] : [{ address: address as Lowercase<`0x${string}`>, mark }];
}

/** Processor time: the machine may do other things meanwhile. */
function processorMs(task: () => void): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Heap and array buffers, garbage collected. */
function heldMegabytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}
