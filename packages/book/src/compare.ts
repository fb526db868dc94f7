import type { DecimalString, Side } from '@l4desk/protocol';

/** What a comparison looks at in an order. */
export interface OrderKey {
  readonly oid: number;
  readonly user: string;
  readonly px: DecimalString;
  readonly sz: DecimalString;
}

/**
 * The first place where two books differ, walking bids, then asks, from the best price, in queue order. `place` counts
 * orders of that side from 0. `expected` is null where the expected book has ended, `actual` where the actual one has.
 */
export interface BookDifference {
  readonly side: Side;
  readonly place: number;
  /** What differs at that place: the order itself (its oid), or one field of the same order. */
  readonly field: 'oid' | 'px' | 'sz' | 'user';
  readonly expected: OrderKey | null;
  readonly actual: OrderKey | null;
}
