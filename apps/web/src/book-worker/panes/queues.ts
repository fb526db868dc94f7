import type { OrderPlace, QueueLife } from '@l4desk/insight';
import type { Address } from '@l4desk/protocol';
import type { GoneOrder } from './gone.ts';

export type { QueueLife, QueuePart } from '@l4desk/insight';

/** The queues pane's request: where the orders of the watched wallets rest. */
export interface QueuesParams {
  /** Most orders listed per side: those nearest to the mid. */
  readonly limit: number;
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

export interface QueuesData {
  /** Nearest to the best price of its side first. */
  readonly orders: readonly WatchedOrder[];
  /** How many orders of watched wallets rest, and how many of them are not followed because there are too many. */
  readonly total: number;
  readonly unfollowed: number;
}

/** One order of a watched wallet, wherever it rests. */
export interface QueueParams {
  readonly oid: number;
}

/** The order if it rests, otherwise how it was seen leaving (`left`); null if neither is known. */
export interface QueueData {
  readonly order: WatchedOrder | null;
  readonly left: GoneOrder | null;
}
