import { compare, subtract } from '@l4desk/decimal';
import type { OrderRow } from './order-rows.ts';
import { goneSize, outcomeText, phaseOf, shareText } from './outcome.ts';
import type { RowFills } from './use-fills.ts';

/** The outcome of a row as text: by its fills, where they say more than the order itself. Empty if nothing determines it. */
export function rowOutcome(row: OrderRow, fills: RowFills | undefined): string {
  return newerOutcome(row, fills) ?? outcomeText(row.call, row.entry, row.later);
}

/** The outcome of an order that newer fills ended: it stays so after the order has left the book. */
export const FILLED_BY_FILLS = 'filled, by its fills';

/**
 * What the fills of an order say that the order itself does not say yet: they are loaded after it. Undefined if they say no more,
 * or if the order is final. A decrease may also be a cut of a reduce-only order, so only more fills than decrease are news.
 */
function newerOutcome(
  { call, order, entry, later, parent }: OrderRow,
  found: RowFills | undefined,
): string | undefined {
  if (found?.kind !== 'filled' || later !== undefined || parent !== undefined) return undefined;
  // Only the history has statuses.
  const phase = entry.status === undefined && call === 'frontendOpenOrders' ? 'open' : phaseOf(entry.status ?? '');
  if (phase !== 'open' && phase !== 'triggered') return undefined;
  const { sz } = found.fills;
  if (compare(sz, goneSize(order.sz, order.origSz) ?? '0') <= 0) return undefined;
  const share = order.origSz === undefined ? '' : shareText(subtract(order.origSz, sz), order.origSz);
  if (share === '') return 'has fills';
  return share === '100 %' ? FILLED_BY_FILLS : `partly filled, by its fills (${share})`;
}
