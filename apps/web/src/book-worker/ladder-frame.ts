import type { Address, DecimalString, Side } from '@l4desk/protocol';
import type { Axis, Centring, Touch } from './axis.ts';
import type { Direction, Position } from './position.ts';
import type { TickGrid } from './prices.ts';

/** The time over which a row's changes count, up to the shown block, in ms. */
export const FLOW_MS = 5_000;

export interface LadderRequest {
  /** Undefined, or a tick the coin does not offer, means its finest one. */
  readonly tick: string | undefined;
  readonly axis: Axis | undefined;
  readonly slots: number;
  readonly mode: Centring;
  readonly held: boolean;
  readonly recentre: boolean;
  /** On any clock, in ms: the rows do not move back and forth within a short time. */
  readonly now: number;
  /** Most orders per row the queue lane can show. */
  readonly lane: number;
  /** Whether each row carries its own notional, or the sum of its own and all better rows'. */
  readonly notional: 'none' | 'row' | 'cumulative';
  /** Whether the rows carry what came and what was withdrawn in the last `FLOW_MS`. */
  readonly flow: boolean;
  /** Compute the numbers without this wallet's orders, which carry the ghost's mark. Undefined: the whole book. */
  readonly without: Address | undefined;
}

/** A row with orders. `size` and `cumulative` are for drawing only; the texts are exact, and empty if their column is not shown. */
export interface LadderRow {
  readonly side: Side;
  readonly index: number;
  readonly size: number;
  readonly cumulative: number;
  readonly count: number;
  readonly sz: DecimalString;
  readonly cumSz: DecimalString;
  readonly notional: string;
  /** What came and what was withdrawn lately; both empty if nothing did. */
  readonly came: string;
  readonly withdrawn: string;
  readonly own: OwnPlace | undefined;
  /** Its first orders, front first, in the frame's `lanes` and `marks`: from `laneStart` on. */
  readonly laneStart: number;
  readonly laneLength: number;
}

/** The place of a watched wallet's foremost order in a row. */
export interface OwnPlace {
  /** The wallet's mark, 1 to 254. */
  readonly mark: number;
  /** From 1, among all orders of the row. */
  readonly place: number;
  readonly orders: number;
  readonly szAhead: DecimalString;
  /** Further orders of watched wallets in the row. */
  readonly more: number;
}

/** The rows of a ladder at one block. Its lanes are valid until the next frame is computed. */
export interface LadderFrame extends Position {
  readonly coin: string;
  readonly grid: TickGrid;
  readonly axis: Axis;
  readonly slots: number;
  readonly sizeDecimals: number;
  readonly bid: DecimalString | undefined;
  readonly ask: DecimalString | undefined;
  readonly touch: Touch;
  readonly spread: string;
  readonly spreadBps: string;
  readonly mid: string;
  readonly direction: Direction | undefined;
  /** How much is known of the time whose changes the rows carry, in ms; undefined if they carry none. */
  readonly flowMs: number | undefined;
  /** The visible rows with orders: asks, then bids, each from the best outward. */
  readonly rows: readonly LadderRow[];
  /** Sizes of the orders of all lanes, for drawing only, and the mark of each, 0 for none. */
  readonly lanes: Float64Array;
  readonly marks: Uint8Array;
}
