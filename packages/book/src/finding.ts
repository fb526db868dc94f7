import type { DecimalString, Side } from '@l4desk/protocol';

/**
 * A violated expectation: proof that the book is no longer (or never was) the source's book (D35). A change with a finding is
 * not applied; everything else of the block is. The caller rebuilds the book from a fresh snapshot.
 */
export type Finding =
  /** A resize or a removal names an order that does not rest (BOOK-10). */
  | { readonly kind: 'unknown-oid'; readonly change: 'resize' | 'remove'; readonly oid: number }
  /** A new order carries the oid of one that rests, or a snapshot holds an oid twice (BOOK-13). */
  | { readonly kind: 'duplicate-oid'; readonly oid: number }
  /** `insertBefore` names no order that rests at the same price and side (BOOK-14). */
  | { readonly kind: 'unknown-neighbour'; readonly oid: number; readonly insertBefore: number }
  /** `origSz` of a resize differs from the resting size (BOOK-11). */
  | {
      readonly kind: 'size-mismatch';
      readonly oid: number;
      readonly said: DecimalString;
      readonly resting: DecimalString;
    }
  | { readonly kind: 'side-mismatch'; readonly oid: number; readonly said: Side; readonly resting: Side }
  | {
      readonly kind: 'price-mismatch';
      readonly oid: number;
      readonly said: DecimalString;
      readonly resting: DecimalString;
    }
  /** A new order of size zero. */
  | { readonly kind: 'empty-insert'; readonly oid: number }
  /** A price or size that is not a non-negative decimal. */
  | {
      readonly kind: 'bad-amount';
      readonly oid: number;
      readonly field: 'px' | 'sz' | 'origSz' | 'newSz';
      readonly text: string;
    }
  /** An order of a snapshot is listed after one of a worse price, or in the other side's list. */
  | { readonly kind: 'misplaced'; readonly oid: number; readonly side: Side }
  /** The order statuses of a block, which are read after its changes are applied, break the format. */
  | { readonly kind: 'unreadable-statuses'; readonly problem: string }
  /** The best bid is not below the best ask at the end of a block (BOOK-12). Levels of total size zero do not count. */
  | { readonly kind: 'crossed'; readonly bid: DecimalString; readonly ask: DecimalString };

/** One sentence about a finding, for logs and for the reason of a rebuild. */
export function describeFinding(finding: Finding): string {
  switch (finding.kind) {
    case 'unknown-oid':
      return `${finding.change} of order ${finding.oid}, which does not rest`;
    case 'duplicate-oid':
      return `order ${finding.oid} already rests`;
    case 'unknown-neighbour':
      return `order ${finding.oid} is to rest in front of ${finding.insertBefore}, which does not rest at that price`;
    case 'size-mismatch':
      return `order ${finding.oid} is said to have size ${finding.said} but rests with ${finding.resting}`;
    case 'side-mismatch':
      return `order ${finding.oid} is said to be on side ${finding.said} but rests on ${finding.resting}`;
    case 'price-mismatch':
      return `order ${finding.oid} is said to rest at ${finding.said} but rests at ${finding.resting}`;
    case 'empty-insert':
      return `new order ${finding.oid} has size zero`;
    case 'bad-amount':
      return `${finding.field} of order ${finding.oid} is not a non-negative decimal: ${JSON.stringify(finding.text)}`;
    case 'misplaced':
      return `order ${finding.oid} is out of price order on side ${finding.side}`;
    case 'unreadable-statuses':
      return `order statuses cannot be read: ${finding.problem}`;
    case 'crossed':
      return `the book is crossed: bid ${finding.bid}, ask ${finding.ask}`;
  }
}
