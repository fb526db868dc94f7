// The compressed twins of the dashboard's files, made once where it is built: the service hands them out as they are.
import { readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { filesUnder } from './workspace.mjs';

/** What a browser loads and what grows smaller; source maps are for developer tools alone. */
const COMPRESSED = new Set(['.css', '.html', '.js', '.svg']);

/** Below this the headers weigh more. */
const BYTES_MIN = 1024;

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** The forms, as small as they get: brotli's default is its best. */
const FORMS = [
  { ending: '.br', compress: (plain) => brotli(plain) },
  { ending: '.gz', compress: (plain) => gzip(plain, { level: zlib.constants.Z_BEST_COMPRESSION }) },
];

/** Writes `name.br` and `name.gz` beside each of these files that is large enough; the folder holds no older ones. */
export async function compressFiles(directory) {
  const files = filesUnder(directory).filter((path) => COMPRESSED.has(extname(path)));
  await Promise.all(files.map((path) => compressFile(path)));
}

/** Writes the compressed twins of one file. */
export async function compressFile(path) {
  const plain = await readFile(path);
  if (plain.length < BYTES_MIN) return;
  for (const { ending, compress } of FORMS) await writeFile(path + ending, await compress(plain));
}
