import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeFiles } from '@l4desk/protocol/upstream';

/** The three streams that concern a book. */
export type NodeStream = 'diffs' | 'statuses' | 'fills';

const FOLDERS = {
  diffs: 'node_raw_book_diffs',
  statuses: 'node_order_statuses',
  fills: 'node_fills',
} as const satisfies Record<NodeStream, string>;

/** The folder of a stream inside the node's data folder. */
export function folderOf(stream: NodeStream, files: NodeFiles): string {
  return `${FOLDERS[stream]}_${files}`;
}

/** The options of the node that make it write a stream, and a kind of files. */
const STREAM_OPTIONS = {
  diffs: '--write-raw-book-diffs',
  statuses: '--write-order-statuses',
  fills: '--write-fills',
} as const satisfies Record<NodeStream, string>;
const KIND_OPTIONS = {
  by_block: '--batch-by-block',
  streaming: '--stream-with-block-info --disable-output-file-buffering',
} as const satisfies Record<NodeFiles, string>;

/** The options of the node that write a stream in this kind of files. */
export function optionsFor(stream: NodeStream, files: NodeFiles): string {
  return `${STREAM_OPTIONS[stream]} ${KIND_OPTIONS[files]}`;
}

export async function hasFolder(dataDir: string, stream: NodeStream, files: NodeFiles): Promise<boolean> {
  return (await foldersIn(dataDir)).has(folderOf(stream, files));
}

/** Says that the folder of a stream is missing, and which options of the node write it. */
export function missingFolder(stream: NodeStream, files: NodeFiles): string {
  return `NODE_DATA_DIR holds no ${folderOf(stream, files)}: start the node with ${optionsFor(stream, files)}`;
}

const KINDS = ['by_block', 'streaming'] as const satisfies readonly NodeFiles[];

/** The kind of files in a data folder, or why it cannot be determined. */
type FoundFiles =
  | { readonly kind: 'found'; readonly files: NodeFiles }
  | { readonly kind: 'not-found'; readonly problem: string };

/** Looks for the folders of diffs and statuses. If both kinds are there, the one that was written to last counts (NODE-1). */
export async function findFiles(dataDir: string): Promise<FoundFiles> {
  // A single listing, so that folders that appear together are seen together.
  const folders = await foldersIn(dataDir);
  const withDiffs = KINDS.filter((files) => folders.has(folderOf('diffs', files)));
  const whole = withDiffs.filter((files) => folders.has(folderOf('statuses', files)));
  const [first, second] = whole;
  if (first !== undefined && second === undefined) return { kind: 'found', files: first };
  if (first !== undefined && second !== undefined) {
    const [one, other] = await Promise.all([writtenAt(dataDir, first), writtenAt(dataDir, second)]);
    return { kind: 'found', files: other > one ? second : first };
  }
  const [only] = withDiffs;
  if (only !== undefined) return { kind: 'not-found', problem: missingFolder('statuses', only) };
  const names = `${folderOf('diffs', 'by_block')} or ${folderOf('diffs', 'streaming')}`;
  const code = await unreadable(dataDir);
  const options = optionsFor('diffs', 'by_block');
  const problem =
    code === null
      ? `NODE_DATA_DIR holds no ${names}: start the node with ${options}`
      : `NODE_DATA_DIR cannot be read (${code}): set it to the folder in which a node with ${options} writes ${names}`;
  return { kind: 'not-found', problem };
}

/** The code of the error with which a folder cannot be read; null if it can. */
async function unreadable(path: string): Promise<string | null> {
  try {
    await readdir(path);
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  }
}

/** When the newest file of diffs was last written, in ms; 0 if there is none that can be read. */
async function writtenAt(dataDir: string, files: NodeFiles): Promise<number> {
  const root = join(dataDir, folderOf('diffs', files));
  try {
    const newest = await newestFile(root);
    return newest === null ? 0 : (await stat(join(root, pathOf(newest)))).mtimeMs;
  } catch {
    // The node removes old files at any time.
    return 0;
  }
}

/** The names of the folders in a folder, including symbolic links; empty if it cannot be read. */
async function foldersIn(path: string): Promise<ReadonlySet<string>> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return new Set(entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name));
  } catch {
    return new Set();
  }
}

/** One file of a stream, with the events of one hour. */
export interface HourFile {
  /** `yyyymmdd`. */
  readonly day: string;
  /** From 0 to 23. */
  readonly hour: number;
}

/** The path of a file inside its stream's folder. */
export function pathOf({ day, hour }: HourFile): string {
  return join('hourly', day, String(hour));
}

/** The newest file of a stream; null while there is none. */
export async function newestFile(root: string): Promise<HourFile | null> {
  for (const day of (await daysOf(root)).toReversed()) {
    const hour = (await hoursOf(root, day)).at(-1);
    if (hour !== undefined) return { day, hour };
  }
  return null;
}

/** The first file of a stream after another one; null while there is none. */
export async function fileAfter(root: string, last: HourFile): Promise<HourFile | null> {
  for (const day of await daysOf(root)) {
    if (day < last.day) continue;
    const hour = (await hoursOf(root, day)).find((each) => day > last.day || each > last.hour);
    if (hour !== undefined) return { day, hour };
  }
  return null;
}

async function daysOf(root: string): Promise<readonly string[]> {
  const names = await namesIn(join(root, 'hourly'));
  return names.filter((name) => /^\d{8}$/.test(name)).sort();
}

async function hoursOf(root: string, day: string): Promise<readonly number[]> {
  const names = await namesIn(join(root, 'hourly', day));
  return names
    .filter((name) => /^\d{1,2}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/** The names in a folder; empty if it does not exist. */
async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
