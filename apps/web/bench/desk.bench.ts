// The book page on a busy book, in Chromium: with lanes, owners, tape and flow open, and on a large screen with every pane.
import { join, resolve } from 'node:path';
import type { BenchRow } from '@l4desk/config/bench';
import { Stack } from '@l4desk/testkit/stack';
import { busyRecording } from '../src/book-worker/test-support/busy-recording.ts';
import { Chromium, type Tab } from './support/chromium.ts';
import { missed, ms, percentile } from './support/figures.ts';
import { Replay } from './support/replay.ts';

/** The app's folder, relative to the bundle in `node_modules/.cache/bench` that a benchmark runs as. */
const WEB = resolve(import.meta.dirname, '..', '..', '..');

const ORDERS = 51_000;

interface DeskPage {
  readonly name: string;
  readonly path: string;
  readonly width: number;
  readonly height: number;
  /** The panes that are open and no others, by the names of their parts. */
  readonly panes: readonly string[];
}

const PAGES: readonly DeskPage[] = [
  {
    // The rows' flow, their lanes and both strips are shown by default.
    name: 'lanes, owners, tape and flow open',
    path: '/book/BTC?panes=owners,tape&pane=owners&within=100&strip=1&time=1',
    // Room for these two panes but not for a third one.
    width: 1_920,
    height: 950,
    panes: ['owners', 'tape'],
  },
  {
    // Owners within the largest distance offered.
    name: 'every pane open',
    path: '/book/BTC?panes=level,owners,tape,order,queues,sweep&pane=tape&within=100&level=B79990&strip=1&time=1',
    width: 2_560,
    height: 1_440,
    panes: ['level', 'owners', 'tape', 'order', 'queues', 'sweep'],
  },
];

/** How long each page is watched, and how long with the CPU throttled; set L4DESK_DESK_SECONDS for longer ones. */
const WATCH_S = Number(process.env.L4DESK_DESK_SECONDS ?? '45');
const THROTTLED_S = Math.max(20, Math.round(WATCH_S / 4));
/** A trace is read at once, as one text: a longer watch is several traces, and what happens while one is read is not measured. */
const TRACE_S = 45;
const TRACE_READING_S = 15;
const TRACES = Math.ceil(WATCH_S / TRACE_S);
/** The service sends nothing while this process reads a trace: the page recovers before the next one. */
const RECOVERY_S = 5;
/** The feed sends a block about every 67 ms: one that has sent none for so long has ended. */
const FEED_ENDED_MS = 1_000;
const SETTLE_S = 10;
const THROTTLE_SETTLE_S = 5;
/** Time for the page to open. */
const OPENING_S = 20;
const BLOCKS_A_SECOND = 1_000 / 67;

/** Names in a trace of what the page's main thread does. */
const TASK = 'ThreadControllerImpl::RunTask';
const FRAME = 'FireAnimationFrame';
/** Trace mark that relates the trace's clock to the page's. */
const ANCHOR = 'l4desk-anchor';

const FRAME_BAR_MS = 4;
const LONGEST_BAR_MS = 50;

/**
 * Runs in the page: records the intervals between its frames, and when each frame of the worker arrived. Uses the page's clock:
 * marking each one in the trace would take a tenth of the measured time.
 */
const PROBE = `(() => {
  const probe = (window.probe = { frames: [], blocks: [], watching: false });
  const listen = Worker.prototype.addEventListener;
  Worker.prototype.addEventListener = function (type, listener, options) {
    if (type !== 'message') return listen.call(this, type, listener, options);
    return listen.call(this, type, (event) => {
      if (event.data.kind === 'book') probe.blocks.push(performance.now());
      listener(event);
    }, options);
  };
  let last = 0;
  const tick = (time) => {
    if (probe.watching && last > 0) probe.frames.push(time - last);
    last = probe.watching ? time : 0;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
})();`;

export default async function* bench(): AsyncGenerator<BenchRow> {
  // The stack runs in the background next to the measured browser; in production it is on other machines.
  await using stack = await Stack.start({ dist: join(WEB, '..', 'bff', 'dist'), inBackground: true });
  const seconds =
    OPENING_S + SETTLE_S + WATCH_S + TRACES * (TRACE_READING_S + RECOVERY_S) + THROTTLE_SETTLE_S + THROTTLED_S;
  const recording = busyRecording(ORDERS, Math.ceil(seconds * BLOCKS_A_SECOND));
  await using replay = await Replay.start(stack.url, [recording]);
  await using chromium = await Chromium.launch(process.env.CHROMIUM_PATH ?? 'chromium');
  const signIn = await chromium.open(1_280, 800, PROBE);
  await signIn.send('Page.navigate', { url: stack.signInLink });
  await signIn.until(`location.pathname === '/'`);
  await signIn.close();
  const empty = await chromium.open(1_280, 800, PROBE);
  await empty.send('Page.navigate', { url: 'about:blank' });
  await empty.until('window.probe !== undefined');
  const emptyDropped = await droppedThrottled(empty);
  await empty.close();
  for (const page of PAGES) yield* measure(chromium, replay.url, page, emptyDropped);
}

