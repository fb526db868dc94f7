// Runs benchmarks, each in its own process, and prints one table of their rows; see bench.mjs.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { nodeBundle } from '../build.mjs';
import { apps, Failure, root } from './workspace.mjs';

/** Native packages cannot be bundled; they resolve from the node_modules of the benchmark's own workspace part. */
const EXTERNAL = apps().flatMap((app) => app.manifest.l4desk?.external ?? []);

/** The workspace part that a file belongs to: `packages/x`, `apps/x` or `e2e`. */
function partOf(file) {
  const [first, second] = relative(root, file).split('/');
  return first === 'e2e' ? join(root, first) : join(root, first, second);
}

/** Bundles a benchmark. Rejects with esbuild's message if that fails. */
async function bundle(esbuild, file) {
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
    logLevel: 'silent',
  });
  return outfile;
}

/** The rows of one benchmark; if it failed, one of them says so. */
async function rowsOf(esbuild, file, env) {
  const name = relative(root, file);
  let bundled;
  try {
    bundled = await bundle(esbuild, file);
  } catch (error) {
    // If esbuild reports no error in the benchmark, the cause is elsewhere, so the stack is printed.
    process.stderr.write(`${error.errors === undefined ? error.stack : error.message}\n`);
    return [failedRow(name, 'could not be bundled')];
  }
  return measure(name, bundled, env);
}

/** Runs one bundled benchmark and returns its rows. If it cannot be started or crashes, adds a row that says so. */
function measure(name, bundled, env) {
  return new Promise((resolveRows) => {
    const rows = [];
    const child = spawn(process.execPath, ['--expose-gc', '--enable-source-maps', bundled], {
      stdio: ['ignore', 2, 2, 'ipc'],
      env: { ...process.env, ...env },
    });
    child.on('message', (row) => rows.push(row));
    // `close` may follow or not; the first of the two events counts.
    child.once('error', (error) => resolveRows([...rows, failedRow(name, error.message)]));
    child.once('close', (code, signal) => {
      if (code !== 0) rows.push(failedRow(name, `broke off with ${signal ?? `code ${code}`}`));
      resolveRows(rows);
    });
  });
}

const failedRow = (item, ours) => ({
  item,
  ours,
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

/** Runs the benchmarks one after another and prints their rows. Throws a `Failure` if a row misses its bar. */
export async function runBenches(files, { env, json }) {
  const esbuild = await import('esbuild');
  const rows = [];
  for (const file of files) {
    process.stderr.write(`${relative(root, file)}\n`);
    rows.push(...(await rowsOf(esbuild, file, env)));
  }
  printTable(rows);
  if (json) writeFileSync(resolve(json), `${JSON.stringify(rows, null, 2)}\n`);
  const missed = rows.filter((row) => !row.pass).length;
  if (missed > 0) throw new Failure(`${missed} of ${rows.length} rows miss their bar.`);
}
