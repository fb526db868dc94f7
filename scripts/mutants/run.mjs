// Lets Stryker plant faults in a copy of the tree, of the parts on which the rest relies, and reports those that no test
// noticed. The tree itself is never changed.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from '../lib/run.mjs';
import { bin, cacheDir, Failure, root } from '../lib/workspace.mjs';

const copy = join(cacheDir, 'mutants');
const NOT_COPIED = new Set(['.git', '.cache', '.data', 'dist', 'test-results']);

/** The mutated folders by name; the tests of each are those beside its files. */
const FOLDERS = {
  book: 'packages/book/src',
  protocol: 'packages/protocol/src',
  decimal: 'packages/decimal/src',
  ledger: 'packages/ledger/src',
  sequencer: 'packages/feed/src/sequencer',
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

/** Only the tests beside the mutated files: most tests of the tree use them too, and would take hours. */
const vitestConfig = (folder) => `
import { defineConfig } from 'vitest/config';
export default defineConfig({
  test: {
    include: ['${folder}/**/*.test.ts'],
    setupFiles: ['packages/config/src/setup-tests.ts'],
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    testTimeout: 60_000,
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
  const folder = FOLDERS[name];
  if (folder === undefined) throw new Failure(`Name one of ${Object.keys(FOLDERS).join(', ')}.`);
  copyTree();
  writeFileSync(join(copy, 'vitest.mutants.config.ts'), vitestConfig(folder));
  const settings = {
    inPlace: true,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutants.config.ts', related: false },
    mutate: mutated(folder, choice),
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  };
  writeFileSync(join(copy, 'stryker.config.json'), JSON.stringify(settings));
  const { code } = await run(bin('stryker'), ['run', 'stryker.config.json'], { cwd: copy });
  if (code !== 0) throw new Failure('Stryker could not run.');
}
