import { text as readText } from 'node:stream/consumers';
import { firstIssue, type z } from '@l4desk/protocol';
import { CaptureError } from './capture-error.ts';
import { type CaptureFile, type CaptureStream, linesOf, readCaptureFiles, STREAMS } from './capture-files.ts';
import {
  millisOf,
  type NodeDiff,
  type NodeSnapshot,
  type NodeStatus,
  nodeBlock,
  nodeDiff,
  nodeFill,
  nodeSnapshot,
  nodeStatus,
} from './node-data.ts';

/** Where a line of a capture was read, for errors that are found later. */
interface Origin {
  readonly file: string;
  readonly line: number;
}

/** One block of a capture, joined from the lines of all files with its number. */
export interface CaptureBlock {
  readonly height: number;
  readonly time: number;
  readonly diffs: readonly NodeDiff[];
  readonly statuses: readonly NodeStatus[];
  readonly fillCount: number;
  readonly diffsFrom: Origin;
}

/** A whole capture: the snapshot and the blocks after it. A node's capture has a block for every height. */
export interface Capture {
  readonly snapshot: NodeSnapshot;
  readonly snapshotFile: string;
  /** Time of the snapshot, ms. Absent if the files do not record it. */
  readonly time?: number;
  readonly blocks: readonly CaptureBlock[];
}

interface Line<E> {
  readonly time: number;
  readonly events: readonly E[];
  readonly origin: Origin;
}

interface Lines {
  readonly diffs: Map<number, Line<NodeDiff>>;
  readonly statuses: Map<number, Line<NodeStatus>>;
  readonly fills: Map<number, Line<unknown>>;
}

/** Reads a node's snapshot file and by-block files under `directory`. Throws CaptureError at the first problem. */
export async function readCapture(directory: string): Promise<Capture> {
  let snapshot: { readonly data: NodeSnapshot; readonly file: string } | null = null;
  const lines: Lines = { diffs: new Map(), statuses: new Map(), fills: new Map() };
  await readCaptureFiles(directory, async (file) => {
    switch (file.part) {
      case 'snapshot':
        if (snapshot !== null) throw new CaptureError(file.name, null, `is a second snapshot beside ${snapshot.file}`);
        snapshot = { data: await readSnapshot(file), file: file.name };
        return;
      case 'diffs':
        return readBlocks(file, nodeDiff, lines.diffs);
      case 'statuses':
        return readBlocks(file, nodeStatus, lines.statuses);
      case 'fills':
        return readBlocks(file, nodeFill, lines.fills);
    }
  });
  // Assigned inside the callback, which the compiler does not track.
  const found = snapshot as { readonly data: NodeSnapshot; readonly file: string } | null;
  if (found === null)
    throw new CaptureError(directory, null, 'holds no snapshot file (snapshot_<height>.json or .json.gz)');
  for (const part of ['diffs', 'statuses'] as const) {
    if (lines[part].size === 0) throw new CaptureError(directory, null, `holds no file of ${directoryOf(part)}`);
  }
  return { snapshot: found.data, snapshotFile: found.file, blocks: matchBlocks(found.data[0], lines, directory) };
}

async function readSnapshot(file: CaptureFile): Promise<NodeSnapshot> {
  const text = await readText(file.content);
  const value = parseJson(text, file.name, null);
  return check(nodeSnapshot, value, file.name, null);
}

async function readBlocks<E>(file: CaptureFile, event: z.ZodType<E>, into: Map<number, Line<E>>): Promise<void> {
  const schema = nodeBlock(event);
  for await (const { text, line } of linesOf(file)) {
    const block = check(schema, parseJson(text, file.name, line), file.name, line);
    const known = into.get(block.block_number);
    if (known !== undefined) {
      const { origin } = known;
      throw new CaptureError(
        file.name,
        line,
        `block ${block.block_number} was already given in ${origin.file}, line ${origin.line}`,
      );
    }
    const origin = { file: file.name, line };
    into.set(block.block_number, { time: millisOf(block.block_time), events: block.events, origin });
  }
}

/** Joins the lines of each block. Blocks up to the snapshot are dropped; every block after it must be present. */
function matchBlocks(snapshotHeight: number, lines: Lines, directory: string): readonly CaptureBlock[] {
  const heights = [...lines.diffs.keys()].filter((height) => height > snapshotHeight).sort((a, b) => a - b);
  for (const [height, { origin }] of lines.statuses) {
    if (height > snapshotHeight && !lines.diffs.has(height)) {
      throw new CaptureError(
        origin.file,
        origin.line,
        `block ${height} has statuses but no line of ${directoryOf('diffs')}`,
      );
    }
  }
  if (heights.length === 0)
    throw new CaptureError(directory, null, `holds no block after the snapshot's ${snapshotHeight}`);
  return heights.map((height, index) => {
    const diffs = lines.diffs.get(height) as Line<NodeDiff>;
    const { file, line } = diffs.origin;
    const expected = snapshotHeight + 1 + index;
    if (height !== expected) throw new CaptureError(file, line, `block ${expected} is missing before block ${height}`);
    const statuses = lines.statuses.get(height);
    if (statuses === undefined) {
      throw new CaptureError(file, line, `block ${height} has diffs but no line of ${directoryOf('statuses')}`);
    }
    return {
      height,
      time: diffs.time,
      diffs: diffs.events,
      statuses: statuses.events,
      fillCount: lines.fills.get(height)?.events.length ?? 0,
      diffsFrom: diffs.origin,
    };
  });
}

function directoryOf(part: CaptureStream): string {
  return Object.entries(STREAMS).find(([, stream]) => stream === part)?.[0] ?? part;
}

function parseJson(text: string, file: string, line: number | null): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CaptureError(file, line, isCutOff(text) ? 'the JSON is cut off' : 'is not JSON', { cause: error });
  }
}

/** Every text of a capture is one JSON object or array, so a text without the closing bracket is truncated. */
function isCutOff(text: string): boolean {
  const trimmed = text.trim();
  return /^[[{]/.test(trimmed) && !/[\]}]$/.test(trimmed);
}

function check<T>(schema: z.ZodType<T>, value: unknown, file: string, line: number | null): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path, problem } = firstIssue(result.error);
  throw new CaptureError(file, line, `${path === '' ? 'the value' : path}: ${problem}`);
}
