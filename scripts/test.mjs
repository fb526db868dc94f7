// `npm test`: installs missing dependencies, then runs every check and every test, and stops at the first step that
// fails. The last line is `N passed, N failed`: tests of vitest and Playwright together. A failing step without tests of
// its own (format, types, …) counts as one failure. A line before it lists what was left out: tests against recordings of
// the real exchange if this machine has none, and the audit if the registry offers none.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { audit } from './audit.mjs';
import { ensureBrowser, ensureHeadlessShell } from './browser.mjs';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { checkPageSize } from './lib/page-size.mjs';
import { run } from './lib/run.mjs';
import { lint, runSideBySide, runStep, staticChecks } from './lib/steps.mjs';
import { bin, cacheDir, Failure, root } from './lib/workspace.mjs';
import { ensureNatsServer } from './nats-server.mjs';

const reports = join(cacheDir, 'test');
const unfinished = join(reports, 'unfinished');
const total = { passed: 0, failed: 0 };
/** What was not tested, and why. */
const leftOut = [];
let chromium = '';
let headlessShell = '';
let natsServer = '';

/** Several times the duration of a run on a slow machine, so that a test that never ends does not block everything. */
const CEILING_MS = 40 * 60_000;

/** Runs a test runner, adds its counts to the total, and throws on a failed, skipped or missing test. */
async function runTests({ command, args, cwd, env, report, count }) {
  const path = join(reports, report);
  for (const file of [path, unfinished]) rmSync(file, { force: true });
  const { code, ranOut } = await run(command, args, {
    cwd,
    env: { ...env, CHROMIUM_PATH: chromium, HEADLESS_SHELL_PATH: headlessShell, NATS_SERVER_PATH: natsServer },
    ceilingMs: CEILING_MS,
  });
  if (ranOut) {
    const files = existsSync(unfinished) ? readFileSync(unfinished, 'utf8') : '';
    throw new Failure(`Not done after ${CEILING_MS / 60_000} minutes, and ended. Under way:\n${files}`);
  }
  if (!existsSync(path)) throw new Failure(`The runner ended with code ${code} and left no report.`);
  const { passed, failed, skipped } = count(JSON.parse(readFileSync(path, 'utf8')));
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) throw new Failure(`${failed} failed.`);
  if (skipped > 0) throw new Failure(`${skipped} skipped; a test runs or it is removed.`);
  if (passed === 0) throw new Failure('No test was run.');
  if (code !== 0) throw new Failure(`The runner ended with code ${code} though no test failed.`);
}

const unitTests = {
  command: bin('vitest'),
  args: [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(reports, 'vitest.json')}`,
    `--reporter=${join(root, 'scripts', 'lib', 'unfinished-reporter.mjs')}`,
  ],
  cwd: root,
  env: { L4DESK_UNFINISHED: unfinished },
  report: 'vitest.json',
  count: (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }),
};

const browserTests = {
  command: join(root, 'e2e', 'node_modules', '.bin', 'playwright'),
  args: ['test', '--reporter=list,json'],
  cwd: join(root, 'e2e'),
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'playwright.json') },
  report: 'playwright.json',
  // A test that passed only on a retry counts as failed.
  count: ({ stats, errors }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  }),
};

/** Run in parallel with the static checks: builds, and steps that wait for the network. */
const preparations = [
  {
    name: 'audit',
    action: async () => {
      const { checked, text } = await audit();
      if (checked) return { text: `${text}\n` };
      leftOut.push(`the audit of the dependencies. ${text}`);
      return { text: `${text}\n`, verdict: 'not checked' };
    },
  },
  { name: 'build', action: () => build() },
  {
    // Sequential: each may need Debian's package list, which only one program at a time may download.
    name: 'browsers and nats-server',
    action: async () => {
      chromium = await ensureBrowser();
      headlessShell = (await ensureHeadlessShell()) ?? chromium;
      natsServer = await ensureNatsServer();
      return { text: `${chromium}\n${headlessShell}\n${natsServer}\n` };
    },
  },
];

async function runAll() {
  await runStep({ name: 'install', action: () => install() });
  await runStep(lint);
  await runSideBySide([...staticChecks, ...preparations]);
  await runStep({ name: 'page size', action: () => checkPageSize() });
  await runStep({ name: 'unit tests', action: () => runTests(unitTests) });
  await runStep({ name: 'browser tests', action: () => runTests(browserTests) });
}

mkdirSync(reports, { recursive: true });
try {
  await runAll();
} catch (error) {
  process.stderr.write(error instanceof Failure ? `${error.message}\n` : `${error.stack}\n`);
  total.failed ||= 1;
}
const recordings = process.env.L4DESK_DATA ?? join(root, '..', 'shared', 'data');
if (!existsSync(recordings)) {
  leftOut.push(
    `tests against recordings of the real exchange (none in ${recordings}); generated data took their place.`,
  );
}
for (const text of leftOut) process.stdout.write(`\nLeft out: ${text}\n`);
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;
