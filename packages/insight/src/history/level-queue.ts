import type { L4Book } from '@l4desk/book';
import { type Address, type DecimalString, lowerCaseAddress } from '@l4desk/protocol';
import type { FlowEvent } from '../flow/flow-event.ts';
import type { TimeLine } from './time-line.ts';

/** One change of a time line. */
export interface FoundChange {
  readonly event: FlowEvent;
  readonly place: number;
  /** Index of the change in its block. */
  readonly index: number;
}

/** An order of a queue. */
export interface QueueMember {
  readonly oid: number;
  readonly user: Address | null;
  readonly sz: DecimalString;
}

/**
 * The orders ahead of an order when it began to rest, from the front. Takes the queue of its price from `book`, which is at the
 * newest place, and undoes the changes there. Undefined if a gap lies in between.
 */
export function orderAtBirth(line: TimeLine, book: L4Book, born: FoundChange): readonly QueueMember[] | undefined {
  const { oid, side, level } = born.event;
  const queue = book.queue(side, level).map(({ order: { oid, user, sz } }): QueueMember => {
    return { oid, user: user === null ? null : lowerCaseAddress(user), sz };
  });
  for (let place = line.last; place >= born.place; place -= 1) {
    const block = line.blockAt(place);
    if (block === undefined) return undefined;
    if (!block.mayHave(level)) continue;
    const events = block.events();
    for (let index = events.length - 1; index >= 0; index -= 1) {
      if (place === born.place && index === born.index) return queue.slice(0, placeIn(queue, oid));
      const event = events[index] as FlowEvent;
      if (event.side === side && event.level === level) takeBack(queue, event);
    }
  }
  return undefined;
}

function takeBack(queue: QueueMember[], { act, oid, user, from, behind }: FlowEvent): void {
  const at = placeIn(queue, act === 'remove' ? behind : oid);
  if (act === 'insert') queue.splice(at, 1);
  else if (act === 'remove') queue.splice(at, 0, { oid, user, sz: from });
  else queue[at] = { ...(queue[at] as QueueMember), sz: from };
}

/** Its index, or the length of the queue if it is not there. */
function placeIn(queue: readonly QueueMember[], oid: number | null): number {
  const at = queue.findIndex((member) => member.oid === oid);
  return at < 0 ? queue.length : at;
}
