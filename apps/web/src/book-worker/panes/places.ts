import type { CoinState } from '@l4desk/client';
import type { GoneOrder } from './gone.ts';
import type { QueuePart, WatchedOrder } from './queues.ts';

/** Where an order rests. `inserted`: what came to rest in front of it since it has been followed; null if unknown. */
export interface PlacedOrder extends Pick<WatchedOrder, 'oid' | 'ordersAhead' | 'szAhead' | 'levelOrders' | 'levelSz'> {
  readonly inserted: QueuePart | null;
}

/** Where the orders of some wallets rest in one coin's book. */
export interface CoinPlaces {
  readonly coin: string;
  /** State of the book: places are current only in state `live`. */
  readonly state: CoinState['kind'];
  readonly detail: string;
  /** Undefined before there is a book. */
  readonly height: number | undefined;
  readonly orders: readonly PlacedOrder[];
  readonly gone: readonly GoneOrder[];
  /** Number of their resting orders, including those not listed because there are too many. */
  readonly total: number;
}
