// Finds a Chromium for the browser tests and benchmarks, or installs one. As a program, it prints the path.
//
// Tried in this order: $CHROMIUM_PATH, a system Chromium or Chrome, Playwright's own (downloaded once), Debian's if root.
//
// Most browser tests run in a headless shell, which uses a fifth less CPU time than Chromium. Tried in this order:
// $HEADLESS_SHELL_PATH, one on the PATH, one downloaded before, Debian's package (unpacked here, not installed). On a
// machine without any, these tests run in Chromium.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install } from './install.mjs';
import { findOrUnpack } from './lib/debian-packages.mjs';
import { onPath } from './lib/on-path.mjs';
import { run } from './lib/run.mjs';
import { cacheDir, Failure, root, script } from './lib/workspace.mjs';

const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_PATHS = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

const SHELL = 'chromium-headless-shell';
const unpackedShells = join(cacheDir, SHELL);

/** A blocked network must not delay the tests for long. */
const DOWNLOAD_TIMEOUT_MS = 180_000;
const CONNECTION_TIMEOUT_MS = 15_000;

/** Whether a browser runs: one without a required system library exists but does not start. */
async function works(path, args = ['--version', '--no-sandbox']) {
  if (path === undefined || !existsSync(path)) return false;
  const { code } = await run(path, args, { output: 'keep', timeoutMs: 30_000 });
  return code === 0;
}

/** Loads a page, because an unpacked shell has no sandbox program beside it, which some systems require of users but root. */
const shellWorks = (path) =>
  works(path, ['--dump-dom', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), 'about:blank']);

async function systemBrowser() {
  for (const path of [...SYSTEM_NAMES.map(onPath), ...MAC_PATHS]) if (await works(path)) return path;
  return undefined;
}

async function playwrightBrowser() {
  const require = createRequire(join(root, 'e2e', 'package.json'));
  const { chromium } = require('@playwright/test');
  const path = chromium.executablePath();
  if (await works(path)) return path;
  process.stderr.write("No Chromium on this machine; downloading Playwright's …\n");
  const { code, text } = await run(
    join(root, 'e2e', 'node_modules', '.bin', 'playwright'),
    ['install', '--no-shell', 'chromium'],
    {
      output: 'keep',
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
      env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: String(CONNECTION_TIMEOUT_MS) },
    },
  );
  if (code !== 0) process.stderr.write(`That did not work: ${firstLine(text)}\n`);
  return (await works(path)) ? path : undefined;
}

async function debianBrowser() {
  if (process.getuid?.() !== 0 || onPath('apt-get') === undefined) return undefined;
  process.stderr.write("Installing Debian's Chromium …\n");
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', 'chromium']]) {
    const { code, text } = await run('apt-get', args, { output: 'keep', env });
    if (code !== 0) process.stderr.write(`apt-get ${args[0]} ended with code ${code}: ${lastLine(text)}\n`);
  }
  return systemBrowser();
}

const lines = (text) => text.split('\n').filter((line) => line.trim() !== '');
const firstLine = (text) => lines(text).find((line) => /error|fail/i.test(line)) ?? lines(text)[0] ?? '';
const lastLine = (text) => lines(text).at(-1) ?? '';

/** The path of a working Chromium; installs one if there is none. */
export async function ensureBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (await works(named)) return named;
    throw new Failure(`CHROMIUM_PATH is ${named}, which is not a Chromium that runs.`);
  }
  const found = (await systemBrowser()) ?? (await playwrightBrowser()) ?? (await debianBrowser());
  if (found) return found;
  throw new Failure(
    'The browser tests need Chromium, and it could not be installed. Install Chromium or Chrome (Debian: `apt-get install chromium`), or set CHROMIUM_PATH to one.',
  );
}

async function foundShell() {
  const unpacked = join(unpackedShells, 'usr', 'lib', 'chromium', SHELL);
  for (const path of [onPath(SHELL), unpacked]) if (await shellWorks(path)) return path;
  return undefined;
}

/** The path of a working headless shell; downloads one if there is none. Undefined where that is not possible. */
export async function ensureHeadlessShell() {
  const named = process.env.HEADLESS_SHELL_PATH;
  if (named) {
    if (await shellWorks(named)) return named;
    throw new Failure(`HEADLESS_SHELL_PATH is ${named}, which is not a Chromium that runs.`);
  }
  const path = await findOrUnpack(foundShell, [SHELL, 'chromium-common'], unpackedShells);
  if (path === undefined)
    process.stderr.write('The browser tests run in Chromium, because no headless shell works here.\n');
  return path;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await script(async () => {
    await install();
    process.stdout.write(`${await ensureBrowser()}\n`);
  });
}
