import type { L4Book } from '@l4desk/book';
import type { BookChange, ExecutedOrder, OrderStatus, Side } from '@l4desk/protocol';

/** A JSON object as received from upstream, already validated, including unknown fields. */
export type RawObject = Readonly<Record<string, unknown>>;

/** The changes of one block to one coin, as reported by the upstream. A side may be missing. */
export interface UpstreamBlock {
  readonly coin: string;
  readonly height: number;
  /** Block time, ms. */
  readonly time: number;
  readonly changes: readonly BookChange<Side | null>[];
  /** The wire form of each change, at the same index. */
  readonly diffs: readonly RawObject[];
  /** All statuses, or only those of orders in the changes if `hasOtherStatuses` is set. */
  readonly statuses: readonly OrderStatus[];
  /** The text of all statuses, without the brackets, if it can be passed on unchanged; else null. */
  readonly statusesText: string | null;
  /** Whether there are more statuses than were parsed: in `statusesText`, or dropped because they had no reader. */
  readonly hasOtherStatuses?: boolean;
  /** Known executions of the orders in the changes. */
  readonly executed?: readonly ExecutedOrder[];
}

/** One coin's part of a block, applied to its book: every change has its side. */
export interface SequencedEntry extends Omit<UpstreamBlock, 'height' | 'time' | 'changes'> {
  readonly seq: number;
  readonly prevSeq: number;
  readonly changes: readonly BookChange[];
}

/** One block as published: heights increase within an epoch, and each coin occurs at most once (L4-33). */
export interface SequencedBlock {
  readonly epoch: string;
  readonly height: number;
  readonly time: number;
  /** When the block's first message arrived, by the sequencer's clock. */
  readonly firstAt: number;
  readonly entries: readonly SequencedEntry[];
}

/** A live coin at one moment (SNAP-6). Reading it never interleaves with the next block: both run on one thread. */
export interface CoinView {
  readonly book: L4Book;
  readonly height: number;
  readonly time: number;
  readonly epoch: string;
  readonly seq: number;
}
