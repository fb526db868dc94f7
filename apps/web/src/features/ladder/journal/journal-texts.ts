import type { JournalCounts, JournalEntry } from '../../../book-worker/journal.ts';
import { ageText, counted, grouped, wholeText } from '../../../ui/format.ts';

export function newestFirst<A extends { readonly at: number }, B extends { readonly at: number }>(
  entries: readonly A[],
  hits: readonly B[],
): readonly (A | B)[] {
  return [...entries, ...hits].toReversed().sort((one, other) => other.at - one.at);
}

type Rebuilt = Extract<JournalEntry, { kind: 'rebuilt' }>;

/** One line per entry, in the words of the status line. */
export function journalText(entry: JournalEntry): string {
  switch (entry.kind) {
    case 'built':
      return `built from a snapshot at block ${wholeText(entry.height)}`;
    case 'rebuilt':
      return rebuiltText(entry);
    case 'resumed':
      return `reconnected at block ${wholeText(entry.height)}: ${counted(entry.blocks, 'missed block')} came, nothing unseen`;
    case 'finding':
      return `a block contradicted the book: ${entry.findings.join(', ')}`;
    case 'disproved':
      return `the book was not the service's after block ${wholeText(entry.height)}: checksum ${entry.actual}, the service's ${entry.expected}`;
    case 'verified':
      return verifiedText(entry);
    case 'suspect':
      return `suspect: ${entry.detail}`;
    case 'stale':
      return `stale: ${entry.detail === '' ? entry.reason : entry.detail}`;
    case 'recovered':
      return `blocks are back after ${ageText(entry.afterMs)}`;
  }
}

function rebuiltText({ blocks, unseenMs, isNewEpoch }: Rebuilt): string {
  const epoch = isNewEpoch ? ', new epoch' : '';
  if (blocks < 0) return `rebuilt: the chain is ${counted(-blocks, 'block')} back${epoch}`;
  if (blocks === 0) return `rebuilt at the same block: nothing unseen${epoch}`;
  return `rebuilt: ${counted(blocks, 'block')} (${ageText(unseenMs)}) unseen${epoch}`;
}

/** What changed while the book was not seen, one line per side, and why the book was lost. */
export function rebuiltDetails({ missed, reason, detail }: Rebuilt): readonly string[] {
  const side = (name: string, { bestBefore, bestAfter, added, gone, resized }: Rebuilt['missed']['bids']) => {
    const price = (px: string | null) => (px === null ? 'none' : grouped(px));
    const best = bestBefore === bestAfter ? price(bestAfter) : `${price(bestBefore)} → ${price(bestAfter)}`;
    const orders = ({ orders: count, sz }: typeof added) => `${wholeText(count)} (${grouped(sz)})`;
    return `${name} ${best} · added ${orders(added)} · gone ${orders(gone)} · resized ${wholeText(resized)}`;
  };
  return [
    side('bid', missed.bids),
    side('ask', missed.asks),
    `orders within ${missed.withinBps} bps; lost because: ${reason}${detail === '' ? '' : `, ${detail}`}`,
  ];
}

function verifiedText({ outcome, height, orders, detail }: Extract<JournalEntry, { kind: 'verified' }>): string {
  switch (outcome) {
    case 'equal':
      return `verified at block ${wholeText(height ?? 0)}: ${counted(orders ?? 0, 'order')} match`;
    case 'different':
      return `differed from a fresh snapshot: ${detail}; rebuilt`;
    case 'failed':
      return `not verified: ${detail}`;
  }
}

/** Totals of the session's findings: `2 rebuilds (upstream-gap 2) · 1 finding (crossed 1) · …`. */
export function countsText({ rebuilt, findings, verified, suspect, stale, hits }: JournalCounts): string {
  const kinds = (counts: Readonly<Record<string, number>>, one: string) => {
    const listed = Object.entries(counts).sort(([, a], [, b]) => b - a);
    const all = listed.reduce((sum, [, count]) => sum + count, 0);
    const by = listed.map(([kind, count]) => `${kind} ${wholeText(count)}`).join(', ');
    return all === 0 ? `no ${one}s` : `${counted(all, one)} (${by})`;
  };
  const compared = verified.equal + verified.different;
  return [
    kinds(rebuilt, 'rebuild'),
    kinds(findings, 'finding'),
    `${counted(compared, 'comparison')}, ${wholeText(verified.different)} different`,
    `${counted(suspect, 'time')} suspect`,
    `${counted(stale, 'time')} stale`,
    counted(hits, 'watch hit'),
  ].join(' · ');
}
