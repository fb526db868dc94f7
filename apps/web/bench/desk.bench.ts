// The whole book page of a large screen: lanes, level, owners, tape and flow open together on a busy book, in Chromium.
import { join, resolve } from 'node:path';
import type { BenchRow } from '@l4desk/config/bench';
import { Stack } from '@l4desk/testkit/stack';
import { busyRecording } from '../src/book-worker/test-support/busy-recording.ts';
import { Chromium, type Tab } from './support/chromium.ts';
import { missed, ms, percentile } from './support/figures.ts';
import { Replay } from './support/replay.ts';

/** The app's folder: a benchmark runs as a bundle in `node_modules/.cache/bench`. */
const WEB = resolve(import.meta.dirname, '..', '..', '..');

const WIDTH = 2_560;
const HEIGHT = 1_440;
const ORDERS = 51_000;

/** Panes of the address: every one that is read from the book, owners as far out as they are offered. */
const PAGE = '/book/BTC?panes=level,owners,tape,order,queues,sweep&pane=tape&within=100&level=B79990&strip=1&time=1';

/** How long the page is watched, and how long with the processor throttled; ten minutes where that is asked for. */
const WATCH_S = Number(process.env.L4DESK_DESK_SECONDS ?? '60');
const THROTTLED_S = 20;
const SETTLE_S = 10;
const BLOCKS_A_SECOND = 1_000 / 67;

/** What the page's thread does, by its names in a trace. */
const TASK = 'ThreadControllerImpl::RunTask';
const FRAME = 'FireAnimationFrame';
const BLOCK_MARK = 'l4desk-block';

const FRAME_BAR_MS = 4;
const LONGEST_BAR_MS = 50;

/** Runs in the page: notes the distances of its frames, and each frame of the worker that comes. */
const PROBE = `(() => {
  const probe = (window.probe = { frames: [], watching: false });
  const listen = Worker.prototype.addEventListener;
  Worker.prototype.addEventListener = function (type, listener, options) {
    if (type !== 'message') return listen.call(this, type, listener, options);
    return listen.call(this, type, (event) => {
      if (event.data.kind === 'frame') performance.mark('${BLOCK_MARK}');
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

const OPENED = ['ladder-grid', 'inspector', 'owners', 'tape'].map(
  (part) => `document.querySelector('[data-part=${part}]')`,
);

export default async function* bench(): AsyncGenerator<BenchRow> {
  await using stack = await Stack.start({ dist: join(WEB, '..', 'bff', 'dist') });
  const blocks = Math.ceil((WATCH_S + THROTTLED_S + 6 * SETTLE_S) * BLOCKS_A_SECOND);
  await using replay = await Replay.start(stack.url, [busyRecording(ORDERS, blocks)]);
  await using chromium = await Chromium.launch(process.env.CHROMIUM_PATH ?? 'chromium');
  const signIn = await chromium.open(WIDTH, HEIGHT, PROBE);
  await signIn.send('Page.navigate', { url: stack.signInLink });
  await signIn.until(`location.pathname === '/'`);
  await signIn.close();
  const tab = await chromium.open(WIDTH, HEIGHT, PROBE);
  await tab.send('Page.navigate', { url: `${replay.url}${PAGE}` });
  await tab.until(OPENED.join(' && '));
  await pause(tab, SETTLE_S);

  const frames = await mainThread(chromium, tab, WATCH_S);
  const p95 = percentile(frames, 0.95);
  yield {
    item: `book page, ${ORDERS} orders, lanes, level, owners, tape and flow open: main thread a frame with a block, p95`,
    ours: `${ms(p95)} (p50 ${ms(percentile(frames, 0.5))})`,
    limit: `${frames.length} frames in ${WATCH_S} s, processor time`,
    ratio: null,
    bar: `≤ ${FRAME_BAR_MS} ms`,
    pass: p95 <= FRAME_BAR_MS,
  };
  const longest = frames.at(-1) ?? Number.NaN;
  yield {
    item: 'the same, the most that one frame took',
    ours: ms(longest),
    limit: `${frames.filter((frame) => frame > 16).length} over 16 ms`,
    ratio: null,
    bar: `≤ ${LONGEST_BAR_MS} ms`,
    pass: longest <= LONGEST_BAR_MS,
  };
  await tab.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await pause(tab, SETTLE_S);
  await tab.evaluate('probe.watching = true');
  await pause(tab, THROTTLED_S);
  const dropped = missed(await tab.evaluate<number[]>('probe.frames'));
  yield {
    item: 'the same, frames dropped with the CPU throttled 4×',
    ours: `${dropped} in ${THROTTLED_S} s`,
    limit: '–',
    ratio: null,
    bar: '0',
    pass: dropped === 0,
  };
}

function pause(tab: Tab, seconds: number): Promise<unknown> {
  return tab.evaluate(`new Promise((done) => setTimeout(done, ${seconds * 1_000}))`);
}

/**
 * What the tasks of the page's own thread took from one drawn frame to the next, in ms of processor time, as rising numbers:
 * of those frames alone for which the worker had sent something.
 */
async function mainThread(chromium: Chromium, tab: Tab, seconds: number): Promise<readonly number[]> {
  const categories = ['toplevel', 'devtools.timeline', 'blink.user_timing'];
  const events = await chromium.traced(categories, async () => void (await pause(tab, seconds)));
  const [block] = events.filter(({ name }) => name === BLOCK_MARK);
  if (block === undefined) throw new Error('the page was sent no frame');
  const own = events.filter(({ pid, tid }) => pid === block.pid && tid === block.tid).sort((a, b) => a.ts - b.ts);
  const frames: { work: number; blocks: number }[] = [];
  let frame = { work: 0, blocks: 0 };
  for (const { name, tdur, dur = 0 } of own) {
    if (name === FRAME) {
      frames.push(frame);
      frame = { work: 0, blocks: 0 };
    } else if (name === TASK) frame.work += (tdur ?? dur) / 1_000;
    else if (name === BLOCK_MARK) frame.blocks += 1;
  }
  // The first one began before anybody looked.
  const drawn = frames.slice(1).filter(({ blocks }) => blocks > 0);
  return drawn.map(({ work }) => work).sort((a, b) => a - b);
}
