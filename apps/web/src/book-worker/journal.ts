import type { Missed, WatchHit } from '@l4desk/insight';

interface EntryAt {
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
        readonly unseenMs: number;
        /** Why the book was lost: `upstream-gap`, `disconnected`, … */
        readonly reason: string;
        readonly detail: string;
        readonly missed: Missed;
      }
    /** After a disconnect the book continued where it was: `blocks` missed blocks were delivered afterwards, none was lost. */
    | { readonly kind: 'resumed'; readonly height: number; readonly blocks: number }
    | { readonly kind: 'finding'; readonly findings: readonly string[] }
    /** After a block, the service's checksum did not match the book's. */
    | { readonly kind: 'disproved'; readonly height: number; readonly expected: string; readonly actual: string }
    | {
        readonly kind: 'verified';
        readonly outcome: 'equal' | 'different' | 'failed';
        readonly height: number | null;
        readonly orders: number | null;
        readonly detail: string;
      }
    | { readonly kind: 'suspect'; readonly reason: string; readonly detail: string }
    /** The book is no longer kept up to date: the connection was lost, or the service has lost its upstream. */
    | { readonly kind: 'stale'; readonly reason: string; readonly detail: string }
    /** Ends a suspicion or a time of staleness. */
    | { readonly kind: 'recovered'; readonly afterMs: number }
  );

/** A watch rule that fired, as the session's journal keeps it: apart, because there can be many a second. */
export interface JournalHit {
  readonly at: number;
  readonly hit: WatchHit;
}

/** Totals of a session's journal, by kind: of everything noted, whether it is still kept or not. */
export interface JournalCounts {
  readonly rebuilt: Readonly<Record<string, number>>;
  readonly findings: Readonly<Record<string, number>>;
  readonly verified: { readonly equal: number; readonly different: number; readonly failed: number };
  readonly suspect: number;
  readonly stale: number;
  readonly hits: number;
}

export const NO_COUNTS: JournalCounts = {
  rebuilt: {},
  findings: {},
  verified: { equal: 0, different: 0, failed: 0 },
  suspect: 0,
  stale: 0,
  hits: 0,
};

/** Adds an entry to the totals: rebuilds by reason, findings by kind (a wrong checksum included), comparisons by outcome. */
export function countEntry(counts: JournalCounts, entry: JournalEntry): JournalCounts {
  switch (entry.kind) {
    case 'rebuilt':
      return { ...counts, rebuilt: countMore(counts.rebuilt, [entry.reason]) };
    case 'finding':
      return { ...counts, findings: countMore(counts.findings, entry.findings) };
    case 'disproved':
      return { ...counts, findings: countMore(counts.findings, ['checksum']) };
    case 'verified':
      return { ...counts, verified: { ...counts.verified, [entry.outcome]: counts.verified[entry.outcome] + 1 } };
    case 'suspect':
      return { ...counts, suspect: counts.suspect + 1 };
    case 'stale':
      return { ...counts, stale: counts.stale + 1 };
    case 'built':
    case 'resumed':
    case 'recovered':
      return counts;
  }
}

function countMore(counts: Readonly<Record<string, number>>, kinds: readonly string[]): Record<string, number> {
  const more = { ...counts };
  for (const kind of kinds) more[kind] = (more[kind] ?? 0) + 1;
  return more;
}
