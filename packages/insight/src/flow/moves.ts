import type { DecimalString, Side } from '@l4desk/protocol';
import { FLOW_KINDS, type FlowEvent, type FlowKind, movedSize } from './flow-event.ts';

/** What a change moved: all that running sums need of it. */
export interface Move extends Pick<FlowEvent, 'side' | 'level' | 'kind' | 'inferred'> {
  readonly sz: DecimalString;
}

/** What a change moved. */
export function moveOf(event: FlowEvent): Move {
  const { side, level, kind, inferred } = event;
  return { side, level, kind, inferred, sz: movedSize(event) };
}

/**
 * The moves of a block as one string: it is read faster than the block itself, and costs a garbage collection next to nothing.
 * Each move is `<side><index of the kind><1 if inferred, else 0><level> <sz>`; moves are separated by spaces.
 */
export function packMoves(moves: readonly Move[]): string {
  return moves
    .map(({ side, kind, inferred, level, sz }) => `${side}${FLOW_KINDS.indexOf(kind)}${inferred ? 1 : 0}${level} ${sz}`)
    .join(' ');
}

/** The moves packed by `packMoves`. */
export function unpackMoves(packed: string): readonly Move[] {
  if (packed === '') return [];
  const texts = packed.split(' ');
  const moves: Move[] = [];
  for (let at = 0; at < texts.length; at += 2) {
    const head = texts[at] as string;
    moves.push({
      side: head[0] as Side,
      kind: FLOW_KINDS[Number(head[1])] as FlowKind,
      inferred: head[2] === '1',
      level: head.slice(3) as DecimalString,
      sz: texts[at + 1] as DecimalString,
    });
  }
  return moves;
}
