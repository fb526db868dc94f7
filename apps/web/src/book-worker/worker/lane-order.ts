import type { L4Book } from '@l4desk/book';
import type { LaneOrder } from '../panes/level.ts';
import type { LevelRef } from '../position.ts';
import { findInQueue, toQueueOrder } from './panes/level-pane.ts';

/** An order of a row's queue: the one at a place, or wherever the order with this oid is now. */
export function laneOrder(
  book: L4Book,
  level: LevelRef,
  { place, oid }: { readonly place: number; readonly oid: number | undefined },
): LaneOrder {
  const { side, px, tick } = level;
  const found =
    oid === undefined
      ? book.queue(side, px, { tick, offset: place, limit: 1 })[0]
      : findInQueue(book, level, { oid, place });
  return { count: book.row(side, px, tick)?.count ?? 0, order: found === undefined ? null : toQueueOrder(found) };
}
