import { runCli } from './cli.ts';
import { EXIT } from './outcome.ts';

/** Aborted on Ctrl-C, and when the output cannot be written any more. Undefined until a command asks for it. */
let interruption: AbortController | undefined;
let isOutputLost = false;

process.stdout.on('error', ({ code: problem }: NodeJS.ErrnoException) => {
  // A recording is properly ended.
  interruption?.abort();
  // A reader such as `head` closes the pipe when it has enough; this is not a failure.
  if (problem === 'EPIPE') {
    if (interruption === undefined) process.exit(EXIT.done);
    return;
  }
  if (isOutputLost) return;
  isOutputLost = true;
  process.stderr.write(`The output cannot be written (${problem}).\n`, () => {
    if (interruption === undefined) process.exit(EXIT.failed);
  });
});
// The exit code says it as well.
process.stderr.on('error', () => {});

const code = await runCli(process.argv.slice(2), {
  environment: process.env,
  envFilePath: '.env',
  // The build replaces this with the version.
  version: process.env.L4DESK_VERSION ?? 'unknown',
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  now: Date.now,
  terminal: () => (process.stdout.isTTY ? { columns: process.stdout.columns, rows: process.stdout.rows } : undefined),
  interruption: () => {
    const controller = new AbortController();
    interruption = controller;
    // `once`: a second Ctrl-C ends the process immediately.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
    return controller.signal;
  },
});
// Pipes are written in chunks: exiting before they are flushed would truncate a snapshot of 16 MB.
for (const stream of [process.stdout, process.stderr]) {
  await new Promise<void>((resolve) => {
    stream.write('', () => resolve());
  });
}
process.exit(isOutputLost ? EXIT.failed : code);
