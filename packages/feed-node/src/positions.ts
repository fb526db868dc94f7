import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from '@l4desk/protocol';
import type { FilePosition } from './file-tail.ts';

const place = z.object({
  file: z.object({ day: z.string().regex(/^\d{8}$/), hour: z.int().min(0).max(23) }),
  offset: z.int().nonnegative(),
  mark: z.string(),
});

/** How far a node's files were read: the last block, and the position to continue from in each stream. */
export interface NodePositions {
  readonly files: 'by_block' | 'streaming';
  readonly height: number;
  readonly diffs: FilePosition;
  readonly statuses: FilePosition;
  readonly fills: FilePosition | null;
}

const nodePositions: z.ZodType<NodePositions> = z.object({
  files: z.enum(['by_block', 'streaming']),
  height: z.int().nonnegative(),
  diffs: place,
  statuses: place,
  fills: place.nullable(),
});

/** Reads the saved positions. Resolves with null if there are none, and with `damaged` if the file is invalid or unreadable. */
export async function readPositions(path: string): Promise<NodePositions | null | 'damaged'> {
  try {
    return nodePositions.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? null : 'damaged';
  }
}

/** Replaces the saved positions atomically. */
export async function writePositions(path: string, places: NodePositions): Promise<void> {
  const next = `${path}.next`;
  await writeFile(next, JSON.stringify(places));
  await rename(next, path);
}
