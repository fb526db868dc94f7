import type { BookChange, BookLevels } from '@l4desk/protocol';
import { type BookDifference, compareBooks } from './compare.ts';
import type { Finding } from './finding.ts';
import { L4Book } from './l4-book.ts';

/** Most changes one audit records while its snapshot is under way: eleven minutes of the busiest coin. */
export const AUDITED_CHANGES_MAX = 262_144;

/** What an audit says of the live book. `position` is where the comparison was made. */
export type AuditVerdict =
  | { readonly kind: 'equal'; readonly position: number }
  | { readonly kind: 'different'; readonly position: number; readonly difference: BookDifference }
  /** The snapshot, or the blocks recorded since, violate an expectation: the live book cannot be right either. */
  | { readonly kind: 'finding'; readonly findings: readonly Finding[] }
  /** The snapshot is newer than the live book: ask again when the book has reached `position`. */
  | { readonly kind: 'ahead'; readonly position: number }
  /** The snapshot is older than the audit, which knows no blocks so far back: fetch another one. */
  | { readonly kind: 'too-old'; readonly position: number }
  /** More was recorded than the bound allows: begin another audit. */
  | { readonly kind: 'overrun' };

interface RecordedBlock {
  readonly position: number;
  readonly changes: readonly BookChange[];
}

/**
 * One comparison of a live book with a fresh snapshot (D35). Begin it before the snapshot is asked for, record every block
 * that is applied to the live book from then on; the snapshot is fast-forwarded by them to where the live book stands.
 * Positions are numbers that grow from block to block: seqs for a client, heights for the service.
 */
export class Audit {
  private readonly start: number;
  private readonly changesMax: number;
  private readonly blocks: RecordedBlock[] = [];
  private recorded = 0;

  /** `position` is that of the live book now. */
  constructor(position: number, changesMax = AUDITED_CHANGES_MAX) {
    this.start = position;
    this.changesMax = changesMax;
  }

  /** Notes a block that has just been applied to the live book. */
  record(position: number, changes: readonly BookChange[]): void {
    this.recorded += changes.length;
    if (this.recorded > this.changesMax) this.blocks.length = 0;
    else this.blocks.push({ position, changes });
  }

  /** Compares the live book, which stands at `position`, with a snapshot of any position. Changes neither. */
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
      // What a new order is besides owner, price and size is not compared, so statuses are not needed.
      const found = book.apply(block.changes, [], 0);
      if (found.length > 0) return { kind: 'finding', findings: found };
    }
    const difference = compareBooks(book, live);
    return difference === undefined ? { kind: 'equal', position } : { kind: 'different', position, difference };
  }
}
