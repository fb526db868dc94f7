import type { FullOrder, HistoricalOrder } from '@l4desk/protocol';
import type { Order } from '../engine/order.ts';
import type { HistoryEntry } from '../engine/order-history.ts';
import { toL4Order } from '../market/wire.ts';

/** An order with everything the info API shows of it, its fields in the exchange's order; `lots` is what is left. */
export function toFullOrder(order: Order, lots: number): FullOrder {
  const { user: _user, isPositionTpsl, reduceOnly, orderType, tif, cloid, ...head } = toL4Order(order, lots, false);
  return {
    ...head,
    children: order.children.map((child) => toFullOrder(child, child.origLots)),
    isPositionTpsl,
    reduceOnly,
    orderType,
    origSz: order.market.scale.size(order.origLots),
    tif,
    cloid,
  };
}

export function toHistoricalOrder({ order, lots, status, time }: HistoryEntry): HistoricalOrder {
  return { order: toFullOrder(order, lots), status, statusTimestamp: time };
}
