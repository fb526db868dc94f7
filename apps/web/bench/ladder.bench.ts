import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BenchRow } from '@l4desk/config/bench';
import { freePort, Program, Stack } from '@l4desk/testkit/stack';
import { Chromium, type Tab } from './support/chromium.ts';
import { median, missed, ms, percentile } from './support/figures.ts';
import { Replay, record } from './support/replay.ts';

/** The app's folder, relative to the bundle in `node_modules/.cache/bench` that a benchmark runs as. */
const WEB = resolve(import.meta.dirname, '..', '..', '..');

/** Sixty rows of 20 px, and the lines around them. */
const WIDTH = 1_440;
const HEIGHT = 1_310;

/** How long each page is watched, and how many rounds the pages are visited in turn. */
const WATCH_MS = 5_000;
const ROUNDS = 2;
const GAP_ROUNDS = 3;

/** Blocks recorded: more than a visit takes, even a slow one. */
const BLOCKS = 240;

/** How many times busier than usual the market is: close to the 400 changes per block of a very busy day. */
const MARKET_RATE = 6;

/** Runs in the page: records the script time of each update and the intervals between frames. */
const PROBE = `(() => {
  const probe = (window.probe = { updates: [], frames: [], watching: false });
  const frame = window.requestAnimationFrame.bind(window);
  let spent = 0;
  let drew = false;
  window.requestAnimationFrame = (callback) => frame((time) => {
    const start = performance.now();
    callback(time);
    spent += performance.now() - start;
    drew = true;
  });
  const listen = Worker.prototype.addEventListener;
  Worker.prototype.addEventListener = function (type, listener, options) {
    if (type !== 'message') return listen.call(this, type, listener, options);
    return listen.call(this, type, (event) => {
      const start = performance.now();
      listener(event);
      if (event.data.kind === 'book') spent += performance.now() - start;
    }, options);
  };
  let last = 0;
  const tick = (time) => {
    if (probe.watching) {
      if (last > 0) probe.frames.push(time - last);
      if (drew) probe.updates.push(spent);
    }
    last = probe.watching ? time : 0;
    if (drew) { spent = 0; drew = false; }
    frame(tick);
  };
  frame(tick);
})();`;

const ROWS_SHOWN = `document.querySelectorAll('[data-part=ladder-grid] tr[data-side], [data-part=ladder-grid] > div').length > 30`;

interface Watched {
  /** Script time of each update, ms, in ascending order. */
  readonly scripts: readonly number[];
  /** All work of the main thread, ms per update. */
  readonly workPerUpdate: number;
  /** All work of all threads of the page's process, ms per update. */
  readonly cpuPerUpdate: number;
  readonly updates: number;
  /** Display frames that the page missed. */
  readonly dropped: number;
}

/** Cost of the ladder on the page's main thread, compared with React rows with DOM chips fed with the same recorded blocks. */
export default async function* bench(): AsyncGenerator<BenchRow> {
  yield await scriptBeforeFirstPage();
  await using stack = await Stack.start({ dist: join(WEB, '..', 'bff', 'dist') });
  await stack.venue.rate(MARKET_RATE);
  const key = await createKey(stack);
  const recordings = [await record(stack, key, 'BTC', BLOCKS), await record(stack, key, 'ETH', BLOCKS / 4)];
  await using replay = await Replay.start(stack.url, recordings);
  await using chromium = await Chromium.launch(process.env.CHROMIUM_PATH ?? 'chromium');
  // Sign in once: the browser shares the cookie, and all pages are on one host.
  const signIn = await openTab(chromium, stack.signInLink);
  await signIn.until(`location.pathname === '/'`);
  await signIn.close();
  yield* replayed(chromium, replay);
  await stack.venue.pace(1);
  const { scripts, dropped, updates } = await visit(chromium, `${stack.url}/book/BTC`);
  yield {
    ...scriptRow('ladder: script per update, service and exchange on the same cores', scripts),
    limit: `${dropped} frames dropped in ${updates} updates`,
  };
}

