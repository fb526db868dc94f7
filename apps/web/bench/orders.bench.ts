import { resolve } from 'node:path';
import type { BenchRow } from '@l4desk/config/bench';
import { Stack } from '@l4desk/testkit/stack';
import { Chromium, type Tab } from './support/chromium.ts';
import { missed as missedOf } from './support/figures.ts';
import { GeneratedWallets, generatedWallet } from './support/generated-wallets.ts';

/** The built service, relative to the bundle in `node_modules/.cache/bench` that a benchmark runs as. */
const DIST = resolve(import.meta.dirname, '..', '..', '..', '..', 'bff', 'dist');

const WIDTH = 1_440;
const HEIGHT = 900;

/** Height of a grid's header, above its rows, in px. */
const HEADING = 28;

/** Size of the grid that is scrolled. */
const WALLETS = 300;
const ORDERS = 2_000;

/** Scroll speed, for about five seconds. */
const PX_PER_SECOND = 3_000;
const WAY_PX = 15_000;

/** What is refreshed: few rows in a small window, because it is done a thousand times. */
const FEW_WALLETS = 2;
const FEW_ORDERS = 20;
const SMALL_WIDTH = 800;
const SMALL_HEIGHT = 400;
/** By then everything that the page keeps once exists: compiled code and the journal of changes. */
const FEWEST_REFRESHES = 250;
const REFRESHES = 1_000;

/**
 * Runs in the page: records for each of its frames how far it has been scrolled, and up to where rows are drawn. The browser
 * scrolls without the page, which only has to draw the rows before they become visible.
 */
const PROBE = `(() => {
  const probe = (window.probe = { frames: [], watching: false });
  let bottom = 0;
  document.addEventListener('scroll', ({ target }) => {
    bottom = target.scrollTop + target.clientHeight - ${HEADING};
  }, { capture: true, passive: true });
  const tick = () => {
    const row = probe.watching && document.querySelector('[data-row]')?.parentElement.lastElementChild;
    if (row) probe.frames.push({ bottom, drawn: (Number(row.dataset.row) + 1) * Number.parseInt(row.style.height, 10) });
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
})();`;

/** Script that stores an address book before the page reads it. */
function addressBook(count: number): string {
  const wallets = Array.from({ length: count }, (_, at) => ({
    address: generatedWallet(at + 1),
    label: `Wallet ${at}`,
  }));
  const kept = { state: { wallets, hasExamples: true }, version: 1 };
  // Replaces what the account has stored from an earlier tab.
  return `for (const key of Object.keys(localStorage)) if (key.startsWith('l4desk.wallets')) localStorage.removeItem(key);
localStorage.setItem('l4desk.wallets', ${JSON.stringify(JSON.stringify(kept))});`;
}

const ROW = `document.querySelector('[data-row]')`;
const REFRESH = `[...document.querySelectorAll('button')].find((button) => button.textContent.startsWith('Refresh'))`;

/** Runs in the page: presses its refresh button this many times, each time after the previous responses are drawn. */
const refreshed = (times: number) => `(async () => {
  for (let at = 0; at < ${times}; at += 1) {
    const before = ${ROW}.textContent;
    ${REFRESH}.click();
    do await new Promise((done) => setTimeout(done, 1));
    while (!(${REFRESH}?.disabled === false && ${ROW}.textContent !== before));
  }
})()`;

/** A page with only lines of text, which the browser scrolls without any script. */
const PLAIN_PAGE = `document.body.innerHTML = '<p>' + Array(${WAY_PX / 10}).fill('A line of plain text').join('<p>')`;

interface Scrolled {
  /** Display frames that were drawn, and that were missed. */
  readonly drawn: number;
  readonly missed: number;
  /** Frames of the page, and those in which rows became visible before they were drawn. */
  readonly frames: number;
  readonly late: number;
}

/** The pages of many wallets in a browser: scrolling their grid, and refreshing their responses again and again. */
export default async function* bench(): AsyncGenerator<BenchRow> {
  await using stack = await Stack.start({ dist: DIST });
  await using chromium = await Chromium.launch(process.env.CHROMIUM_PATH ?? 'chromium');
  // Sign in once: the browser shares the cookie, and all pages are on one host.
  const signIn = await chromium.open(WIDTH, HEIGHT, '');
  await signIn.send('Page.navigate', { url: stack.signInLink });
  await signIn.until(`location.pathname === '/'`);
  await signIn.close();
  yield* scrolling(chromium, stack.url);
  yield* refreshing(chromium, stack.url);
}

