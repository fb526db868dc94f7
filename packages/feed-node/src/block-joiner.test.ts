import { expect, test } from 'vitest';
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

test.each(['diffs', 'statuses'] as const)(
  '[NODE-2] lines of the files by block of %s are read ahead of the other file only within bounds',
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
