import type { L4Book } from '@l4desk/book';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import type { FlowEvent } from '../flow/flow-event.ts';

/** Where a book is: after which block of the stream. */
export interface BlockMark {
  readonly height: number;
  /** The block's own time, in ms. */
  readonly time: number;
  readonly epoch: string;
  readonly seq: number;
}

/** One kept block; `mark` is where the book is after it. */
export interface HistoryBlock {
  readonly mark: BlockMark;
  /** Number of changes. */
  readonly count: number;
  /** Its changes, possibly decoded on each call: keep the result if you need it more than once. */
  events(): readonly FlowEvent[];
  /**
   * False if one of these values (oid, owner, level, cloid) occurs in no change. Takes far less time than reading the changes.
   */
  mayHave(...values: readonly (number | string)[]): boolean;
}

/** A stretch whose blocks are missing: the book was rebuilt from a snapshot (INS-32). */
export interface TimeGap {
  /** The place at which the rebuilt book begins. */
  readonly place: number;
  /** The last block before the gap, and the block of the snapshot. */
  readonly from: BlockMark;
  readonly to: BlockMark;
  readonly reason: string;
  /** What differs after it; how that came about is unknown. */
  readonly orders: readonly OrderDifference[];
}

/** An order that differs between two moments; a size is null where the order does not rest. */
export interface OrderDifference {
  readonly oid: number;
  readonly user: Address | null;
  readonly side: Side;
  readonly px: DecimalString;
  readonly from: DecimalString | null;
  readonly to: DecimalString | null;
}

/**
 * A stretch of a book's history that can be travelled: the last minutes in memory, or a recording. A place is one state of the
 * book: a whole number that grows by one with each block and each gap, and is never reused.
 */
export interface TimeLine {
  readonly coin: string;
  /** The oldest and the newest kept place; both -1 if there is none. */
  readonly first: number;
  readonly last: number;
  /** Gaps between the places, oldest first. */
  readonly gaps: readonly TimeGap[];
  /** Where the book is at a kept place. Throws RangeError for any other place. */
  markAt(place: number): BlockMark;
  /** The block that led to a kept place; undefined at the first place of a stretch, whose origin is unknown. */
  blockAt(place: number): HistoryBlock | undefined;
  /** The book at a kept place (INS-31). Do not change it; it stays there until another place is requested. */
  bookAt(place: number): L4Book;
}

/** The last kept place at or before a height, or the first one if all are later; -1 if nothing is kept. */
export function placeAtHeight(line: TimeLine, height: number): number {
  return lastPlace(line, (mark) => mark.height <= height);
}

/** The same by a block's time, in ms. */
export function placeAtTime(line: TimeLine, time: number): number {
  return lastPlace(line, (mark) => mark.time <= time);
}

/** Heights and times grow with places, within an epoch and across epochs. */
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
