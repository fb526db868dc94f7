import { runCli } from './cli.ts';

// A reader such as `head` closes the pipe when it has enough; this is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const code = await runCli(process.argv.slice(2), {
  environment: process.env,
  envFilePath: '.env',
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  now: Date.now,
  terminal: () => (process.stdout.isTTY ? { columns: process.stdout.columns, rows: process.stdout.rows } : undefined),
  interruption: () => {
    const controller = new AbortController();
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
