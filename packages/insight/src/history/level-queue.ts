import type { L4Book } from '@l4desk/book';
import { type Address, type DecimalString, lowerCaseAddress } from '@l4desk/protocol';
import type { FlowEvent } from '../flow/flow-event.ts';
import type { TimeLine } from './time-line.ts';

/** One change of a time line. */
export interface FoundChange {
  readonly event: FlowEvent;
  readonly place: number;
  /** Which of the changes of its block it is. */
  readonly index: number;
}

/** An order of a queue. */
export interface QueueMember {
  readonly oid: number;
  readonly user: Address | null;
  readonly sz: DecimalString;
}

/**
 * Who was ahead of an order when it came to rest, from the front: the queue of its price as it is in `book`, at the newest
 * place, with the changes there taken back. Undefined where a gap lies between.
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

/** Its place, or that behind the last one. */
function placeIn(queue: readonly QueueMember[], oid: number | null): number {
  const at = queue.findIndex((member) => member.oid === oid);
  return at < 0 ? queue.length : at;
}
