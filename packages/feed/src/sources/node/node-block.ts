import type { OrderStatus } from '@l4desk/protocol';
import { readNodeDiffs, readNodeStatuses } from '@l4desk/protocol/upstream';
import type { RawObject, UpstreamBlock } from '../../sequencer/upstream-block.ts';

/** What one block did to one coin, from the events that its files hold of it. Throws WireFormatError. */
export function toUpstreamBlock(
  coin: string,
  { height, time }: { readonly height: number; readonly time: number },
  diffEvents: readonly unknown[],
  statusEvents: readonly unknown[],
): UpstreamBlock {
  const changes = readNodeDiffs(diffEvents, coin);
  const entering = new Set(changes.filter(({ kind }) => kind === 'insert').map(({ oid }) => oid));
  // L4-25: the statuses of a block without changes are dropped.
  const statuses = readNodeStatuses(changes.length === 0 ? [] : statusEvents).map((status) =>
    entering.has(status.order.oid) ? asResting(status) : status,
  );
  // Each was read above, so each is an object.
  const diffs = diffEvents as readonly RawObject[];
  return { coin, height, time, changes, diffs, statuses, statusesText: null };
}

/** An order that was sent as Ioc and rests nevertheless is Gtc in the node's own snapshot (NODE-5). */
function asResting(status: OrderStatus): OrderStatus {
  if (status.order.tif !== 'Ioc') return status;
  return { ...status, order: { ...status.order, tif: 'Gtc' } };
}
