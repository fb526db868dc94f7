import type { FullOrder, HistoricalOrder } from '@l4desk/protocol';
import type { HistoryEntry, Order } from '../engine/order.ts';
import { toL4Order } from '../market/wire.ts';

/** An order with every field that the info API shows, in the exchange's field order. `lots` is the number of lots left. */
export function toFullOrder(order: Order, lots: number): FullOrder {
  const wire = toL4Order(order, lots, false);
  // Field by field: thousands are created at once, and spreading an object costs more than everything else.
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
