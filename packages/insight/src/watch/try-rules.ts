import type { L4Book } from '@l4desk/book';
import type { BookChange } from '@l4desk/protocol';
import { RuleWatch, type WatchPosition } from './rule-watch.ts';
import type { WatchHit, WatchRule } from './rules.ts';

/** What rules would have reported for a stretch of the past. */
export interface RulesTried {
  readonly blocks: number;
  /** How often each rule would have fired, in the order of the rules. */
  readonly counts: readonly number[];
  /** The last hits, at most `hitsMax`, oldest first. */
  readonly hits: readonly WatchHit[];
}

/**
 * Tries rules on past blocks, oldest first, one at a time, exactly as they would have run live. Throws RangeError as
 * `RuleWatch` does.
 */
export class RuleTrial {
  private readonly watch: RuleWatch;
  private readonly counts: number[];
  private readonly hitsMax: number;
  private hits: WatchHit[] = [];
  private blocks = 0;

  constructor(coin: string, rules: readonly WatchRule[], { hitsMax = 100 }: { readonly hitsMax?: number } = {}) {
    this.watch = new RuleWatch(coin, rules);
    this.counts = rules.map(() => 0);
    this.hitsMax = hitsMax;
  }

  get result(): RulesTried {
    return { blocks: this.blocks, counts: [...this.counts], hits: this.hits.slice(-this.hitsMax) };
  }

  /** Takes a starting state: before the first block, or after a gap, where only a new epoch and newly held states are news. */
  onBook(book: L4Book, position: WatchPosition): void {
    this.blocks += 1;
    this.note(this.watch.onBook(book, position));
  }

  /** Takes one block and the book right after it. */
  onBlock(changes: readonly BookChange[], book: L4Book, position: WatchPosition): void {
    this.blocks += 1;
    this.note(this.watch.onBlock(changes, book, position));
  }

  /** Takes the state of the feed at a moment between two blocks: why it is suspect; null while it is not. */
  onFeed(suspicion: string | null, position: WatchPosition): void {
    this.note(this.watch.onFeed(suspicion, position));
  }

  private note(hits: readonly WatchHit[]): void {
    for (const hit of hits) {
      this.counts[hit.rule] = (this.counts[hit.rule] ?? 0) + 1;
      this.hits.push(hit);
    }
    if (this.hits.length > this.hitsMax * 2) this.hits = this.hits.slice(-this.hitsMax);
  }
}
