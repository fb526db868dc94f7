// Lets Stryker plant faults in a copy of the tree, of the parts on which the rest relies, and reports those that no test
// noticed. The tree itself is never changed.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from '../lib/run.mjs';
import { bin, cacheDir, Failure, root } from '../lib/workspace.mjs';

const copy = join(cacheDir, 'mutants');
const NOT_COPIED = new Set(['.git', '.cache', '.data', 'dist', 'test-results']);

/** The mutated folder of each part, and further folders that have tests of it. */
const FOLDERS = {
  book: ['packages/book/src'],
  protocol: ['packages/protocol/src', 'packages/protocol/test', 'apps/bff/src/info'],
  decimal: ['packages/decimal/src'],
  ledger: ['packages/ledger/src', 'apps/bff/src/session', 'apps/bff/src/usage', 'apps/cli/src'],
  sequencer: ['packages/feed/src/sequencer', 'packages/feed/src/local', 'packages/feed/src/sources'],
};

/** Copies the tree; the installed packages are linked. */
function copyTree() {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  const skipped = (path) => NOT_COPIED.has(basename(path)) || path === join(root, 'node_modules');
  // Links between workspace parts are relative, so they stay inside the copy.
  for (const name of ['apps', 'docs', 'packages', 'scripts', 'package.json', 'pnpm-workspace.yaml', 'vitest.config.ts'])
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !skipped(path),
    });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

/** Only the tests of these folders: most tests of the tree use the mutated files too, and would take hours. */
const vitestConfig = (folders) => `
import { defineConfig } from 'vitest/config';
export default defineConfig({
  test: {
    include: ${JSON.stringify(folders.map((folder) => `${folder}/**/*.test.ts`))},
    // The first runs the code without the global process, which Stryker reads; the second builds the service, which the
    // copy cannot: it has no lockfile.
    exclude: ['**/zod.test.ts', '**/crash.test.ts'],
    setupFiles: ['packages/config/src/setup-tests.ts'],
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
`;

/** The mutated files of a folder; with a number n, only lines n, 2n, 3n … of each. */
function mutated(folder, choice) {
  const files = readdirSync(join(copy, folder), { recursive: true })
    .filter((path) => path.endsWith('.ts') && !/\.(test|bench)\.ts$|test-support/.test(path))
    .map((path) => `${folder}/${path}`);
  const step = Number(choice);
  if (!(step > 1)) return files.filter((path) => path.includes(choice));
  return files.flatMap((path) => {
    const lines = readFileSync(join(copy, path), 'utf8').split('\n').length;
    return Array.from({ length: Math.floor(lines / step) }, (_, i) => `${path}:${(i + 1) * step}-${(i + 1) * step}`);
  });
}

/** Mutates one of the folders, or what `choice` says: files whose path contains the word, or the lines of a number. */
export async function runMutants([name, choice = '']) {
  const folders = FOLDERS[name];
  if (folders === undefined) throw new Failure(`Name one of ${Object.keys(FOLDERS).join(', ')}.`);
  copyTree();
  writeFileSync(join(copy, 'vitest.mutants.config.ts'), vitestConfig(folders));
  const settings = {
    inPlace: true,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutants.config.ts', related: false },
    mutate: mutated(folders[0], choice),
    // On a loaded machine a slow test is not an endless one.
    timeoutMS: 60_000,
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  };
  writeFileSync(join(copy, 'stryker.config.json'), JSON.stringify(settings));
  const { code } = await run(bin('stryker'), ['run', 'stryker.config.json'], { cwd: copy });
  if (code !== 0) throw new Failure('Stryker could not run.');
}