async function* scrolling(chromium: Chromium, serviceUrl: string): AsyncGenerator<BenchRow> {
  await using wallets = await GeneratedWallets.start(serviceUrl, ORDERS);
  const peer = await chromium.open(WIDTH, HEIGHT, PROBE);
  await peer.send('Page.navigate', { url: 'about:blank' });
  await peer.evaluate(PLAIN_PAGE);
  const plain = await scroll(chromium, peer);
  await peer.close();

  const tab = await chromium.open(WIDTH, HEIGHT, PROBE + addressBook(WALLETS));
  await tab.send('Page.navigate', { url: `${wallets.url}/orders?show=history` });
  const load = `[...document.querySelectorAll('button')].find((button) => button.textContent.startsWith('Load orders'))`;
  await tab.until(load);
  const start = performance.now();
  await tab.evaluate(`${load}.click()`);
  await tab.until(`document.querySelector('[aria-rowcount="${WALLETS * ORDERS + 1}"]')`);
  const took = performance.now() - start;
  const { drawn, missed, frames, late } = await scroll(chromium, tab);
  await tab.close();
  yield {
    item: `orders: frames of the display missed while ${(WALLETS * ORDERS).toLocaleString('en')} of them scroll`,
    ours: `${missed} of ${drawn + missed}; rows late in ${late} of ${frames} frames of the page`,
    limit: `page of plain text ${plain.missed} of ${plain.drawn + plain.missed}`,
    ratio: null,
    bar: "the plain page's, none late",
    pass: missed <= plain.missed && late === 0,
  };
  process.stderr.write(`${WALLETS} responses were asked for and shown in ${(took / 1_000).toFixed(1)} s\n`);
}

/** Scrolls the element in the middle of the page, at a constant speed. */
async function scroll(chromium: Chromium, tab: Tab): Promise<Scrolled> {
  // A new window keeps the browser busy for a while, and so do many responses the garbage collector.
  await tab.evaluate('new Promise((done) => setTimeout(done, 2_000))');
  await tab.evaluate('probe.watching = true');
  const events = await chromium.traced(['cc'], async () => {
    const way = { yDistance: -WAY_PX, speed: PX_PER_SECOND, gestureSourceType: 'mouse', preventFling: true };
    await tab.send('Input.synthesizeScrollGesture', { x: WIDTH / 2, y: HEIGHT / 2, ...way });
  });
  const { frames } = await tab.evaluate<{ frames: readonly { bottom: number; drawn: number }[] }>(
    'Object.assign(probe, { watching: false })',
  );
  const draws = events.filter(({ name }) => name === 'ProxyImpl::ScheduledActionDraw').map(({ ts }) => ts / 1_000);
  draws.sort((a, b) => a - b);
  return {
    drawn: draws.length,
    missed: missedOf(draws.slice(1).map((at, before) => at - (draws[before] ?? at))),
    frames: frames.length,
    late: frames.filter(({ bottom }, at) => bottom > (frames[at - 1]?.drawn ?? Number.POSITIVE_INFINITY)).length,
  };
}

async function* refreshing(chromium: Chromium, serviceUrl: string): AsyncGenerator<BenchRow> {
  await using wallets = await GeneratedWallets.start(serviceUrl, FEW_ORDERS);
  for (const [page, search] of [
    ['orders', '?show=history'],
    ['balances', ''],
  ] as const) {
    const tab = await chromium.open(SMALL_WIDTH, SMALL_HEIGHT, addressBook(FEW_WALLETS));
    await tab.send('Page.navigate', { url: `${wallets.url}/${page}${search}` });
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

/** Memory and DOM nodes of the page after garbage collection. */
async function memory(tab: Tab): Promise<{ readonly bytes: number; readonly nodes: number }> {
  await tab.send('HeapProfiler.collectGarbage');
  const { usedSize } = await tab.send('Runtime.getHeapUsage');
  const { nodes } = await tab.send('Memory.getDOMCounters');
  return { bytes: usedSize as number, nodes: nodes as number };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
