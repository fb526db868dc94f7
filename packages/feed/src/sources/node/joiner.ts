import type { FilePlace } from './file-tail.ts';
import type { NodeLine } from './node-line.ts';

/** The streams that make a block of the book. */
export type BookStream = 'diffs' | 'statuses';

/** One block of the chain, all coins together, with its lines of each stream. */
export interface NodeBlock {
  readonly height: number;
  readonly time: number;
  readonly diffs: readonly NodeLine[];
  readonly statuses: readonly NodeLine[];
  /** From where the next block is to be read, in each stream; null where nothing was read. */
  readonly behind: Readonly<Record<BookStream, FilePlace | null>>;
}

/** Blocks that a stream skips, both bounds included. */
export interface MissingBlocks {
  readonly stream: BookStream;
  readonly from: number;
  readonly to: number;
}

/** What a joiner reports. */
export interface JoinerEvents {
  /** A block of which every line is there, in rising height. */
  block(block: NodeBlock): void;
  /** Blocks that will not come complete, reported as soon as that is known. */
  missing(blocks: MissingBlocks): void;
  /** A row of diffs came after its block was reported. */
  late(line: NodeLine): void;
  /** The node leaves out blocks without events: from now on a missing one looks like a quiet one. */
  leavesOutQuiet(): void;
}

/** Joins the lines of two streams into blocks. Time is passed in, in ms. */
export interface LineJoiner {
  /** The last block; null before the first. */
  readonly height: number | null;
  /** Whether there is room for more lines of a stream: it may not run far ahead of the other. */
  hasRoom(stream: BookStream): boolean;
  push(stream: BookStream, line: NodeLine, now: number): void;
  /** A line without events was read in any stream. */
  sawQuiet(): void;
  /** Whether the node is known to leave out blocks without events: then a missing number means nothing. */
  readonly leavesOutQuiet: boolean;
  /** The fills of blocks up to this one were read. */
  sawFills(height: number, now: number): void;
  /** Lines of a stream may have been lost here. */
  damaged(stream: BookStream): void;
  /** Reports what is complete by now, and when to ask again if no line comes. */
  settle(now: number): void;
  settleAt(): number | null;
}
