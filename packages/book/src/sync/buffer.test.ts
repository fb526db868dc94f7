import { type CoinBatch, UnreadStatuses } from '@l4desk/protocol';
import { order, orderStatus } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { batch, insert, remove } from '../test-support/changes.ts';
import { type BatchBuffer, bufferedBatches, EMPTY_BUFFER, pushBatch } from './buffer.ts';

function seqs(buffer: BatchBuffer): number[] {
  return bufferedBatches(buffer).map(({ seq }) => seq);
}

function pushAll(...list: readonly CoinBatch[]): BatchBuffer {
  return list.reduce((buffer, item) => pushBatch(buffer, item), EMPTY_BUFFER);
}

describe('buffer', () => {
  const other = { epoch: 'epoch-2' };
  it.each<[what: string, pushed: readonly CoinBatch[], kept: readonly number[]]>([
    ['[L4-1] keeps batches in the order they arrived', [batch(5), batch(6), batch(7)], [5, 6, 7]],
    ['[L4-3] drops late and repeated batches', [5, 6, 6, 5, 7].map((seq) => batch(seq)), [5, 6, 7]],
    ['[L4-6] starts afresh after a gap', [5, 6, 8, 9].map((seq) => batch(seq)), [8, 9]],
    ['[L4-6] starts afresh after an overlap', [batch(5), batch(6), batch(8, { prevSeq: 5 }), batch(9)], [8, 9]],
    ['[L4-4] starts afresh in another epoch', [batch(5), batch(6), batch(1, other), batch(2, other)], [1, 2]],
  ])('%s', (_what, pushed, kept) => expect(seqs(pushAll(...pushed))).toEqual(kept));

  it('keeps only the statuses of new orders', () => {
    const statuses = [1, 2, 3].map((oid) => orderStatus(order({ oid })));
    const kept = bufferedBatches(pushAll(batch(5, { changes: [insert(2, '1.0'), remove(3)], statuses })));
    expect(kept[0]?.statuses).toEqual([statuses[1]]);
  });

  it('reads unread statuses, and drops those that cannot be read', () => {
    const statuses = [1, 2, 3].map((oid) => orderStatus(order({ oid })));
    const unread = (text: string) => new UnreadStatuses(text, 'order_statuses');
    const read = batch(5, { changes: [insert(2, '1.0')], statuses: unread(JSON.stringify(statuses)) });
    const broken = unread('[{}]');
    const kept = bufferedBatches(pushAll(read, batch(6, { statuses: broken })));
    expect(kept.map((item) => item.statuses)).toEqual([[statuses[1]], broken]);
  });

  it('drops the oldest half past its bound, and is never changed in place', () => {
    let buffer = EMPTY_BUFFER;
    const changes = [insert(1, '1.0'), insert(2, '1.0')];
    const before: BatchBuffer[] = [];
    for (let seq = 1; seq <= 30; seq += 1) {
      before.push(buffer);
      buffer = pushBatch(buffer, batch(seq, { changes }), 20);
      const kept = seqs(buffer);
      expect(kept.at(-1)).toBe(seq);
      expect(kept.length * changes.length).toBeLessThanOrEqual(20);
      expect(kept.length).toBeGreaterThanOrEqual(Math.min(seq, 5));
    }
    expect(seqs(buffer)).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
    expect(seqs(before[3] ?? buffer)).toEqual([1, 2, 3]);
  });
});
