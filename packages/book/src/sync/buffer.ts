import { type CoinBatch, readableStatuses } from '@l4desk/protocol';

/** Most changes that wait for one coin's snapshot: eleven minutes of the busiest coin, some 80 MB at the worst. */
export const BUFFERED_CHANGES_MAX = 262_144;

interface Node {
  readonly batch: CoinBatch;
  readonly before: Node | undefined;
}

/**
 * Batches of one coin that wait for its snapshot, without a hole: one epoch, every `prevSeq` the `seq` before. What cannot
 * be joined to any useful snapshot is not kept: batches before a hole, and, past the bound, the oldest half. A snapshot
 * older than what is left is then fetched again, as after any hole. Values are never changed, so a state may hold one.
 */
export interface BatchBuffer {
  /** The last batch, undefined when empty. */
  readonly last: CoinBatch | undefined;
  readonly older: Node | undefined;
  readonly newer: Node | undefined;
  readonly newerChanges: number;
}

export const EMPTY_BUFFER: BatchBuffer = { last: undefined, older: undefined, newer: undefined, newerChanges: 0 };

/** Adds a batch. A late or repeated one is dropped; one behind a hole or of another epoch starts the buffer afresh. */
export function pushBatch(buffer: BatchBuffer, arrived: CoinBatch, changesMax = BUFFERED_CHANGES_MAX): BatchBuffer {
  const { last } = buffer;
  if (last !== undefined && last.epoch === arrived.epoch && arrived.seq <= last.seq) return buffer;
  const batch = withoutIdleStatuses(arrived);
  const changes = batch.changes.length;
  if (last === undefined || last.epoch !== batch.epoch || last.seq !== batch.prevSeq) {
    return { last: batch, older: undefined, newer: { batch, before: undefined }, newerChanges: changes };
  }
  if (buffer.newerChanges + changes > changesMax / 2) {
    return { last: batch, older: buffer.newer, newer: { batch, before: undefined }, newerChanges: changes };
  }
  const newerChanges = buffer.newerChanges + changes;
  return { last: batch, older: buffer.older, newer: { batch, before: buffer.newer }, newerChanges };
}

/** The batches, oldest first. */
export function bufferedBatches(buffer: BatchBuffer): readonly CoinBatch[] {
  const batches: CoinBatch[] = [];
  for (const newest of [buffer.newer, buffer.older]) {
    for (let node = newest; node !== undefined; node = node.before) batches.push(node.batch);
  }
  return batches.toReversed();
}

/** A block carries thirty statuses for each that describes a new order: only those are of use to the book. */
function withoutIdleStatuses(batch: CoinBatch): CoinBatch {
  const statuses = readableStatuses(batch.statuses);
  // Statuses that cannot be read become a finding of the book they are applied to; their text is let go of already.
  if (statuses === undefined || statuses.length === 0) return batch;
  const inserted = new Set<number>();
  for (const change of batch.changes) if (change.kind === 'insert') inserted.add(change.oid);
  return { ...batch, statuses: statuses.filter((status) => inserted.has(status.order.oid)) };
}
