// The named, timed steps of `npm run check` and `npm test`.
import { relative } from 'node:path';
import { run } from './run.mjs';
import { bin, Failure, root } from './workspace.mjs';

/** Of programs in Go, which collect their garbage when the heap has doubled: seldom, while there is little of it. */
const FEW_COLLECTIONS = { GOGC: '400', GOMEMLIMIT: '3GiB' };

/** What needs no build and no browser. */
export const staticChecks = [
  { name: 'format', command: bin('biome'), args: ['check', '.'] },
  {
    name: 'lint',
    command: bin('oxlint'),
    args: ['--type-aware', '--deny-warnings', '--report-unused-disable-directives'],
    env: FEW_COLLECTIONS,
  },
  // Projects are checked side by side; several checkers in each would read the same declarations again: half as much processor time more.
  { name: 'types', command: bin('tsc'), args: ['-b', '--checkers', '1'], env: FEW_COLLECTIONS },
  { name: 'unused', command: bin('knip'), args: [] },
  { name: 'rules', command: process.execPath, args: ['scripts/check-rules.mjs'] },
];

const seconds = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

/**
 * Runs one step, which is a command or a function, with its name and time printed; a failing step throws. A function that
 * could not do its work, which fails nobody, returns `{ verdict }` in place of "ok".
 */
export async function runStep({ name, command, args, env, action }) {
  const startedMs = performance.now();
  process.stdout.write(`\n── ${name} ──\n`);
  let outcome;
  try {
    outcome = action ? await action() : await runCommand(command, args, env);
  } catch (error) {
    process.stdout.write(`── ${name} failed after ${seconds(startedMs)}\n`);
    throw error;
  }
  process.stdout.write(`── ${name} ${outcome?.verdict ?? 'ok'}, ${seconds(startedMs)}\n`);
}

async function runCommand(command, args, env) {
  const { code } = await run(command, args, { env });
  if (code !== 0) throw new Failure(`\`${[relative(root, command), ...args].join(' ')}\` ended with code ${code}.`);
}
