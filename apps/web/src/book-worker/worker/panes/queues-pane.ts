import type { PaneComputer } from './pane.ts';

/** Where the orders of the watched wallets rest. */
export const queues: PaneComputer<'queues'> = {
  open:
    () =>
    (shown, { limit }) =>
      shown.memory.queues.list(shown, limit),
};

/** What became of the queue of one of them. */
export const queue: PaneComputer<'queue'> = {
  open:
    () =>
    (shown, { oid }) => ({
      order: shown.memory.queues.order(shown, oid),
      // For a past block this would come from its future.
      left: (shown.frozen ? undefined : shown.memory.gone.get(oid)) ?? null,
    }),
};
