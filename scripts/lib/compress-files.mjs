// Creates compressed versions of the dashboard's files at build time; the service sends them as they are.
import { readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { filesUnder } from './workspace.mjs';

/** Files that a browser loads and that compress well. Source maps are only for developer tools. */
const COMPRESSED = new Set(['.css', '.html', '.js', '.svg']);

/** Smaller files are not compressed, because the headers would outweigh the gain. */
const BYTES_MIN = 1024;

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** The compressed formats, each at its maximum level, which is brotli's default. */
const FORMS = [
  { ending: '.br', compress: (plain) => brotli(plain) },
  { ending: '.gz', compress: (plain) => gzip(plain, { level: zlib.constants.Z_BEST_COMPRESSION }) },
];

/** Writes `name.br` and `name.gz` next to each of these files that is large enough. The directory must not contain older ones. */
export async function compressFiles(directory) {
  const files = filesUnder(directory).filter((path) => COMPRESSED.has(extname(path)));
  await Promise.all(files.map((path) => compressFile(path)));
}

/** Writes the compressed versions of one file. */
export async function compressFile(path) {
  const plain = await readFile(path);
  if (plain.length < BYTES_MIN) return;
  for (const { ending, compress } of FORMS) await writeFile(path + ending, await compress(plain));
}
