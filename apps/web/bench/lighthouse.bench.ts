import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { BenchRow } from '@l4desk/config/bench';
import { Stack } from '@l4desk/testkit/stack';
import { Chromium } from './support/chromium.ts';

/** The built service, relative to the bundle in `node_modules/.cache/bench` that a benchmark runs as. */
const DIST = resolve(import.meta.dirname, '..', '..', '..', '..', 'bff', 'dist');

/**
 * Downloaded at this version when the benchmark runs: two hundred packages that nothing else needs. The newest version that runs
 * on Node 20.
 */
const LIGHTHOUSE = 'lighthouse@12.8.2';

const PAGES = ['/sign-in', '/', '/book/BTC', '/balances', '/orders', '/funding', '/limits', '/usage'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const LEAST = 95;

interface Report {
  readonly categories: Readonly<
    Record<(typeof CATEGORIES)[number], { readonly score: number | null; readonly auditRefs: readonly AuditRef[] }>
  >;
  readonly audits: Readonly<Record<string, { readonly score: number | null; readonly title: string }>>;
}

interface AuditRef {
  readonly id: string;
  readonly weight: number;
}

/** Lighthouse scores of every page of the built app, for a signed-in visitor on a desktop while the market moves. */
export default async function* bench(): AsyncGenerator<BenchRow> {
  await using stack = await Stack.start({ dist: DIST });
  await stack.venue.pace(1);
  await using chromium = await Chromium.launch(process.env.CHROMIUM_PATH ?? 'chromium', { port: true });
  const port = await chromium.port();
  for (const path of PAGES) {
    if (path === PAGES[1]) await signIn(chromium, stack.signInLink);
    const report = await lighthouse(`${stack.url}${path}`, port);
    const item = `Lighthouse, ${path}: ${CATEGORIES.join(', ')}`;
    const bar = `≥ ${LEAST} each`;
    if (typeof report === 'string') {
      yield { item, ours: 'not measured', limit: report, ratio: null, bar, pass: false };
      continue;
    }
    const { categories, audits } = report;
    const scores = CATEGORIES.map((name) => Math.round((categories[name].score ?? 0) * 100));
    const lost = CATEGORIES.flatMap((name) => categories[name].auditRefs)
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => audits[id]?.title ?? id);
    yield {
      item,
      ours: scores.join(', '),
      limit: lost.length === 0 ? 'nothing lost' : lost.join('; '),
      ratio: null,
      bar,
      pass: scores.every((score) => score >= LEAST),
    };
  }
}

async function signIn(chromium: Chromium, link: string): Promise<void> {
  const tab = await chromium.open(1_440, 900, '');
  await tab.send('Page.navigate', { url: link });
  await tab.until(`location.pathname === '/'`);
  await tab.close();
}

/** The report on a page, or why it could not be measured. */
async function lighthouse(url: string, port: number): Promise<Report | string> {
  const options = ['--preset=desktop', '--output=json', '--quiet', '--disable-storage-reset', `--port=${port}`];
  const args = ['--yes', LIGHTHOUSE, url, ...options, `--only-categories=${CATEGORIES.join(',')}`];
  try {
    const { stdout } = await promisify(execFile)('npx', args, { maxBuffer: 256 * 2 ** 20 });
    return JSON.parse(stdout) as Report;
  } catch (error) {
    const { stderr, message } = error as Error & { readonly stderr?: string };
    const lines = (stderr || message).trim().split('\n');
    return lines.find((line) => /error/i.test(line)) ?? lines[0] ?? '';
  }
}
