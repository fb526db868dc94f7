// `npm run bench [-- [--json <file>] [word …]]`: runs the benchmarks of the workspace and prints one table.
//
// A benchmark is a `*.bench.ts` or `*.bench.mjs` file in a part of the workspace. Its default export is a function
// without parameters that returns rows (an array, a promise of one, or an async iterable), each of the shape `BenchRow`
// in packages/config/src/bench.ts:
//
//   { item, ours, limit, ratio, bar, pass }
//
// Each file is bundled like a service and runs alone in its own Node process with --expose-gc. Its output goes to
// standard error. A benchmark that crashes loses its remaining rows, one that cannot be bundled loses all of its rows;
// the others are not affected. During the run, CHROMIUM_PATH names a browser, NATS_SERVER_PATH names a NATS server, and
// apps/*/dist is built. Absolute figures depend on the machine, so a row contains its limit or peer, measured in the same
// run. Words select the files whose path contains one of them. --json also writes the rows to a file. The exit code is 1
// when a row misses its bar.
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBrowser } from './browser.mjs';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { runBenches } from './lib/benches.mjs';
import { Failure, filesUnder, root, script } from './lib/workspace.mjs';
import { ensureNatsServer } from './nats-server.mjs';

function benchFiles(words) {
  return ['packages', 'apps', 'e2e']
    .flatMap((directory) => filesUnder(join(root, directory)))
    .filter((file) => /\.bench\.(ts|mjs)$/.test(file))
    .filter((file) => words.length === 0 || words.some((word) => relative(root, file).includes(word)));
}

await script(
  async () => {
    const { values, positionals } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true });
    await install();
    const files = benchFiles(positionals);
    if (files.length === 0) throw new Failure('No benchmark matches.');
    await build();
    const env = { CHROMIUM_PATH: await ensureBrowser(), NATS_SERVER_PATH: await ensureNatsServer() };
    await runBenches(files, { env, json: values.json });
  },
  { help: import.meta.filename },
);
