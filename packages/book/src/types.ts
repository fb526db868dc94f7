import type { Address, DecimalString, L4Order, Side } from '@l4desk/protocol';

/** The best price of a side, as its front order prints it, with the exact total size and the number of orders there. */
export interface BestLevel {
  readonly px: DecimalString;
  readonly sz: DecimalString;
  readonly count: number;
}

/** One row of the ladder: a price level, or all levels of one bucket if grouped. All amounts are exact. */
export interface LadderRow {
  /** The level's price as printed, or the bucket's price with the tick's decimals: bids round down, asks up. */
  readonly px: DecimalString;
  readonly sz: DecimalString;
  /** Size of this row and of all better rows. */
  readonly cumSz: DecimalString;
  /** Sum of price times size over the row's own orders. */
  readonly notional: DecimalString;
  /** Orders in the row. */
  readonly count: number;
  /** Price levels in the row. */
  readonly levels: number;
}

export interface RowsQuery {
  /** Bucket width: a decimal above zero (RangeError otherwise). If omitted: one row per price level. */
  readonly tick?: DecimalString;
  /** Maximum number of rows returned. */
  readonly limit: number;
  /** Skip rows better than the one that holds this price; cumulative sizes still include them. */
  readonly from?: DecimalString;
}

/** The same for a window, which is filled with at most its own number of rows. */
export type FillQuery = Partial<RowsQuery>;

/** Where an order is among the orders of its price. */
export interface QueuePlace {
  readonly side: Side;
  readonly px: DecimalString;
  readonly ordersAhead: number;
  readonly szAhead: DecimalString;
  readonly levelCount: number;
  readonly levelSz: DecimalString;
}

/** An order of a row with its place in that row, 0 for the front, and the size ahead of it in that row. */
export interface QueuedOrder {
  readonly place: number;
  readonly szAhead: DecimalString;
  readonly order: L4Order;
}

export interface QueueQuery {
  /** The row's bucket width; if omitted, the level itself. Orders come level by level from the best price outward. */
  readonly tick?: DecimalString;
  /** Orders to skip from the front (default: 0). */
  readonly offset?: number;
  /** Maximum number of orders returned (default: all). */
  readonly limit?: number;
}

/** The fields that distinguish an order of one book from that of another. Owner is null if a snapshot names none. */
export interface OrderKey {
  readonly oid: number;
  readonly user: string | null;
  readonly px: DecimalString;
  readonly sz: DecimalString;
}

/**
 * An amount in whole units: a safe integer while the book fits the fast engine, otherwise a bigint. While the sizes of a book
 * are numbers, every sum of sizes of one side is a safe integer too; products are not, and need bigint.
 */
export type Units = number | bigint;

/**
 * Reads one side of a book level by level from the best price, each from the front of its queue, without an object or a string
 * per order. It starts before the best level and is at one order at a time; the fields of a level or an order are
 * valid until it moves on. Prices are whole multiples of `10^-pxScale`, sizes of `10^-szScale`, the same for both sides. The
 * book must not change meanwhile.
 */
export interface OrderCursor {
  readonly pxScale: number;
  readonly szScale: number;
  /** Moves to the next level, before its first order. Returns false past the worst level. */
  nextLevel(): boolean;
  /**
   * Moves to the level at this price; returns false without moving if there is none. `nextLevel` continues from where it was.
   */
  toLevel(px: Units): boolean;
  readonly px: Units;
  /** Size of the level's orders. */
  readonly levelSz: Units;
  /** Orders of the level. */
  readonly levelOrders: number;
  /** Moves to the next order of the level. Returns false past the last one. */
  nextOrder(): boolean;
  readonly oid: number;
  /** As received, in any letter case; null if a snapshot names no owner. */
  readonly user: Address | null;
  /**
   * Number of this spelling of an owner while an order of it rests; may be reused for another owner later. -1 without an owner.
   */
  readonly ownerNumber: number;
  readonly sz: Units;
  /** Placement time in ms; the time of its block while the statuses of the block are pending (see `L4Book.settle`). */
  readonly timestamp: number;
  /** Price and size as the order prints them (BOOK-18). */
  readonly pxText: DecimalString;
  readonly szText: DecimalString;
}
