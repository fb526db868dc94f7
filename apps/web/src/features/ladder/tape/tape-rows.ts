import { useState } from 'react';
import type { ListedRow } from '../../../book-worker/panes/past.ts';
import type { PaneResult } from '../../../book-worker/panes.ts';

/** Most rows listed; use the filter to find older changes. */
export const LISTED = 300;

export type TapeResult = PaneResult<'tape'>;

/** The rows of an earlier result, which keep their places, and how many newer ones wait. */
export interface HeldTape {
  readonly rows: readonly ListedRow[];
  /** The block that the rows belong to. */
  readonly height: number;
  readonly newer: number;
  /** Even more wait: the last result does not reach back to the rows. */
  readonly isMore: boolean;
  readonly tape: TapeResult;
}

/**
 * The rows that were held `before`, with another result: newer rows wait. The list of another book or filter, or of a block that
 * somebody travelled to, takes their place, but not that of a block that is played.
 */
export function heldTape(before: HeldTape | undefined, tape: TapeResult, isPlaying: boolean): HeldTape {
  const top = before?.rows[0];
  if (before === undefined || top === undefined || !isLater(before.tape, tape, isPlaying)) {
    return { rows: tape.rows, height: tape.height, newer: 0, isMore: false, tape };
  }
  // By place: a block may be one row by now, or be single rows again.
  const first = tape.rows.findIndex(({ place }) => place <= top.place);
  return { ...before, newer: first < 0 ? tape.rows.length : first, isMore: first < 0, tape };
}

/** Whether a result continues the list of another one. A step in a held book does not: its block is to be seen. */
function isLater(last: TapeResult, next: TapeResult, isPlaying: boolean): boolean {
  const isStep = !isPlaying && last.frozen && next.frozen && last.height !== next.height;
  // A held book is opened to read single rows.
  const isOpened = last.isGrouped && next.frozen;
  return last.generation === next.generation && !isStep && !isOpened && next.end >= last.end;
}

/** The rows that keep their places while they are held; undefined while they are not. */
export function useHeldTape(tape: TapeResult | undefined, isHeld: boolean, isPlaying: boolean): HeldTape | undefined {
  const [held, setHeld] = useState<HeldTape>();
  if (!isHeld || tape === undefined) {
    if (held !== undefined) setHeld(undefined);
    return undefined;
  }
  if (held?.tape === tape) return held;
  const next = heldTape(held, tape, isPlaying);
  setHeld(next);
  return next;
}
