// The book page on a busy book with every pane open, in Chromium: what the ladder, the page's thread and the keys take.
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BenchRow } from '@l4desk/config/bench';
import { Stack } from '@l4desk/testkit/stack';
import { busyRecording } from '../src/book-worker/test-support/busy-recording.ts';
import { Chromium, type Session, type Tab, type TraceEvent } from './support/chromium.ts';
import { missed, ms, percentile } from './support/figures.ts';
import { BLOCK_MS, Replay } from './support/replay.ts';

/** The app's folder, relative to the bundle in `node_modules/.cache/bench` that a benchmark runs as. */
const WEB = resolve(import.meta.dirname, '..', '..', '..');

const ORDERS = 51_000;
const WIDTH = 2_560;
const HEIGHT = 1_440;
const PANES = ['level', 'owners', 'tape', 'order', 'queues', 'sweep'];
/** One ladder: a second one, which a page this wide has by default, doubles what is painted. */
const PATH = `/book/BTC?panes=${PANES.join()}&pane=tape&tape=events&within=100&level=B79990&strip=1&time=1&books=none`;

const OPENING_S = 30;
const SETTLE_S = 8;
const WATCH_S = 30;
/** The service sends nothing while this process reads a trace. */
const TRACE_READING_S = 30;
const SETTLE_THROTTLED_S = 4;
const SECONDS = OPENING_S + SETTLE_S + WATCH_S + TRACE_READING_S + SETTLE_THROTTLED_S + WATCH_S + 20;

const THROTTLING = 4;

const KEYS = [
  'ArrowDown',
  'ArrowDown',
  'ArrowUp',
  ']',
  '[',
  'm',
  'Escape',
  'p',
  ',',
  'l',
  '1',
  '2',
  '3',
  'PageUp',
  ' ',
];

/** Marks each update of the page, and observes how long the page takes after each press. */
const PAGE_PROBE = `(() => {
  const listen = Worker.prototype.addEventListener;
  Worker.prototype.addEventListener = function (type, listener, options) {
    if (type !== 'message') return listen.call(this, type, listener, options);
    return listen.call(this, type, (event) => {
      if (event.data.kind === 'book') performance.mark('l4desk-update');
      listener(event);
    }, options);
  };
  const probe = (window.probe = { interactions: new Map() });
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId > 0)
        probe.interactions.set(interactionId, Math.max(duration, probe.interactions.get(interactionId) ?? 0));
  }).observe({ type: 'event', durationThreshold: 16 });
})();`;

/**
 * Runs in the book's worker: records the intervals of its animation frames, how long each painting took, and how long after an applied
 * block it began. The browser throttles pages only, so here every callback takes `probe.slowdown` times as long.
 */
const WORKER_PROBE = `(() => {
  const probe = (self.probe = { frames: [], paintings: [], waits: [], watching: false, slowdown: 1 });
  let appliedAt;
  let isPainted = false;
  const fillText = OffscreenCanvasRenderingContext2D.prototype.fillText;
  OffscreenCanvasRenderingContext2D.prototype.fillText = function (...args) {
    isPainted = true;
    return fillText.apply(this, args);
  };
  let last = 0;
  const tick = (time) => {
    if (probe.watching && last > 0) probe.frames.push(time - last);
    last = probe.watching ? time : 0;
    frame(tick);
  };
  // Before the worker's own script runs, its global has neither timers nor frames: they are there at the first event.
  let later;
  const slowed = (callback) => function (...args) {
    if (later === undefined) {
      later = self.setTimeout;
      self.setTimeout = (task, ...more) => later(slowed(task), ...more);
      frame(tick);
    }
    const start = performance.now();
    const wait = () => {
      const end = start + (performance.now() - start) * probe.slowdown;
      while (performance.now() < end);
      // A block, not a pong.
      if (this instanceof WebSocket && args[0].data?.length > 1_000) appliedAt ??= performance.now();
    };
    void Promise.resolve().then(wait);
    return callback.apply(this, args);
  };
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    return listen.call(this, type, typeof listener === 'function' ? slowed(listener) : listener, options);
  };
  const frame = self.requestAnimationFrame.bind(self);
  self.requestAnimationFrame = (callback) =>
    frame(slowed((time) => {
      const start = performance.now();
      isPainted = false;
      callback(time);
      if (!isPainted) return;
      if (probe.watching) probe.paintings.push((performance.now() - start) * probe.slowdown);
      if (probe.watching && appliedAt !== undefined) probe.waits.push(start - appliedAt);
      appliedAt = undefined;
    }));
})()`;

