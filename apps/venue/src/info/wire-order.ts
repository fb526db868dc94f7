import type { FullOrder, HistoricalOrder } from '@l4desk/protocol';
import type { HistoryEntry, Order } from '../engine/order.ts';
import { toL4Order } from '../market/wire.ts';

/** An order with everything the info API shows of it, its fields in the exchange's order; `lots` is what is left. */
export function toFullOrder(order: Order, lots: number): FullOrder {
  const wire = toL4Order(order, lots, false);
  // Field by field: thousands of them are made at once, and taking an object apart costs more than all else.
  return {
    coin: wire.coin,
    side: wire.side,
    limitPx: wire.limitPx,
    sz: wire.sz,
    oid: wire.oid,
    timestamp: wire.timestamp,
    triggerCondition: wire.triggerCondition,
    isTrigger: wire.isTrigger,
    triggerPx: wire.triggerPx,
    children: order.children.map((child) => toFullOrder(child, child.origLots)),
    isPositionTpsl: wire.isPositionTpsl,
    reduceOnly: wire.reduceOnly,
    orderType: wire.orderType,
    origSz: lots === order.origLots ? wire.sz : order.market.scale.size(order.origLots),
    tif: wire.tif,
    cloid: wire.cloid,
  };
}

export function toHistoricalOrder({ order, lots, status, time }: HistoryEntry): HistoricalOrder {
  return { order: toFullOrder(order, lots), status, statusTimestamp: time };
}
