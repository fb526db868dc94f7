import { runCli } from './cli.ts';

const code = await runCli(process.argv.slice(2), {
  environment: process.env,
  envFilePath: '.env',
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  now: Date.now,
});
process.exit(code);