export default async function* bench(): AsyncGenerator<BenchRow> {
  yield await scriptBeforeFirstPage();
  // The stack runs in the background next to the measured browser; in production it is on other machines.
  await using stack = await Stack.start({ dist: join(WEB, '..', 'bff', 'dist'), inBackground: true });
  await using replay = await Replay.start(stack.url, busyRecording(ORDERS, Math.ceil((SECONDS * 1_000) / BLOCK_MS)));
  await using chromium = await Chromium.launch(process.env.CHROMIUM_PATH ?? 'chromium');
  const signIn = await chromium.open(1_280, 800, PAGE_PROBE);
  await signIn.send('Page.navigate', { url: stack.signInLink });
  await signIn.until(`location.pathname === '/'`);
  await signIn.close();
  const tab = await chromium.open(WIDTH, HEIGHT, PAGE_PROBE, WORKER_PROBE);
  // For the worker that has nothing to do.
  await tab.send('Page.setBypassCSP', { enabled: true });
  await tab.send('Page.navigate', { url: `${replay.url}${PATH}` });
  await tab.until(`document.querySelector('[data-part=ladder-grid] [data-px]') && (${IS_OPEN})`);
  const worker = tab.worker('l4-book');
  await pause(tab, SETTLE_S);
  const before = await heaps(tab, worker);

  yield* pageRows(
    await chromium.traced(['toplevel', 'devtools.timeline', 'blink.user_timing'], () => pause(tab, WATCH_S)),
  );
  yield await keysRow(tab);
  yield* await ladderRows(tab, worker);

  const after = await heaps(tab, worker);
  yield {
    item: 'book page: memory of page and worker, garbage collected',
    ours: `${megabytes(after.page)} + ${megabytes(after.worker)}`,
    limit: `${megabytes(before.page)} + ${megabytes(before.worker)} ${Math.round(SECONDS - OPENING_S)} s before, of ${ORDERS} orders and the kept minutes`,
    ratio: null,
    bar: '≤ 500 MB',
    pass: after.page + after.worker <= 500e6,
  };
}

const IS_OPEN = `[...document.querySelectorAll('[data-part=pane]')].map((pane) => pane.dataset.pane).sort().join() === '${PANES.toSorted().join()}'`;

const machine = () => `${availableParallelism()} cores of ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}`;

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

async function heaps(tab: Tab, worker: Session) {
  return { page: await tab.heapBytes(), worker: await worker.heapBytes() };
}

function pause(tab: Session, seconds: number): Promise<void> {
  return tab.evaluate(`new Promise((done) => setTimeout(done, ${seconds * 1_000}))`);
}

/** The tasks of the page's main thread, in processor time. */
function* pageRows(events: readonly TraceEvent[]): Generator<BenchRow> {
  const marks = events.filter(({ name }) => name === 'l4desk-update');
  const [first] = marks;
  if (first === undefined) throw new Error('the page was sent no update');
  const own = events.filter(({ pid, tid }) => pid === first.pid && tid === first.tid);
  const tasks = own.filter(({ name }) => name === 'ThreadControllerImpl::RunTask').sort((a, b) => a.ts - b.ts);
  const took = ({ tdur, dur = 0 }: TraceEvent) => (tdur ?? dur) / 1_000;
  const within = ({ ts, dur = 0 }: TraceEvent, found: readonly TraceEvent[]) =>
    found.some((event) => event.ts >= ts && event.ts <= ts + dur);
  const painted = own.filter(({ name }) => name === 'PrePaint');
  const updates: number[] = [];
  const frames: number[] = [];
  for (const [at, task] of tasks.entries()) {
    if (!within(task, marks)) continue;
    updates.push(took(task));
    const frame = tasks.slice(at).find((next) => within(next, painted));
    if (frame !== undefined && frame !== task) frames.push(took(frame));
  }
  for (const times of [updates, frames]) times.sort((a, b) => a - b);
  const all = tasks.map(took).sort((a, b) => a - b);
  yield {
    item: 'book page, every pane open: tasks with an update, p95',
    ours: `${ms(percentile(updates, 0.95))} (p50 ${ms(percentile(updates, 0.5))})`,
    limit: `${updates.length} in ${WATCH_S} s, and the frame after each ${ms(percentile(frames, 0.95))}; ${machine()}`,
    ratio: null,
    bar: '≤ 16 ms',
    pass: percentile(updates, 0.95) <= 16,
  };
  const longest = all.at(-1) ?? Number.NaN;
  yield {
    item: 'book page: the longest task',
    ours: ms(longest),
    limit: `${all.filter((task) => task > 16).length} of ${all.length} over 16 ms`,
    ratio: null,
    bar: '≤ 50 ms',
    pass: longest <= 50,
  };
}

