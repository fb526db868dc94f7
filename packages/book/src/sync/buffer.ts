import { type CoinBatch, readableStatuses } from '@l4desk/protocol';

/** Maximum number of changes buffered for one coin's snapshot: eleven minutes of the busiest coin, some 80 MB at worst. */
export const BUFFERED_CHANGES_MAX = 262_144;

interface Node {
  readonly batch: CoinBatch;
  readonly before: Node | undefined;
}

/**
 * Batches of one coin buffered until its snapshot arrives, without a gap: one epoch, every `prevSeq` equal to the `seq` before.
 * Batches that no useful snapshot could join are not kept: those before a gap, and, past the bound, the oldest half. A snapshot
 * older than the remaining batches is then fetched again, as after any gap. Values are immutable, so a state may hold one.
 */
export interface BatchBuffer {
  /** The last batch; undefined if empty. */
  readonly last: CoinBatch | undefined;
  readonly older: Node | undefined;
  readonly newer: Node | undefined;
  readonly newerChanges: number;
}

export const EMPTY_BUFFER: BatchBuffer = { last: undefined, older: undefined, newer: undefined, newerChanges: 0 };

/** Adds a batch. A late or repeated one is dropped; one after a gap or of another epoch starts the buffer afresh. */
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

/** A block carries thirty statuses for each one that describes a new order; the book needs only the latter. */
function withoutIdleStatuses(batch: CoinBatch): CoinBatch {
  const statuses = readableStatuses(batch.statuses);
  // Statuses that cannot be read become a finding of the book they are applied to; their text is no longer retained.
  if (statuses === undefined || statuses.length === 0) return batch;
  const inserted = new Set<number>();
  for (const change of batch.changes) if (change.kind === 'insert') inserted.add(change.oid);
  return { ...batch, statuses: statuses.filter((status) => inserted.has(status.order.oid)) };
}
