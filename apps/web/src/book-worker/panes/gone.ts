import type { DecimalString } from '@l4desk/protocol';
import type { FlowKind } from './past.ts';

/** An order that was seen leaving the book. */
export interface GoneOrder {
  readonly oid: number;
  readonly height: number;
  readonly time: number;
  readonly kind: FlowKind;
  /** No order status says so: it was concluded from the change. */
  readonly inferred: boolean;
  /** The order that took its place under the same cloid, and its price. */
  readonly other: { readonly oid: number; readonly px: DecimalString } | null;
}
