import { describe, expect, test } from 'vitest';
import { BlockJoiner } from './block-joiner.ts';
import type { BookStream } from './joiner.ts';

const FILLS_WITHIN_MS = 50;

/** A joiner and its events, in order. */
function rig(height: number | null = null) {
  const told: string[] = [];
  const joiner = new BlockJoiner(
    {
      block: ({ height: of, diffs, statuses }) => told.push(`${of}: ${diffs.length} ${statuses.length}`),
      missing: ({ stream, from, to }) => told.push(`missing ${from} ${to} of ${stream}`),
      late: () => {},
      leavesOutQuiet: () => told.push('quiet'),
    },
    FILLS_WITHIN_MS,
  );
  const push = (stream: BookStream, of: number, now = 0, bytes = Buffer.from('[{')) => {
    joiner.push(stream, { height: of, time: of, bytes, eventsAt: 1, readAt: now }, now);
  };
  const block = (of: number, now = 0) => {
    push('diffs', of, now);
    push('statuses', of, now);
  };
  if (height !== null) block(height);
  told.length = 0;
  return { joiner, told, push, block };
}

describe('lines of the files by block', () => {
  test('wait for the line of their fills once any was read, up to the limit', () => {
    const { joiner, told, block } = rig();
    block(1);
    expect(told).toEqual(['1: 1 1']);
    joiner.sawFills(1, 0);
    block(2, 100);
    expect([told.length, joiner.settleAt()]).toEqual([1, 150]);
    joiner.sawFills(2, 110);
    expect([told.length, joiner.settleAt()]).toEqual([2, null]);
    block(3, 200);
    block(4, 220);
    joiner.settle(249);
    expect(told).toHaveLength(2);
    joiner.settle(250);
    // No other block waits until the fills have reached this height.
    expect([told.at(-1), joiner.settleAt()]).toEqual(['4: 1 1', null]);
    block(5, 260);
    expect(told).toHaveLength(5);
    joiner.sawFills(3, 265);
    block(6, 270);
    expect(told).toHaveLength(5);
    expect(joiner.settleAt()).toBe(320);
    joiner.sawFills(6, 280);
    expect(told.at(-1)).toBe('6: 1 1');
  });

  test('[NODE-4] do not wait for fills if the node leaves out quiet blocks', () => {
    const { joiner, told, block } = rig();
    joiner.sawFills(1, 0);
    for (const height of [1, 3, 5, 7]) block(height);
    expect(told).toContain('quiet');
    expect(told.at(-1)).toBe('7: 1 1');
    block(9);
    expect([told.at(-1), joiner.settleAt()]).toEqual(['9: 1 1', null]);
  });

  test.each(['diffs', 'statuses'] as const)(
    '[NODE-2] of %s are read ahead of the other file only within bounds',
    (stream) => {
      const { joiner, told, push } = rig(0);
      const other = stream === 'diffs' ? 'statuses' : 'diffs';
      for (let height = 1; height < 512; height += 1) push(stream, height);
      expect([joiner.hasRoom(stream), joiner.hasRoom(other)]).toEqual([true, true]);
      push(stream, 512);
      expect([joiner.hasRoom(stream), joiner.hasRoom(other)]).toEqual([false, true]);
      push(other, 1);
      expect([told, joiner.hasRoom(stream)]).toEqual([['1: 1 1'], true]);
      push(stream, 513, 0, Buffer.alloc(1 << 26));
      expect(joiner.hasRoom(stream)).toBe(false);
      for (let height = 2; height <= 513; height += 1) push(other, height);
      expect([told.length, joiner.hasRoom(stream)]).toEqual([513, true]);
    },
  );
});
