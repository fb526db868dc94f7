import { resolve } from 'node:path';
import type { BenchRow } from '@l4desk/config/bench';
import { Stack } from '@l4desk/testkit/stack';
import { Chromium, type Tab } from './support/chromium.ts';
import { missed, ms, percentile } from './support/figures.ts';
import { GeneratedWallets, generatedWallet } from './support/generated-wallets.ts';

/** The service that is built: a benchmark runs as a bundle in `node_modules/.cache/bench`. */
const DIST = resolve(import.meta.dirname, '..', '..', '..', '..', 'bff', 'dist');

const WIDTH = 1_440;
const HEIGHT = 900;

/** What is scrolled through. */
const WALLETS = 300;
const ORDERS = 2_000;

/** Scrolled at this speed, about five seconds. */
const PX_PER_SECOND = 3_000;
const WAY_PX = 15_000;

/** What is refreshed: little, in a small window, because it is done a thousand times. */
const FEW_WALLETS = 2;
const FEW_ORDERS = 20;
const SMALL_WIDTH = 800;
const SMALL_HEIGHT = 400;
const FEWEST_REFRESHES = 50;
const REFRESHES = 1_000;

/** Runs in the page: the distance of its frames, and the script before each of them: what hears of scrolling, and React. */
const PROBE = `(() => {
  const probe = (window.probe = { frames: [], scripts: [], watching: false });
  let spent = 0;
  const timed = (listener) => function (event) {
    const start = performance.now();
    if (typeof listener === 'function') listener.call(this, event);
    else listener.handleEvent(event);
    spent += performance.now() - start;
  };
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    return listen.call(this, type, type === 'scroll' ? timed(listener) : listener, options);
  };
  const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
  Object.defineProperty(MessagePort.prototype, 'onmessage', {
    set(listener) { set.call(this, listener && timed(listener)); },
  });
  let last = 0;
  const tick = (time) => {
    if (probe.watching && last > 0) {
      probe.frames.push(time - last);
      probe.scripts.push(spent);
    }
    last = probe.watching ? time : 0;
    spent = 0;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
})();`;

/** Runs in the page: its address book, before the page reads it. */
function addressBook(count: number): string {
  const wallets = Array.from({ length: count }, (_, at) => ({
    address: generatedWallet(at + 1),
    label: `Wallet ${at}`,
  }));
  const kept = { state: { wallets, hasExamples: true }, version: 1 };
  return `localStorage.setItem('l4desk.wallets', ${JSON.stringify(JSON.stringify(kept))});`;
}

const ROW = `document.querySelector('[role=treegrid] [data-row], [role=grid] [data-row]')`;
const REFRESH = `[...document.querySelectorAll('button')].find((button) => button.textContent.startsWith('Refresh'))`;

/** Runs in the page: presses its refresh button so many times, each when the answers of the one before are drawn. */
const refreshed = (times: number) => `(async () => {
  for (let at = 0; at < ${times}; at += 1) {
    const before = ${ROW}.textContent;
    ${REFRESH}.click();
    do await new Promise((done) => setTimeout(done, 1));
    while (!(${REFRESH}?.disabled === false && ${ROW}.textContent !== before));
  }
})()`;

/** A page of nothing but lines of text, which the browser scrolls without any script. */
const PLAIN_PAGE = `document.body.innerHTML = '<p>' + Array(${WAY_PX / 10}).fill('A line of plain text').join('<p>')`;

interface Scrolled {
  /** Frames of the display that the page missed. */
  readonly dropped: number;
  readonly frames: number;
  /** Script before each frame, ms, in order of length. */
  readonly scripts: readonly number[];
}

/** The pages of many wallets in a browser: their grid scrolled, and their answers taken again and again. */
export default async function* bench(): AsyncGenerator<BenchRow> {
  await using stack = await Stack.start({ dist: DIST });
  await using chromium = await Chromium.launch(process.env.CHROMIUM_PATH ?? 'chromium');
  // Signing in once: the cookie is the browser's, and all pages are of one host.
  const signIn = await chromium.open(WIDTH, HEIGHT, '');
  await signIn.send('Page.navigate', { url: stack.signInLink });
  await signIn.until(`location.pathname.startsWith('/book/')`);
  await signIn.close();
  yield* scrolling(chromium, stack.url);
  yield* refreshing(chromium, stack.url);
}

