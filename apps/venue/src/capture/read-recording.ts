import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import type { Address, BookChange, BookLevels, L4Order, RawBookDiff } from '@l4desk/protocol';
import {
  openRecording,
  type RecordedBlock,
  RecordingError,
  type RecordingEvent,
  type RecordingReader,
} from '@l4desk/recording/format';
import { CaptureError } from './capture-error.ts';
import type { NodeDiff, NodeSnapshot, NodeStatus } from './node-data.ts';
import type { Capture, CaptureBlock } from './read-capture.ts';

/** A stretch of blocks without a gap, starting from a complete book. */
interface Run {
  readonly height: number;
  readonly time: number;
  readonly levels: BookLevels;
  readonly blocks: RecordedBlock[];
}

/** Stands in for the owner of an order if the recording does not name one. */
const NOBODY: Address = `0x${'0'.repeat(40)}`;

/** Reads a whole .l4rec recording: one capture for each stretch between gaps. Throws CaptureError. */
export async function readRecording(path: string): Promise<readonly Capture[]> {
  try {
    const bytes = await readFile(path);
    const source = {
      size: bytes.length,
      read: (offset: number, length: number) => bytes.subarray(offset, offset + length),
    };
    const recording = await openRecording(source, inflateRawSync);
    const runs = await runsOf(recording);
    if (runs.length === 0) throw new CaptureError(path, null, 'holds no book');
    return runs.map((run) => captureOf(run, recording.header.coin, path));
  } catch (error) {
    if (error instanceof CaptureError) throw error;
    const problem = error instanceof RecordingError ? error.message : `cannot be read: ${String(error)}`;
    throw new CaptureError(path, null, problem, { cause: error });
  }
}

async function runsOf(recording: RecordingReader): Promise<readonly Run[]> {
  const runs: Run[] = [];
  let run: Run | undefined;
  for await (const event of recording.events()) {
    run = next(event, run);
    if (run !== undefined && runs.at(-1) !== run) runs.push(run);
  }
  return runs;
}

/** The run that an event belongs to. A keyframe inside a run adds no information. */
function next(event: RecordingEvent, run: Run | undefined): Run | undefined {
  if (event.kind === 'gap') return undefined;
  if (event.kind === 'block') {
    run?.blocks.push(event.block);
    return run;
  }
  const { height, time, levels } = event.keyframe;
  return run ?? { height, time, levels, blocks: [] };
}

function captureOf({ height, time, levels, blocks }: Run, coin: string, path: string): Capture {
  const sideOf = (orders: readonly L4Order[]) => {
    return orders.map((order): [Address, NodeOrder] => [order.user ?? NOBODY, nodeOrderOf(order)]);
  };
  const snapshot: NodeSnapshot = [height, [[coin, [sideOf(levels[0]), sideOf(levels[1])]]]];
  const origin = { file: path, line: 0 };
  return {
    snapshot,
    snapshotFile: path,
    time,
    blocks: blocks.map((block): CaptureBlock => {
      const statuses = block.statuses.filter((status) => status.order.coin === coin);
      return {
        height: block.height,
        time: block.time,
        diffs: block.changes.map((change) => diffOf(change, coin)),
        statuses: statuses.map(nodeStatusOf),
        fillCount: 0,
        diffsFrom: origin,
      };
    }),
  };
}

type NodeOrder = NodeStatus['order'];

/** The fields of an order that the order-level server passes on. */
function nodeOrderOf(order: L4Order): NodeOrder {
  const { coin, side, limitPx, sz, oid, timestamp } = order;
  const { triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif, cloid } = order;
  const detail = { triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif, cloid };
  return { coin, side, limitPx, sz, oid, timestamp, ...detail };
}

function nodeStatusOf({ time, user, status, order }: RecordedBlock['statuses'][number]): NodeStatus {
  return { time, user, status, order: nodeOrderOf(order) };
}

function diffOf(change: BookChange, coin: string): NodeDiff {
  const { user, oid, side, px } = change;
  return { user, oid, coin, side, px, raw_book_diff: rawOf(change) };
}

function rawOf(change: BookChange): RawBookDiff {
  switch (change.kind) {
    case 'insert': {
      const { sz, insertBefore } = change;
      return { new: insertBefore === null ? { sz } : { sz, insertBefore } };
    }
    case 'resize':
      return { update: { origSz: change.origSz, newSz: change.newSz } };
    case 'remove':
      return 'remove';
  }
}
