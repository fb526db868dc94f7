import type { Address, DecimalString, Side } from '@l4desk/protocol';

/**
 * The calls that tell of orders. Open ones come from `frontendOpenOrders`: it costs what `openOrders` does and also tells
 * type, time in force, triggers and legs.
 */
export type OrderCall = 'frontendOpenOrders' | 'historicalOrders';

/** An order as one of the calls reports it: what all of them have, and whatever else came along. */
export interface ReportedOrder {
  readonly coin: string;
  readonly side: Side;
  readonly limitPx: DecimalString;
  readonly sz: DecimalString;
  readonly origSz: DecimalString;
  readonly oid: number;
  /** When it was placed, in ms. */
  readonly timestamp: number;
  readonly [field: string]: unknown;
}

/** One response of one call about one wallet. */
export interface OrderResponse {
  readonly address: Address;
  readonly call: OrderCall;
  /** The builder dex it was asked of, empty for the canonical one. The history covers all of them. */
  readonly dex: string;
  readonly entries: readonly OrderEntry[];
}

/** One row of a response. Only the history reports a status. */
export interface OrderEntry {
  readonly order: ReportedOrder;
  readonly status?: string;
  /** When the status took effect, in ms. */
  readonly statusTimestamp?: number;
  /** What the entry holds besides, under the names of the wire. */
  readonly [field: string]: unknown;
}

/** A field that reads as text, where it was reported as one. */
export function textOf(order: ReportedOrder, field: string): string | undefined {
  const value = order[field];
  return typeof value === 'string' ? value : undefined;
}

export function flagOf(order: ReportedOrder, field: string): boolean | undefined {
  const value = order[field];
  return typeof value === 'boolean' ? value : undefined;
}

/** The legs of an order: whole orders again. */
export function childrenOf(order: ReportedOrder): readonly ReportedOrder[] {
  return Array.isArray(order.children) ? (order.children as readonly ReportedOrder[]) : NO_ORDERS;
}

const NO_ORDERS: readonly ReportedOrder[] = [];
