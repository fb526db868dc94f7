import type { DecimalString, L4Order, Side } from '@l4desk/protocol';
import type { FastSide, LevelStore } from './level-store.ts';
import type { OrderStore } from './order-store.ts';

/** A book as the fast engine holds it, for what only reads it. Prices and sizes are whole numbers at the two scales. */
export interface StoredBook {
  readonly coin: string;
  readonly orderStore: OrderStore;
  readonly levels: LevelStore;
  readonly bids: FastSide;
  readonly asks: FastSide;
  readonly pxScale: number;
  readonly szScale: number;
  sideAt(side: Side): FastSide;
  /** The price of a level in the text it came in. */
  levelText(level: number): DecimalString;
  /** The price of an order in the text it came in. */
  pxText(slot: number): DecimalString;
  orderAt(slot: number): L4Order;
}
