// The named, timed steps of `npm run check` and `npm test`.
import { relative } from 'node:path';
import { run } from './run.mjs';
import { bin, Failure, root } from './workspace.mjs';

/**
 * For Go programs: garbage is collected when the heap has grown fivefold instead of doubled, so rarely while memory use
 * is low.
 */
const FEW_COLLECTIONS = { GOGC: '400', GOMEMLIMIT: '3GiB' };

/** Uses every CPU core by itself, and most of the memory. */
export const lint = {
  name: 'lint',
  command: bin('oxlint'),
  args: ['--type-aware', '--deny-warnings', '--report-unused-disable-directives'],
  env: FEW_COLLECTIONS,
};

/** The other checks that need neither a build nor a browser; each mostly uses one core. */
export const staticChecks = [
  // Projects are checked in parallel; several checkers per project would read the same declarations again and use half as
  // much CPU time more.
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
 * Runs one step, which is a command or a function, and prints its name and duration. A failing step throws. A function
 * returns its output as `text`; if it could not do its work but this is no failure, it returns a `verdict` to print
 * instead of "ok".
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
 * Runs steps at the same time. The output of each is printed when it ends, so that lines do not mix. All steps finish
 * before the first failure is thrown.
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
