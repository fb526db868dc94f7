import { L4Book } from '@l4desk/book';
import type { BookChange, Side } from '@l4desk/protocol';
import type { UpstreamBlock } from '../blocks/upstream-block.ts';
import type { UpstreamSnapshot } from './source.ts';

/**
 * The coin's book at the snapshot's height. A server that splits heights reports a height before it has applied all its parts, so
 * its snapshot may lack some. `blocks` are the merged ones of the last heights. Replaying a part that is already applied has no
 * effect.
 */
export function completeSnapshot(
  coin: string,
  snapshot: UpstreamSnapshot,
  blocks: readonly UpstreamBlock[],
): UpstreamSnapshot {
  const missing = blocks.filter(({ height }) => height <= snapshot.height);
  if (missing.length === 0) return snapshot;
  const { book, findings } = L4Book.build(coin, snapshot.levels);
  // The sequencer reports an order that cannot rest. Both sides of a part of a height may cross.
  if (findings.some(({ kind }) => kind !== 'crossed')) return snapshot;
  for (const block of missing) book.apply(sidedChanges(block, book), block.statuses, block.time);
  return { ...snapshot, levels: book.levels() };
}

/** The changes whose side is known. Any other is of an order that does not rest. */
function sidedChanges({ changes, statuses }: UpstreamBlock, book: L4Book): readonly BookChange[] {
  const sides = new Map<number, Side>(statuses.map(({ order }) => [order.oid, order.side]));
  return changes.flatMap((change) => {
    const side = change.side ?? sides.get(change.oid) ?? book.sideOf(change.oid);
    return side === undefined ? [] : [{ ...change, side }];
  });
}