/** The page's own cost: besides the page only the replay of the blocks runs. */
async function* replayed(chromium: Chromium, replay: Replay): AsyncGenerator<BenchRow> {
  const baseline = await serveBaseline(replay.url);
  const ours: Watched[] = [];
  const peers: Watched[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await visit(chromium, `${replay.url}/book/BTC`));
      peers.push(await visit(chromium, baseline.url));
    }
    const peerScript = median(peers.map(({ scripts }) => percentile(scripts, 0.5)));
    yield {
      ...scriptRow('ladder: script per update, 60 rows', merged(ours)),
      limit: `peer p50 ${ms(peerScript)} (without React's rendering)`,
    };
    const work = median(ours.map(({ workPerUpdate }) => workPerUpdate));
    const peerWork = median(peers.map(({ workPerUpdate }) => workPerUpdate));
    yield {
      item: 'ladder: all main-thread work per update, whole page',
      ours: ms(work),
      limit: `React rows with DOM chips ${ms(peerWork)}`,
      ratio: work / peerWork,
      bar: '≤ 0.6',
      pass: work / peerWork <= 0.6,
    };
    const processor = median(ours.map(({ cpuPerUpdate }) => cpuPerUpdate));
    const peerProcessor = median(peers.map(({ cpuPerUpdate }) => cpuPerUpdate));
    yield {
      item: 'ladder: CPU of all threads of the page per update, painting and decoding included',
      ours: ms(processor),
      limit: `React rows with DOM chips ${ms(peerProcessor)}`,
      ratio: processor / peerProcessor,
      bar: '≤ 1',
      pass: processor / peerProcessor <= 1,
    };
    yield droppedRow('ladder: frames dropped', ours, peers);
    const throttled = await visit(chromium, `${replay.url}/book/BTC`, 4);
    const throttledPeer = await visit(chromium, baseline.url, 4);
    yield droppedRow('ladder: frames dropped, CPU throttled 4×', [throttled], [throttledPeer]);
  } finally {
    await baseline.program.stop();
  }
  const gaps: number[] = [];
  const choices: number[] = [];
  for (let round = 0; round < GAP_ROUNDS; round += 1) {
    gaps.push(await gapOfSnapshot(chromium, replay));
    choices.push(await gapOfChoice(chromium, replay.url));
  }
  yield gapRow('ladder: longest frame while a snapshot of 50,000 orders loads', gaps, 2);
  yield gapRow('ladder: longest frame from the choice of another coin to its first rows', choices, 3);
}

function scriptRow(item: string, scripts: readonly number[]): Omit<BenchRow, 'limit'> {
  const script = percentile(scripts, 0.5);
  return {
    item,
    ours: `p50 ${ms(script)}, p95 ${ms(percentile(scripts, 0.95))}`,
    ratio: null,
    bar: '≤ 2 ms',
    pass: script <= 2,
  };
}

/** The bar is a number of display frames. */
function gapRow(item: string, gaps: readonly number[], frames: number): BenchRow {
  const gap = median(gaps);
  // Intervals between frames are never exact, so the bar is rounded up to the next whole millisecond.
  const most = Math.floor((frames * 1_000) / 60) + 1;
  return {
    item,
    ours: ms(gap),
    limit: `${frames} frames of the display ${((frames * 1_000) / 60).toFixed(1)} ms`,
    ratio: null,
    bar: `≤ ${most} ms`,
    pass: gap <= most,
  };
}

function merged(watched: readonly Watched[]): readonly number[] {
  return watched.flatMap(({ scripts }) => scripts).toSorted((a, b) => a - b);
}

function droppedRow(item: string, ours: readonly Watched[], peers: readonly Watched[]): BenchRow {
  const sum = (watched: readonly Watched[], of: 'dropped' | 'updates') =>
    watched.reduce((total, one) => total + one[of], 0);
  const dropped = sum(ours, 'dropped');
  return {
    item,
    ours: `${dropped} in ${sum(ours, 'updates')} updates`,
    limit: `React rows with DOM chips ${sum(peers, 'dropped')} in ${sum(peers, 'updates')}`,
    ratio: null,
    bar: '0',
    pass: dropped === 0,
  };
}

async function createKey(stack: Stack): Promise<string> {
  const options = ['--kind', 'api', '--account', 'demo', '--label', 'bench', '--json'];
  const { stdout } = await stack.command('keys', 'create', ...options);
  return (JSON.parse(stdout) as { readonly key: string }).key;
}

async function openTab(chromium: Chromium, url: string): Promise<Tab> {
  const tab = await chromium.open(WIDTH, HEIGHT, PROBE);
  await tab.send('Page.navigate', { url });
  return tab;
}

