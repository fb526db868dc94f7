import type { L4Book } from '@l4desk/book';
import type { BookChange } from '@l4desk/protocol';
import { RuleWatch, type WatchPosition } from './rule-watch.ts';
import type { WatchHit, WatchRule } from './rules.ts';

/** One block of the past and the book right after it. The book may be the same object each time, moved on. */
export interface PastBlock {
  readonly position: WatchPosition;
  readonly changes: readonly BookChange[];
  readonly book: L4Book;
}

/** What rules would have said of a stretch of the past. */
export interface RulesTried {
  readonly blocks: number;
  /** How often each rule would have fired, in the order of the rules. */
  readonly counts: readonly number[];
  /** The last hits, at most `hitsMax`, oldest first. */
  readonly hits: readonly WatchHit[];
}

/**
 * Tries rules on blocks of the past, oldest first, each looked at as it would have been live. The first block only says
 * where things stood: what it finds standing did not begin there. Throws RangeError as `RuleWatch` does.
 */
export function tryRules(
  coin: string,
  rules: readonly WatchRule[],
  past: Iterable<PastBlock>,
  { hitsMax = 100 }: { readonly hitsMax?: number } = {},
): RulesTried {
  const watch = new RuleWatch(coin, rules);
  const counts = rules.map(() => 0);
  let hits: WatchHit[] = [];
  let blocks = 0;
  for (const { position, changes, book } of past) {
    blocks += 1;
    if (blocks === 1) {
      watch.onBook(book, position);
      watch.look(book, position);
      continue;
    }
    for (const hit of [...watch.onBlock(changes, position), ...watch.look(book, position)]) {
      counts[hit.rule] = (counts[hit.rule] ?? 0) + 1;
      hits.push(hit);
    }
    if (hits.length > hitsMax * 2) hits = hits.slice(-hitsMax);
  }
  return { blocks, counts, hits: hits.slice(-hitsMax) };
}
