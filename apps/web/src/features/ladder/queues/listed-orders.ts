import { compare } from '@l4desk/decimal';
import type { DecimalString, Side } from '@l4desk/protocol';
import type { WatchedOrder } from '../../../book-worker/panes/queues.ts';

/** Orders listed per side: the nearest to the mid. */
export const LISTED = 100;

/**
 * Whether an order that a response does not have has left. If the response lists as many of its side as it may, an order no nearer to
 * the mid than these may still rest.
 */
export function goneFrom(orders: readonly WatchedOrder[], limit = LISTED): (order: WatchedOrder) => boolean {
  const furthest = { B: furthestPx(orders, 'B', limit), A: furthestPx(orders, 'A', limit) };
  return ({ side, limitPx }) => {
    const px = furthest[side];
    if (px === undefined) return true;
    return side === 'B' ? compare(limitPx, px) > 0 : compare(limitPx, px) < 0;
  };
}

/** The price of the last listed order of a side; undefined if all of its orders are listed. */
function furthestPx(orders: readonly WatchedOrder[], side: Side, limit: number): DecimalString | undefined {
  const own = orders.filter((order) => order.side === side);
  return own.length < limit ? undefined : own.at(-1)?.limitPx;
}
