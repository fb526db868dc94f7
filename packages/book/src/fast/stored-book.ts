import type { DecimalString, L4Order, Side } from '@l4desk/protocol';
import type { FastSide, LevelStore } from './level-store.ts';
import type { OrderStore } from './order-store.ts';

/** A book as the fast engine stores it, for code that only reads it. Prices and sizes are integers at the two scales. */
export interface StoredBook {
  readonly coin: string;
  readonly orderStore: OrderStore;
  readonly levels: LevelStore;
  readonly bids: FastSide;
  readonly asks: FastSide;
  readonly pxScale: number;
  readonly szScale: number;
  sideAt(side: Side): FastSide;
  /** The price of a level, as received. */
  levelText(level: number): DecimalString;
  /** The price of an order, as received. */
  pxText(slot: number): DecimalString;
  orderAt(slot: number): L4Order;
}
