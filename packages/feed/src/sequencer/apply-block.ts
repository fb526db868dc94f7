import { describeFinding, type Finding, type L4Book } from '@l4desk/book';
import { compare } from '@l4desk/decimal';
import type { BookChange, DecimalString, InsertChange, OrderStatus, Side } from '@l4desk/protocol';
import { statusesJson } from '../blocks/entry-text.ts';
import type { SequencedEntry, UpstreamBlock } from '../blocks/upstream-block.ts';

/** The result of applying a block: its changes, or a finding against the book. */
type Applied =
  | { readonly kind: 'applied'; readonly changes: readonly BookChange[] }
  | { readonly kind: 'finding'; readonly detail: string };

/** Applies a block to a book. Returns its changes, each with its side (UP-6). */
export function applyBlock(book: L4Book, { height, time, changes, statuses }: UpstreamBlock): Applied {
  const filled = fillSides(changes, statuses, book);
  if (filled.kind === 'ambiguous')
    return { kind: 'finding', detail: `block ${height}: unknown side of order ${filled.oid}` };
  const findings = book.apply(filled.changes, statuses, time);
  if (findings.length > 0) return { kind: 'finding', detail: `block ${height}: ${describeFindings(findings)}` };
  return { kind: 'applied', changes: filled.changes };
}

/** Merges several blocks of a coin into the content of one entry. */
export function joined(
  blocks: readonly UpstreamBlock[],
): Pick<SequencedEntry, 'diffs' | 'statuses' | 'statusesText' | 'hasOtherStatuses' | 'executed'> {
  const [only] = blocks;
  if (only !== undefined && blocks.length === 1) {
    const { diffs, statuses, statusesText, hasOtherStatuses = false, executed = [] } = only;
    return { diffs, statuses, statusesText, hasOtherStatuses, executed };
  }
  return {
    diffs: blocks.flatMap(({ diffs }) => diffs),
    statuses: blocks.flatMap(({ statuses }) => statuses),
    statusesText: textOfAll(blocks),
    hasOtherStatuses: blocks.some(({ hasOtherStatuses }) => hasOtherStatuses === true),
    executed: blocks.flatMap(({ executed = [] }) => executed),
  };
}

/** The text of all statuses of several blocks; null if one block's statuses were not all read. */
function textOfAll(blocks: readonly UpstreamBlock[]): string | null {
  const texts: string[] = [];
  for (const { hasOtherStatuses, statuses, statusesText } of blocks) {
    if (statusesText === null && hasOtherStatuses === true) return null;
    const text = statusesText ?? statusesJson(statuses);
    if (text !== '') texts.push(text);
  }
  return texts.join(',');
}

/** Describes the first finding and says how many more there are. */
export function describeFindings([first, ...others]: readonly Finding[]): string {
  const text = first === undefined ? '' : describeFinding(first);
  return others.length === 0 ? text : `${text} and ${others.length} more`;
}

/** The changes with every side filled in, or the order whose side is unknown. */
export type SidedChanges =
  | { readonly kind: 'sided'; readonly changes: readonly BookChange[] }
  | { readonly kind: 'ambiguous'; readonly oid: number };

/** Fills in sides that the upstream left out (UP-14); one that cannot be determined is not guessed. */
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

/** A new order at or behind the best price of a side rests there, unless the block changes orders in between. */
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