/** Each page receives the same blocks, from the first one on. */
async function* measure(
  chromium: Chromium,
  url: string,
  page: DeskPage,
  emptyDropped: number,
): AsyncGenerator<BenchRow> {
  const tab = await chromium.open(page.width, page.height, PROBE);
  await tab.send('Page.navigate', { url: `${url}${page.path}` });
  await tab.until(`document.querySelector('[data-part=ladder-grid] [data-px]') && (${isOpen(page)})`);
  await pause(tab, SETTLE_S);

  const { withBlock, all } = await mainThread(chromium, tab);
  const p95 = percentile(withBlock, 0.95);
  const what = `book page, ${ORDERS} orders, ${page.name}`;
  yield {
    item: `${what}: main thread a frame with a block, p95`,
    ours: `${ms(p95)} (p50 ${ms(percentile(withBlock, 0.5))})`,
    limit: `${withBlock.length} frames in ${WATCH_S} s, processor time; of all ${all.length} frames p95 ${ms(percentile(all, 0.95))}`,
    ratio: null,
    bar: `≤ ${FRAME_BAR_MS} ms`,
    pass: p95 <= FRAME_BAR_MS,
  };
  const longest = all.at(-1) ?? Number.NaN;
  yield {
    item: `${page.name}: the most that one frame took`,
    ours: ms(longest),
    limit: `${all.filter((frame) => frame > 16).length} over 16 ms`,
    ratio: null,
    bar: `≤ ${LONGEST_BAR_MS} ms`,
    pass: longest <= LONGEST_BAR_MS,
  };
  const dropped = await droppedThrottled(tab);
  if (await tab.evaluate<boolean>(`performance.now() - probe.blocks.at(-1) > ${FEED_ENDED_MS}`))
    throw new Error('the recording ended before the measurement');
  yield {
    item: `${page.name}: frames dropped with the CPU throttled 4×`,
    ours: `${dropped} in ${THROTTLED_S} s`,
    limit: `an empty page ${emptyDropped}`,
    ratio: null,
    bar: '0',
    pass: dropped === 0,
  };
  await tab.close();
}

/** Frames that a page drops with the CPU throttled. */
async function droppedThrottled(tab: Tab): Promise<number> {
  await tab.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await pause(tab, THROTTLE_SETTLE_S);
  await tab.evaluate('probe.watching = true');
  await pause(tab, THROTTLED_S);
  return missed(await tab.evaluate<number[]>('probe.frames'));
}

/** A JavaScript expression: true when exactly the page's panes are open. */
function isOpen({ panes }: DeskPage): string {
  const open = `[...document.querySelectorAll('[data-part=pane]')].map((pane) => pane.dataset.pane)`;
  return `${open}.sort().join() === '${panes.toSorted().join()}'`;
}

function pause(tab: Tab, seconds: number): Promise<unknown> {
  return tab.evaluate(`new Promise((done) => setTimeout(done, ${seconds * 1_000}))`);
}

interface FrameTimes {
  /** Only frames for which the worker had sent something. */
  readonly withBlock: readonly number[];
  readonly all: readonly number[];
}

/** CPU time that tasks of the page's main thread took from one drawn frame to the next, in ms, in ascending order. */
async function mainThread(chromium: Chromium, tab: Tab): Promise<FrameTimes> {
  const parts: FrameTimes[] = [];
  for (let part = 0; part < TRACES; part += 1) {
    if (part > 0) await pause(tab, RECOVERY_S);
    parts.push(await tracedFrames(chromium, tab, WATCH_S / TRACES));
  }
  const rising = (times: readonly number[]) => times.toSorted((a, b) => a - b);
  return {
    withBlock: rising(parts.flatMap(({ withBlock }) => withBlock)),
    all: rising(parts.flatMap(({ all }) => all)),
  };
}

async function tracedFrames(chromium: Chromium, tab: Tab, seconds: number): Promise<FrameTimes> {
  const categories = ['toplevel', 'devtools.timeline', 'blink.user_timing'];
  const page = { anchor: 0, blocks: [] as readonly number[] };
  const events = await chromium.traced(categories, async () => {
    page.anchor = await tab.evaluate<number>(`(probe.blocks.length = 0, performance.mark('${ANCHOR}').startTime)`);
    await pause(tab, seconds);
    page.blocks = await tab.evaluate<number[]>('probe.blocks');
  });
  const anchor = events.find(({ name }) => name === ANCHOR);
  if (anchor === undefined || page.blocks.length === 0) throw new Error('the page was sent no frame');
  const blocks = page.blocks.map((time) => anchor.ts + (time - page.anchor) * 1_000);
  const own = events.filter(({ pid, tid }) => pid === anchor.pid && tid === anchor.tid).sort((a, b) => a.ts - b.ts);
  const frames: { work: number; blocks: number }[] = [];
  let work = 0;
  let seen = 0;
  for (const { name, ts, tdur, dur = 0 } of own) {
    if (name === FRAME) {
      const come = blocks.findIndex((time) => time > ts);
      const until = come < 0 ? blocks.length : come;
      frames.push({ work, blocks: until - seen });
      [work, seen] = [0, until];
    } else if (name === TASK) work += (tdur ?? dur) / 1_000;
  }
  // The first frame began before the measurement. Several callbacks of one display frame count as one frame.
  const drawn = frames.slice(1).filter(({ work }) => work > 0);
  const works = (some: typeof drawn) => some.map(({ work }) => work);
  return { withBlock: works(drawn.filter(({ blocks }) => blocks > 0)), all: works(drawn) };
}
