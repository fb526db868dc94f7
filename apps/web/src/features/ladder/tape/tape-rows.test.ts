import { describe, expect, it } from 'vitest';
import type { ListedRow } from '../../../book-worker/panes/past.ts';
import { type HeldTape, heldTape, nextHeld, type TapeResult } from './tape-rows.ts';

/** A result with `count` rows down from `newest`; the number of a row is its place and its block. */
function result(newest: number, count: number, change: Partial<TapeResult> = {}): TapeResult {
  const rows = Array.from({ length: count }, (_, at) => ({ id: String(newest - at), place: newest - at }) as ListedRow);
  const block = { generation: 1, height: newest, frozen: false, sizeDecimals: 1 };
  return { ...block, end: newest, rows, back: undefined, isCut: false, isGrouped: false, rowsPerSecond: 0, ...change };
}

const held = (...results: readonly TapeResult[]) =>
  results.reduce<HeldTape | undefined>((before, next) => heldTape(before, next), undefined);
const said = (tape: HeldTape | undefined) =>
  tape && [tape.rows.map(({ id }) => id).join(' '), tape.height, `${tape.newer}${tape.isMore ? '+' : ''}`];

describe('held rows of the tape', () => {
  it('stay, with the number of those that wait', () => {
    expect(said(held(result(5, 3), result(7, 3)))).toEqual(['5 4 3', 5, '2']);
    expect(said(held(result(5, 3), result(7, 3), result(12, 6)))).toEqual(['5 4 3', 5, '7']);
  });

  it('are followed by older ones once these are listed', () => {
    expect(said(held(result(5, 3), result(7, 9)))).toEqual(['5 4 3 2 1 0 -1', 5, '2']);
    expect(said(held(result(5, 3), result(7, 9), result(8, 2))), 'and keep them').toEqual(['5 4 3 2 1 0 -1', 5, '3']);
    expect(said(held(result(5, 3), result(7, 3), result(7, 9))), 'without another block').toEqual([
      '5 4 3 2 1 0 -1',
      5,
      '2',
    ]);
  });

  it('count on when the list no longer reaches back to them, and say so if a result missed some', () => {
    expect(said(held(result(5, 3), result(7, 3), result(9, 3)))).toEqual(['5 4 3', 5, '4']);
    expect(said(held(result(5, 3), result(9, 3), result(10, 3)))).toEqual(['5 4 3', 5, '4+']);
    expect(said(held(result(5, 3), result(9, 3), result(10, 9))), 'the whole list again').toEqual(['5 4 3 2', 5, '5']);
  });

  it('give way to another book and an earlier block', () => {
    const next = ['7 6 5', 7, '0'];
    expect(said(held(result(5, 3), result(7, 3, { generation: 2 })))).toEqual(next);
    expect(said(held(result(9, 3), result(7, 3)))).toEqual(next);
  });

  it('give way to a step in a held book, but not when the book is held or live again', () => {
    const still = { frozen: true };
    expect(said(held(result(5, 3, still), result(6, 3, still)))).toEqual(['6 5 4', 6, '0']);
    expect(said(held(result(5, 3), result(6, 3, still)))).toEqual(['5 4 3', 5, '1']);
    expect(said(held(result(5, 3, still), result(6, 3)))).toEqual(['5 4 3', 5, '1']);
  });

  it('give way to single rows when the book is held, not before', () => {
    const blocks = { isGrouped: true };
    expect(said(held(result(5, 3), result(6, 3, blocks)))).toEqual(['5 4 3', 5, '1']);
    expect(said(held(result(5, 3, blocks), result(6, 3)))).toEqual(['5 4 3', 5, '1']);
    expect(said(held(result(5, 3, blocks), result(5, 3, { frozen: true })))).toEqual(['5 4 3', 5, '0']);
    expect(said(held(result(5, 3, blocks), result(6, 3, { frozen: true })))).toEqual(['6 5 4', 6, '0']);
  });

  it('stay, with the number of newer ones, when a block becomes one row or single rows', () => {
    const singles = (newest: number, count: number) => {
      const rows = result(newest, count).rows.flatMap((row) => [
        { ...row, id: `${row.id} 1` },
        { ...row, id: `${row.id} 0` },
      ]);
      return result(newest, count, { rows });
    };
    const blocks = (newest: number, count: number) => result(newest, count, { isGrouped: true });
    const rows = '5 1 5 0 4 1 4 0';
    expect(said(held(singles(5, 2), blocks(8, 9)))).toEqual([rows, 5, '3']);
    expect(said(held(singles(5, 2), blocks(8, 9), singles(9, 6)))).toEqual([rows, 5, '8']);
    expect(said(held(blocks(5, 2), singles(7, 9)))).toEqual(['5 4', 5, '4']);
    expect(said(held(singles(5, 2), blocks(20, 9)))).toEqual([rows, 5, '9+']);
  });

  it('stay while blocks are played and until the next step, and give way to the start of a loop', () => {
    let last: ReturnType<typeof nextHeld> | undefined;
    let isPlaying = false;
    const show = (newest: number) => {
      last = nextHeld(last, result(newest, 3, { frozen: true }), isPlaying, newest);
      return said(last.held);
    };
    /** Begins or ends to play; the ladder shows the block of this height by then. */
    const play = (next: boolean, height: number) => {
      isPlaying = next;
      if (last !== undefined) last = nextHeld(last, last.tape, isPlaying, height);
    };
    expect(show(5)).toEqual(['5 4 3', 5, '0']);
    play(true, 5);
    expect(show(6)).toEqual(['5 4 3', 5, '1']);
    expect(show(8)).toEqual(['5 4 3', 5, '3']);
    expect(show(3), 'the loop begins again').toEqual(['3 2 1', 3, '0']);
    expect(show(5)).toEqual(['3 2 1', 3, '2']);
    play(false, 6);
    expect(show(6), 'the result for the last played block').toEqual(['3 2 1', 3, '3']);
    expect(show(7), 'a step').toEqual(['7 6 5', 7, '0']);
    play(true, 7);
    expect(show(8)).toEqual(['7 6 5', 7, '1']);
    play(false, 8);
    expect(show(9), 'a step').toEqual(['9 8 7', 9, '0']);
  });

  it('are none in an empty list', () => {
    expect(said(held(result(5, 0), result(7, 2)))).toEqual(['7 6', 7, '0']);
  });
});
