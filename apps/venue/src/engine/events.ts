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