/** INP: of fewer than fifty presses the slowest. */
async function keysRow(tab: Tab): Promise<BenchRow> {
  const presses: { key: string; took: number }[] = [];
  for (const key of KEYS) {
    await tab.evaluate('probe.interactions.clear()');
    await tab.press(key);
    await pause(tab, 0.5);
    presses.push({ key, took: await tab.evaluate<number>('Math.max(0, ...probe.interactions.values())') });
  }
  presses.sort((a, b) => a.took - b.took);
  const worst = presses.at(-1) ?? { key: '', took: Number.NaN };
  const slowest = presses.slice(-3).map(({ key, took }) => `${key} ${took}`);
  return {
    item: 'book page: from a press to the next frame, the slowest (INP)',
    ours: `${worst.took} ms (p50 ${presses[Math.floor(presses.length / 2)]?.took} ms)`,
    limit: `${KEYS.length} keys, the slowest ${slowest.join(', ')}`,
    ratio: null,
    bar: '≤ 200 ms',
    pass: worst.took <= 200,
  };
}

/** Starts a worker of the page that only counts its animation frames: those that it misses, no painting could have met. */
const START_IDLE = `void new Worker(URL.createObjectURL(new Blob(['addEventListener("message", () => {})'])), { name: 'idle' }).postMessage(0)`;

/** The animation frames of the book's worker while page and worker are throttled, beside those of a worker that is idle. */
async function ladderRows(tab: Tab, worker: Session): Promise<readonly BenchRow[]> {
  await tab.evaluate(START_IDLE);
  const throttle = async (rate: number) => {
    await tab.send('Emulation.setCPUThrottlingRate', { rate });
    await worker.evaluate(`void (probe.slowdown = ${rate})`);
  };
  await throttle(THROTTLING);
  await pause(tab, SETTLE_THROTTLED_S);
  const idle = tab.worker('idle');
  for (const one of [worker, idle]) await one.evaluate('void (probe.watching = true)');
  await pause(tab, WATCH_S);
  const { frames, paintings, waits } =
    await worker.evaluate<Record<'frames' | 'paintings' | 'waits', number[]>>('probe');
  const unavoidable = missed(await idle.evaluate<number[]>('probe.frames'));
  await throttle(1);
  if (paintings.length < WATCH_S) throw new Error('the recording ended before the measurement');
  const dropped = missed(frames);
  const [waited, took] = [waits, paintings].map((times) => times.toSorted((a, b) => a - b)) as [number[], number[]];
  return [
    {
      item: `ladder: frames dropped at ${THROTTLING}× CPU throttle, every pane open`,
      ours: `${dropped} of ${frames.length + dropped} due in ${WATCH_S} s`,
      limit: `${unavoidable} by an idle worker of the page; ${paintings.length} paintings, each took p50 ${ms(percentile(took, 0.5))}, p99 ${ms(percentile(took, 0.99))}`,
      ratio: null,
      bar: 'as many',
      pass: dropped <= unavoidable,
    },
    {
      item: `ladder: from an applied block to its painting at ${THROTTLING}×, p99`,
      ours: `${ms(percentile(waited, 0.99))} (p50 ${ms(percentile(waited, 0.5))})`,
      limit: 'two display frames 33.3 ms',
      ratio: null,
      bar: '≤ 34 ms',
      pass: percentile(waited, 0.99) <= 34,
    },
  ];
}

/** Scripts that a visitor loads before the first page's own chunk: those that index.html names. */
async function scriptBeforeFirstPage(): Promise<BenchRow> {
  const dist = join(WEB, 'dist');
  const html = await readFile(join(dist, 'index.html'), 'utf8');
  const names = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, name = '']) => name);
  const sizes = await Promise.all(names.map(async (name) => gzipSync(await readFile(join(dist, name))).byteLength));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return {
    item: "script before the first page's own chunk, gzip",
    ours: `${(total / 1_000).toFixed(1)} KB`,
    limit: `${names.length} scripts`,
    ratio: null,
    bar: '≤ 180 KB',
    pass: total <= 180_000,
  };
}
