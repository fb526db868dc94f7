import type { DecimalString, Side } from '@l4desk/protocol';

/** One row of the ladder: a price level, or a bucket of them when grouped. */
export interface LevelRef {
  readonly side: Side;
  readonly px: DecimalString;
  readonly tick: DecimalString;
}

export interface Position {
  readonly height: number;
  readonly seq: number;
  readonly epoch: string;
  readonly blockTime: number;
}

export interface BestPrices {
  readonly bid: DecimalString | undefined;
  readonly ask: DecimalString | undefined;
}

/** Where the mid went when it last changed. */
export type Direction = 'up' | 'down';

export interface BookCounts {
  readonly bids: number;
  readonly asks: number;
  readonly levels: number;
}