async function* scrolling(chromium: Chromium, serviceUrl: string): AsyncGenerator<BenchRow> {
  await using wallets = await GeneratedWallets.start(serviceUrl, ORDERS);
  const peer = await chromium.open(WIDTH, HEIGHT, PROBE);
  await peer.send('Page.navigate', { url: 'about:blank' });
  await peer.evaluate(PLAIN_PAGE);
  const plain = await scroll(peer);
  await peer.close();

  const tab = await chromium.open(WIDTH, HEIGHT, PROBE + addressBook(WALLETS));
  await tab.send('Page.navigate', { url: `${wallets.url}/orders?show=history` });
  const ask = `[...document.querySelectorAll('button')].find((button) => button.textContent.startsWith('Ask for them'))`;
  await tab.until(ask);
  const start = performance.now();
  await tab.evaluate(`${ask}.click()`);
  await tab.until(`document.querySelector('[role=treegrid][aria-rowcount="${WALLETS * ORDERS + 1}"]')`);
  const took = performance.now() - start;
  const { dropped, frames, scripts } = await scroll(tab);
  await tab.close();
  yield {
    item: `orders: frames dropped while ${(WALLETS * ORDERS).toLocaleString('en')} of them scroll`,
    ours: `${dropped} in ${frames + dropped} frames; script p50 ${ms(percentile(scripts, 0.5))}, p95 ${ms(percentile(scripts, 0.95))}`,
    limit: `page of plain text ${plain.dropped} in ${plain.frames + plain.dropped}`,
    ratio: null,
    bar: '0',
    pass: dropped === 0,
  };
  process.stderr.write(`${WALLETS} answers were asked for and shown in ${(took / 1_000).toFixed(1)} s\n`);
}

/** Scrolls what lies in the middle of the page, at a constant speed. */
async function scroll(tab: Tab): Promise<Scrolled> {
  // A new window keeps the browser itself busy for a while, as many answers do the collector.
  await tab.evaluate('new Promise((done) => setTimeout(done, 2_000))');
  await tab.evaluate('Object.assign(probe, { frames: [], scripts: [], watching: true })');
  await tab.send('Input.synthesizeScrollGesture', {
    x: WIDTH / 2,
    y: HEIGHT / 2,
    yDistance: -WAY_PX,
    speed: PX_PER_SECOND,
    gestureSourceType: 'mouse',
  });
  const { frames, scripts } = await tab.evaluate<{ frames: number[]; scripts: number[] }>(
    'Object.assign(probe, { watching: false })',
  );
  return { dropped: missed(frames), frames: frames.length, scripts: scripts.toSorted((a, b) => a - b) };
}

async function* refreshing(chromium: Chromium, serviceUrl: string): AsyncGenerator<BenchRow> {
  await using wallets = await GeneratedWallets.start(serviceUrl, FEW_ORDERS);
  for (const [page, search] of [
    ['orders', '?show=history'],
    ['balances', ''],
  ] as const) {
    const tab = await chromium.open(SMALL_WIDTH, SMALL_HEIGHT, addressBook(FEW_WALLETS));
    await tab.send('Page.navigate', { url: `${wallets.url}/${page}${search}` });
    const read = `[...document.querySelectorAll('button')].find((button) => button.textContent.startsWith('Read '))`;
    if (page === 'balances') {
      await tab.until(read);
      await tab.evaluate(`${read}.click()`);
    }
    await tab.until(`${ROW} && ${REFRESH}?.disabled === false`);
    await tab.evaluate(refreshed(FEWEST_REFRESHES));
    const before = await memory(tab);
    await tab.evaluate(refreshed(REFRESHES - FEWEST_REFRESHES));
    const after = await memory(tab);
    await tab.close();
    const ratio = after.bytes / before.bytes;
    yield {
      item: `${page}: memory after ${REFRESHES.toLocaleString('en')} refreshes`,
      ours: `${megabytes(after.bytes)}, ${after.nodes} nodes`,
      limit: `after ${FEWEST_REFRESHES} ${megabytes(before.bytes)}, ${before.nodes} nodes`,
      ratio,
      bar: '≤ 1.1',
      pass: ratio <= 1.1,
    };
  }
}

/** What the page holds once everything that nobody holds is gone. */
async function memory(tab: Tab): Promise<{ readonly bytes: number; readonly nodes: number }> {
  await tab.send('HeapProfiler.collectGarbage');
  const { usedSize } = await tab.send('Runtime.getHeapUsage');
  const { nodes } = await tab.send('Memory.getDOMCounters');
  return { bytes: usedSize as number, nodes: nodes as number };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
