// The value of 200 wallets on the page of balances, in Chromium: from the last response to the frame that shows it.
import { resolve } from 'node:path';
import type { BenchRow } from '@l4desk/config/bench';
import { Stack } from '@l4desk/testkit/stack';
import { Chromium, type Tab } from './support/chromium.ts';
import { ms, percentile } from './support/figures.ts';

/** The built service, relative to the bundle in `node_modules/.cache/bench` that a benchmark runs as. */
const DIST = resolve(import.meta.dirname, '..', '..', '..', '..', 'bff', 'dist');

const WALLETS = 200;
const REFRESHES = 9;
const LIMIT_MS = 200;
/** Nothing changes for this long after the last change. */
const QUIET_MS = 1_000;

/** Observes when the last response that the value is made of arrived, and when what it changed was painted. */
const PROBE = `(() => {
  const probe = (window.probe = { dataAt: 0, paintedAt: 0, shown: '' });
  const send = window.fetch;
  window.fetch = async (input, init) => {
    const response = await send(input, init);
    if (/batchClearinghouseState|spotMetaAndAssetCtxs|userAbstraction/.test(init?.body)) {
      response.clone().arrayBuffer().then(() => (probe.dataAt = performance.now()));
    }
    return response;
  };
  const look = () => {
    const amounts = document.querySelectorAll('[data-part=value-sum], [data-row] [data-amount]');
    const shown = [...amounts].map(({ dataset }) => dataset.total ?? dataset.amount).join();
    if (shown !== probe.shown) requestAnimationFrame(() => (probe.paintedAt = performance.now()));
    probe.shown = shown;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();`;

const BUTTON = `[...document.querySelectorAll('button')].find(({ textContent }) => textContent.startsWith('Refresh'))`;

export default async function* bench(): AsyncGenerator<BenchRow> {
  await using stack = await Stack.start({ dist: DIST });
  const wallets = (await stack.venue.wallets()).filter(({ role }) => role !== 'crowd').slice(0, WALLETS);
  await using chromium = await Chromium.launch(process.env.CHROMIUM_PATH ?? 'chromium');
  const tab = await chromium.open(1_440, 900, PROBE);
  await tab.send('Page.navigate', { url: stack.signInLink });
  await tab.until(`location.pathname === '/'`);
  const preferences = JSON.stringify({ state: { autoLoadCredits: 10_000 }, version: 3 });
  await tab.evaluate(`localStorage.setItem('l4desk.preferences', ${JSON.stringify(preferences)})`);
  const addresses = wallets.map(({ address }) => address).join();
  await tab.send('Page.navigate', { url: `${stack.url}/balances?view=value&w=${addresses}` });
  await tab.until(`${BUTTON}?.disabled === false && window.probe.dataAt > 0`);
  const first = await delay(tab);
  const delays: number[] = [];
  for (let round = 0; round < REFRESHES; round += 1) {
    await stack.venue.step(10);
    await tab.evaluate(`(window.probe.dataAt = 0, ${BUTTON}.click())`);
    await tab.until(`window.probe.dataAt > 0 && ${BUTTON}?.disabled === false`);
    delays.push(await delay(tab));
  }
  const worst = Math.max(first, ...delays);
  yield {
    item: `the value of ${wallets.length} wallets: last response to painted`,
    ours: `first ${ms(first)}, refreshed p50 ${ms(
      percentile(
        delays.toSorted((a, b) => a - b),
        0.5,
      ),
    )}, worst ${ms(worst)}`,
    limit: `${LIMIT_MS} ms`,
    ratio: null,
    bar: `≤ ${LIMIT_MS} ms`,
    pass: worst <= LIMIT_MS,
  };
}

/** Once nothing changes any more: how long after the last response the page showed it, in ms. */
async function delay(tab: Tab): Promise<number> {
  await tab.until(`performance.now() - Math.max(window.probe.dataAt, window.probe.paintedAt) > ${QUIET_MS}`);
  return tab.evaluate<number>('Math.max(0, window.probe.paintedAt - window.probe.dataAt)');
}