/** Opens a page, lets it settle, and measures it for `WATCH_MS`. */
async function visit(chromium: Chromium, url: string, throttling = 1): Promise<Watched> {
  const tab = await openTab(chromium, url);
  try {
    await settle(tab);
    await tab.send('Emulation.setCPUThrottlingRate', { rate: throttling });
    const before = { task: await taskSeconds(tab), cpu: await rendererSeconds(chromium) };
    await tab.evaluate(`probe.watching = true; new Promise((done) => setTimeout(done, ${WATCH_MS}))`);
    const after = { task: await taskSeconds(tab), cpu: await rendererSeconds(chromium) };
    const { updates, frames } = await tab.evaluate<{ updates: number[]; frames: number[] }>('probe');
    const perUpdate = (seconds: number) => (seconds * 1_000) / Math.max(1, updates.length);
    return {
      scripts: updates.toSorted((a, b) => a - b),
      workPerUpdate: perUpdate(after.task - before.task),
      cpuPerUpdate: perUpdate(after.cpu - before.cpu),
      updates: updates.length,
      dropped: missed(frames),
    };
  } finally {
    await tab.close();
  }
}

/** The longest interval between two frames from a gap in the stream until the book is exact again. */
async function gapOfSnapshot(chromium: Chromium, replay: Replay): Promise<number> {
  const tab = await openTab(chromium, `${replay.url}/book/BTC`);
  try {
    await settle(tab);
    await tab.evaluate('probe.watching = true');
    replay.lose('BTC');
    await tab.until(`document.querySelector('[data-part=integrity][data-state=live][data-gaps="1"]')`);
    return Math.max(...(await tab.evaluate<number[]>('probe.frames')));
  } finally {
    await tab.close();
  }
}

/** The longest interval between two frames from the choice of a coin to its first rows. */
async function gapOfChoice(chromium: Chromium, url: string): Promise<number> {
  const tab = await openTab(chromium, `${url}/book/ETH`);
  try {
    await settle(tab);
    await tab.evaluate(`document.querySelector('button[aria-label^="Coin"]').click()`);
    await tab.until(`document.querySelector('[role=option][data-coin=BTC]')`);
    await tab.evaluate(`probe.watching = true; document.querySelector('[role=option][data-coin=BTC]').click()`);
    await tab.until(`document.querySelector('[data-part=ladder-grid][data-coin=BTC]')`);
    return Math.max(...(await tab.evaluate<number[]>('probe.frames')));
  } finally {
    await tab.close();
  }
}

/** Waits, because a new window keeps the browser itself busy for a while. */
async function settle(tab: Tab): Promise<void> {
  await tab.until(ROWS_SHOWN);
  await tab.evaluate('new Promise((done) => setTimeout(done, 2_000))');
}

async function taskSeconds(tab: Tab): Promise<number> {
  const { metrics } = await tab.send('Performance.getMetrics');
  const found = (metrics as { name: string; value: number }[]).find(({ name }) => name === 'TaskDuration');
  return found?.value ?? Number.NaN;
}

/** CPU time of all renderer processes: one page is open at a time. */
async function rendererSeconds(chromium: Chromium): Promise<number> {
  const { processInfo } = await chromium.send('SystemInfo.getProcessInfo');
  return (processInfo as { type: string; cpuTime: number }[])
    .filter(({ type }) => type === 'renderer')
    .reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Builds the peer page and serves it in front of the same service. */
async function serveBaseline(serviceUrl: string): Promise<{ readonly url: string; readonly program: Program }> {
  const vite = join(WEB, 'node_modules', 'vite', 'bin', 'vite.js');
  const config = join(WEB, 'bench', 'baseline', 'vite.config.ts');
  const env = { L4DESK_URL: serviceUrl };
  const built = await new Program(vite, { args: ['build', '--config', config], env, cwd: WEB }).ended;
  if (built.code !== 0) throw new Error(`the baseline page was not built:\n${built.stderr}`);
  const port = await freePort();
  const args = ['preview', '--config', config, '--host', '127.0.0.1', '--port', String(port)];
  const program = new Program(vite, { args, env, cwd: WEB });
  await program.printed(/127\.0\.0\.1/);
  return { url: `http://127.0.0.1:${port}/`, program };
}

/** Scripts that a visitor loads before the first page's own chunk: those that index.html names. */
async function scriptBeforeFirstPage(): Promise<BenchRow> {
  const dist = join(WEB, 'dist');
  const html = await readFile(join(dist, 'index.html'), 'utf8');
  const names = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, name = '']) => name);
  const sizes = await Promise.all(names.map(async (name) => gzipSync(await readFile(join(dist, name))).byteLength));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const chunks = (await readdir(join(dist, 'assets'))).filter((name) => name.endsWith('.js')).length;
  return {
    item: "script before the first page's own chunk, gzip",
    ours: `${(total / 1_000).toFixed(1)} KB`,
    limit: `${names.length} of ${chunks + 1} scripts`,
    ratio: null,
    bar: '≤ 180 KB',
    pass: total <= 180_000,
  };
}
