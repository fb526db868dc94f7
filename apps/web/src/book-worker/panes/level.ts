import type { DecimalString } from '@l4desk/protocol';
import type { LevelRef } from '../position.ts';

/** What the level pane wants: a range of one row's queue. */
export interface LevelAsk {
  /** Grows with every ask: an answer is told apart from one to an older ask. */
  readonly serial: number;
  readonly level: LevelRef;
  /** Places to answer: `from … from + length - 1`. */
  readonly from: number;
  readonly length: number;
  /** Orders in view and the places they had; the first that still rests keeps its place on the screen. */
  readonly anchors: readonly OrderPlace[];
  /** The order whose details are open; it is answered even where it is out of view. */
  readonly chosen: OrderPlace | null;
}

/** An order, and the place in a queue where it was last. */
export interface OrderPlace {
  readonly oid: number;
  readonly place: number;
}

export interface QueueOrder {
  /** 0 at the front. */
  readonly place: number;
  readonly oid: number;
  readonly user: string;
  readonly sz: DecimalString;
  readonly szAhead: DecimalString;
  readonly px: DecimalString;
  /** Ms since the Unix epoch; 0 when the stream did not say. */
  readonly timestamp: number;
  readonly tif: string | null;
  readonly orderType: string;
  readonly reduceOnly: boolean;
  readonly cloid: string | null;
}

export interface LevelAnswer {
  readonly serial: number;
  readonly level: LevelRef;
  readonly count: number;
  readonly sz: DecimalString;
  readonly notional: DecimalString;
  /** How many places the view moved since the ask: negative towards the front. */
  readonly shift: number;
  readonly orders: readonly QueueOrder[];
  /** The chosen order as it is now; null when none is chosen or it has left this row. */
  readonly chosen: QueueOrder | null;
}
