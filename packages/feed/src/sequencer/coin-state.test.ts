import { diff } from '@l4desk/testkit';
import { expect, test } from 'vitest';
import type { UpstreamBlock } from '../blocks/upstream-block.ts';
import { readServerMessage } from '../sources/server-message.ts';
import { isSameBlock, RecentBlocks } from './coin-state.ts';

function block(height: number, book_diffs: readonly unknown[], time = height): UpstreamBlock {
  const message = readServerMessage(
    JSON.stringify({ channel: 'l4Book', data: { Updates: { time, height, order_statuses: [], book_diffs } } }),
    () => true,
  );
  if (message.kind !== 'block') throw new Error(`read as ${message.kind}`);
  return message.block;
}

test('[UP-32] distinguishes blocks of one height by their time and by every change', () => {
  const diffs = [diff.insert('1.0', { oid: 1 }), diff.resize('1.0', '0.5', { oid: 2 }), diff.remove({ oid: 3 })];
  const one = block(11, diffs);
  const others = [
    block(11, diffs, 12),
    block(11, diffs.slice(1)),
    block(11, [...diffs.slice(1), ...diffs.slice(0, 1)]),
    block(11, [diff.insert('1.1', { oid: 1 }), ...diffs.slice(1)]),
    block(11, [diff.insert('1.0', { oid: 1, px: '7.0' }), ...diffs.slice(1)]),
    block(11, [...diffs.slice(0, 1), diff.resize('1.0', '0.6', { oid: 2 }), ...diffs.slice(2)]),
    block(11, [...diffs.slice(0, 2), diff.remove({ oid: 4 })]),
  ];
  const recent = new RecentBlocks(100);
  recent.add(one);
  expect([isSameBlock(one, block(11, diffs)), recent.compare(block(11, diffs))]).toEqual([true, 'same']);
  for (const other of others) expect([isSameBlock(one, other), recent.compare(other)]).toEqual([false, 'other']);
  expect(recent.compare(block(12, diffs))).toBe('none');
});

test('[UP-32] forgets the oldest blocks', () => {
  const recent = new RecentBlocks(3);
  for (let height = 1; height <= 4; height += 1) recent.add(block(height, [diff.remove()]));
  expect([1, 2, 3, 4].map((height) => recent.compare(block(height, [diff.remove()])))).toEqual([
    'none',
    'same',
    'same',
    'same',
  ]);
});
