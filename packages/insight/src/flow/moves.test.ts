import { describe, expect, it } from 'vitest';
import { FLOW_KINDS } from './flow-event.ts';
import { type Move, packMoves, unpackMoves } from './moves.ts';

describe('the moves of a block as text', () => {
  it('are read again exactly: both sides, every kind, inferred or not, and sizes of any length', () => {
    const moves = FLOW_KINDS.flatMap((kind, at): readonly Move[] => [
      { side: 'B', kind, inferred: at % 2 === 0, level: '63210.5', sz: '0' },
      { side: 'A', kind, inferred: at % 2 === 1, level: '0.000000123456789', sz: '123456789012345678.90' },
    ]);
    expect(unpackMoves(packMoves(moves))).toEqual(moves);
  });

  it('of a block without changes are none', () => {
    expect(unpackMoves(packMoves([]))).toEqual([]);
  });
});
