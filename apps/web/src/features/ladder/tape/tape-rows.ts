import { useState } from 'react';
import type { ListedRow } from '../../../book-worker/panes/past.ts';
import type { PaneResult } from '../../../book-worker/panes.ts';
import { useBook } from '../../../book-worker/use-book.ts';

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
  readonly isMoving: boolean;
}

/** How the book is shown, which may be ahead of the tape's result. */
interface ShownMoment {
  readonly isPlaying: boolean;
  readonly height: number | undefined;
}

/**
 * The rows that were held `before`, with another result: newer rows wait. The list of another book or filter, or of a block that
 * somebody travelled to, takes their place, but not that of a block that is played.
 */
export function heldTape(before: HeldTape | undefined, tape: TapeResult, moment: ShownMoment): HeldTape {
  const isMoving = movesItself(before, tape, moment);
  const top = before?.rows[0];
  if (before === undefined || top === undefined || !isLater(before, tape, isMoving)) {
    return { rows: tape.rows, height: tape.height, newer: 0, isMore: false, tape, isMoving };
  }
  // By place: a block may be one row by now, or be single rows again.
  const first = tape.rows.findIndex(({ place }) => place <= top.place);
  return { ...before, newer: first < 0 ? tape.rows.length : first, isMore: first < 0, tape, isMoving };
}

/** Whether the book moves by itself: live, or played. The result of the last block that it moved to may still follow. */
function movesItself(before: HeldTape | undefined, tape: TapeResult, { isPlaying, height }: ShownMoment): boolean {
  return isPlaying || !tape.frozen || (before?.isMoving === true && tape.height !== height);
}

/** Whether a result continues the list of another one. A step in a held book does not: its block is to be seen. */
function isLater({ tape: last, isMoving: wasMoving }: HeldTape, next: TapeResult, isMoving: boolean): boolean {
  const isStep = !wasMoving && !isMoving && last.height !== next.height;
  // A held book is opened to read single rows.
  const isOpened = last.isGrouped && next.frozen;
  return last.generation === next.generation && !isStep && !isOpened && next.end >= last.end;
}

/** The rows that keep their places while they are held; undefined while they are not. */
export function useHeldTape(tape: TapeResult | undefined, isHeld: boolean, isPlaying: boolean): HeldTape | undefined {
  const [held, setHeld] = useState<HeldTape>();
  const height = useBook(({ shown }) => (isHeld ? shown?.height : undefined));
  if (!isHeld || tape === undefined) {
    if (held !== undefined) setHeld(undefined);
    return undefined;
  }
  const moment = { isPlaying, height };
  if (held?.tape === tape && held.isMoving === movesItself(held, tape, moment)) return held;
  const next = heldTape(held, tape, moment);
  setHeld(next);
  return next;
}
