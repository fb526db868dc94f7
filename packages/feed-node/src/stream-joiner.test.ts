import { describe, expect, test } from 'vitest';
import type { BookStream } from './joiner.ts';
import { readLine } from './node-line.ts';
import { StreamJoiner } from './stream-joiner.ts';

/** A joiner and its events, in order. */
function rig(height: number | null = null) {
  const told: string[] = [];
  const joiner = new StreamJoiner({
    block: ({ height: of, diffs, statuses }) => told.push(`${of}: ${diffs.length} ${statuses.length}`),
    missing: ({ from, to }) => told.push(`missing ${from} ${to}`),
    late: ({ height: of }) => told.push(`late ${of}`),
    leavesOutQuiet: () => told.push('quiet'),
  });
  const push = (stream: BookStream, of: number, now = 0) => {
    const time = '2026-05-05T17:39:13.024084407';
    const bytes = Buffer.from(
      JSON.stringify({ local_time: time, block_time: time, block_number: of, events: [{ user: 'x' }] }),
    );
    const line = readLine(bytes);
    if (line !== null) joiner.push(stream, line, now);
  };
  // Reading begins in this block, of which the first rows are not known.
  if (height !== null) for (const stream of ['diffs', 'statuses'] as const) push(stream, height);
  return { joiner, told, push };
}

describe('rows of the streaming files', () => {
  test('[NODE-11] are joined from the first block after the partial ones in which reading began', () => {
    const { told, push } = rig();
    for (const height of [7, 8, 9, 10, 12]) push('statuses', height);
    for (const height of [9, 10, 10, 11, 12]) push('diffs', height);
    expect(told).toEqual(['10: 2 1']);
  });

  test('[NODE-11] complete a block when both files are past it by two, or by one for a while', () => {
    const { joiner, told, push } = rig(6);
    push('diffs', 7, 100);
    push('statuses', 7, 100);
    push('diffs', 8, 110);
    expect(joiner.settleAt()).toBeNull();
    push('statuses', 8, 115);
    expect([told, joiner.settleAt()]).toEqual([[], 145]);
    joiner.settle(144);
    expect(told).toEqual([]);
    // A row that is slightly late still belongs to its block.
    push('diffs', 7, 144);
    joiner.settle(145);
    expect(told).toEqual(['7: 2 1']);
    push('diffs', 10, 146);
    push('statuses', 10, 146);
    expect(told).toEqual(['7: 2 1', '8: 1 1']);
  });

  test('[NODE-11] are reported as late if they are changes after their block, but not if they are statuses', () => {
    const { told, push } = rig(6);
    for (const height of [7, 8, 9]) for (const stream of ['diffs', 'statuses'] as const) push(stream, height);
    push('statuses', 7);
    push('diffs', 7);
    expect(told.slice(1)).toEqual(['late 7']);
  });

  test('[NODE-11, NODE-4] are assumed to be absent for quiet blocks, which is reported once', () => {
    const { told, push } = rig(6);
    for (const height of [7, 9, 11, 13]) for (const stream of ['diffs', 'statuses'] as const) push(stream, height);
    expect(told.filter((line) => line === 'quiet')).toHaveLength(1);
    expect(told.filter((line) => /^\d/.test(line)).map((line) => line.split(':')[0])).toEqual(['7', '9', '11']);
  });

  test('[NODE-11, NODE-3] lose every block up to a point where rows may be lost, while repeated rows cause no loss', () => {
    const { joiner, told, push } = rig(6);
    for (const height of [7, 8]) for (const stream of ['diffs', 'statuses'] as const) push(stream, height);
    joiner.damaged('statuses');
    expect(told).toEqual([]);
    joiner.damaged('diffs');
    expect(told).toEqual(['missing 7 9']);
    for (const height of [6, 7, 8, 9, 10, 11, 12]) push('diffs', height);
    for (const height of [9, 10, 11, 12]) push('statuses', height);
    expect(told.slice(1).map((line) => line.split(' ')[0])).toEqual(['10:']);
    push('diffs', 9);
    expect(told.at(-1)).toBe('late 9');
  });
});
