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

/** A stretch whose blocks are missing: the book was rebuilt from a snapshot. */
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
  /** The book at a kept place. Do not change it; it stays there until another place is requested. */
  bookAt(place: number): L4Book;
}

/**
 * The kept place of a height: in the newest stretch that spans the height, the last place at or before it; if no stretch
 * does, the end of the newest stretch that begins before it, or the first place if all begin later. -1 if nothing is kept.
 */
export function placeAtHeight(line: TimeLine, height: number): number {
  return placeAtValue(line, height, (mark) => mark.height);
}

/** The same by a block's time, in ms. */
export function placeAtTime(line: TimeLine, time: number): number {
  return placeAtValue(line, time, (mark) => mark.time);
}

/** The newest kept place with this height, sequence and epoch; undefined if there is none. */
export function placeOfMark(line: TimeLine, wanted: Omit<BlockMark, 'time'>): number | undefined {
  const { height, seq, epoch } = wanted;
  for (const { first, last } of stretchesOf(line)) {
    const isOther = line.markAt(first).epoch !== epoch || line.markAt(last).seq < seq || line.markAt(first).seq > seq;
    if (isOther) continue;
    const place = lastWithin(first, last, (at) => line.markAt(at).seq <= seq);
    const mark = line.markAt(place);
    if (mark.seq === seq && mark.height === height) return place;
  }
  return undefined;
}

interface Places {
  readonly first: number;
  readonly last: number;
}

/** The stretches between gaps, newest first. Only within one of them do heights and times grow with the places. */
function* stretchesOf(line: TimeLine): Generator<Places, void, undefined> {
  if (line.first < 0) return;
  let { last } = line;
  for (const { place } of line.gaps.toReversed()) {
    yield { first: place, last };
    last = place - 1;
  }
  yield { first: line.first, last };
}

function placeAtValue(line: TimeLine, wanted: number, valueOf: (mark: BlockMark) => number): number {
  let before: number | undefined;
  for (const { first, last } of stretchesOf(line)) {
    if (valueOf(line.markAt(first)) > wanted) continue;
    if (valueOf(line.markAt(last)) >= wanted)
      return lastWithin(first, last, (at) => valueOf(line.markAt(at)) <= wanted);
    before ??= last;
  }
  return before ?? line.first;
}

/** The last place for which `isBefore` holds, by binary search; `first` if it holds for none. */
function lastWithin(first: number, last: number, isBefore: (place: number) => boolean): number {
  let low = first;
  let high = last;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isBefore(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
