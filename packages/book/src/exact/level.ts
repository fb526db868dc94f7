import type { DecimalString, L4Order, Side } from '@l4desk/protocol';

/** A price level, with its orders from the front of the queue. Amounts are whole multiples of `10^-scale` of its engine. */
export interface ExactLevel {
  px: bigint;
  readonly orders: ExactOrder[];
}

/** An order with its amounts in the same units. */
export interface ExactOrder {
  /** As the book returns it; replaced as a whole on a resize. */
  order: L4Order;
  readonly side: Side;
  px: bigint;
  sz: bigint;
}

/** A level's price as its front order prints it. */
export function textOf(level: ExactLevel): DecimalString {
  return (level.orders[0] as ExactOrder).order.limitPx;
}

/** Total size of a level's orders. */
export function totalOf(level: ExactLevel): bigint {
  return sumOf(level.orders);
}

/** Total size of these orders. */
export function sumOf(orders: readonly ExactOrder[]): bigint {
  return orders.reduce((sum, { sz }) => sum + sz, 0n);
}
