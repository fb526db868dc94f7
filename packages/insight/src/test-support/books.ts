import { L4Book } from '@l4desk/book';
import type { Address, DecimalString, L4Order, Side } from '@l4desk/protocol';
import { order, wallet } from '@l4desk/testkit';
import type { ListedOrder } from './brute-force.ts';

/** A resting order: price, size, owner (wallet 1), and its oid if that matters. */
export type Row = readonly [px: DecimalString, sz: DecimalString, user?: Address | null, oid?: number];

/** The book of these orders, best price first and in queue order; a crossed book is built too. */
export function bookOf({ bids = [], asks = [] }: { readonly bids?: readonly Row[]; readonly asks?: readonly Row[] }) {
  const orders = (side: Side, rows: readonly Row[], firstOid: number) =>
    rows.map(([limitPx, sz, user = wallet(1), oid], index): L4Order => {
      return order({ side, limitPx, sz, user, oid: oid ?? firstOid + index });
    });
  return L4Book.build('BTC', [orders('B', bids, 1), orders('A', asks, 101)]).book;
}

/** An order of a snapshot in the form that the brute force takes. */
export function listed({ oid, user, limitPx, sz }: L4Order): ListedOrder {
  return { oid, user, px: limitPx, sz };
}
