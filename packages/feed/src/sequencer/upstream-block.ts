import type { BookChange, ExecutedOrder, OrderStatus, Side } from '@l4desk/protocol';

/** A JSON object as it came from upstream, already checked; fields we do not know included. */
export type RawObject = Readonly<Record<string, unknown>>;

/** What one block did to one coin, as reported upstream. A side may be missing. */
export interface UpstreamBlock {
  readonly coin: string;
  readonly height: number;
  /** Block time, ms. */
  readonly time: number;
  readonly changes: readonly BookChange<Side | null>[];
  /** The wire form of each change, place by place. */
  readonly diffs: readonly RawObject[];
  /** All statuses, or where `hasOtherStatuses` says so those of orders in the changes. */
  readonly statuses: readonly OrderStatus[];
  /** The text of all statuses between the brackets, where it can be passed on as it is. */
  readonly statusesText: string | null;
  /** Whether there are more statuses than were parsed: in the text, or dropped because nobody read them. */
  readonly hasOtherStatuses?: boolean;
  /** Orders of the changes that are known to have been executed (NODE-12). */
  readonly executed?: readonly ExecutedOrder[];
}

/** One coin's part of a block that was applied to its book. */
export interface SequencedEntry {
  readonly coin: string;
  readonly seq: number;
  readonly prevSeq: number;
  readonly changes: readonly BookChange[];
  readonly diffs: readonly RawObject[];
  readonly statuses: readonly OrderStatus[];
  readonly statusesText: string | null;
  readonly hasOtherStatuses?: boolean;
  readonly executed?: readonly ExecutedOrder[];
}

/** One block in the order the service publishes: rising height within an epoch, a coin at most once (L4-33). */
export interface SequencedBlock {
  readonly epoch: string;
  readonly height: number;
  readonly time: number;
  /** When its first message arrived, by the sequencer's clock. */
  readonly firstAt: number;
  readonly entries: readonly SequencedEntry[];
}

/** The statuses whose order a block's diffs touch: what `"statuses":"book"` asks for (L4-31), and all that a book needs. */
export function bookStatuses({
  changes,
  statuses,
}: Pick<UpstreamBlock, 'changes' | 'statuses'>): readonly OrderStatus[] {
  if (changes.length === 0 || statuses.length === 0) return [];
  const oids = new Set(changes.map((change) => change.oid));
  return statuses.filter((status) => oids.has(status.order.oid));
}
