import type { GoneOrder } from '../worker/places/gone-orders.ts';
import type { PaneComputer } from '../worker/shown.ts';
import type { QueuesData, WatchedOrder } from '../worker/watched-queues.ts';

export type { QueueLife, QueuePart } from '@l4desk/insight';
export type { QueuesData, WatchedOrder } from '../worker/watched-queues.ts';

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

export const queues: PaneComputer<QueuesParams, QueuesData> = {
  open:
    () =>
    (shown, { limit }) =>
      shown.memory.queues.list(shown, limit),
};

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
