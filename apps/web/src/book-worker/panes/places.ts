import type { CoinState } from '@l4desk/client';
import type { GoneOrder } from './gone.ts';
import type { QueuePart, WatchedOrder } from './queues.ts';

/** Where an order stands; what came to rest in front of it since it is followed, null where that is not known. */
export interface PlacedOrder extends Pick<WatchedOrder, 'oid' | 'ordersAhead' | 'szAhead' | 'levelOrders' | 'levelSz'> {
  readonly inserted: QueuePart | null;
}

/** Where the orders of some wallets stand in one coin's book. */
export interface CoinPlaces {
  readonly coin: string;
  /** How the book is: places are current in state `live` alone. */
  readonly state: CoinState['kind'];
  readonly detail: string;
  /** Undefined before there is a book. */
  readonly height: number | undefined;
  readonly orders: readonly PlacedOrder[];
  readonly gone: readonly GoneOrder[];
  /** Their resting orders, also those that are not listed because there are too many. */
  readonly total: number;
}
