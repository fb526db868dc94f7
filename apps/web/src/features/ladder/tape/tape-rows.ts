import { useState } from 'react';
import type { ListedRow } from '../../../book-worker/panes/past.ts';
import type { PaneResult } from '../../../book-worker/panes.ts';

/** Most rows listed; use the filter to find older changes. */
export const LISTED = 300;

/** A result of the tape. */
export type TapeResult = PaneResult<'tape'>;

/** The rows of an earlier response, which keep their places, and how many newer ones wait. */
export interface HeldTape {
  readonly rows: readonly ListedRow[];
  /** The block that the rows belong to. */
  readonly height: number;
  readonly newer: number;
  /** Even more wait: a result did not reach back to the one before. */
  readonly isMore: boolean;
  /** The last result, and whether its book moved by itself: it was live or played. */
  readonly tape: TapeResult;
  readonly isMoving: boolean;
}

/**
 * The rows that were held `before`, with another result: newer rows wait, and older ones follow as far as they are listed. The
 * list of another book, filter or block of time travel takes their place, but not that of a block that is played.
 */
export function heldTape(before: HeldTape | undefined, tape: TapeResult, isPlaying = false): HeldTape {
  const isMoving = isPlaying || !tape.frozen;
  if (before === undefined || before.rows.length === 0 || !isLater(before, tape, isMoving)) {
    return { rows: tape.rows, height: tape.height, newer: 0, isMore: false, tape, isMoving };
  }
  // By place: a block may be one row by now, or be single rows again.
  const indexOf = (row: ListedRow | undefined) =>
    row === undefined ? -1 : tape.rows.findIndex(({ place }) => place <= row.place);
  const [top] = before.rows;
  const first = indexOf(top);
  if (first >= 0) {
    const rest = tape.rows.slice(first);
    const rows = rest[0]?.id === top?.id && rest.length > before.rows.length ? rest : before.rows;
    return { ...before, rows, newer: first, isMore: false, tape, isMoving };
  }
  const added = indexOf(before.tape.rows[0]);
  return {
    ...before,
    newer: before.newer + (added < 0 ? tape.rows.length : added),
    isMore: before.isMore || added < 0,
    tape,
    isMoving,
  };
}

/** Whether a result continues the list of another one. A step in a held book does not: its block is to be seen. */
function isLater({ tape: last, isMoving: wasMoving }: HeldTape, next: TapeResult, isMoving: boolean): boolean {
  const isStep = !wasMoving && !isMoving && last.height !== next.height;
  // A held book is opened to read single rows.
  const isOpened = last.isGrouped && next.frozen;
  return last.generation === next.generation && !isStep && !isOpened && next.end >= last.end;
}

interface Shown {
  readonly tape: TapeResult;
  readonly isPlaying: boolean;
  readonly held: HeldTape;
}

/**
 * The rows after another result, or after the book began or ended to be played, now at the block of this `height`. The result
 * for the last played block may still follow.
 */
export function nextHeld(
  last: Shown | undefined,
  tape: TapeResult,
  isPlaying: boolean,
  height: number | undefined,
): Shown {
  const isStopped = last?.isPlaying === true && !isPlaying && last.tape.frozen && last.tape.height === height;
  const before = last && (isStopped ? { ...last.held, isMoving: false } : last.held);
  const held = before !== undefined && tape === last?.tape ? before : heldTape(before, tape, isPlaying);
  return { tape, isPlaying, held };
}

/** The rows that keep their places while they are held; undefined while they are not. */
export function useHeldTape(
  tape: TapeResult | undefined,
  isHeld: boolean,
  isPlaying: boolean,
  height: number | undefined,
): HeldTape | undefined {
  const [last, setLast] = useState<Shown>();
  if (!isHeld || tape === undefined) {
    if (last !== undefined) setLast(undefined);
    return undefined;
  }
  if (last?.tape === tape && last.isPlaying === isPlaying) return last.held;
  const next = nextHeld(last, tape, isPlaying, height);
  setLast(next);
  return next.held;
}
