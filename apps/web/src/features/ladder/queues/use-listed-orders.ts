import { useState } from 'react';
import type { PaneResult } from '../../../book-worker/panes.ts';
import { heldOrders, type ListedOrder, sortedOrders } from './listed-orders.ts';

interface Listed {
  readonly response: PaneResult<'queues'>;
  readonly isHeld: boolean;
  readonly orders: readonly ListedOrder[];
}

/** The orders of the last response, in the rows in which they were listed before while these are held. */
export function useListedOrders(
  response: PaneResult<'queues'>,
  isHeld: boolean,
  limit: number,
): readonly ListedOrder[] {
  const [last, setLast] = useState<Listed>();
  if (last !== undefined && last.response === response && last.isHeld === isHeld) return last.orders;
  // An order that an earlier block does not have yet is not gone.
  const isLater = last !== undefined && response.height >= last.response.height;
  const orders = isHeld && isLater ? heldOrders(last.orders, response, limit) : sortedOrders(response);
  setLast({ response, isHeld, orders });
  return orders;
}
