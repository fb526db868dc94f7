import type { HistoryEntry, Order, StatusName } from './order.ts';

/** One change of the book, with the values at that moment. */
export type EngineDiff =
  | { readonly kind: 'insert'; readonly order: Order; readonly lots: number; readonly insertBefore: number | null }
  | { readonly kind: 'resize'; readonly order: Order; readonly fromLots: number; readonly toLots: number }
  | { readonly kind: 'remove'; readonly order: Order };

/** One status change of an order. */
export interface EngineStatus extends HistoryEntry {
  readonly status: StatusName;
}

/** One trade: the resting order, the incoming order, and the price of the resting one. */
export interface EngineFill {
  readonly maker: Order;
  readonly taker: Order;
  readonly px: number;
  readonly lots: number;
}

/** What happened to one coin in one block, in order. */
export interface EngineBlock {
  readonly diffs: readonly EngineDiff[];
  readonly statuses: readonly EngineStatus[];
  readonly fills: readonly EngineFill[];
}

/** The trade ids of a taker start at a multiple of its oid. With more trades than this in one block, ids would repeat. */
const FILLS_OF_ORDER_MAX = 4_096;

/** The id of a trade, by its index among those of a block. */
export function tidOf(taker: Order, index: number): number {
  return taker.oid * FILLS_OF_ORDER_MAX + (index % FILLS_OF_ORDER_MAX);
}
