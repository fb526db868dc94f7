// `npm run bench [-- [--json <file>] [word …]]`: runs the benchmarks that lie beside the code and prints one table.
//
// A benchmark is a `*.bench.ts` or `*.bench.mjs` file in a part of the workspace. Its default export is a function
// without parameters that returns rows (an array, a promise of one, or an async iterable), each of the shape
// `BenchRow` in packages/config/src/bench.ts:
//
//   { item, ours, limit, ratio, bar, pass }
//
// Each file is bundled like a service and runs alone in a Node process of its own with --expose-gc. What it prints is
// passed to standard error; a benchmark that fails loses only its own remaining rows. CHROMIUM_PATH names a
// browser, NATS_SERVER_PATH a NATS server, and apps/*/dist is built. Absolute figures depend on the machine, so a row
// carries its limit or peer, measured in the same run. Words choose the files whose path holds one of them; --json also
// writes the rows to a file. The exit code is 1 when a row misses its bar.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBrowser } from './browser.mjs';
import { build, nodeBundle } from './build.mjs';
import { install } from './install.mjs';
import { apps, Failure, filesUnder, root, script } from './lib/workspace.mjs';
import { ensureNatsServer } from './nats-server.mjs';

/** Native packages cannot be bundled; they resolve from the part's own node_modules. */
const EXTERNAL = apps().flatMap((app) => app.manifest.l4desk?.external ?? []);

/** The part of the workspace a file belongs to: `packages/x`, `apps/x` or `e2e`. */
function partOf(file) {
  const [first, second] = relative(root, file).split('/');
  return first === 'e2e' ? join(root, first) : join(root, first, second);
}

function benchFiles(words) {
  return ['packages', 'apps', 'e2e']
    .flatMap((directory) => filesUnder(join(root, directory)))
    .filter((file) => /\.bench\.(ts|mjs)$/.test(file))
    .filter((file) => words.length === 0 || words.some((word) => relative(root, file).includes(word)));
}

async function bundle(file) {
  const esbuild = await import('esbuild');
  const outfile = join(partOf(file), 'node_modules', '.cache', 'bench', `${basename(file).replace(/\.\w+$/, '')}.mjs`);
  const runner = `
    import bench from ${JSON.stringify(file)};
    const rows = await bench();
    for await (const row of rows) process.send(row);
    process.disconnect();
  `;
  await esbuild.build({
    ...nodeBundle,
    jsx: 'automatic',
    stdin: { contents: runner, resolveDir: partOf(file), sourcefile: 'runner.mjs' },
    outfile,
    external: EXTERNAL,
  });
  return outfile;
}

/** Runs one bundled benchmark and returns its rows; one that breaks off adds a row that says so. */
function measure(bundled, env) {
  return new Promise((resolveRows, reject) => {
    const rows = [];
    const child = spawn(process.execPath, ['--expose-gc', '--enable-source-maps', bundled], {
      stdio: ['ignore', 2, 2, 'ipc'],
      env: { ...process.env, ...env },
    });
    child.on('message', (row) => rows.push(row));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code !== 0) rows.push(brokenOff(basename(bundled), signal ?? `code ${code}`));
      resolveRows(rows);
    });
  });
}

const brokenOff = (item, ending) => ({
  item,
  ours: `broke off with ${ending}`,
  limit: '–',
  ratio: null,
  bar: 'runs to its end',
  pass: false,
});

function printTable(rows) {
  const cells = [
    ['item', 'ours', 'limit or peer', 'ratio', 'bar', ''],
    ...rows.map((row) => [
      row.item,
      row.ours,
      row.limit,
      row.ratio === null ? '' : row.ratio.toPrecision(3),
      row.bar,
      row.pass ? 'ok' : 'MISSED',
    ]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  for (const line of cells) {
    const padded = line.map((cell, column) => cell.padEnd(widths[column]));
    process.stdout.write(`${padded.join('  ').trimEnd()}\n`);
  }
}

await script(
  async () => {
    const { values, positionals } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true });
    await install();
    const files = benchFiles(positionals);
    if (files.length === 0) throw new Failure('No benchmark matches.');
    await build();
    const env = { CHROMIUM_PATH: await ensureBrowser(), NATS_SERVER_PATH: await ensureNatsServer() };
    const rows = [];
    for (const file of files) {
      process.stderr.write(`${relative(root, file)}\n`);
      rows.push(...(await measure(await bundle(file), env)));
    }
    printTable(rows);
    if (values.json) writeFileSync(resolve(values.json), `${JSON.stringify(rows, null, 2)}\n`);
    const missed = rows.filter((row) => !row.pass).length;
    if (missed > 0) throw new Failure(`${missed} of ${rows.length} rows miss their bar.`);
  },
  { help: import.meta.filename },
);
