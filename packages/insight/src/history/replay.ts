import type { L4Book } from '@l4desk/book';
import type { BookChange, DecimalString, L4Order, OrderStatus } from '@l4desk/protocol';
import { isZero } from '../amounts.ts';
import type { FlowEvent } from '../flow/flow-event.ts';
import type { HistoryBlock } from './time-line.ts';

/** Size under which an order that left empty is inserted before it is resized to zero again: no order can be inserted empty. */
const PLACEHOLDER: DecimalString = '1';

/** Applies a block again: the book is then at its mark. */
export function redo(book: L4Book, block: HistoryBlock): void {
  const events = block.events();
  carryOut(book, changesOf(events), events, block.mark.time);
}

/**
 * A block as a stream would send it: its changes, and statuses that repeat what was reported of them. `book` must be the book
 * before the block. The statuses have the block's time.
 */
export function streamBlock(
  book: L4Book,
  block: HistoryBlock,
): { readonly changes: readonly BookChange[]; readonly statuses: readonly OrderStatus[] } {
  const events = block.events();
  const time = `${new Date(block.mark.time).toISOString().slice(0, -1)}000000`;
  const statuses: OrderStatus[] = [];
  for (const { act, oid, order: own, user, reason } of events) {
    const order = own ?? (reason === null ? undefined : book.order(oid));
    // If an order left or shrank without a status, none was reported.
    const status = act === 'insert' ? 'open' : reason;
    if (order === undefined || status === null) continue;
    statuses.push({ time, user: order.user ?? user, status, order: { ...order, user: null } });
  }
  return { changes: changesOf(events), statuses };
}

/** The changes of a block, as received. */
export function changesOf(events: readonly FlowEvent[]): readonly BookChange[] {
  return events.map((event): BookChange => {
    const { oid, side, px } = event;
    const user = event.order?.user ?? event.user;
    switch (event.act) {
      case 'insert':
        return { kind: 'insert', oid, user, side, px, sz: event.to, insertBefore: event.behind };
      case 'resize':
        return { kind: 'resize', oid, user, side, px, origSz: event.from, newSz: event.to };
      case 'remove':
        return { kind: 'remove', oid, user, side, px };
    }
  });
}

/** Undoes a block: the book is then as it was before the block. */
export function undo(book: L4Book, block: HistoryBlock): void {
  const events = block.events();
  const changes: BookChange[] = [];
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index] as FlowEvent;
    const { oid, side, px } = event;
    const user = event.order?.user ?? event.user;
    switch (event.act) {
      case 'insert':
        changes.push({ kind: 'remove', oid, user, side, px });
        break;
      case 'resize':
        changes.push({ kind: 'resize', oid, user, side, px, origSz: event.to, newSz: event.from });
        break;
      case 'remove': {
        const isEmpty = isZero(event.from);
        const sz = isEmpty ? PLACEHOLDER : event.from;
        const restingPx = event.order?.limitPx ?? px;
        changes.push({ kind: 'insert', oid, user, side, px: restingPx, sz, insertBefore: event.behind });
        if (isEmpty) changes.push({ kind: 'resize', oid, user, side, px, origSz: sz, newSz: event.from });
      }
    }
  }
  carryOut(book, changes, events, block.mark.time);
}

function carryOut(book: L4Book, changes: readonly BookChange[], events: readonly FlowEvent[], time: number): void {
  const findings = book.apply(changes, statusesOf(events), time);
  const [finding] = findings;
  if (finding !== undefined) throw new Error(`a kept block does not fit its book: ${JSON.stringify(finding)}`);
}

/** The details of the orders that arrive or return, in the form that a book accepts. */
function statusesOf(events: readonly FlowEvent[]): readonly OrderStatus[] {
  const statuses: OrderStatus[] = [];
  for (const { order, user } of events) if (order !== null) statuses.push(statusOf(order, user));
  return statuses;
}

function statusOf(order: L4Order, user: OrderStatus['user']): OrderStatus {
  return { time: NO_TIME, user: order.user ?? user, status: 'open', order };
}

/** Never read: a book uses an order's own times. */
const NO_TIME = '1970-01-01T00:00:00';
