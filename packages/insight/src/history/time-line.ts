import type { L4Book } from '@l4desk/book';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import type { FlowEvent } from '../flow/flow-event.ts';

/** Where a book stands: after which block of the stream. */
export interface BlockMark {
  readonly height: number;
  /** The block's own time, in ms. */
  readonly time: number;
  readonly epoch: string;
  readonly seq: number;
}

/** One kept block: the book stands at `mark` after it. */
export interface HistoryBlock {
  readonly mark: BlockMark;
  /** How many changes it has. */
  readonly count: number;
  /** Its changes, read anew at each call: whoever needs them more than once keeps them. */
  events(): readonly FlowEvent[];
  /** False where no change has this oid, or one of these texts (owner, level, cloid); looked up in far less time than the changes are read. */
  mayHave(...values: readonly (number | string)[]): boolean;
}

/** A stretch of which the blocks are missing: the book was rebuilt from a snapshot (INS-32). */
export interface TimeGap {
  /** The place at which the rebuilt book begins. */
  readonly place: number;
  /** The last block before, and the block of the snapshot. */
  readonly from: BlockMark;
  readonly to: BlockMark;
  readonly reason: string;
  /** What is different behind it: nothing says how it came about. */
  readonly orders: readonly OrderDifference[];
}

/** An order that two moments show differently; null where it does not rest. */
export interface OrderDifference {
  readonly oid: number;
  readonly user: Address | null;
  readonly side: Side;
  readonly px: DecimalString;
  readonly from: DecimalString | null;
  readonly to: DecimalString | null;
}

/**
 * A stretch of a book's life that can be travelled: the last minutes in memory, or a recording. A place is a state of the
 * book; it is a whole number that grows by one with each block and each gap, and is never given to another state.
 */
export interface TimeLine {
  readonly coin: string;
  /** The oldest and the newest place that is kept; both -1 while there is none. */
  readonly first: number;
  readonly last: number;
  /** Gaps between the places, oldest first. */
  readonly gaps: readonly TimeGap[];
  /** Where the book stands at a kept place. Throws RangeError for any other. */
  markAt(place: number): BlockMark;
  /** The block that led to a kept place; undefined at the first place of a stretch, of which nothing says how it came. */
  blockAt(place: number): HistoryBlock | undefined;
  /** The book at a kept place (INS-31). It is not to be changed, and stands there until another place is asked for. */
  bookAt(place: number): L4Book;
}

/** The last kept place at or before a height; the first one when all are later. -1 while nothing is kept. */
export function placeAtHeight(line: TimeLine, height: number): number {
  return lastPlace(line, (mark) => mark.height <= height);
}

/** The same for a block's time, in ms. */
export function placeAtTime(line: TimeLine, time: number): number {
  return lastPlace(line, (mark) => mark.time <= time);
}

/** Heights grow with places, within an epoch and across: so do times. */
function lastPlace(line: TimeLine, isBefore: (mark: BlockMark) => boolean): number {
  let low = line.first;
  let high = line.last;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isBefore(line.markAt(middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}
