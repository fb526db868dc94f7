import type { DecimalString } from '@l4desk/protocol';
import type { LevelAnswer, LevelAsk } from './panes/level.ts';
import type { Position } from './position.ts';

/** What the open panes want of each frame; one optional field a pane, absent while it is closed. */
export interface PanesAsk {
  readonly level?: LevelAsk | undefined;
}

/**
 * Everything beside the ladder's rows that belongs to one frame. It comes with the frame and is shown with it, so that
 * ladder, panes, counts and clocks are of one block. The panes' answers stand under the names of their asks.
 */
export interface PanesFrame extends Position {
  readonly generation: number;
  readonly coin: string;
  /** The shown book is held at this block or travelled to: it is not the live one. */
  readonly frozen: boolean;
  /** The exchange's clock when the frame was made: the block's time and what had passed since it came. Ages are counted by it. */
  readonly clock: number;
  /** When the frame was made, in this machine's ms: what has passed since then is added to `clock`, but not while frozen. */
  readonly at: number;
  readonly sizeDecimals: number;
  readonly best: BestPrices;
  readonly counts: BookCounts;
  readonly level?: LevelAnswer | undefined;
}

/** Undefined of an empty side. */
export interface BestPrices {
  readonly bid: DecimalString | undefined;
  readonly ask: DecimalString | undefined;
}

export interface BookCounts {
  readonly bids: number;
  readonly asks: number;
  readonly levels: number;
}
