// Plants each fault of faults.mjs in a copy of the tree, runs its tests and reports the faults that no test noticed. The
// tree itself is never changed.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from '../lib/run.mjs';
import { cacheDir, Failure, root } from '../lib/workspace.mjs';
import { faults } from './faults.mjs';

const copy = join(cacheDir, 'mutants');
const NOT_COPIED = new Set(['.git', '.cache', '.data', 'dist', 'test-results']);

/** A fault that causes an endless loop counts as noticed. */
const CEILING_MS = 5 * 60_000;

/** Copies the tree; the installed packages are linked. */
function copyTree() {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  const skipped = (path) => NOT_COPIED.has(basename(path)) || path === join(root, 'node_modules');
  // Links between workspace parts are relative, so they stay inside the copy.
  for (const name of ['apps', 'packages', 'scripts', 'package.json', 'pnpm-workspace.yaml', 'vitest.config.ts'])
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !skipped(path),
    });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

function runTests(tests) {
  const vitest = join(copy, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--bail=1', '--testTimeout=60000', ...tests];
  return run(process.execPath, args, { cwd: copy, output: 'keep', ceilingMs: CEILING_MS });
}

/** Returns the text with the fault in it. Throws if `find` does not occur exactly once. */
export function plant({ file, find, replace }, text) {
  if (text.split(find).length !== 2) throw new Failure(`${file} does not hold exactly once: ${find}`);
  return text.replace(find, () => replace);
}

/** Plants the faults whose file or description contains one of the words; all faults if there are no words. */
export async function runMutants(words) {
  const chosen = faults.filter(
    ({ fault, file }) => words.length === 0 || words.some((word) => `${file} ${fault}`.includes(word)),
  );
  if (chosen.length === 0) throw new Failure(`No fault holds ${words.join(' or ')}.`);
  copyTree();
  const tests = [...new Set(chosen.flatMap((fault) => fault.tests))];
  process.stdout.write(`${chosen.length} faults; first their ${tests.length} test files without any …\n`);
  const clean = await runTests(tests);
  if (clean.code !== 0) throw new Failure(`${clean.text}\nThe tests fail without a fault.`);
  const unnoticed = [];
  for (const fault of chosen) {
    const path = join(copy, fault.file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, plant(fault, text));
    const { code } = await runTests(fault.tests);
    writeFileSync(path, text);
    if (code === 0) unnoticed.push(fault);
    process.stdout.write(`${code === 0 ? 'NOT NOTICED' : 'noticed    '}  ${fault.file}: ${fault.fault}\n`);
  }
  process.stdout.write(`${chosen.length - unnoticed.length} of ${chosen.length} noticed\n`);
  if (unnoticed.length > 0) throw new Failure(`${unnoticed.length} planted faults were not noticed.`);
}
