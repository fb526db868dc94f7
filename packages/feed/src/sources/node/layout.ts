import { readdir } from 'node:fs/promises';
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

/** The kind of files in a data folder, or why it cannot be determined. */
export type FoundFiles =
  | { readonly kind: 'found'; readonly files: NodeFiles }
  | { readonly kind: 'not-found'; readonly problem: string };

/** Looks for the folder of book diffs; `wanted` decides if both kinds exist (NODE-1). */
export async function findFiles(dataDir: string, wanted: NodeFiles | null): Promise<FoundFiles> {
  const kinds: readonly NodeFiles[] = wanted === null ? ['by_block', 'streaming'] : [wanted];
  // A single listing, so that folders that appear together are seen together.
  const folders = await foldersIn(dataDir);
  const found = kinds.filter((files) => folders.has(folderOf('diffs', files)));
  const [only] = found;
  if (found.length > 1)
    return { kind: 'not-found', problem: 'NODE_DATA_DIR holds files by block and streaming ones: set NODE_FILES' };
  if (only !== undefined) return { kind: 'found', files: only };
  const names = kinds.map((files) => folderOf('diffs', files)).join(' or ');
  return { kind: 'not-found', problem: `NODE_DATA_DIR holds no ${names}` };
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
