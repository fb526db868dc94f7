// Builds the programs: each service's entry points with esbuild, the dashboard with vite. Unchanged sources are skipped.
//
//   node scripts/build.mjs [--force] [app …]
//
// An app's package.json lists what to build:
//   "l4desk": { "entries": { "main": "src/main.ts" }, "external": ["libsql"] }
// builds dist/main.js, an ES module for Node 20 with a source map. Workers are entries too. Modules that are imported
// only for certain settings go to chunks/. Packages listed in `external` (native code) stay imports and resolve from the
// app's node_modules, as do packages whose files the app reads; `reads` lists these files for packaging. An app with a
// vite.config.ts is built by vite.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install } from './install.mjs';
import { compressFiles } from './lib/compress-files.mjs';
import { withLock } from './lib/lock.mjs';
import { run } from './lib/run.mjs';
import { apps, Failure, filesUnder, readJson, root, script } from './lib/workspace.mjs';

/** CommonJS dependencies inside an ES module need these three names. */
const COMMONJS_BANNER = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { dirname as __pathDirname } from 'node:path';",
  "import { fileURLToPath as __urlToPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __urlToPath(import.meta.url);',
  'const __dirname = __pathDirname(__filename);',
].join('\n');

/** Leaves the translations of zod's messages out: they would be 40 percent of a worker, which parses them at each start. */
const withoutTranslations = {
  name: 'without-translations',
  setup: (build) => build.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({ contents: 'export {};' })),
};

/** Settings that all bundles for Node share: the services here and the benchmarks in bench.mjs. */
export const nodeBundle = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  banner: { js: COMMONJS_BANNER },
  logLevel: 'warning',
  plugins: [withoutTranslations],
};

const NOT_BUILT = /\.(test|bench)\.(ts|tsx|mjs)$|\/test-support\/|\/tsconfig[^/]*\.json$/;

/** A hash of everything that an app's build reads. */
function sourceStamp(app) {
  const files = [
    join(root, 'package.json'),
    join(root, 'pnpm-lock.yaml'),
    join(root, 'scripts', 'build.mjs'),
    join(root, 'scripts', 'lib', 'compress-files.mjs'),
    ...[join(root, 'packages'), app.directory].flatMap((directory) => filesUnder(directory)),
  ];
  const hash = createHash('sha256');
  for (const file of files) {
    if (NOT_BUILT.test(file)) continue;
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

const stampPath = (app) => join(app.directory, 'dist', '.stamp');
const isFresh = (app) => existsSync(stampPath(app)) && readFileSync(stampPath(app), 'utf8') === sourceStamp(app);

async function buildApp(app, { quiet }) {
  const stamp = sourceStamp(app);
  rmSync(stampPath(app), { force: true });
  const { entries = {}, external = [] } = app.manifest.l4desk ?? {};
  if (Object.keys(entries).length > 0) await bundle(app, entries, external);
  if (existsSync(join(app.directory, 'vite.config.ts'))) await viteBuild(app, { quiet });
  if (existsSync(join(app.directory, 'dist'))) writeFileSync(stampPath(app), stamp);
}

async function bundle(app, entries, external) {
  const esbuild = await import('esbuild');
  // Each entry is built separately: a chunk shared by all programs would contain what any of them needs, and every worker
  // would read all of it.
  const builds = Object.entries(entries).map(([out, path]) =>
    esbuild.build({
      ...nodeBundle,
      absWorkingDir: app.directory,
      entryPoints: [{ in: path, out }],
      outdir: 'dist',
      // Modules that only a cluster or tracing needs are not even read from disk by services without them.
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      metafile: true,
      external,
      define: { 'process.env.L4DESK_VERSION': JSON.stringify(readJson('package.json').version) },
    }),
  );
  removeOldChunks(app, new Set((await Promise.all(builds)).flatMap(({ metafile }) => Object.keys(metafile.outputs))));
}

/** Removes the chunks of earlier builds, which would stay because their names contain a content hash. */
function removeOldChunks(app, outputs) {
  const chunks = join(app.directory, 'dist', 'chunks');
  if (!existsSync(chunks)) return;
  for (const path of filesUnder(chunks)) if (!outputs.has(relative(app.directory, path))) rmSync(path);
}

/** Ends esbuild's helper process, which would otherwise live as long as the program that this process becomes. */
async function stopBundler() {
  const esbuild = await import('esbuild');
  await esbuild.stop();
}

async function viteBuild(app, { quiet }) {
  const vite = join(app.directory, 'node_modules', '.bin', 'vite');
  const { code, text } = await run(vite, ['build', '--logLevel', 'warn'], {
    cwd: app.directory,
    output: quiet ? 'keep' : 'stderr',
    // Always set: with another value, for example a test runner's, the pages would contain development code and local paths.
    env: { NODE_ENV: 'production' },
  });
  if (code !== 0) {
    process.stderr.write(text);
    throw new Failure(`Building ${app.name} failed.`);
  }
  await compressFiles(join(app.directory, 'dist'));
}

/** Builds the named apps (all by default) whose sources changed since their last build. */
export async function build(names, { quiet = false, force = false } = {}) {
  const known = apps();
  for (const name of names ?? []) {
    if (!known.some((app) => app.name === name))
      throw new Failure(`No app is called ${name}; there are ${known.map((app) => app.name).join(', ')}.`);
  }
  const wanted = known.filter((app) => names === undefined || names.includes(app.name));
  if (!force && wanted.every(isFresh)) return;
  await withLock('build', async () => {
    const stale = wanted.filter((app) => force || !isFresh(app));
    if (stale.length === 0) return;
    if (!quiet) process.stderr.write(`Building ${stale.map((app) => app.name).join(', ')} …\n`);
    const results = await Promise.allSettled(stale.map((app) => buildApp(app, { quiet })));
    await stopBundler();
    const failed = stale.filter((_, index) => results[index].status === 'rejected');
    for (const { reason } of results) if (reason && !reason.errors) process.stderr.write(`${reason.message}\n`);
    if (failed.length > 0) throw new Failure(`Could not build ${failed.map((app) => app.name).join(', ')}.`);
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await script(async () => {
    const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
    await install();
    await build(names.length > 0 ? names : undefined, { force: process.argv.includes('--force') });
  });
}
