import type { BookChange, DecimalString, L4Order, Side } from '@l4desk/protocol';
import type { Finding } from '../finding.ts';
import type { LadderWindow } from '../ladder-window.ts';
import type {
  BestLevel,
  LadderRow,
  OrderCursor,
  OrderKey,
  QueuedOrder,
  QueuePlace,
  QueueQuery,
  RowsQuery,
} from '../types.ts';
import type { DetailFields, Details } from './details.ts';

/** What an engine returns when a number leaves the range in which it is exact: nothing was changed, another engine must take over. */
export const OUT_OF_RANGE = Symbol('out of range');

/** Called before each change of a block with its index; twice where another engine takes over at it. */
export type ChangeListener = (index: number) => void;

/**
 * What holds a book's orders. There are two: `FastEngine` (struct of arrays, whole numbers in doubles) and `ExactEngine`
 * (plain objects, bigint). One contract suite runs on both, and they return the same, to the letter.
 */
export interface Engine {
  readonly orderCount: number;
  orderCountOf(side: Side): number;
  levelCount(side: Side): number;
  total(side: Side): DecimalString;

  /** Puts an order behind all others, as a snapshot lists them: never at a better price than the one before. */
  append(side: Side, order: L4Order): Finding | typeof OUT_OF_RANGE | undefined;
  /** Applies changes from index `from` on, and returns the index of the one that is out of range, or their number. */
  apply(
    changes: readonly BookChange[],
    from: number,
    details: Details,
    findings: Finding[],
    onBefore?: ChangeListener,
  ): number;
  crossed(): Finding | undefined;
  /** Enters what an order is besides owner, price and size, if it rests. */
  describe(oid: number, detail: DetailFields): void;

  sideOf(oid: number): Side | undefined;
  order(oid: number): L4Order | undefined;
  place(oid: number): QueuePlace | undefined;
  /** The oid directly behind an order in its queue. */
  behind(oid: number): number | undefined;
  best(side: Side): BestLevel | undefined;
  rows(side: Side, query: RowsQuery): readonly LadderRow[];
  fill(window: LadderWindow, side: Side, query: Omit<RowsQuery, 'limit'>): void;
  queue(side: Side, px: DecimalString, query: QueueQuery): readonly QueuedOrder[];

  /** Orders of a side from the best price, in queue order. */
  orders(side: Side): Generator<L4Order, void, undefined>;
  /** The same, with only what a comparison needs. */
  keys(side: Side): Generator<OrderKey, void, undefined>;
  /** The same in whole units, in place. */
  cursor(side: Side): OrderCursor;
  /** Pieces of JSON in ASCII: the orders of a side, comma separated, without brackets. */
  sideJson(side: Side): Generator<Uint8Array, void, undefined>;
  checksum(): string;
  /** The other one of SPEC.md, which follows every change. */
  rollingChecksum(): string;
}
