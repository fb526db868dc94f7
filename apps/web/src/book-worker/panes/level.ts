import type { LevelListQuery } from '@l4desk/insight';
import type { Address, DecimalString } from '@l4desk/protocol';
import type { LevelRef } from '../position.ts';

export type { LevelSort } from '@l4desk/insight';

/** How a row's orders are listed where that is not the queue itself. */
export type LevelView = LevelListQuery;

/** What the level pane wants: a range of one row's queue. */
export interface LevelAsk {
  /** Grows with every ask: a response is told apart from one to an older ask. */
  readonly serial: number;
  readonly level: LevelRef;
  /** Sorted, filtered or grouped; null for the whole queue in its order. */
  readonly view: LevelView | null;
  /** Lines of the list to return: `from … from + length - 1`. */
  readonly from: number;
  readonly length: number;
  /** Orders in view and the places they had; the first that still rests keeps its place on the screen. */
  readonly anchors: readonly OrderPlace[];
  /** The order whose details are open; it is returned even where it is out of view. */
  readonly chosen: OrderPlace | null;
}

export const UNLISTED = -1;

/** An order, and the place in the list where it was last. */
export interface OrderPlace {
  readonly oid: number;
  readonly place: number;
}

export interface QueueOrder {
  /** Its line in the list, `UNLISTED` where a filter or a closed owner hides it. */
  readonly index: number;
  /** Its place in the queue, 0 at the front, however the list is sorted. */
  readonly place: number;
  readonly oid: number;
  readonly user: string;
  readonly sz: DecimalString;
  readonly szAhead: DecimalString;
  /** Size of the listed orders down to this one; price times size. */
  readonly cumSz: DecimalString;
  readonly notional: DecimalString;
  readonly px: DecimalString;
  /** Ms since the Unix epoch; 0 when the stream did not say. */
  readonly timestamp: number;
  readonly tif: string | null;
  readonly orderType: string;
  readonly reduceOnly: boolean;
  readonly cloid: string | null;
}

/** A line that stands for all listed orders of one owner. */
export interface QueueOwner {
  readonly index: number;
  /** In lower case; null for all whose owner is not named. */
  readonly user: Address | null;
  readonly orders: number;
  readonly sz: DecimalString;
  readonly cumSz: DecimalString;
  readonly notional: DecimalString;
  /** Of its first order. */
  readonly place: number;
  readonly szAhead: DecimalString;
  readonly isOpen: boolean;
}

/** What is listed: all of the row's orders, or those that a filter lets through. */
export interface Listed {
  readonly orders: number;
  readonly sz: DecimalString;
  readonly notional: DecimalString;
  readonly wallets: number;
}

export interface LevelResponse {
  readonly serial: number;
  /** Of two responses to one ask with the same number, both say the same. */
  readonly revision: number;
  readonly level: LevelRef;
  readonly count: number;
  readonly sz: DecimalString;
  readonly notional: DecimalString;
  /** Lines of the whole list. */
  readonly length: number;
  /** Null where the whole queue is listed in its order. */
  readonly listed: Listed | null;
  /** How many lines the view moved since the ask: negative towards the front. */
  readonly shift: number;
  readonly orders: readonly QueueOrder[];
  readonly owners: readonly QueueOwner[];
  /** The chosen order as it is now; null when none is chosen or it has left this row. */
  readonly chosen: QueueOrder | null;
}
