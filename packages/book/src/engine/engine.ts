import type { BookChange, DecimalString, L4Order, Side } from '@l4desk/protocol';
import type { Finding } from '../finding.ts';
import type { LadderWindow } from '../ladder-window.ts';
import type {
  BestLevel,
  FillQuery,
  LadderRow,
  OrderCursor,
  OrderKey,
  QueuedOrder,
  QueuePlace,
  QueueQuery,
  RowsQuery,
} from '../types.ts';
import type { DetailFields, Details } from './details.ts';

/**
 * Returned by an engine if a number leaves the range in which it is exact: nothing was changed, and another engine must take
 * over.
 */
export const OUT_OF_RANGE = Symbol('out of range');

/**
 * Called with the index of each change of a block before the change; twice for the change at which another engine takes over.
 */
export type ChangeListener = (index: number) => void;

/**
 * Holds a book's orders. There are two engines: `FastEngine` (struct of arrays, integers in doubles) and `ExactEngine` (plain
 * objects, bigint). One contract suite runs on both, and they return identical results.
 */
export interface Engine {
  readonly orderCount: number;
  orderCountOf(side: Side): number;
  levelCount(side: Side): number;
  total(side: Side): DecimalString;

  /** Adds an order behind all others, in the order of a snapshot: never at a better price than the one before. */
  append(side: Side, order: L4Order): Finding | typeof OUT_OF_RANGE | undefined;
  /** Applies changes from index `from` on. Returns the index of the one that is out of range, or the number of changes. */
  apply(
    changes: readonly BookChange[],
    from: number,
    details: Details,
    findings: Finding[],
    onBefore?: ChangeListener,
  ): number;
  crossed(): Finding | undefined;
  /** Sets the fields of an order besides owner, price and size, if it rests. */
  describe(oid: number, detail: DetailFields): void;

  sideOf(oid: number): Side | undefined;
  order(oid: number): L4Order | undefined;
  place(oid: number): QueuePlace | undefined;
  /** The oid directly behind an order in its queue. */
  behind(oid: number): number | undefined;
  best(side: Side): BestLevel | undefined;
  rows(side: Side, query: RowsQuery): readonly LadderRow[];
  fill(window: LadderWindow, side: Side, query: FillQuery): void;
  queue(side: Side, px: DecimalString, query: QueueQuery): readonly QueuedOrder[];

  /** An independent engine of the same kind with the same orders. */
  copy(): Engine;

  /** Orders of a side from the best price, in queue order. */
  orders(side: Side): Generator<L4Order, void, undefined>;
  /** The same, with only the fields that a comparison needs. */
  keys(side: Side): Generator<OrderKey, void, undefined>;
  /** The same in whole units, read in place. */
  cursor(side: Side): OrderCursor;
  /** Pieces of JSON in ASCII: the orders of a side, comma separated, without brackets. */
  sideJson(side: Side): Generator<Uint8Array, void, undefined>;
  checksum(): string;
  /** The rolling checksum of SPEC.md, updated with every change. */
  rollingChecksum(): string;
}
