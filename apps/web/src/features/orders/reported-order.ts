import { type DecimalString, decimalOf, isDecimalString } from '@l4desk/protocol';

/**
 * The calls that report orders. Open ones come from `frontendOpenOrders`: it costs the same as `openOrders` and also reports
 * type, time in force, triggers and legs.
 */
export type OrderCall = 'frontendOpenOrders' | 'historicalOrders';

/** Where an order with unreadable values has what was received. A symbol is neither listed nor copied as JSON. */
const AS_SENT: unique symbol = Symbol('as sent');

/** An order as reported by one of the calls: the fields that both have, and any others. */
export interface ReportedOrder {
  readonly coin: string;
  /** `B` bid, `A` ask; another word is shown as it is. */
  readonly side: string;
  /** Undefined if it was not reported as a decimal (D59). */
  readonly limitPx: DecimalString | undefined;
  readonly sz: DecimalString | undefined;
  readonly origSz: DecimalString | undefined;
  readonly oid: number;
  /** When it was placed, in ms; undefined if it was not reported. */
  readonly timestamp: number | undefined;
  readonly [field: string]: unknown;
  readonly [AS_SENT]?: UnreadOrder;
}

export function asSent(order: ReportedOrder): Readonly<Record<string, unknown>> {
  return order[AS_SENT] ?? order;
}

/**
 * The order as pages read it: an amount that is no decimal, or a time that is no number, counts as not reported. The same order
 * if it has them all.
 */
export function reportedOrder(order: UnreadOrder): ReportedOrder {
  if (isWhole(order)) return order;
  const { limitPx, sz, origSz, timestamp } = order;
  return {
    ...order,
    limitPx: decimalOf(limitPx),
    sz: decimalOf(sz),
    origSz: decimalOf(origSz),
    timestamp: typeof timestamp === 'number' ? timestamp : undefined,
    [AS_SENT]: order,
  };
}

type UnreadOrder = Pick<ReportedOrder, 'coin' | 'side' | 'oid'> & { readonly [field: string]: unknown };

function isWhole(order: UnreadOrder): order is ReportedOrder {
  return [order.limitPx, order.sz, order.origSz].every(isDecimalString) && typeof order.timestamp === 'number';
}

/** One row of a response. Only the history reports a status. */
export interface OrderEntry {
  readonly order: ReportedOrder;
  readonly status?: string | undefined;
  /** When the status took effect, in ms. */
  readonly statusTimestamp?: number | undefined;
  /** Other fields of the entry, under their names on the wire. */
  readonly [field: string]: unknown;
}

/** The field, if it was reported as text. */
export function textOf(order: ReportedOrder, field: string): string | undefined {
  const value = order[field];
  return typeof value === 'string' ? value : undefined;
}

export function flagOf(order: ReportedOrder, field: string): boolean | undefined {
  const value = order[field];
  return typeof value === 'boolean' ? value : undefined;
}

/** The legs of an order, which are complete orders themselves. */
export function childrenOf(order: ReportedOrder): readonly ReportedOrder[] {
  return Array.isArray(order.children) ? (order.children as readonly ReportedOrder[]).map(reportedOrder) : NO_ORDERS;
}

const NO_ORDERS: readonly ReportedOrder[] = [];
