// The size limit of the dashboard's first load: the scripts in its index.html, which are loaded before any page's own chunk.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Failure, root } from './workspace.mjs';

const FIRST_LOAD_BYTES_MAX = 180_000;

/** Throws a Failure if the built dashboard loads more script than that, gzipped, before its first page. */
export function checkPageSize() {
  const dist = join(root, 'apps', 'web', 'dist');
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const scripts = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, name]) => name);
  const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name))).byteLength, 0);
  process.stdout.write(`${(bytes / 1_000).toFixed(1)} KB gzipped in ${scripts.length} scripts before the first page\n`);
  if (scripts.length === 0) throw new Failure('index.html names no script.');
  if (bytes > FIRST_LOAD_BYTES_MAX)
    throw new Failure(`The first load is over its bar of ${FIRST_LOAD_BYTES_MAX / 1_000} KB gzipped.`);
}
