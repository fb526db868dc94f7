import type { BookChange, BookLevels } from '@l4desk/protocol';
import { type BookDifference, compareBooks } from './compare.ts';
import type { Finding } from './finding.ts';
import { L4Book } from './l4-book.ts';

/** Maximum number of changes that an audit records while its snapshot is fetched: eleven minutes of the busiest coin. */
export const AUDITED_CHANGES_MAX = 262_144;

/** What an audit reports about the live book. `position` is where the comparison was made. */
export type AuditVerdict =
  | { readonly kind: 'equal'; readonly position: number }
  | { readonly kind: 'different'; readonly position: number; readonly difference: BookDifference }
  /** The snapshot, or the blocks recorded since, violate an expectation: the live book cannot be right either. */
  | { readonly kind: 'finding'; readonly findings: readonly Finding[] }
  /** The snapshot is newer than the live book: check again once the book has reached `position`. */
  | { readonly kind: 'ahead'; readonly position: number }
  /** The snapshot is older than the audit, which has no blocks from before its start: fetch another one. */
  | { readonly kind: 'too-old'; readonly position: number }
  /** More changes were recorded than the bound allows: begin another audit. */
  | { readonly kind: 'overrun' };

interface RecordedBlock {
  readonly position: number;
  readonly changes: readonly BookChange[];
}

/**
 * One comparison of a live book with a fresh snapshot (D35). Begin it before requesting the snapshot, and record every block
 * that is applied to the live book from then on. The recorded blocks bring the snapshot up to the position of the live book.
 * Positions are numbers that grow from block to block: seqs for a client, heights for the service.
 */
export class Audit {
  private readonly start: number;
  private readonly changesMax: number;
  private readonly blocks: RecordedBlock[] = [];
  private recorded = 0;

  /** `position` is the current position of the live book. */
  constructor(position: number, changesMax = AUDITED_CHANGES_MAX) {
    this.start = position;
    this.changesMax = changesMax;
  }

  /** Records a block that was just applied to the live book. */
  record(position: number, changes: readonly BookChange[]): void {
    this.recorded += changes.length;
    if (this.recorded > this.changesMax) this.blocks.length = 0;
    else this.blocks.push({ position, changes });
  }

  /** Compares the live book, which is at `position`, with a snapshot of any position. Changes neither. */
  check(
    snapshot: { readonly position: number; readonly levels: BookLevels },
    live: L4Book,
    position: number,
  ): AuditVerdict {
    if (this.recorded > this.changesMax) return { kind: 'overrun' };
    if (snapshot.position < this.start) return { kind: 'too-old', position: snapshot.position };
    if (snapshot.position > position) return { kind: 'ahead', position: snapshot.position };
    const { book, findings } = L4Book.build(live.coin, snapshot.levels);
    if (findings.length > 0) return { kind: 'finding', findings };
    for (const block of this.blocks) {
      if (block.position <= snapshot.position) continue;
      // Only owner, price and size of a new order are compared, so statuses are not needed.
      const found = book.apply(block.changes, [], 0);
      if (found.length > 0) return { kind: 'finding', findings: found };
    }
    const difference = compareBooks(book, live);
    return difference === undefined ? { kind: 'equal', position } : { kind: 'different', position, difference };
  }
}
