import { compare } from '@l4desk/decimal';
import type { DecimalString, Side } from '@l4desk/protocol';
import type { QueuesResponse, WatchedOrder } from '../../../book-worker/panes/queues.ts';

/** An order in the list of the queues pane. */
export interface ListedOrder extends WatchedOrder {
  /**
   * Why the last response does not have it, and its last values are shown; undefined for an order of the response. `unlisted`: it
   * may still rest, no nearer to the mid than the listed orders of its side.
   */
  readonly absence: 'gone' | 'unlisted' | undefined;
}

/** The orders of a response in its order: nearest to the mid first. */
export function sortedOrders({ orders }: Pick<QueuesResponse, 'orders'>): readonly ListedOrder[] {
  return orders.map(present);
}

/**
 * The orders of a response in the rows in which they were listed `before`: new ones follow, and those that it no longer has keep
 * their rows and values (WEB-171).
 */
export function heldOrders(
  before: readonly ListedOrder[],
  { orders, total }: Pick<QueuesResponse, 'orders' | 'total'>,
): readonly ListedOrder[] {
  const rest = new Map(orders.map((order) => [order.oid, order]));
  const furthest = orders.length === total ? undefined : { B: furthestPx(orders, 'B'), A: furthestPx(orders, 'A') };
  const kept = before.map((last): ListedOrder => {
    const order = rest.get(last.oid);
    rest.delete(last.oid);
    if (order !== undefined) return present(order);
    // An order nearer than a listed one would be listed.
    const isGone = furthest === undefined || isNearer(last, furthest[last.side]);
    return { ...last, absence: isGone ? 'gone' : 'unlisted' };
  });
  return [...kept, ...[...rest.values()].map(present)];
}

/** The price of the last listed order of a side. */
function furthestPx(orders: readonly WatchedOrder[], side: Side): DecimalString | undefined {
  return orders.findLast((order) => order.side === side)?.limitPx;
}

function isNearer({ side, limitPx }: WatchedOrder, px: DecimalString | undefined): boolean {
  if (px === undefined) return false;
  return side === 'B' ? compare(limitPx, px) > 0 : compare(limitPx, px) < 0;
}

function present(order: WatchedOrder): ListedOrder {
  return { ...order, absence: undefined };
}
