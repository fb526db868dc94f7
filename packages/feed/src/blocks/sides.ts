import type { L4Book } from '@l4desk/book';
import { compare } from '@l4desk/decimal';
import type { BookChange, DecimalString, InsertChange, OrderStatus, Side } from '@l4desk/protocol';

/** The changes with every side filled in, or the order whose side is unknown. */
export type SidedChanges =
  | { readonly kind: 'sided'; readonly changes: readonly BookChange[] }
  | { readonly kind: 'ambiguous'; readonly oid: number };

/**
 * Fills in sides that the upstream left out (UP-14): of a resting order from the book; of a new one from its status, from the
 * order it rests in front of, or from its price. A side that cannot be determined is not guessed.
 */
export function fillSides(
  changes: readonly BookChange<Side | null>[],
  statuses: readonly OrderStatus[],
  book: L4Book,
): SidedChanges {
  if (changes.every(isSided)) return { kind: 'sided', changes };
  const statusSides = new Map(statuses.map(({ order }) => [order.oid, order.side]));
  const newSides = new Map<number, Side>();
  const restingSide = (oid: number) => newSides.get(oid) ?? book.sideOf(oid);
  const sided: BookChange[] = [];
  for (const change of changes) {
    const side =
      change.side ??
      (change.kind === 'insert'
        ? (statusSides.get(change.oid) ??
          (change.insertBefore === null ? undefined : restingSide(change.insertBefore)) ??
          sideByPrice(change, changes, book))
        : restingSide(change.oid));
    if (side === undefined) return { kind: 'ambiguous', oid: change.oid };
    if (change.kind === 'insert') newSides.set(change.oid, side);
    sided.push({ ...change, side });
  }
  return { kind: 'sided', changes: sided };
}

function isSided(change: BookChange<Side | null>): change is BookChange {
  return change.side !== null;
}

/**
 * A new order at or behind the best price of a side rests on that side, because otherwise it would have matched. That holds only
 * while the orders it would have matched are present: if the block also changes orders in between, the side is unknown.
 */
function sideByPrice(
  { px }: InsertChange<Side | null>,
  changes: readonly BookChange<Side | null>[],
  book: L4Book,
): Side | undefined {
  const changesBetween = (low: DecimalString, high: DecimalString) =>
    changes.some((change) => change.kind !== 'insert' && compare(change.px, low) >= 0 && compare(change.px, high) <= 0);
  const ask = book.best('A');
  if (ask !== undefined && compare(px, ask.px) >= 0) return changesBetween(ask.px, px) ? undefined : 'A';
  const bid = book.best('B');
  if (bid !== undefined && compare(px, bid.px) <= 0) return changesBetween(px, bid.px) ? undefined : 'B';
  return undefined;
}
