// The kept minutes: time per block while keeping them, time per step back, and memory used at once and over a long run.
import { L4Book } from '@l4desk/book';
import type { BenchRow } from '@l4desk/config/bench';
import { BusyFeed } from '@l4desk/testkit';
import { FLOW_SPANS_MS, FlowWindow } from '../flow/flow-window.ts';
import { HISTORY_BOUNDS, History } from './history.ts';
import { orderLife } from './order-life.ts';

const ORDERS = 51_000;
/** More than the bound of changes holds. */
const BLOCKS = 6_500;
/** 30 minutes at 15 blocks a second; set `L4DESK_HISTORY_HOURS` to 8 for eight hours. */
const LONG_BLOCKS = Number(process.env.L4DESK_HISTORY_HOURS ?? '0.5') * 3_600 * 15;

const BLOCK_BAR_MS = 2;
const STEP_BAR_MS = 2;
/** Of building it. */
const COPY_BAR = 0.1;
/** For 1,000 blocks. */
const KEPT_BAR_MB = 10;
const GROWTH_BAR = 1.05;

export default async function* bench(): AsyncGenerator<BenchRow> {
  const feed = new BusyFeed(ORDERS);
  const { book } = L4Book.build('BTC', feed.levels());
  const history = new History('BTC');
  history.begin(book, feed.start, '');
  const windows = [0, ...FLOW_SPANS_MS].map((spanMs) => new FlowWindow(spanMs));
  const begun = heapMb();
  const times: number[] = [];
  const bare: number[] = [];
  for (let count = 0; count < BLOCKS; count += 1) {
    const batch = feed.block();
    const start = performance.now();
    book.apply(batch.changes, batch.statuses, batch.time);
    book.settle();
    const applied = performance.now();
    history.add(batch);
    for (const window of windows) window.moveTo(history, history.last);
    times.push(performance.now() - start);
    bare.push(applied - start);
  }
  const { blocks, changes } = history.size;
  const [p95, bareP95] = [quantile(times, 0.95), quantile(bare, 0.95)];
  yield {
    item: 'a block of BTC with the last minutes and flow kept, 51,000 orders, p95',
    ours: `${p95.toFixed(3)} ms`,
    limit: `the book alone ${bareP95.toFixed(3)} ms`,
    ratio: p95 / bareP95,
    bar: `≤ ${BLOCK_BAR_MS} ms`,
    pass: p95 <= BLOCK_BAR_MS,
  };

  const built = timed(() => L4Book.build('BTC', book.levels()));
  const copied = timed(() => book.copy());
  yield {
    item: 'a copy of the book, made whenever a moment is held',
    ours: `${copied.toFixed(1)} ms`,
    limit: `the same book built from its orders ${built.toFixed(1)} ms`,
    ratio: copied / built,
    bar: `≤ ${COPY_BAR}×`,
    pass: copied / built <= COPY_BAR,
  };
  history.bookAt(history.last);
  const steps: number[] = [];
  for (let place = history.last - 1; place >= history.last - 2_000; place -= 1) {
    steps.push(timed(() => history.bookAt(place)));
  }
  const step = quantile(steps, 0.95);
  yield {
    item: 'a block back in the kept minutes, p95',
    ours: `${step.toFixed(3)} ms`,
    limit: `a copy of the book ${copied.toFixed(1)} ms`,
    ratio: step / copied,
    bar: `≤ ${STEP_BAR_MS} ms`,
    pass: step <= STEP_BAR_MS,
  };
  const jump = timed(() => history.bookAt(history.first));
  const life = timed(() => orderLife(history, history.newestBook(), book.orders('B').next().value?.oid ?? 0));
  yield {
    item: `a jump over ${history.last - history.first - 2_000} kept blocks; the life of an order`,
    ours: `${jump.toFixed(0)} ms; ${life.toFixed(0)} ms`,
    limit: '–',
    ratio: null,
    bar: '≤ 1 s',
    pass: jump <= 1_000,
  };

  history.release();
  const kept = heapMb() - begun;
  yield {
    item: 'memory of 1,000 kept blocks of BTC',
    ours: `${((kept / blocks) * 1_000).toFixed(1)} MB`,
    limit: `${blocks} blocks and ${changes} changes kept, ${kept.toFixed(0)} MB`,
    ratio: null,
    bar: `≤ ${KEPT_BAR_MB} MB`,
    pass: (kept / blocks) * 1_000 <= KEPT_BAR_MB,
  };

  let full = 0;
  for (let count = BLOCKS; count < LONG_BLOCKS; count += 1) {
    const batch = feed.block();
    book.apply(batch.changes, batch.statuses, batch.time);
    book.settle();
    history.add(batch);
    for (const window of windows) window.moveTo(history, history.last);
    if (full === 0 && history.size.changes > HISTORY_BOUNDS.changes - 100 && count > LONG_BLOCKS / 3) full = heapMb();
  }
  const end = heapMb();
  yield {
    item: `memory after ${(LONG_BLOCKS / 54_000).toFixed(1)} simulated hours of BTC`,
    ours: `${end.toFixed(0)} MB`,
    limit: `after a third of them ${full.toFixed(0)} MB`,
    ratio: end / full,
    bar: `≤ ${GROWTH_BAR}×`,
    pass: end / full <= GROWTH_BAR,
  };
}

function timed(call: () => unknown): number {
  const start = performance.now();
  call();
  return performance.now() - start;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

function heapMb(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}
