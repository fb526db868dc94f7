import { describe, expect, it } from 'vitest';
import type { ListedRow } from '../../../book-worker/panes/past.ts';
import { type HeldTape, heldTape, type TapeResult } from './tape-rows.ts';

/** A result with `count` rows down from `newest`; the number of a row is its place and its block. */
function result(newest: number, count: number, change: Partial<TapeResult> = {}): TapeResult {
  const rows = Array.from({ length: count }, (_, at) => ({ id: String(newest - at), place: newest - at }) as ListedRow);
  const block = { generation: 1, height: newest, frozen: false, sizeDecimals: 1 };
  return { ...block, end: newest, rows, back: undefined, isCut: false, isGrouped: false, rowsPerSecond: 0, ...change };
}

const held = (...results: readonly TapeResult[]) =>
  results.reduce<HeldTape | undefined>(
    (before, next) => heldTape(before, next, { isPlaying: false, height: next.height }),
    undefined,
  );
const said = (tape: HeldTape | undefined) =>
  tape && [tape.rows.map(({ id }) => id).join(' '), tape.height, `${tape.newer}${tape.isMore ? '+' : ''}`];

describe('held rows of the tape', () => {
  it('stay, with the number of those that wait', () => {
    expect(said(held(result(5, 3), result(7, 3)))).toEqual(['5 4 3', 5, '2']);
    expect(said(held(result(5, 3), result(7, 3), result(9, 6)))).toEqual(['5 4 3', 5, '4']);
  });

  it('are counted as far as the list reaches, and say so if it does not reach back to them', () => {
    expect(said(held(result(5, 3), result(7, 3), result(9, 3)))).toEqual(['5 4 3', 5, '3+']);
    expect(said(held(result(5, 3), result(9, 3), result(10, 9))), 'the whole list again').toEqual(['5 4 3', 5, '5']);
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
    let last: HeldTape | undefined;
    const show = (newest: number, isPlaying: boolean, height = newest) => {
      last = heldTape(last, result(newest, 3, { frozen: true }), { isPlaying, height });
      return said(last);
    };
    expect(show(5, false)).toEqual(['5 4 3', 5, '0']);
    expect(show(6, true)).toEqual(['5 4 3', 5, '1']);
    expect(show(8, true)).toEqual(['5 4 3', 5, '3+']);
    expect(show(3, true), 'the loop begins again').toEqual(['3 2 1', 3, '0']);
    expect(show(5, true)).toEqual(['3 2 1', 3, '2']);
    expect(show(5, false, 6), 'no longer played').toEqual(['3 2 1', 3, '2']);
    expect(show(6, false), 'the result for the last played block').toEqual(['3 2 1', 3, '3+']);
    expect(show(7, false), 'a step').toEqual(['7 6 5', 7, '0']);
  });

  it('are none in an empty list', () => {
    expect(said(held(result(5, 0), result(7, 2)))).toEqual(['7 6', 7, '0']);
  });
});
