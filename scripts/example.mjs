// `npm run example <file> [arguments]`: runs a program of a package's examples/.
//
//   npm run example packages/feed/examples/follow-a-coin.ts ws://127.0.0.1:4410/ws BTC
//
// The program is bundled like the services, together with the workers that the package.json of its package lists (see
// build.mjs), and replaces this process: signals and the exit code are its own.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nodeBundle } from './build.mjs';
import { install } from './install.mjs';
import { Failure, filesUnder, root, script } from './lib/workspace.mjs';

/** Paths of all examples in the workspace, relative to the root. */
function examples() {
  return filesUnder(join(root, 'packages'))
    .map((file) => relative(root, file).split(sep).join('/'))
    .filter((file) => /^packages\/\w+\/examples\/[\w-]+\.ts$/.test(file));
}

/** Bundles an example into a new directory inside its package, so that native packages resolve. */
async function bundle(file) {
  const directory = join(root, ...file.split('/').slice(0, 2));
  const { l4desk = {} } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const cache = join(directory, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const outdir = mkdtempSync(join(cache, 'example-'));
  process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
  const esbuild = await import('esbuild');
  const entries = { example: join(root, file), ...l4desk.entries };
  await esbuild.build({
    ...nodeBundle,
    absWorkingDir: directory,
    entryPoints: Object.entries(entries).map(([out, path]) => ({ in: path, out })),
    outdir,
    external: l4desk.external ?? [],
  });
  await esbuild.stop();
  return join(outdir, 'example.js');
}

await script(async () => {
  await install({ quiet: true });
  const [name = '', ...words] = process.argv.slice(2);
  const wanted = relative(root, resolve(name)).split(sep).join('/');
  const known = examples();
  if (!known.includes(wanted)) {
    throw new Failure(
      `${name === '' ? 'Which example?' : `${name} is not an example.`} There are:\n${known.join('\n')}`,
    );
  }
  const program = await bundle(wanted);
  process.setSourceMapsEnabled(true);
  process.argv = [process.argv[0], program, ...words];
  await import(pathToFileURL(program).href);
});
