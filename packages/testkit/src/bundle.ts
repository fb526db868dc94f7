import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const WORKSPACE = join(import.meta.dirname, '..', '..', '..');

/** Inside the package that has the native dependencies, so that they resolve, and separate per process. */
const OUTPUT = join(WORKSPACE, 'apps', 'bff', 'node_modules', '.cache', 'test-bundles', String(process.pid));

const COMMONJS_BANNER = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
].join('\n');

/** Bundles a program as the build does; `entry` is relative to the workspace, `name` the bundle's path. */
export async function bundleProgram(entry: string, name: string): Promise<URL> {
  const outfile = join(OUTPUT, `${name}.js`);
  await build({
    absWorkingDir: WORKSPACE,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: COMMONJS_BANNER },
    external: ['libsql', '@duckdb/node-api'],
    logLevel: 'warning',
  });
  return pathToFileURL(outfile);
}

/** Removes the bundles of this process. */
export function removeBundles(): Promise<void> {
  return rm(OUTPUT, { recursive: true, force: true });
}
