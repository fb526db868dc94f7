import type { Address, BookDiff, BookLevels, OrderStatus, Side } from '@l4desk/protocol';

/** A coin as `meta` lists it. */
export interface ListedCoin {
  readonly name: string;
  readonly szDecimals: number;
  readonly maxLeverage: number;
  readonly marginTableId: number;
}

/** One trade: the incoming order, the resting order it matched, and the price of the resting one. */
export interface WireFill {
  readonly coin: string;
  readonly px: string;
  readonly sz: string;
  /** ms since the Unix epoch. */
  readonly time: number;
  readonly tid: number;
  readonly taker: FillSide;
  readonly maker: FillSide;
}

interface FillSide {
  readonly user: Address;
  readonly oid: number;
  readonly side: Side;
}

/** The events of one coin in one block, in wire format. A source always sets the side of a diff; the feed may omit it. */
export interface CoinBlock {
  readonly statuses: readonly OrderStatus[];
  readonly diffs: readonly BookDiff[];
  /** Absent if the source does not know them. */
  readonly fills?: readonly WireFill[];
}

export interface SourceBlock {
  readonly height: number;
  /** ms since the Unix epoch. */
  readonly time: number;
  /** Number of blocks without events that are left out directly before it; none if absent. */
  readonly quiet?: number;
  /** The events of the coin, or null if there are none. */
  coin(name: string): CoinBlock | null;
}

/** Totals since the start. */
export interface SourceCounts {
  readonly blocks: number;
  readonly diffs: number;
  readonly statuses: number;
  readonly fills: number;
}

/** Number of orders and levels in a coin's book. */
export interface BookSize {
  readonly bids: number;
  readonly asks: number;
  readonly levels: number;
}

/** A source of blocks: the simulated market or a recorded capture. Its books always include its last block. */
export interface BlockSource {
  readonly kind: 'simulation' | 'capture';
  readonly coins: readonly ListedCoin[];
  readonly height: number;
  readonly time: number;
  readonly counts: SourceCounts;
  /** Time until the next block at pace 1, in ms; null if there is no next block: the last state is kept. */
  readonly nextDelay: number | null;
  /**
   * Makes the next block. Returns null if there is none. `isRealTime`: blocks are made at the source's own pace, so that simulated
   * block times can keep to the clock; by default they are made faster, or on request.
   */
  advance(isRealTime?: boolean): SourceBlock | null;
  /** The whole book of a coin, each side best price first and in queue order; null for a coin that is not listed. */
  book(coin: string): BookLevels | null;
  size(coin: string): BookSize | null;
}
