import type { LevelListQuery } from '@l4desk/insight';
import type { Address, DecimalString } from '@l4desk/protocol';
import type { LevelRef } from '../position.ts';

export type { LevelSort } from '@l4desk/insight';

/** How a row's orders are listed when not as the plain queue. */
export type LevelView = LevelListQuery;

/** The level pane's request: a range of one row's queue. */
export interface LevelParams {
  readonly level: LevelRef;
  /** Sorted, filtered or grouped; null for the whole queue in its own order. */
  readonly view: LevelView | null;
  /** Lines of the list to return: `from … from + length - 1`. */
  readonly from: number;
  readonly length: number;
  /** Visible orders and the places they had; the first that still rests keeps its position on the screen. */
  readonly anchors: readonly OrderPlace[];
  /** The order whose details are open; it is returned even if it is not visible. */
  readonly chosen: OrderPlace | null;
}

export const UNLISTED = -1;

/** An order, and its last known place in the list. */
export interface OrderPlace {
  readonly oid: number;
  readonly place: number;
}

export interface QueueOrder {
  /** Its line in the list; `UNLISTED` if a filter or a collapsed owner hides it. */
  readonly index: number;
  /** Its place in the queue, 0 at the front, however the list is sorted. */
  readonly place: number;
  readonly oid: number;
  readonly user: string;
  readonly sz: DecimalString;
  readonly szAhead: DecimalString;
  /** `cumSz`: total size of the listed orders down to this one. `notional`: price times size. */
  readonly cumSz: DecimalString;
  readonly notional: DecimalString;
  readonly px: DecimalString;
  /** Ms since the Unix epoch; 0 when the stream does not say. */
  readonly timestamp: number;
  readonly tif: string | null;
  readonly orderType: string;
  readonly reduceOnly: boolean;
  readonly cloid: string | null;
}

/** A line for all listed orders of one owner. */
export interface QueueOwner {
  readonly index: number;
  /** In lower case; null for all orders without a named owner. */
  readonly user: Address | null;
  readonly orders: number;
  readonly sz: DecimalString;
  readonly cumSz: DecimalString;
  readonly notional: DecimalString;
  /** Place and size ahead of the owner's first order. */
  readonly place: number;
  readonly szAhead: DecimalString;
  readonly isOpen: boolean;
}

/** What is listed: all of the row's orders, or those that pass a filter. */
export interface Listed {
  readonly orders: number;
  readonly sz: DecimalString;
  readonly notional: DecimalString;
  readonly wallets: number;
}

export interface LevelData {
  readonly level: LevelRef;
  readonly count: number;
  readonly sz: DecimalString;
  readonly notional: DecimalString;
  /** Number of lines in the whole list. */
  readonly length: number;
  /** Null if the whole queue is listed in its own order. */
  readonly listed: Listed | null;
  /** How many lines the view moved since the request: negative towards the front. */
  readonly shift: number;
  readonly orders: readonly QueueOrder[];
  readonly owners: readonly QueueOwner[];
  /** The chosen order now; null when none is chosen or it has left this row. */
  readonly chosen: QueueOrder | null;
}

/** An order of a lane: null once it has left the row, and if no order had the place. */
export interface LaneOrder {
  /** Number of orders in the row. */
  readonly count: number;
  readonly order: QueueOrder | null;
}
