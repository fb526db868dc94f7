import { compare } from '@l4desk/decimal';
import type { DecimalString, Side } from '@l4desk/protocol';
import type { QueuesData, WatchedOrder } from '../../../book-worker/panes/queues.ts';

/** An order in the list of the queues pane. */
export interface ListedOrder extends WatchedOrder {
  /**
   * Why the last response does not have it, and its last values are shown; undefined for an order of the response. `unlisted`: it
   * may still rest, no nearer to the mid than the listed orders of its side.
   */
  readonly absence: 'gone' | 'unlisted' | undefined;
}

/** The orders of a response in its order: nearest to the mid first. */
export function sortedOrders({ orders }: Pick<QueuesData, 'orders'>): readonly ListedOrder[] {
  return orders.map(present);
}

/** The most held rows: a busy maker's requotes are new orders, several a second. With more, the orders are sorted anew. */
const HELD_MAX = 1_000;

/**
 * The orders of a response in the rows in which they were listed `before`: new ones follow, and those that it no longer has keep
 * their rows and values. `limit` is the most orders that a response lists per side.
 */
export function heldOrders(
  before: readonly ListedOrder[],
  response: Pick<QueuesData, 'orders'>,
  limit: number,
): readonly ListedOrder[] {
  const { orders } = response;
  const rest = new Map(orders.map((order) => [order.oid, order]));
  const furthest = { B: furthestPx(orders, 'B', limit), A: furthestPx(orders, 'A', limit) };
  const kept = before.map((last): ListedOrder => {
    const order = rest.get(last.oid);
    rest.delete(last.oid);
    if (order !== undefined) return present(order);
    const isGone = last.absence === 'gone' || isNearer(last, furthest[last.side]);
    return { ...last, absence: isGone ? 'gone' : 'unlisted' };
  });
  if (kept.length + rest.size > HELD_MAX) return sortedOrders(response);
  return [...kept, ...[...rest.values()].map(present)];
}

/** The price of the last listed order of a side; undefined if all of its orders are listed. */
function furthestPx(orders: readonly WatchedOrder[], side: Side, limit: number): DecimalString | undefined {
  const own = orders.filter((order) => order.side === side);
  return own.length < limit ? undefined : own.at(-1)?.limitPx;
}

/** An order nearer to the mid than a listed one would be listed too. */
function isNearer({ side, limitPx }: WatchedOrder, px: DecimalString | undefined): boolean {
  if (px === undefined) return true;
  return side === 'B' ? compare(limitPx, px) > 0 : compare(limitPx, px) < 0;
}

function present(order: WatchedOrder): ListedOrder {
  return { ...order, absence: undefined };
}
