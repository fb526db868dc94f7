import { describeFinding, type Finding, type L4Book } from '@l4desk/book';
import type { BookChange } from '@l4desk/protocol';
import { statusesJson } from '../blocks/entry-text.ts';
import { fillSides } from '../blocks/sides.ts';
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
export function describeFindings(findings: readonly Finding[]): string {
  const first = findings[0];
  const more = findings.length > 1 ? ` and ${findings.length - 1} more` : '';
  return first === undefined ? '' : describeFinding(first) + more;
}
