import type { DecimalString } from '@l4desk/protocol';
import type { FlowKind } from './past.ts';

/** An order that was seen leaving the book. */
export interface GoneOrder {
  readonly oid: number;
  readonly height: number;
  readonly time: number;
  readonly kind: FlowKind;
  /** No order status reports it: it was inferred from the change. */
  readonly inferred: boolean;
  /** The order that replaced it under the same cloid, and its price. */
  readonly other: { readonly oid: number; readonly px: DecimalString } | null;
}
