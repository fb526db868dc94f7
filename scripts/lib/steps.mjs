// The named, timed steps of `npm run check` and `npm test`.
import { relative } from 'node:path';
import { run } from './run.mjs';
import { bin, Failure, root } from './workspace.mjs';

/** Of programs in Go, which collect their garbage when the heap has doubled: seldom, while there is little of it. */
const FEW_COLLECTIONS = { GOGC: '400', GOMEMLIMIT: '3GiB' };

/** Keeps every processor busy by itself, and takes most of the memory. */
export const lint = {
  name: 'lint',
  command: bin('oxlint'),
  args: ['--type-aware', '--deny-warnings', '--report-unused-disable-directives'],
  env: FEW_COLLECTIONS,
};

/** The other checks that need no build and no browser: each for the most part the work of one processor. */
export const staticChecks = [
  // Projects are checked side by side; several checkers in each would read the same declarations again: half as much processor time more.
  { name: 'types', command: bin('tsc'), args: ['-b', '--checkers', '1'], env: FEW_COLLECTIONS },
  { name: 'unused', command: bin('knip'), args: [] },
  { name: 'format', command: bin('biome'), args: ['check', '.'] },
  { name: 'rules', command: process.execPath, args: ['scripts/check-rules.mjs'] },
];

const seconds = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

const heading = (name) => `\n── ${name} ──\n`;
const failed = (name, sinceMs) => `── ${name} failed after ${seconds(sinceMs)}\n`;
const ended = (name, outcome, sinceMs) => `── ${name} ${outcome?.verdict ?? 'ok'}, ${seconds(sinceMs)}\n`;

/**
 * Runs one step, which is a command or a function, with its name and time printed; a failing step throws. A function returns
 * what to print as `text`; one that could not do its work, which fails nobody, returns a `verdict` in place of "ok".
 */
export async function runStep({ name, command, args, env, action }) {
  const startedMs = performance.now();
  process.stdout.write(heading(name));
  let outcome;
  try {
    outcome = action ? await action() : await runCommand(command, args, { env });
  } catch (error) {
    process.stdout.write(failed(name, startedMs));
    throw error;
  }
  process.stdout.write(`${outcome?.text ?? ''}${ended(name, outcome, startedMs)}`);
}

/**
 * Runs steps at the same time. Each is printed whole when it ends, so that their lines do not mix; all of them end before
 * the first that failed throws.
 */
export async function runSideBySide(steps) {
  const outcomes = await Promise.allSettled(steps.map((step) => runKept(step)));
  const failure = outcomes.find(({ status }) => status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

async function runKept({ name, command, args, env, action }) {
  const startedMs = performance.now();
  let outcome;
  try {
    outcome = action ? await action() : await runCommand(command, args, { env, output: 'keep' });
  } catch (error) {
    process.stdout.write(`${heading(name)}${error.text || `${error.message}\n`}${failed(name, startedMs)}`);
    throw error;
  }
  process.stdout.write(`${heading(name)}${outcome?.text ?? ''}${ended(name, outcome, startedMs)}`);
}

async function runCommand(command, args, options) {
  const { code, text } = await run(command, args, options);
  if (code === 0) return { text };
  throw Object.assign(new Failure(`\`${[relative(root, command), ...args].join(' ')}\` ended with code ${code}.`), {
    text,
  });
}
