import type { L4Book } from '@l4desk/book';
import type { LaneAsk, LaneResponse } from '../../panes/lane.ts';
import { findInQueue, toQueueOrder } from './level-pane.ts';

/** The order of a lane under the pointer: found by its place once, and by its oid from then on. */
export class LanePane {
  #serial: number | undefined;
  /** Its last known place; undefined if no order had the place. */
  #last: { readonly oid: number; readonly place: number } | undefined;

  respond(book: L4Book, { serial, level, place }: LaneAsk): LaneResponse {
    const { side, px, tick } = level;
    const isNew = serial !== this.#serial;
    this.#serial = serial;
    const [first] = isNew ? book.queue(side, px, { tick, offset: place, limit: 1 }) : [];
    const last = this.#last;
    const found = isNew ? first : last && findInQueue(book, level, last);
    this.#last = found === undefined ? (isNew ? undefined : last) : { oid: found.order.oid, place: found.place };
    const count = book.row(side, px, tick)?.count ?? 0;
    return { serial, level, count, order: found === undefined ? null : toQueueOrder(found) };
  }
}
