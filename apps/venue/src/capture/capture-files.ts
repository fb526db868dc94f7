import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { CaptureError } from './capture-error.ts';

/**
 * The streams that a node writes, one directory each. The directory's name is part of the path, or the file's name starts
 * with it.
 */
export const STREAMS = {
  node_raw_book_diffs_by_block: 'diffs',
  node_order_statuses_by_block: 'statuses',
  node_fills_by_block: 'fills',
} as const;

export type CaptureStream = (typeof STREAMS)[keyof typeof STREAMS];

type CapturePart = 'snapshot' | CaptureStream;

/** One file of a capture, in a directory or in an archive, with its content. */
export interface CaptureFile {
  readonly part: CapturePart;
  /** The name used in errors: the path; for a file inside an archive, followed by `!` and the path in the archive. */
  readonly name: string;
  readonly content: Readable;
}

/** Calls `read` with every file of the capture under `directory`, sorted by path. Other files are skipped. */
export async function readCaptureFiles(directory: string, read: (file: CaptureFile) => Promise<void>): Promise<void> {
  for (const path of await pathsUnder(directory)) {
    if (/\.(?:tar|tar\.gz|tgz)$/.test(path)) await readArchive(path, read);
    else {
      const part = partOf(path.slice(directory.length));
      if (part !== null) await readFile(path, part, read);
    }
  }
}

async function pathsUnder(directory: string): Promise<readonly string[]> {
  const info = await stat(directory).catch(() => null);
  if (info === null) throw new CaptureError(directory, null, 'directory not found');
  if (!info.isDirectory()) throw new CaptureError(directory, null, 'is not a directory');
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function partOf(path: string): CapturePart | null {
  if (/(?:^|\/)snapshot_[^/]*\.json(?:\.gz)?$/.test(path)) return 'snapshot';
  for (const [name, part] of Object.entries(STREAMS)) if (path.includes(name)) return part;
  return null;
}

async function readFile(path: string, part: CapturePart, read: (file: CaptureFile) => Promise<void>): Promise<void> {
  const content = createReadStream(path);
  await readContent({ part, name: path, content }, read);
}

async function readArchive(path: string, read: (file: CaptureFile) => Promise<void>): Promise<void> {
  const entries = extract();
  const bytes = createReadStream(path);
  const unpacking = path.endsWith('.tar') ? pipeline(bytes, entries) : pipeline(bytes, createGunzip(), entries);
  // The loop below fails with the same error and reports it, so it is ignored here.
  unpacking.catch(() => undefined);
  try {
    for await (const entry of entries) {
      const part = entry.header.type === 'file' ? partOf(entry.header.name) : null;
      if (part === null) entry.resume();
      else await readContent({ part, name: `${path}!${entry.header.name}`, content: Readable.from(entry) }, read);
    }
    await unpacking;
  } catch (error) {
    throw asCaptureError(path, error);
  }
}

async function readContent(file: CaptureFile, read: (file: CaptureFile) => Promise<void>): Promise<void> {
  if (!file.name.endsWith('.gz')) {
    await read(file).catch((error: unknown) => {
      throw asCaptureError(file.name, error);
    });
    return;
  }
  const plain = new PassThrough();
  const unpacking = pipeline(file.content, createGunzip(), plain);
  unpacking.catch(() => undefined);
  try {
    await read({ ...file, content: plain });
    await unpacking;
  } catch (error) {
    throw asCaptureError(file.name, error);
  }
}

/** Yields the lines of a file with their numbers, from 1. Empty lines are skipped. */
export async function* linesOf(file: CaptureFile): AsyncGenerator<{ readonly text: string; readonly line: number }> {
  // An error of the stream does not end the iteration over its lines by itself.
  const failure = new Promise<never>((_, reject) => file.content.once('error', reject));
  failure.catch(() => undefined);
  const lines = createInterface({ input: file.content, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  try {
    for (let line = 1; ; line += 1) {
      const next = await Promise.race([lines.next(), failure]);
      if (next.done === true) return;
      if (next.value !== '') yield { text: next.value, line };
    }
  } finally {
    // The caller may have stopped before the end of the file.
    file.content.destroy();
  }
}

function asCaptureError(name: string, error: unknown): CaptureError {
  if (error instanceof CaptureError) return error;
  const problem = error instanceof Error ? error.message : String(error);
  return new CaptureError(name, null, `cannot be read: ${problem}`, { cause: error });
}
