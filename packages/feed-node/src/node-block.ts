import type { RawObject, UpstreamBlock } from '@l4desk/feed/core';
import { type ExecutedOrder, isObject, type OrderStatus } from '@l4desk/protocol';
import { readNodeDiffs, readNodeStatuses } from '@l4desk/protocol/upstream';

/** Builds one coin's part of a block. Without a reader, only statuses of orders in the diffs are included. */
export function toUpstreamBlock(
  coin: string,
  { height, time }: { readonly height: number; readonly time: number },
  diffEvents: readonly unknown[],
  statusEvents: readonly unknown[],
  readsAll: boolean,
  fills: readonly ExecutedOrder[] = [],
): UpstreamBlock {
  const changes = readNodeDiffs(diffEvents, coin);
  const entering = new Set(changes.filter(({ kind }) => kind === 'insert').map(({ oid }) => oid));
  // L4-25: the statuses of a block without changes are dropped.
  const ofBlock = changes.length === 0 ? [] : statusEvents;
  const oids = new Set<unknown>(changes.map(({ oid }) => oid));
  const read = readsAll ? ofBlock : ofBlock.filter((event) => oids.has(oidOf(event)));
  const statuses = readNodeStatuses(read).map((status) =>
    entering.has(status.order.oid) ? asResting(status) : status,
  );
  // Each was decoded above, so each is an object.
  const diffs = diffEvents as readonly RawObject[];
  const hasOtherStatuses = read.length < ofBlock.length;
  const executed = fills.filter(({ oid }) => oids.has(oid));
  return { coin, height, time, changes, diffs, statuses, statusesText: null, hasOtherStatuses, executed };
}

function oidOf(event: unknown): unknown {
  const order = isObject(event) ? event.order : undefined;
  return isObject(order) ? order.oid : undefined;
}

/** An order that was sent as Ioc but rests on the book is Gtc in the node's own snapshot (NODE-5). */
function asResting(status: OrderStatus): OrderStatus {
  if (status.order.tif !== 'Ioc') return status;
  return { ...status, order: { ...status.order, tif: 'Gtc' } };
}

/** Number of heights whose times are kept. */
const TIMES_KEPT = 16_384;

/** The times of the last blocks read, in ms since the Unix epoch. */
export class BlockTimes {
  readonly #times = new Map<number, number>();

  remember(height: number, time: number): void {
    this.#times.set(height, time);
    if (this.#times.size <= TIMES_KEPT) return;
    const [oldest] = this.#times.keys();
    if (oldest !== undefined) this.#times.delete(oldest);
  }

  /** Returns the time of a block; if it was not read, that of the next block that was. */
  of(height: number): number {
    const known = this.#times.get(height);
    if (known !== undefined) return known;
    let last = 0;
    for (const [each, time] of this.#times) {
      if (each > height) return time;
      last = time;
    }
    return last;
  }
}
