import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BenchRow } from '@l4desk/config/bench';
import { freePort, Program } from '@l4desk/testkit/stack';
import { Chromium, type Tab } from './support/chromium.ts';

/** The app's folder: a benchmark runs as a bundle in `node_modules/.cache/bench`. */
const WEB = resolve(import.meta.dirname, '..', '..', '..');
const APPS = resolve(WEB, '..');

/** Sixty rows of 20 px, and the lines around them. */
const WIDTH = 1_440;
const HEIGHT = 1_310;

/** How long each page is watched, and how often the order of the pages is gone through. */
const WATCH_MS = 8_000;
const ROUNDS = 3;

/** The market is this much busier than usual: close to the 400 changes a block of a hard day. */
const MARKET_RATE = 6;

/** Runs in the page: times what it does for each update, and the distance of its frames. */
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
      if (event.data.kind === 'frame') spent += performance.now() - start;
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

const ROWS_SHOWN = `document.querySelectorAll('[data-part=ladder-grid] tr[data-side], [data-part=ladder-grid] > div').length > 40`;

interface Watched {
  /** Script of each update, ms, in order of length. */
  readonly scripts: readonly number[];
  /** All work of the main thread, ms per update. */
  readonly workPerUpdate: number;
  readonly updates: number;
  /** Frames of the display that the page missed. */
  readonly dropped: number;
}

/** What the ladder costs the page's thread, against React rows with DOM chips before the same service. */
export default async function* bench(): AsyncGenerator<BenchRow> {
  yield await scriptBeforeFirstPage();
  const directory = await mkdtemp(join(tmpdir(), 'l4desk-bench-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { PORT: String(port), DATA_DIR: directory, UPSTREAM: 'sim', VENUE_CONTROL_PORT: '0', LOG_LEVEL: 'info' };
  const service = new Program(join(APPS, 'bff', 'dist', 'main.js'), { env, cwd: directory });
  const chromium = await Chromium.launch(process.env.CHROMIUM_PATH ?? 'chromium');
  const baseline = await serveBaseline(url);
  try {
    const link = (await service.printed(/^Sign in: (\S+)$/))[1] ?? '';
    await service.printed(/^L4 Desk ready/);
    const { control } = await service.logged('venue ready');
    await fetch(`${String(control)}/levels`, { method: 'POST', body: JSON.stringify({ rate: MARKET_RATE }) });
    yield* measure(chromium, link, url, baseline.url);
  } finally {
    await chromium[Symbol.asyncDispose]();
    await baseline.program.stop();
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function* measure(chromium: Chromium, link: string, url: string, baselineUrl: string): AsyncGenerator<BenchRow> {
  // Signing in once: the cookie is the browser's, and both pages are of one host.
  const signIn = await openTab(chromium, link);
  await signIn.until(`location.pathname.startsWith('/book/')`);
  await signIn.close();
  const ours: Watched[] = [];
  const peers: Watched[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await visit(chromium, `${url}/book/BTC`));
    peers.push(await visit(chromium, baselineUrl));
  }
  const script = median(ours.map(({ scripts }) => percentile(scripts, 0.5)));
  const tail = median(ours.map(({ scripts }) => percentile(scripts, 0.95)));
  const updates = ours.reduce((sum, watched) => sum + watched.updates, 0);
  yield {
    item: 'ladder: script per update, 60 rows',
    ours: `p50 ${ms(script)}, p95 ${ms(tail)}`,
    limit: `peer p50 ${ms(median(peers.map(({ scripts }) => percentile(scripts, 0.5))))} (without React's rendering)`,
    ratio: null,
    bar: '≤ 2 ms',
    pass: script <= 2,
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
  const dropped = ours.reduce((sum, watched) => sum + watched.dropped, 0);
  yield droppedRow('ladder: frames dropped', dropped, updates);
  const throttled = await visit(chromium, `${url}/book/BTC`, 4);
  yield droppedRow('ladder: frames dropped, CPU throttled 4×', throttled.dropped, throttled.updates);
  const gaps: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) gaps.push(await snapshotGap(chromium, url));
  const gap = median(gaps);
  yield {
    item: 'ladder: longest frame while a snapshot of 50,000 orders loads',
    ours: ms(gap),
    limit: 'two frames of the display 33.3 ms',
    ratio: null,
    bar: '≤ 34 ms',
    pass: gap <= 34,
  };
}

function droppedRow(item: string, dropped: number, updates: number): BenchRow {
  return {
    item,
    ours: `${dropped}`,
    limit: `of ${updates} updates`,
    ratio: null,
    bar: '0',
    pass: dropped === 0,
  };
}

async function openTab(chromium: Chromium, url: string): Promise<Tab> {
  const tab = await chromium.open(WIDTH, HEIGHT, PROBE);
  await tab.send('Page.navigate', { url });
  return tab;
}

/** Opens a page, lets it settle, and watches it for a while. */
async function visit(chromium: Chromium, url: string, throttling = 1): Promise<Watched> {
  const tab = await openTab(chromium, url);
  try {
    await tab.until(ROWS_SHOWN);
    await tab.send('Emulation.setCPUThrottlingRate', { rate: throttling });
    await tab.evaluate('new Promise((done) => setTimeout(done, 2_000))');
    const before = await taskSeconds(tab);
    await tab.evaluate(`probe.watching = true; new Promise((done) => setTimeout(done, ${WATCH_MS}))`);
    const after = await taskSeconds(tab);
    const { updates, frames } = await tab.evaluate<{ updates: number[]; frames: number[] }>('probe');
    return {
      scripts: updates.toSorted((a, b) => a - b),
      workPerUpdate: ((after - before) * 1_000) / Math.max(1, updates.length),
      updates: updates.length,
      dropped: missed(frames),
    };
  } finally {
    await tab.close();
  }
}

/** The longest distance of two frames from the choice of a coin to its first rows. */
async function snapshotGap(chromium: Chromium, url: string): Promise<number> {
  const tab = await openTab(chromium, `${url}/book/ETH`);
  try {
    await tab.until(ROWS_SHOWN);
    await tab.evaluate(`document.querySelector('button[aria-label^="Coin"]').click()`);
    await tab.until(`document.querySelector('[role=option][data-coin=BTC]')`);
    await tab.evaluate(`probe.watching = true; document.querySelector('[role=option][data-coin=BTC]').click()`);
    await tab.until(`document.querySelector('[data-part=ladder-grid][data-coin=BTC]')`);
    const frames = await tab.evaluate<number[]>('probe.frames');
    return Math.max(...frames);
  } finally {
    await tab.close();
  }
}

/** Frames of a 60 Hz display between the page's own, over all. */
function missed(frames: readonly number[]): number {
  return frames.reduce((sum, distance) => sum + Math.max(0, Math.round((distance * 60) / 1_000) - 1), 0);
}

async function taskSeconds(tab: Tab): Promise<number> {
  const { metrics } = await tab.send('Performance.getMetrics');
  const found = (metrics as { name: string; value: number }[]).find(({ name }) => name === 'TaskDuration');
  return found?.value ?? Number.NaN;
}

/** Builds the peer's page and serves it before the same service. */
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

/** What a visitor loads before the first page's own chunk: the scripts that index.html names. */
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

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}
