import { runCli } from './cli.ts';
import { EXIT } from './outcome.ts';

/** Aborted on Ctrl-C, and when nobody reads the output any more. Undefined until a command asks for it. */
let interruption: AbortController | undefined;

process.stdout.on('error', ({ code: problem }: NodeJS.ErrnoException) => {
  if (problem !== 'EPIPE') {
    process.stderr.write(`The output cannot be written (${problem}).\n`, () => process.exit(EXIT.failed));
    return;
  }
  // A reader such as `head` closes the pipe when it has enough; this is not a failure. A recording is properly ended.
  if (interruption === undefined) process.exit(EXIT.done);
  interruption.abort();
});
// The exit code says it as well.
process.stderr.on('error', () => {});

const code = await runCli(process.argv.slice(2), {
  environment: process.env,
  envFilePath: '.env',
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
process.exit(code);
