import type { Difference, FlowEvent, FlowKind, FlowSum, FlowSums, OrderLife, Print } from '@l4desk/insight';

import type { DecimalString, Side } from '@l4desk/protocol';
import type { LevelRef } from '../position.ts';

export type { FlowKind, FlowSum, LifeEvent, OrderLife, Print } from '@l4desk/insight';

/** Where to travel in the kept minutes. */
export type TravelTo =
  /** This many blocks from the shown one; past the newest one means live again. */
  | { readonly kind: 'step'; readonly blocks: number }
  /** The last block at or before a height, or a block's time in ms. */
  | { readonly kind: 'height'; readonly height: number }
  | { readonly kind: 'time'; readonly time: number };

/** A kept or recorded block as the time strip names it. */
export interface KeptBlock {
  readonly height: number;
  readonly time: number;
}

export interface KeptGap {
  /** Unique among the gaps that are listed together: heights need not be. */
  readonly id: number;
  readonly from: KeptBlock;
  readonly to: KeptBlock;
  readonly reason: string;
}

export interface TimeParams {
  readonly bars: number;
}

export interface TimeData {
  readonly first: KeptBlock | undefined;
  readonly last: KeptBlock | undefined;
  /** Number of changes in equal parts of the time from first to last. */
  readonly activity: readonly number[];
  readonly gaps: readonly KeptGap[];
  /** How much is kept, and the limits. */
  readonly blocks: number;
  readonly changes: number;
  readonly blocksMax: number;
  readonly changesMax: number;
}

export interface TapeParams {
  /** List prints instead of single changes: only those in which a change passes the filter, and of at least this size. */
  readonly prints?: boolean;
  readonly kinds: readonly FlowKind[];
  readonly side: Side | null;
  /** Only of this price row, of this wallet (in lower case), and of at least this size. */
  readonly level: LevelRef | null;
  readonly user: string | null;
  readonly leastSz: DecimalString | null;
  readonly limit: number;
}

/** One change with the block it was in; or a print, which has the oid of the first order that was taken from. */
export interface TapeRow
  extends Pick<FlowEvent, 'kind' | 'inferred' | 'reason' | 'oid' | 'user' | 'side' | 'px' | 'refill' | 'other'> {
  /** Place and index in its block: unique per row, which a height is not. */
  readonly id: string;
  readonly place: number;
  readonly height: number;
  readonly time: number;
  readonly sz: DecimalString;
  readonly print?: Print;
}

/** The changes or the prints of one block as one line. */
export interface BlockRow extends KeptBlock {
  readonly id: string;
  readonly place: number;
  readonly lines: number;
  /** What moved, by kind; of prints, how many orders the takers of each side took from, and how much. */
  readonly sums: Readonly<Partial<Record<FlowKind | Print['side'], FlowSum>>>;
}

export type ListedRow = TapeRow | BlockRow | { readonly id: string; readonly place: number; readonly gap: KeptGap };

export interface TapeData {
  /** The place of the newest searched block among the kept ones; -1 while nothing is kept. */
  readonly end: number;
  /** Newest first; gaps are rows of their own between the others. */
  readonly rows: readonly ListedRow[];
  /** The oldest block that was searched; undefined while nothing is kept. */
  readonly back: (KeptBlock & { readonly place: number }) | undefined;
  readonly isCut: boolean;
  /** Each row is a block: single rows of the live book would be too many to read. */
  readonly isGrouped: boolean;
  readonly rowsPerSecond: number;
}

export interface FlowParams {
  readonly level: LevelRef;
}

/** What moved at a row in a window that ends with the shown block. */
export interface WindowFlow {
  /** 0 for the block alone. */
  readonly spanMs: number;
  /** Kept blocks cover the whole span. */
  readonly isWhole: boolean;
  readonly flow: FlowSums;
}

export interface FlowData {
  readonly windows: readonly WindowFlow[];
}

export interface LifeParams {
  /** Null for the order of a watched wallet that changed last. */
  readonly oid: number | null;
}

export interface LifeData {
  /** Null while none of a watched wallet has changed. */
  readonly oid: number | null;
  /** Null: neither in the book nor among the kept blocks. */
  readonly life: OrderLife | null;
  readonly now: { readonly ordersAhead: number; readonly szAhead: DecimalString; readonly sz: DecimalString } | null;
  readonly first: KeptBlock | undefined;
}

export interface DifferenceParams {
  /** Height of the block that the shown one is compared with: before or after it. */
  readonly since: number;
  readonly limit: number;
}

/** From the earlier of the two moments to the later one. */
export interface DifferenceData extends Pick<Difference, 'from' | 'to' | 'blocks' | 'levels' | 'orders'> {
  readonly gaps: readonly KeptGap[];
  readonly flow: FlowSums;
  /** Lengths of the whole lists. */
  readonly levelCount: number;
  readonly orderCount: number;
}
