import { subtract } from '@l4desk/decimal';
import type { Address, DecimalString, L4Order, Side } from '@l4desk/protocol';

/**
 * What a change was. The first three kinds bring size to a level, the others take size away; nothing is netted.
 * `requotedIn` and `requotedOut` are the two halves of a modify: a new order under the cloid of one that left.
 */
export const FLOW_KINDS = ['added', 'requotedIn', 'grown', 'canceled', 'requotedOut', 'shrunk', 'executed'] as const;

/** One of `FLOW_KINDS`. */
export type FlowKind = (typeof FLOW_KINDS)[number];

/** The place in the queue that an order took when it began to rest. */
export interface JoinedPlace {
  readonly ordersAhead: number;
  readonly szAhead: DecimalString;
}

/** One change of one order: what it was, and everything needed to undo it and to apply it again. */
export interface FlowEvent {
  /** What the book did. */
  readonly act: 'insert' | 'resize' | 'remove';
  readonly kind: FlowKind;
  /** Whether the kind was concluded from the change, because neither a status nor a node's fills report it. */
  readonly inferred: boolean;
  /** The order status that explains it, as the exchange writes it; null if none does. */
  readonly reason: string | null;
  readonly oid: number;
  /** In lower case. */
  readonly user: Address;
  readonly side: Side;
  /** As printed. */
  readonly px: DecimalString;
  /** The price in its shortest form; identifies the level. */
  readonly level: DecimalString;
  /** Size before and after; `0` if the order did not rest. */
  readonly from: DecimalString;
  readonly to: DecimalString;
  readonly cloid: string | null;
  /** The other half of a requote: the order that this one replaces, or that replaces it. */
  readonly other: number | null;
  /** How many times in a row its owner returned to this price right after an execution there; 0 if it did not. */
  readonly refill: number;
  /** For an order that began to rest: its place then. */
  readonly place: JoinedPlace | null;
  /** The oid directly behind an order that was inserted or removed; null for the back of the queue. */
  readonly behind: number | null;
  /** The order itself, if it was inserted or removed: details as the book lists them. */
  readonly order: L4Order | null;
}

/** The size that a change added or took away. */
export function movedSize({ act, kind, from, to }: FlowEvent): DecimalString {
  if (act === 'insert') return to;
  if (act === 'remove') return from;
  return kind === 'grown' ? subtract(to, from) : subtract(from, to);
}
