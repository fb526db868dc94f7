import type { OrderPlace, QueueLife } from '@l4desk/insight';
import type { Address } from '@l4desk/protocol';
import type { GoneOrder } from './gone.ts';

export type { QueueLife, QueuePart } from '@l4desk/insight';

/** The queues pane's request: where the orders of the watched wallets rest. */
export interface QueuesAsk {
  readonly serial: number;
  /** Most orders listed per side: those nearest to the mid. */
  readonly limit: number;
  /** The order whose queue is reported wherever it rests; null for none. */
  readonly chosen: number | null;
}

/** An order of a watched wallet, and its place in the queue of its price. */
export interface WatchedOrder extends OrderPlace {
  readonly user: Address;
  /**
   * What happened to the queue since the order arrived or has been watched; null for a book that is not the live one, and past
   * the limit.
   */
  readonly life: QueueLife | null;
}

export interface QueuesResponse {
  readonly serial: number;
  readonly height: number;
  /** Nearest to the best price of its side first. */
  readonly orders: readonly WatchedOrder[];
  /** How many orders of watched wallets rest, and how many of them are not followed because there are too many. */
  readonly total: number;
  readonly unfollowed: number;
  /** The chosen order if it rests, otherwise how it was seen leaving (`left`); null if neither is known. */
  readonly chosen: WatchedOrder | null;
  readonly left: GoneOrder | null;
}
