import type { GoneOrder } from '../worker/places/gone-orders.ts';
import type { PaneComputer } from '../worker/shown.ts';
import type { QueuesData, WatchedOrder } from '../worker/watched-queues.ts';

export type { QueueLife, QueuePart } from '@l4desk/insight';

/** An order of the list. What became of its queue is requested of one order at a time: of all, it would be most of what is sent. */
export type WatchedPlace = Omit<WatchedOrder, 'life'>;

export interface WatchedPlaces extends Omit<QueuesData, 'orders'> {
  readonly orders: readonly WatchedPlace[];
}

export interface QueuesParams {
  /** Most orders listed per side: those nearest to the mid. */
  readonly limit: number;
}

export interface QueueParams {
  readonly oid: number;
}

/** The order if it rests, otherwise how it was seen leaving (`left`); null if neither is known. */
export interface QueueData {
  readonly order: WatchedOrder | null;
  readonly left: GoneOrder | null;
}

export const queues: PaneComputer<QueuesParams, WatchedPlaces> = {
  open:
    () =>
    (shown, { limit }) => {
      const { orders, ...counts } = shown.memory.queues.list(shown, limit);
      return { ...counts, orders: orders.map(withoutLife) };
    },
};

function withoutLife(order: WatchedOrder): WatchedPlace {
  const { life: _, ...place } = order;
  return place;
}

/** What became of the queue of one of them. */
export const queue: PaneComputer<QueueParams, QueueData> = {
  open:
    () =>
    (shown, { oid }) => ({
      order: shown.memory.queues.order(shown, oid),
      // For a past block this would come from its future.
      left: (shown.frozen ? undefined : shown.memory.gone.get(oid)) ?? null,
    }),
};
