import { runCli } from './cli.ts';

// A reader such as `head` closes the pipe when it has enough: that is not a failure.
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
    // Once: pressing it twice ends the process at once.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
    return controller.signal;
  },
});
// A pipe takes what was written in pieces: a snapshot of 16 MB would be cut off at the first one.
for (const stream of [process.stdout, process.stderr]) {
  await new Promise<void>((resolve) => {
    stream.write('', () => resolve());
  });
}
process.exit(code);
