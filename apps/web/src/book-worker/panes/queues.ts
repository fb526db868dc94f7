import type { OrderPlace, QueueLife } from '@l4desk/insight';
import type { Address } from '@l4desk/protocol';
import type { GoneOrder } from './gone.ts';

export type { QueueLife, QueuePart } from '@l4desk/insight';

/** What the queues pane wants: where the orders of the watched wallets stand. */
export interface QueuesAsk {
  readonly serial: number;
  /** Most orders listed a side: those nearest to the mid. */
  readonly limit: number;
  /** The order whose queue is told, wherever it stands; null for none. */
  readonly chosen: number | null;
}

/** An order of a watched wallet, and its place in the queue of its price. */
export interface WatchedOrder extends OrderPlace {
  readonly user: Address;
  /** What became of the queue since it came or is watched; null in a book that is not the live one, and past the bound. */
  readonly life: QueueLife | null;
}

export interface QueuesResponse {
  readonly serial: number;
  readonly height: number;
  /** The nearest to the best price of their side first. */
  readonly orders: readonly WatchedOrder[];
  /** How many orders of watched wallets rest, and how many of these are followed no further because there are too many. */
  readonly total: number;
  readonly unfollowed: number;
  /** The chosen order where it rests, else how it was seen leaving; null where neither is known. */
  readonly chosen: WatchedOrder | null;
  readonly left: GoneOrder | null;
}
