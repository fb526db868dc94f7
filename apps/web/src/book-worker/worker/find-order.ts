import type { L4Book } from '@l4desk/book';
import type { L4Order } from '@l4desk/protocol';
import type { FoundOrder } from '../messages.ts';

/**
 * Returns the order with this oid, or with this cloid in lower case. The book is indexed by oid; a cloid is found by scanning.
 */
export function findOrder(book: L4Book, wanted: number | string): FoundOrder | null {
  const order = typeof wanted === 'number' ? book.order(wanted) : withCloid(book, wanted);
  return order === undefined ? null : { coin: book.coin, side: order.side, px: order.limitPx, oid: order.oid };
}

function withCloid(book: L4Book, cloid: string): L4Order | undefined {
  for (const side of ['B', 'A'] as const) {
    for (const order of book.orders(side)) if (order.cloid?.toLowerCase() === cloid) return order;
  }
  return undefined;
}
