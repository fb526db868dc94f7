import { describe, expect, test } from 'vitest';
import { BlockOrdering } from './ordering.ts';

const settings = { reorderMs: 100, settleMs: 30 };
const BTC = new Set(['BTC']);
const TWO = new Set(['BTC', 'ETH']);

function ordering(from: number | null = 10): BlockOrdering<string> {
  const made = new BlockOrdering<string>(settings);
  if (from !== null) made.skipTo(from);
  return made;
}

/** All heights that are complete at `now`, as `height:coin,coin`. */
function taken(blocks: BlockOrdering<string>, expected: ReadonlySet<string>, now: number): string[] {
  const all: string[] = [];
  for (let next = blocks.take(expected, now); next !== null; next = blocks.take(expected, now)) {
    all.push(`${next.height}:${[...next.items.keys()].join()}`);
  }
  return all;
}

describe('a height is complete', () => {
  test('[L4-16] but not while part of a message is still arriving', () => {
    const blocks = ordering();
    for (const coin of TWO) blocks.push(coin, 11, 'x', 0);
    blocks.push('ETH', 12, 'small', 0);
    expect(taken(blocks, TWO, 0)).toEqual(['11:BTC,ETH']);
    blocks.touch(55);
    expect(taken(blocks, TWO, 60)).toEqual([]);
    blocks.push('BTC', 12, 'large', 114);
    expect(taken(blocks, TWO, 114)).toEqual(['12:ETH,BTC']);
  });
});

describe('two swapped heights of one coin', () => {
  test('[UP-22] do not complete the height being sent when an older height is repeated', () => {
    const blocks = ordering();
    blocks.push('BTC', 11, 'a', 0);
    blocks.push('ETH', 11, 'b', 0);
    expect(taken(blocks, TWO, 0)).toEqual(['11:BTC,ETH']);
    blocks.push('BTC', 12, 'a', 67);
    blocks.push('BTC', 11, 'a', 67);
    expect(taken(blocks, TWO, 67)).toEqual([]);
    blocks.push('ETH', 12, 'b', 68);
    expect(taken(blocks, TWO, 68)).toEqual(['12:BTC,ETH']);
  });

  test('[UP-22] delay a height briefly if one of its coins had no message at the height before', () => {
    const blocks = ordering();
    blocks.follow('BTC', 10);
    blocks.push('ETH', 11, 'b', 0);
    blocks.push('BTC', 12, 'a', 67);
    expect(taken(blocks, TWO, 67)).toEqual(['11:ETH']);
    blocks.push('ETH', 12, 'b', 67);
    expect(taken(blocks, TWO, 67)).toEqual([]);
    expect(blocks.wakeAt(TWO)).toBe(97);
    expect(blocks.push('BTC', 11, 'a', 70)).toEqual({ kind: 'late', isOver: false });
    expect(taken(blocks, TWO, 70)).toEqual(['12:BTC,ETH']);
    for (const name of ['BTC', 'ETH']) blocks.push(name, 13, 'x', 134);
    expect(taken(blocks, TWO, 134)).toEqual(['13:BTC,ETH']);
  });

  test('[UP-22] do not delay a height whose coin already sent its late message about the one before', () => {
    const blocks = ordering();
    blocks.follow('BTC', 10);
    blocks.push('ETH', 11, 'b', 0);
    expect(taken(blocks, TWO, 60)).toEqual(['11:ETH']);
    blocks.push('BTC', 11, 'a', 61);
    for (const name of ['BTC', 'ETH']) blocks.push(name, 12, 'x', 67);
    expect(taken(blocks, TWO, 67)).toEqual(['12:BTC,ETH']);
  });
});

describe('the wait for a settled height', () => {
  test('[UP-22] ends L4_REORDER_MS after a greater height was first seen, however old its own first message is', () => {
    const blocks = ordering();
    blocks.push('ETH', 11, 'b', 0);
    expect(taken(blocks, TWO, 60)).toEqual(['11:ETH']);
    taken(blocks, TWO, 5_000);
    // The height was interrupted, and nothing followed it.
    expect(blocks.push('BTC', 11, 'a', 5_000)).toEqual({ kind: 'late', isOver: false });
    blocks.push('ETH', 12, 'b', 5_010);
    taken(blocks, TWO, 5_109);
    expect(blocks.push('BTC', 11, 'a', 5_109)).toEqual({ kind: 'late', isOver: false });
    taken(blocks, TWO, 5_110);
    expect(blocks.push('BTC', 11, 'a', 5_110)).toEqual({ kind: 'late', isOver: true });
    expect(blocks.push('BTC', 12, 'a', 5_110)).toEqual({ kind: 'late', isOver: false });
  });

  test('[UP-22] counts up to when all arrived input was read, so that a block read late is not late', () => {
    const blocks = ordering();
    blocks.push('ETH', 11, 'b', 0);
    taken(blocks, TWO, 60);
    blocks.push('ETH', 12, 'b', 67);
    taken(blocks, TWO, 130);
    expect(blocks.wakeAt(TWO)).toBe(167);
    // The thread stalled for a second; this block was in the socket all the while.
    expect(blocks.push('BTC', 11, 'a', 1_130)).toEqual({ kind: 'late', isOver: false });
    taken(blocks, TWO, 1_131);
    expect(blocks.push('BTC', 11, 'a', 1_131)).toEqual({ kind: 'late', isOver: true });
    expect(blocks.wakeAt(TWO)).toBeNull();
  });
});

test('[UP-9] a missing height is waited for from the first message above it, whatever the height of that message', () => {
  const blocks = ordering();
  blocks.push('BTC', 14, 'd', 0);
  blocks.push('BTC', 12, 'b', 90);
  expect(taken(blocks, BTC, 100)).toEqual(['12:BTC', '14:BTC']);
});

test('[L4-12] returns the passed heights when skipping ahead, lowest first, and never goes back', () => {
  const blocks = ordering();
  blocks.push('BTC', 14, 'd', 0);
  blocks.push('BTC', 13, 'c', 0);
  blocks.push('BTC', 20, 'z', 0);
  expect(blocks.skipTo(14).map(({ height }) => height)).toEqual([13, 14]);
  expect(blocks.released).toBe(14);
  expect(blocks.skipTo(12)).toEqual([]);
  expect(blocks.released).toBe(14);
});
