import type { NodeLine } from './node-line.ts';

/** The streams from which blocks of the book are joined. */
export type BookStream = 'diffs' | 'statuses';

/** One block of the chain, over all coins, with its lines of each stream. */
export interface NodeBlock {
  readonly height: number;
  readonly time: number;
  readonly diffs: readonly NodeLine[];
  readonly statuses: readonly NodeLine[];
}

/** Blocks that a stream skips, both bounds included. */
export interface MissingBlocks {
  readonly stream: BookStream;
  readonly from: number;
  readonly to: number;
}

export interface JoinerEvents {
  /** A block with all its lines; heights increase. */
  block(block: NodeBlock): void;
  /** Blocks that will not be complete, reported as soon as that is known. */
  missing(blocks: MissingBlocks): void;
  /** A row of diffs arrived after its block was reported. */
  late(line: NodeLine): void;
  /** The node leaves out blocks without events: from now on a missing block looks like a quiet one. */
  leavesOutQuiet(): void;
}

/** Joins the lines of two streams into blocks. The caller passes time in, in ms. */
export interface LineJoiner {
  /** The last block; null before the first. */
  readonly height: number | null;
  /** Whether there is room for more lines of a stream; it must not run far ahead of the other. */
  hasRoom(stream: BookStream): boolean;
  push(stream: BookStream, line: NodeLine, now: number): void;
  /** A line without events was read, in any stream. */
  sawQuiet(): void;
  /** Whether the node is known to leave out blocks without events; a missing number then means nothing. */
  readonly leavesOutQuiet: boolean;
  /** The fills of blocks up to this one were read. */
  sawFills(height: number, now: number): void;
  /** Statuses of blocks that the file of diffs has not reached. */
  statusesAhead(): readonly NodeLine[];
  /** Lines of a stream may have been lost here. */
  damaged(stream: BookStream): void;
  /** `settle` reports the blocks that are complete by now; `settleAt` returns when to call it again if no line arrives. */
  settle(now: number): void;
  settleAt(): number | null;
}
