import type { Address, BookDiff, BookLevels, OrderStatus, Side } from '@l4desk/protocol';

/** A coin as `meta` lists it. */
export interface ListedCoin {
  readonly name: string;
  readonly szDecimals: number;
  readonly maxLeverage: number;
  readonly marginTableId: number;
}

/** One execution: the order that came and the resting one it met, at whose price. */
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

/** What one block did to one coin, on the wire. A source always knows the side of a diff; the feed may leave it out. */
export interface CoinBlock {
  readonly statuses: readonly OrderStatus[];
  readonly diffs: readonly BookDiff[];
  /** Left out by a source that does not know them. */
  readonly fills?: readonly WireFill[];
}

export interface SourceBlock {
  readonly height: number;
  /** ms since the Unix epoch. */
  readonly time: number;
  /** What happened to the coin, or null when nothing did. */
  coin(name: string): CoinBlock | null;
}

/** How much happened so far. */
export interface SourceCounts {
  readonly blocks: number;
  readonly diffs: number;
  readonly statuses: number;
  readonly fills: number;
}

/** Orders and levels of a coin's book. */
export interface BookSize {
  readonly bids: number;
  readonly asks: number;
  readonly levels: number;
}

/** Where blocks come from: the simulated market or a recorded capture. The book it gives always includes its last block. */
export interface BlockSource {
  readonly kind: 'simulation' | 'capture';
  readonly coins: readonly ListedCoin[];
  readonly height: number;
  readonly time: number;
  readonly counts: SourceCounts;
  /** ms until the next block at pace 1, or null when there is none: the last state is held. */
  readonly nextDelay: number | null;
  /** Makes the next block, or null when there is none. */
  advance(): SourceBlock | null;
  /** The whole book of a coin, each side from the best price outward and in queue order; null for a coin that is not listed. */
  book(coin: string): BookLevels | null;
  size(coin: string): BookSize | null;
}
