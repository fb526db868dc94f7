import type { Missed, WatchHit } from '@l4desk/insight';

interface EntryAt {
  /** When the page noted it, ms since the Unix epoch. */
  readonly at: number;
  readonly coin: string;
}

/** What happened to the page's copy of a book, as the session's journal keeps it. */
export type JournalEntry = EntryAt &
  (
    | { readonly kind: 'built'; readonly height: number; readonly epoch: string }
    /** A book was lost and rebuilt: what was not seen in between. */
    | {
        readonly kind: 'rebuilt';
        readonly height: number;
        readonly epoch: string;
        readonly isNewEpoch: boolean;
        /** Blocks between the last one applied and the new snapshot's; negative where the chain restarted. */
        readonly blocks: number;
        /** Ms of block time between the two. */
        readonly unseenMs: number;
        /** Why the book was lost: `upstream-gap`, `disconnected`, … */
        readonly reason: string;
        readonly detail: string;
        readonly missed: Missed;
      }
    /** After a disconnect the book continued where it was: `blocks` missed blocks were delivered afterwards, none was lost. */
    | { readonly kind: 'resumed'; readonly height: number; readonly blocks: number }
    /** A block contradicted the book: the kinds of the findings. */
    | { readonly kind: 'finding'; readonly findings: readonly string[] }
    /** After a block, the service's checksum did not match the book's. */
    | { readonly kind: 'disproved'; readonly height: number; readonly expected: string; readonly actual: string }
    /** The book was compared with a fresh snapshot. */
    | {
        readonly kind: 'verified';
        readonly outcome: 'equal' | 'different' | 'failed';
        readonly height: number | null;
        readonly orders: number | null;
        readonly detail: string;
      }
    | { readonly kind: 'suspect'; readonly reason: string; readonly detail: string }
    | { readonly kind: 'recovered'; readonly afterMs: number }
    | { readonly kind: 'watch'; readonly hit: WatchHit }
  );

/** Totals of a session's journal, by kind. */
export interface JournalCounts {
  readonly rebuilt: Readonly<Record<string, number>>;
  readonly findings: Readonly<Record<string, number>>;
  readonly verified: { readonly equal: number; readonly different: number; readonly failed: number };
  readonly suspect: number;
}

/** Counts rebuilds by reason, findings by kind (a wrong checksum included), comparisons by outcome. */
export function journalCounts(entries: readonly JournalEntry[]): JournalCounts {
  const rebuilt: Record<string, number> = {};
  const findings: Record<string, number> = {};
  const verified = { equal: 0, different: 0, failed: 0 };
  let suspect = 0;
  for (const entry of entries) {
    if (entry.kind === 'rebuilt') rebuilt[entry.reason] = (rebuilt[entry.reason] ?? 0) + 1;
    if (entry.kind === 'finding') for (const kind of entry.findings) findings[kind] = (findings[kind] ?? 0) + 1;
    if (entry.kind === 'disproved') findings.checksum = (findings.checksum ?? 0) + 1;
    if (entry.kind === 'verified') verified[entry.outcome] += 1;
    if (entry.kind === 'suspect') suspect += 1;
  }
  return { rebuilt, findings, verified, suspect };
}
